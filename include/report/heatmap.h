/* heatmap: pictures of attention: a row for each target token, a column for each source token; the darker
 * the cell, the larger the weight. With several attention heads, the picture of their mean and one for
 * each head stand side by side. */
#ifndef NMT_HEATMAP_H
#define NMT_HEATMAP_H

#include "strbuf.h"
#include "token_style.h"

/* weights in the legend */
#define HEATMAP_SCALE "0", "0.25", "0.5", "0.75", "1"

struct heatmap {
    char *const *rows, *const *columns; /* the tokens: valid UTF-8 */
    int row_count, column_count;
    int heads;                   /* 0: one picture; else their mean, then each head */
    const float *weights;        /* [1 + heads][rows][columns], 0 to 1 */
    const char *source, *target; /* the sentences, shown as titles of an SVG */
    const struct token_style *style;
};

/* The weights of picture `number`, from 0; appends its name, such as "head 2". */
const float *heatmap_weights(const struct heatmap *map, int number);
void heatmap_add_name(struct strbuf *out, const struct heatmap *map, int number);

/* For a terminal: source tokens run downwards above their columns; cells have five shades. */
void heatmap_text(struct strbuf *out, const struct heatmap *map);
/* An SVG file with title, scale and an explanation of the marks. */
void heatmap_svg(struct strbuf *out, const struct heatmap *map);
/* Tables for a page of html.h; each cell shows its weight under the mouse. The legend of a page explains
 * the scale and the marks. */
void heatmap_html(struct strbuf *out, const struct heatmap *map);
void heatmap_legend(struct strbuf *out, const struct token_mark *marks);

#endif

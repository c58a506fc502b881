/* heatmap: attention as pictures: a row for each target token, a column for each source token, the darker the
 * more of its attention a target token gave to a source token. Where a model has several attention heads, the
 * picture of their mean and one of each stand side by side. */
#ifndef NMT_HEATMAP_H
#define NMT_HEATMAP_H

#include "strbuf.h"
#include "token_style.h"

/* Weights that a scale shows. */
#define HEATMAP_SCALE "0", "0.25", "0.5", "0.75", "1"

struct heatmap {
    char *const *rows, *const *columns; /* the tokens: valid UTF-8 */
    int row_count, column_count;
    int heads;                   /* 0: one picture; else that of their mean, and then one of each */
    const float *weights;        /* [1 + heads][rows][columns], 0 to 1 */
    const char *source, *target; /* the sentences: titles of an SVG */
    const struct token_style *style;
};

/* The weights of picture `number`, from 0; appends its name, "head 2". */
const float *heatmap_weights(const struct heatmap *map, int number);
void heatmap_add_name(struct strbuf *out, const struct heatmap *map, int number);

/* For a terminal: source tokens from top to bottom above their columns, cells in five shades. */
void heatmap_text(struct strbuf *out, const struct heatmap *map);
/* An SVG file with title, scale and what the marks mean. */
void heatmap_svg(struct strbuf *out, const struct heatmap *map);
/* Tables for a page of html.h; each cell tells its weight when it is pointed at. A legend for the whole page:
 * the scale of weights, and what the marks mean. */
void heatmap_html(struct strbuf *out, const struct heatmap *map);
void heatmap_legend(struct strbuf *out, const struct token_mark *marks);

#endif

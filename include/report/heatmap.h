/* heatmap: attention as a picture: a row for each target token, a column for each source token, the darker
 * the more of its attention a target token gave to a source token. */
#ifndef NMT_HEATMAP_H
#define NMT_HEATMAP_H

#include "strbuf.h"

struct heatmap {
    char *const *rows, *const *columns; /* the tokens: valid UTF-8 */
    int row_count, column_count;
    const float *weights; /* [rows][columns], 0 to 1 */
};

/* For a terminal: source tokens from top to bottom above their columns, cells in five shades. */
void heatmap_text(struct strbuf *out, const struct heatmap *map);
/* An <svg> element that can also be a file of its own; each cell tells its weight when it is pointed at. */
void heatmap_svg(struct strbuf *out, const struct heatmap *map);

#endif

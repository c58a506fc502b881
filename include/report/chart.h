/* chart: lines as SVG, for pages of html.h; as wide as there is room. Each point shows its value when it is
 * pointed at, without a script; what a chart tells a screen reader is its title. */
#ifndef NMT_CHART_H
#define NMT_CHART_H

#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct chart_series {
    const char *name;    /* NULL where there is only one */
    const double *x, *y; /* [count], x rising; points that are not finite, or above 1e300, are left out */
    size_t count;
};

struct chart {
    const char *title;
    const char *x_name, *y_name; /* of the axes, in what values say: "update 300: loss 2.13" */
    const struct chart_series *series;
    int series_count;
    bool logarithmic;         /* y; points that are not above 0 are left out */
    const char *const *ticks; /* names of x = 0, 1, …, instead of numbers; NULL: numbers */
    int tick_count;
};

/* A figure with its title, which says so where the scale is logarithmic, and a legend where there are several
 * lines. At most CHART_COLORS series. */
#define CHART_COLORS 8
void chart_html(struct strbuf *out, const struct chart *chart);

/* The same curve in at most `most` points, each the mean of a part of the old ones, which are as long as each
 * other; not finite ones don't count. Returns how many; the arrays are [most]. */
size_t chart_thin(double *thin_x, double *thin_y, size_t most, const double *x, const double *y,
                  size_t count);

#endif

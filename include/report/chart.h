/* chart: curves as SVG for pages of html.h, as wide as the page. A point shows its value under the mouse,
 * without scripts; screen readers read the title. */
#ifndef NMT_CHART_H
#define NMT_CHART_H

#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct chart_series {
    const char *name;    /* NULL if there is only one */
    const double *x, *y; /* [count], x rising; points that are not finite or above 1e300 are left out */
    size_t count;
};

struct chart {
    const char *title;
    const char *x_name, *y_name; /* as in tooltips: "update 300: loss 2.13" */
    const struct chart_series *series;
    int series_count;
    bool logarithmic;         /* y; points at or below 0 are left out */
    const char *const *ticks; /* names of x = 0, 1, …, instead of numbers; NULL: numbers */
    int tick_count;
};

#define CHART_COLORS 8
/* Appends a figure with its title, which mentions a logarithmic scale, and a legend for several lines. At
 * most CHART_COLORS series. */
void chart_html(struct strbuf *out, const struct chart *chart);

/* Thins a curve to at most `most` points, each for an equal part of the old ones: at the last x of the part,
 * the mean of its finite y, NAN without one. Returns how many; thin_x, thin_y [most]. */
size_t chart_thin(double *thin_x, double *thin_y, size_t most, const double *x, const double *y,
                  size_t count);

#endif

/* panels: what prepacked weights of all kinds of numbers have in common. Their columns lie in panels of equal
 * width; the last one is filled up with zeros. */
#ifndef NMT_PANELS_H
#define NMT_PANELS_H

#include "mat.h"

#include <stdbool.h>
#include <stddef.h>

static inline size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* The least multiple of `unit` that is not below n. */
static inline size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Part `part` of `parts` of the panels of n columns: columns [begin, end), the last panel as a whole. */
static inline void panels_part(size_t n, size_t width, int part, int parts, size_t *begin, size_t *end)
{
    const size_t count = round_up(n, width) / width;
    *begin = count * (size_t)part / (size_t)parts * width;
    *end = count * (size_t)(part + 1) / (size_t)parts * width;
}

/* c (+)= those columns of `whole` [rows][width], a product with the last panel, that c has. */
static inline void panels_write_edge(struct mat c, const real *whole, size_t width, bool add)
{
    for (size_t i = 0; i < c.rows; i++)
        for (size_t j = 0; j < c.cols; j++)
            mat_row(c, i)[j] = (add ? mat_row(c, i)[j] : 0) + whole[i * width + j];
}

#endif

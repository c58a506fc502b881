/* Dropout by a hash of key and index, so that no mask is stored. The caller supplies keys and rates. */
#include "dropout.h"

#include "err.h"
#include "kernel.h"
#include "rng.h"
#include "vecmath.h"

/* Numbers whose hash is at least this are kept. */
static uint32_t threshold_of(const struct dropout *dropout)
{
    return (uint32_t)(dropout->rate * 4294967296.0);
}

static KERNEL(apply, (real *x, uint32_t key, uint32_t threshold, real scale, size_t n),
              (x, key, threshold, scale, n))
{
    for (size_t i = 0; i < n; i++)
        x[i] = rng_hash32(key, (uint32_t)i) >= threshold ? x[i] * scale : 0;
}

void dropout_apply(struct mat x, const struct dropout *dropout)
{
    ASSERT(x.ld == x.cols);
    if (dropout->rate > 0)
        apply(x.data, dropout->key, threshold_of(dropout), (real)(1 / (1 - dropout->rate)), x.rows * x.cols);
}

void dropout_words(struct mat x, const struct dropout *dropout)
{
    if (dropout->rate <= 0)
        return;
    const real scale = (real)(1 / (1 - dropout->rate));
    for (size_t i = 0; i < x.rows; i++)
        vec_scale(mat_row(x, i), rng_hash32(dropout->key, (uint32_t)i) >= threshold_of(dropout) ? scale : 0,
                  x.cols);
}

static KERNEL(add_row, (real *y, const real *x, uint32_t key, uint32_t from, uint32_t threshold,
               real scale, size_t width),
              (y, x, key, from, threshold, scale, width))
{
    for (size_t i = 0; i < width; i++)
        y[i] += rng_hash32(key, from + (uint32_t)i) >= threshold ? x[i] * scale : 0;
}

void dropout_rows(struct mat y, struct const_mat x, const struct dropout *dropout, bool add)
{
    const real scale = (real)(1 / (1 - dropout->rate));
    ASSERT(y.rows == x.rows && y.cols == x.cols);
    if (!add)
        mat_clear(y);
    for (size_t r = 0; r < y.rows; r++)
        add_row(mat_row(y, r), const_mat_row(x, r), dropout->key, (uint32_t)(r * y.cols),
                threshold_of(dropout), scale, y.cols);
}

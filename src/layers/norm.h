/* norm: layer normalisation (Ba, Kiros, Hinton 2016, arXiv:1607.06450) of rows that hold G groups of U
 * numbers, each group by itself:
 *
 *   x̂ = (x - mean x) / sqrt(var x + 1e-5)      y = g ∘ x̂,  g a gain for each of the G · U
 *
 * There is no bias: the caller adds it. */
#ifndef NMT_NORM_H
#define NMT_NORM_H

#include "real.h"

#include <stddef.h>

struct norm {
    const real *gain;     /* g [G][U] */
    size_t units, groups; /* U, G */
};

/* One row: x [G][U] becomes x̂ in place, y = g ∘ x̂ (y may be x, if x̂ is not needed any more);
 * scales [G] = 1 / sqrt(var x + 1e-5). */
void norm_forward(real *y, real *x, real *scales, const struct norm *norm);
/* y = g ∘ x̂, from a stored x̂. */
void norm_gain(real *y, const real *normal, const struct norm *norm);
/* normal: turns x̂ into the gradient of x. Adds to the gradients of g and of the caller's bias. */
void norm_backward(real *normal, real *dgain, real *dbias, const real *dy, const real *scales,
                   const struct norm *norm);

#endif

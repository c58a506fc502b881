/* Sparsemax: α = max(0, e - τ), τ such that they sum to 1: the nearest point of the simplex, with many zeros
 * (Martins and Astudillo 2016, arXiv:1602.02068). */
#include "normalizer.h"
#include "vecmath.h"

#include <math.h>

/* Finds τ by Michelot's fixed point: for the scores above τ, τ = (Σ e - 1) / count, which drops some of
 * them, until none is dropped; at most n rounds. */
static void sparsemax_forward(real *e, size_t n)
{
    const real max = vec_max(e, n); /* e - max gives the same weights with smaller numbers */
    double threshold = -2;          /* below every score that gets weight: those are above max - 1 */
    for (size_t count = n + 1, before = 0; count != before;) {
        double sum = 0;
        before = count;
        count = 0;
        for (size_t j = 0; j < n; j++)
            if ((double)(e[j] - max) > threshold) {
                sum += (double)(e[j] - max);
                count++;
            }
        if (count != before)
            threshold = (sum - 1) / (double)count;
        if (!count) /* of scores that are not finite, as softmax has it */
            threshold = (double)NAN;
    }
    for (size_t j = 0; j < n; j++) {
        const double above = (double)(e[j] - max) - threshold;
        e[j] = above <= 0 ? 0 : (real)above;
    }
}

static void sparsemax_backward(real *dalpha, const real *alpha, size_t n)
{
    real sum = 0, count = 0;
    for (size_t j = 0; j < n; j++)
        if (alpha[j] > 0) {
            sum += dalpha[j];
            count++;
        }
    for (size_t j = 0; j < n; j++)
        dalpha[j] = alpha[j] > 0 ? dalpha[j] - sum / count : 0;
}

const struct normalizer normalizer_sparsemax = {sparsemax_forward, sparsemax_backward};

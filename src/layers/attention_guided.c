#include "attention_mechanism.h"

#include <math.h>

/* The mean of all heads, never 0, so that it has a logarithm. */
static real mean_weight(const real *alpha, size_t j, size_t heads, size_t steps)
{
    real sum = 0;
    for (size_t head = 0; head < heads; head++)
        sum += alpha[head * steps + j];
    const real mean = sum / (real)heads;
    return mean > (real)1e-10 ? mean : (real)1e-10;
}

double attention_guided_loss(const struct attention_acts *acts, const struct attention *attention,
                             const struct packed_seq *source, size_t rows)
{
    const size_t heads = attention->choice.heads, steps = source->steps;
    double loss = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < steps; j++)
            if (acts->guide[i * steps + j] > 0)
                loss -= (double)acts->guide[i * steps + j] *
                        log((double)mean_weight(acts->alpha + i * heads * steps, j, heads, steps));
    return loss;
}

void guided_backward(real *dalpha, const real *alpha, const real *guide, size_t heads, size_t steps,
                     real scale)
{
    for (size_t j = 0; j < steps; j++)
        if (guide[j] > 0) {
            const real dmean = -scale * guide[j] / mean_weight(alpha, j, heads, steps);
            for (size_t head = 0; head < heads; head++)
                dalpha[head * steps + j] += dmean / (real)heads;
        }
}

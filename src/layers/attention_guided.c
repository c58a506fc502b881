/* Guided alignment: an additional loss, -Σ_j G_ij log α_ij, with G the known alignment and α the mean of
 * all heads, pulls the weights towards G. It adds a gradient; the weights themselves do not change. */
#include "attention_mechanism.h"

#include <math.h>

/* The mean of all heads; never 0, so that its logarithm is finite. */
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

static bool applies(const struct attention_choice *choice)
{
    return choice->guided;
}

static const real *guided_backward(real *dalpha, const real *alpha, const struct attention_row *row,
                                   struct attention_acts *acts, const struct attention *attention)
{
    const size_t heads = attention->choice.heads, steps = row->step->source->seq->steps;
    const real *guide = acts->guide ? acts->guide + row->row * steps : NULL;
    const real *all_heads = acts->alpha + row->row * heads * steps;
    for (size_t j = 0; guide && j < steps; j++) /* loss -= G_ij log mean_ij */
        if (guide[j] > 0)
            dalpha[j] +=
                -acts->guide_scale * guide[j] / mean_weight(all_heads, j, heads, steps) / (real)heads;
    return alpha;
}

const struct attention_mechanism mechanism_guided = {.applies = applies, .weights_backward = guided_backward};

/* Hard attention: all weight goes to one position, sampled or the likeliest; its gradient is estimated by
 * REINFORCE (attention.h). The advantages are computed from the losses in model/seq2seq.c. */
#include "attention_mechanism.h"
#include "rng.h"

#include <math.h>
#include <string.h>

bool attention_is_hard(const struct attention *attention)
{
    return attention->choice.hard;
}

static bool applies(const struct attention_choice *choice)
{
    return choice->hard;
}

static void acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                      const struct packed_seq *source, struct arena *arena)
{
    acts->soft = ARENA_NEW(arena, rows * attention->choice.heads * source->steps, real);
}

/* Does the sentence with that rank use expected contexts, so that nothing is sampled for it? */
static bool contexts_are_expected(const struct hard_attention *hard, size_t rank)
{
    if (!hard || !hard->sampled || hard->forced)
        return false;
    struct rng rng;
    rng_init(&rng, hard->key, RNG_EXPECTED, rank, 0);
    return rng_uniform(&rng) < hard->expected;
}

static size_t likeliest(const real *soft, size_t n)
{
    size_t chosen = 0;
    for (size_t j = 1; j < n; j++)
        if (soft[j] > soft[chosen])
            chosen = j;
    return chosen;
}

/* Samples a position from `soft`; rounding leftovers go to the last one with any weight. */
static size_t drawn(const real *soft, size_t n, uint32_t key, size_t draw)
{
    struct rng rng;
    rng_init(&rng, key, RNG_ATTENTION, draw, 0);
    double left = rng_uniform(&rng);
    size_t chosen = 0;
    for (size_t j = 0; j < n && left >= 0; j++)
        if (soft[j] > 0) {
            chosen = j;
            left -= (double)soft[j];
        }
    return chosen;
}

/* Saves the distribution alpha in acts->soft, and replaces it by 1 at one position. */
static void choice_forward(real *alpha, const struct attention_row *row, struct attention_acts *acts,
                           const struct attention *attention)
{
    const struct hard_attention *hard = acts->hard;
    const size_t steps = row->step->source->seq->steps;
    const size_t draw = row->row * attention->choice.heads + row->head;
    real *soft = acts->soft + attention_row_offset(row, attention);
    if (contexts_are_expected(hard, row->rank))
        return;
    memcpy(soft, alpha, steps * sizeof *alpha);
    memset(alpha, 0, steps * sizeof *alpha);
    if (hard && hard->forced)
        alpha[hard->forced[draw]] = 1;
    else if (hard && hard->sampled)
        alpha[drawn(soft, steps, hard->key, draw)] = 1;
    else
        alpha[likeliest(soft, steps)] = 1;
}

/* The gradient of `soft` by the estimator in attention.h; overwrites dalpha. */
static const real *choice_backward(real *dalpha, const real *alpha, const struct attention_row *row,
                                   struct attention_acts *acts, const struct attention *attention)
{
    const struct hard_attention *hard = acts->hard;
    const real *soft = acts->soft + attention_row_offset(row, attention);
    if (contexts_are_expected(hard, row->rank))
        return alpha;
    for (size_t j = 0; j < row->step->source->seq->steps; j++) {
        const real chosen = alpha[j] > 0 ? acts->advantage[row->row] / soft[j] : 0; /* A ∇ log α_chosen */
        const real entropy = soft[j] > 0 ? (real)log((double)soft[j]) + 1 : 0;
        dalpha[j] = chosen + (real)hard->entropy * hard->scale * entropy; /* -∇H = Σ (log α + 1) ∇α */
    }
    return soft;
}

const struct attention_mechanism mechanism_hard = {.applies = applies,
                                                   .acts_init = acts_init,
                                                   .weights_forward = choice_forward,
                                                   .weights_backward = choice_backward};

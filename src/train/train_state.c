/* Counts patience, and ranks validations. */
#include "train_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A validation is not bad, whatever BLEU says, while perplexity falls by at least this part: BLEU of a small
 * validation set may stand still for long by chance. */
#define CLEARLY_LOWER 0.001
/* A score below this is one of smoothing, or of chance. */
#define LEAST_SCORE 1

void train_state_init(struct train_state *state)
{
    memset(state, 0, sizeof *state);
    state->rate_factor = 1;
}

long train_state_epoch(const struct train_state *state)
{
    return state->epoch + (state->part > 0 || state->batch > 0);
}

/* Is this perplexity clearly the lowest so far? */
static bool enter_perplexity(struct train_state *state, double perplexity)
{
    const double lowest = state->lowest_perplexity;
    const bool lower = !lowest || perplexity < lowest * (1 - CLEARLY_LOWER);
    if (lower)
        state->lowest_perplexity = perplexity;
    return lower;
}

bool train_state_tells_nothing(double score)
{
    return score >= 0 && score < LEAST_SCORE;
}

bool scored_update_is_better(const struct scored_update *a, const struct scored_update *b)
{
    return train_state_tells_nothing(a->score) && train_state_tells_nothing(b->score)
               ? a->perplexity < b->perplexity
               : a->score > b->score;
}

bool train_state_enter(struct train_state *state, double score, double perplexity, int keep)
{
    /* What may be infinite is a number that can be read again. */
    const struct scored_update entered = {state->update, score, fmin(perplexity, DBL_MAX)};
    const bool lower = enter_perplexity(state, entered.perplexity);
    if (state->best_count > keep) /* fewer than before the training was resumed */
        state->best_count = keep;
    int at = state->best_count;
    while (at > 0 && scored_update_is_better(&entered, &state->best[at - 1]))
        at--;
    const bool better = at == 0;
    if (at < keep) {
        const int last = state->best_count < keep ? state->best_count++ : keep - 1;
        memmove(&state->best[at + 1], &state->best[at], (size_t)(last - at) * sizeof *state->best);
        state->best[at] = entered;
    }
    /* Where the perplexity decides, for patience only one that is clearly lower counts. */
    const bool clearly = better && (lower || !train_state_tells_nothing(score));
    state->bad_validations = clearly || lower ? 0 : state->bad_validations + 1;
    state->since_halving = clearly ? 0 : state->since_halving + 1;
    return better;
}

void train_state_restart_patience(struct train_state *state)
{
    state->lowest_perplexity = 0;
    state->bad_validations = state->since_halving = 0;
    state->last_update = 0;
}

void train_state_keep_best(struct train_state *state, const struct train_state *later)
{
    memcpy(state->best, later->best, sizeof state->best);
    state->best_count = later->best_count;
    state->lowest_perplexity = later->lowest_perplexity;
    if (state->bad_validations > later->bad_validations)
        state->bad_validations = later->bad_validations;
    if (state->since_halving > later->since_halving)
        state->since_halving = later->since_halving;
}

void train_state_forget(struct train_state *state)
{
    state->best_count = 0;
    train_state_restart_patience(state);
}

void train_state_halve_rate(struct train_state *state)
{
    state->rate_factor = fmax(state->rate_factor / 2, DBL_MIN);
    state->since_halving = 0;
}

void train_state_restart_rate(struct train_state *state)
{
    state->rate_factor = 1;
    state->rollbacks = 0;
}

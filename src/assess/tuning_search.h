/* tuning_search: finds the beam search settings with the best translations of a text.
 *
 * Starting from the defaults, whatever the config says, one setting after the other is varied upwards and
 * downwards from the best so far. The best trial is partly luck: chosen is the trial nearest to the
 * defaults among those within one standard error of the best, the rule of Breiman et al. 1984
 * (Classification and Regression Trees) for pruning, with the error from paired bootstrap resampling. */
#ifndef NMT_TUNING_SEARCH_H
#define NMT_TUNING_SEARCH_H

#include "config.h"
#include "judge.h"
#include "significance.h"

struct tuning_trial {
    struct config_decoding decoding;
    double scores[PLACE_COUNT];
    struct bootstrap bootstrap;
};

struct tuning_limits {
    int max_beam;                /* no beam is wider */
    const struct judges *judges; /* their weights are tuned as well; or NULL */
};

/* Searches, logs each trial, and leaves the chosen settings in the config. `run` translates with a trial's
 * `decoding` and fills in its scores. Maximises the config's metric, or BLEU where that is perplexity,
 * which does not depend on the search. */
void tuning_search(struct config *config, const struct tuning_limits *limits,
                   void (*run)(struct tuning_trial *trial, void *context), void *context);

#endif

/* tuning_search: which settings of beam search a text is translated best with.
 *
 * One setting after the other is tried, upwards and downwards from the best so far, beginning with the
 * defaults, whatever the config says. Chosen is not the best trial, which is partly luck, but the one nearest
 * to the defaults among those within one standard error of it: the rule of Breiman et al. 1984
 * (Classification and Regression Trees) for pruning, with the error of paired bootstrap resampling. */
#ifndef NMT_TUNING_SEARCH_H
#define NMT_TUNING_SEARCH_H

#include "config.h"
#include "significance.h"

struct tuning_trial {
    struct config_decoding decoding;
    double scores[METRIC_COUNT];
    struct bootstrap bootstrap;
};

/* `run` translates with a trial's `decoding` and fills in its scores. Higher is better, in the config's
 * metric or in BLEU where that is perplexity, which does not depend on the search. Logs each trial and leaves
 * the chosen settings in the config. No beam is wider than `max_beam`. */
void tuning_search(struct config *config, int max_beam,
                   void (*run)(struct tuning_trial *trial, void *context), void *context);

#endif

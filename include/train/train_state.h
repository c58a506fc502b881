/* train_state: the progress of a training, which checkpoints keep: where it is, its patience, and the best
 * validations. */
#ifndef NMT_TRAIN_STATE_H
#define NMT_TRAIN_STATE_H

#include <stdbool.h>

#define TRAIN_STATE_MOST_BEST 1000
#define TRAIN_UNSCORED 1 /* a run without validation text has replaced the model */

/* A validated update, its score (higher is better) and its perplexity. */
struct scored_update {
    long update;
    double score, perplexity;
};

/* The progress of a training. */
struct train_state {
    long update; /* number of updates done */
    long epoch;  /* from 0 */
    long part;   /* of the training text, from 0 */
    long batch;  /* the next one in the part */
    double rate_factor;
    int rollbacks;
    int bad_validations;      /* in a row, neither the best by its score nor of clearly lower perplexity */
    double lowest_perplexity; /* that bad_validations compares with; 0: none yet */
    int since_halving;        /* without a better one, of clearly lower perplexity where that decides */
    long last_update;         /* when the training ends for lack of better validations; 0: not yet known */
    double baseline;          /* see workers */
    double seconds;           /* of training, over all runs */
    long target_tokens;
    long validated; /* the last update that was validated; -1: not known */
    /* TRAIN_UNSCORED, or a checksum of what scores of validations depend on; 0: not known */
    double scored_with;
    struct scored_update best[TRAIN_STATE_MOST_BEST]; /* best first */
    int best_count;
};

void train_state_init(struct train_state *state);
/* The epoch that the last update was part of, from 1, or the next one where a part of that drew no pair; 0
 * before the first. */
long train_state_epoch(const struct train_state *state);
/* Enters a validation; keeps the `keep` best by score. True if it is the best so far. */
bool train_state_enter(struct train_state *state, double score, double perplexity, int keep);
/* Is a score a BLEU of chance, as that of short phrases, or of few sentences in the first epochs? Perplexity
 * decides between two of these. */
bool train_state_tells_nothing(double score);
bool scored_update_is_better(const struct scored_update *a, const struct scored_update *b);
/* Patience is as if there had been no validations; the best of them stay. */
void train_state_restart_patience(struct train_state *state);
/* Later validations are compared with those of a later state, from which the training goes back to this one.
 * */
void train_state_keep_best(struct train_state *state, const struct train_state *later);
/* Later validations are not compared with those that were entered. */
void train_state_forget(struct train_state *state);
/* Halves the rate, at a plateau, down to the least factor that a checkpoint can have. */
void train_state_halve_rate(struct train_state *state);
/* Rollbacks and plateaus have not reduced the rate. */
void train_state_restart_rate(struct train_state *state);

#endif

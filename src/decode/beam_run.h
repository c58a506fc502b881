/* beam_run: the state of a search, shared by its two sources: beam.c, which goes from step to step, and
 * candidates.c, which finds the words that can follow. */
#ifndef NMT_BEAM_RUN_H
#define NMT_BEAM_RUN_H

#include "beam.h"
#include "rng.h"

/* The last word of a hypothesis, linked to the words before it. */
struct node {
    const struct node *previous; /* NULL for the first word */
    int id;
    float log_probability; /* given the source and the words before it */
    const real *alpha;     /* [1 + heads][source length]; NULL if not wanted */
};

/* Placeholders: bit n - 1 is number n. */
typedef uint32_t placeholder_set;

/* An open hypothesis. */
struct row {
    const struct node *node; /* NULL before the first word */
    double log_probability;
    placeholder_set missing; /* those that are still to come */
};

/* Values are computed for at most this many rows at once, few enough to stay in the cache. */
#define LOGIT_ROWS 64

struct candidate {
    size_t row, id;
    double log_probability;
};

/* The search for one sentence. */
struct search {
    size_t rank; /* source rank of the sentence */
    size_t source_length;
    size_t max_length;
    size_t most_in_a_row;   /* times that an n-gram may occur in a row; 0: any number */
    struct sentence prefix; /* forced first words of every hypothesis */
    size_t first_row, open; /* its rows of the current step */
    struct hypothesis *ended;
    size_t ended_count;
    struct rng rng; /* for sampling */
};

/* The open hypotheses of all sentences, and their decoder states. Hypotheses with the same predecessor
 * share a state. */
struct decoder_rows {
    struct row *rows;           /* [unique.rows] */
    int *ids;                   /* [unique.rows]: last words */
    struct unique unique;       /* maps rows to states */
    real *states[MOST_MEMBERS]; /* [unique.count][Z] of each member */
    size_t *source_rank;        /* [unique.count] */
};

/* A network of the ensemble, and its outputs of the current step. */
struct member {
    struct stepper stepper;
    real *next_states; /* [rows][Z] */
    real *alpha;       /* as stepper_step fills it */
};

struct beam_run {
    struct member *members;
    size_t member_count, vocabulary;
    size_t heads; /* heads whose attention is kept, in addition to the mean */
    const struct beam_options *options;
    struct arena *arena;
    struct search *searches;
    size_t sents, step;
    struct decoder_rows now, next;
    real *values; /* logits of rows first_values … end_values - 1 of this step; with an ensemble,
                   * probabilities */
    real *logits; /* of one member of an ensemble */
    size_t first_values, end_values;
    struct candidate *candidates; /* [beam] for one sentence; without sampling, best first */
    real *weights;                /* [V] for sampling: one row */
    struct weighted_word *words;  /* [V] for sampling */
    int *state_of;                /* [rows of now]: the state in the next step that continues this row, or
                                   * -1 */
};

/* The set of a word: itself, or nothing where it is no placeholder. */
placeholder_set placeholder_of(const struct beam_options *options, int id);
size_t placeholder_count(placeholder_set set);

/* Store up to `wanted` continuations of a sentence's open hypotheses in run->candidates, the most probable
 * ones or drawn ones, and return their number. 0 if the values of all these hypotheses are not finite, or the
 * options forbid every word. */
size_t candidates_best(struct beam_run *run, struct search *search, size_t wanted);
size_t candidates_drawn(struct beam_run *run, struct search *search, size_t wanted);

/* How many times in a row an n-gram of these ids occurs at most, for n up to that of a clause. */
size_t longest_run(const int *ids, size_t count);

#endif

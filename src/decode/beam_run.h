/* beam_run: the state of a search, shared by its sources: beam.c, which goes from step to step, candidates.c,
 * which finds the words that can follow, banks.c, which finds them where phrases must come, and selection.c,
 * which chooses the words of each sentence. */
#ifndef NMT_BEAM_RUN_H
#define NMT_BEAM_RUN_H

#include "beam.h"
#include "constraints.h"
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

struct open_hypothesis {
    const struct node *node; /* NULL before the first word */
    double log_probability;
    placeholder_set missing;         /* those that are still to come */
    struct constraint_state phrases; /* where they must come */
};

/* Values are computed for at most this many rows at once, few enough to stay in the cache. */
#define LOGIT_ROWS 32

struct candidate {
    size_t row, id;
    double log_probability;
};

/* The best candidates of a step, best first. */
struct candidate_list {
    struct candidate *items;
    size_t count;
};

/* The words that the translation of one sentence may have. Values are computed for these and a sample of the
 * others, in this order: a word has an index, which is its id where all words are allowed. */
struct selection {
    const int *ids; /* [count], ascending, the special words first, then [sampled]; NULL: all words */
    size_t count;
    size_t sampled;              /* others, for the sum of all words' probabilities … */
    double sampled_weight;       /* … in which each of them stands for so many */
    struct output_part *outputs; /* [members]; NULL: all words */
};

/* The search for one sentence. */
struct search {
    size_t rank; /* source rank of the sentence */
    struct selection words;
    size_t source_length;
    size_t max_length;
    size_t most_in_a_row;                  /* times that an n-gram may occur in a row; 0: any number */
    struct sentence prefix;                /* forced first words of every hypothesis */
    const int *first_placeholders;         /* as in struct beam_options */
    const struct constraints *constraints; /* phrases that must come; NULL: none */
    size_t width;                          /* most hypotheses, open and ended */
    size_t first_row, open;                /* its rows of the current step */
    struct hypothesis *ended;
    size_t ended_count;
    struct rng rng; /* for sampling */
};

/* The open hypotheses of all sentences, and their decoder states. Hypotheses with the same predecessor
 * share a state. */
struct decoder_rows {
    struct open_hypothesis *rows; /* [unique.rows] */
    int *ids;                     /* [unique.rows]: last words */
    struct unique unique;         /* maps rows to states */
    real *states[MOST_MEMBERS];   /* [unique.count][Z] of each member */
    size_t *source_rank;          /* [unique.count] */
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
    size_t most_words; /* of all searches, sampled ones included: [W] */
    size_t heads;      /* heads whose attention is kept, in addition to the mean */
    const struct beam_options *options;
    struct arena *arena;
    struct search *searches;
    size_t sents, step;
    size_t widest; /* of all searches */
    struct decoder_rows now, next;
    real *values; /* logits of rows first_values … end_values - 1 of this step, of the words of their search;
                   * with an ensemble, probabilities */
    real *logits; /* of one member of an ensemble */
    size_t first_values, end_values;
    real *maxima; /* of each VEC_BLOCK of the values of the row that was allowed last; words that were
                   * forbidden since may be among them */
    struct candidate *candidates; /* [widest] for one sentence; see candidates_best */
    struct bank_lists *banks;     /* where phrases must come; else NULL */
    real *weights;                /* [W] for sampling: one row */
    struct weighted_word *words;  /* [W] for sampling */
    bool finite;                  /* of the sentence that advances, have some values been so? */
    int *state_of;                /* [rows of now]: the state in the next step that continues this row, or
                                   * -1 */
};

/* The set of a word: itself, or nothing where it is no placeholder. */
placeholder_set placeholder_of(const struct beam_options *options, int id);
size_t placeholder_count(placeholder_set set);

/* Store up to `wanted` continuations of a sentence's open hypotheses in run->candidates, the most probable
 * ones, those of banks.c, of branches, or drawn ones, and return their number. 0 if the values of all
 * these hypotheses are not finite, or the options forbid every word; then run->finite. */
size_t candidates_best(struct beam_run *run, struct search *search, size_t wanted);
size_t candidates_banked(struct beam_run *run, struct search *search, size_t wanted);
size_t candidates_branched(struct beam_run *run, struct search *search, size_t wanted);
size_t candidates_drawn(struct beam_run *run, struct search *search, size_t wanted);

/* How many times in a row an n-gram of these ids occurs at most, for n up to that of a clause. Unknown
 * words are all different. */
size_t longest_run(const int *ids, size_t count);

/* The last word of a hypothesis. */
int last_word(const struct open_hypothesis *hypothesis);
/* The index of a word of the selection, and the word at an index. */
size_t selection_index(const struct selection *words, int id);
int selection_id(const struct selection *words, size_t index);
/* Chooses the words of each search, by the shortlists of the ensemble. Prefixes and constraints are set. */
void selections_init(struct beam_run *run, const struct ensemble *ensemble, const struct sentence *sentences);

/* The values of a row of the search: of its words, sampled ones at the end, and with forbidden ones at
 * -inf. *shift turns a word's value into the log-probability of the extended hypothesis: candidate_log.
 * NULL if the values are not finite, as with huge weights. */
real *candidate_values(struct beam_run *run, const struct search *search, size_t row);
real *candidate_allowed_values(double *shift, struct beam_run *run, const struct search *search, size_t row);
double candidate_log(const struct beam_run *run, double shift, real value);
/* Merge one candidate, or the good words of a row, into the list of the best `most`. */
void candidate_insert(struct candidate_list *list, size_t most, struct candidate candidate);
void candidate_choose(struct candidate_list *list, const struct beam_run *run, const struct search *search,
                      size_t row, const real *values, double shift, size_t most);

/* Allocates banks for the sentence with the most phrases. */
void banks_init(struct beam_run *run, const struct sentence *sentences, struct arena *arena);

/* Attention in a row of this step: alpha [source_length], the mean over members. */
void beam_attention(real *alpha, const struct beam_run *run, size_t row, size_t source_length);

#endif

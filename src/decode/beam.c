/* Beam search and sampling over a stepper, for a batch of sentences: which hypotheses continue, end or are
 * pruned. The network's computation is in stepper.c, text in translate.c. */
#include "beam.h"

#include "rng.h"
#include "vecmath.h"
#include "vocab.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last word of a hypothesis, linked to the words before it. */
struct node {
    const struct node *previous; /* NULL for the first word */
    int id;
    const real *alpha; /* [1 + heads][source length]; NULL if not wanted */
};

/* An open hypothesis. */
struct row {
    const struct node *node; /* NULL before the first word */
    double log_probability;
};

#define LOGIT_ROWS 64
/* The vocabulary is scanned in blocks of this many words; a block without a good one is skipped. */
#define SCAN_BLOCK 256

struct candidate {
    size_t row, id;
    double log_probability;
};

/* The search for one sentence. */
struct search {
    size_t rank; /* source rank of the sentence */
    size_t source_length;
    size_t max_length;
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
    real *alpha;
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
    struct candidate *candidates; /* [beam] for one sentence, best first */
    real *weights;                /* [V] for sampling: one row */
    struct weighted_word *words;  /* [V] for sampling */
    int *state_of;                /* [rows of now]: the state in the next step that continues this row, or
                                   * -1 */
};

/* ---- ending hypotheses ---- */

static double coverage_of(const struct node *last, size_t source_length, struct arena *arena)
{
    real *covered = ARENA_ZERO(arena, source_length, real);
    for (const struct node *node = last; node; node = node->previous)
        vec_add(covered, node->alpha, source_length);
    double sum = 0;
    for (size_t j = 0; j < source_length; j++)
        sum += log(fmin(fmax((double)covered[j], 1e-10), 1));
    return sum;
}

double beam_score(const struct score_terms *terms, const struct beam_options *options)
{
    const double length = options->wu ? (5.0 + terms->length) / 6 : terms->length;
    return terms->log_probability / pow(length, options->length_penalty) +
           options->coverage_penalty * terms->coverage;
}

static bool wants_coverage(const struct beam_run *run)
{
    return run->options->coverage || run->options->coverage_penalty > 0;
}

/* Ends a hypothesis after `last`, which is the end mark if `closed`. */
static void end_hypothesis(struct beam_run *run, struct search *search, const struct node *last, bool closed,
                           double log_probability)
{
    struct hypothesis *h = &search->ended[search->ended_count++];
    int words = 0;
    for (const struct node *node = last; node; node = node->previous)
        words++;
    h->length = words - closed;
    h->overflowed = false;
    h->ids = ARENA_NEW(run->arena, h->length, int);
    h->heads = (int)run->heads;
    h->alpha = run->options->alignment ? ARENA_ZERO(run->arena, h->length + 1, const real *) : NULL;
    h->terms.log_probability = log_probability;
    h->terms.length = words ? words : 1;
    h->terms.coverage = wants_coverage(run) ? coverage_of(last, search->source_length, run->arena) : 0;
    h->score = beam_score(&h->terms, run->options);
    int at = words;
    for (const struct node *node = last; node; node = node->previous) {
        at--;
        if (at < h->length)
            h->ids[at] = node->id;
        if (h->alpha)
            h->alpha[at] = node->alpha;
    }
}

/* ---- choosing words ---- */

/* Inserts a candidate into the sorted list of the best `most`; returns the new length. */
static size_t insert(struct candidate *best, size_t count, size_t most, struct candidate candidate)
{
    size_t at = count < most ? count : most - 1;
    for (; at > 0 && best[at - 1].log_probability < candidate.log_probability; at--)
        best[at] = best[at - 1];
    best[at] = candidate;
    return count < most ? count + 1 : most;
}

/* values [rows][V] = mean of the members' probabilities of rows `first` … */
static void mean_probabilities(struct beam_run *run, size_t first, size_t rows)
{
    const size_t n = run->vocabulary;
    memset(run->values, 0, rows * n * sizeof *run->values);
    for (size_t m = 0; m < run->member_count; m++) {
        stepper_logits(&run->members[m].stepper, run->logits, first, rows);
        for (size_t i = 0; i < rows; i++) {
            real *row = run->logits + i * n;
            const real sum = vec_exp_sum(row, row, vec_max(row, n), n);
            vec_axpy(run->values + i * n, 1 / (sum * (real)run->member_count), row, n);
        }
    }
}

/* The values of a row. They are computed for LOGIT_ROWS rows at once, few enough to stay in the cache. */
static real *values_of(struct beam_run *run, size_t row)
{
    if (row < run->first_values || row >= run->end_values) {
        const size_t left = run->now.unique.rows - row, rows = left < LOGIT_ROWS ? left : LOGIT_ROWS;
        run->first_values = row;
        run->end_values = row + rows;
        if (run->member_count > 1)
            mean_probabilities(run, row, rows);
        else
            stepper_logits(&run->members[0].stepper, run->values, row, rows);
    }
    return run->values + (row - run->first_values) * run->vocabulary;
}

/* Removes words that may never be produced. Returns the shift that turns a word's value into the
 * log-probability of the extended hypothesis: log p(hypothesis) minus the log of the remaining words'
 * total. */
static double mask_and_shift(const struct beam_run *run, real *values, double log_probability)
{
    const bool ensemble = run->member_count > 1;
    double mass = 1 - (double)values[VOCAB_BEGIN];
    values[VOCAB_BEGIN] = -INFINITY;
    if (!run->options->unknown) {
        mass -= (double)values[VOCAB_UNKNOWN];
        values[VOCAB_UNKNOWN] = -INFINITY;
    }
    return log_probability - (ensemble ? log(mass) : vec_log_sum_exp(values, run->vocabulary));
}

/* Removes each word that would repeat an n-gram: one that followed an earlier occurrence of the last n - 1
 * words. */
static void block_repetitions(real *values, const struct node *last, size_t n)
{
    const struct node *after = NULL;
    for (const struct node *at = last; at; after = at, at = at->previous) {
        const struct node *x = last, *y = at;
        size_t same = 0;
        while (same < n - 1 && x && y && x->id == y->id) {
            x = x->previous;
            y = y->previous;
            same++;
        }
        if (same == n - 1 && (after || n == 1))
            values[n == 1 ? at->id : after->id] = -INFINITY;
    }
}

/* Removes the words that the options forbid at this place, without renormalising. */
static void forbid(const struct beam_run *run, real *values, const struct node *last, size_t length)
{
    if (length < (size_t)run->options->min_length)
        values[VOCAB_END] = -INFINITY;
    if (run->options->block_ngrams)
        block_repetitions(values, last, (size_t)run->options->block_ngrams);
}

/* Convert a word's value to the log-probability of the extended hypothesis, and back. */
static double log_of(const struct beam_run *run, double shift, real value)
{
    return shift + (run->member_count > 1 ? log((double)value) : (double)value);
}

static real value_of(const struct beam_run *run, double shift, double log_probability)
{
    return (real)(run->member_count > 1 ? exp(log_probability - shift) : log_probability - shift);
}

/* The values of a row, with forbidden words at -inf; for *shift, see mask_and_shift. NULL if the values
 * are not finite, as with huge weights. */
static real *allowed_values(double *shift, struct beam_run *run, const struct search *search, size_t row)
{
    const struct row *hypothesis = &run->now.rows[row];
    const size_t step = run->step;
    real *values = values_of(run, row);
    const bool forced = step < search->prefix.length;
    const real value = forced ? values[search->prefix.ids[step]] : 0;
    *shift = mask_and_shift(run, values, hypothesis->log_probability);
    if (!isfinite(*shift))
        return NULL;
    if (forced) {
        for (size_t id = 0; id < run->vocabulary; id++)
            values[id] = -INFINITY;
        values[search->prefix.ids[step]] = value;
    } else {
        forbid(run, values, hypothesis->node, step);
    }
    return values;
}

/* Merges the good words of a row into the `count` candidates so far; returns the new count. */
static size_t choose_of_row(struct beam_run *run, size_t row, const real *values, double shift, size_t count,
                            size_t wanted)
{
    struct candidate *best = run->candidates;
    /* Only values above this can enter: most blocks are rejected by one comparison. */
    real least = count < wanted ? -INFINITY : value_of(run, shift, best[count - 1].log_probability);
    for (size_t block = 0; block < run->vocabulary; block += SCAN_BLOCK) {
        const size_t end = run->vocabulary - block < SCAN_BLOCK ? run->vocabulary : block + SCAN_BLOCK;
        if (!(vec_max(values + block, end - block) > least))
            continue;
        for (size_t id = block; id < end; id++) {
            if (!(values[id] > least))
                continue;
            count = insert(best, count, wanted, (struct candidate){row, id, log_of(run, shift, values[id])});
            if (count == wanted)
                least = value_of(run, shift, best[count - 1].log_probability);
        }
    }
    return count;
}

/* Stores the `wanted` best continuations of a sentence's open hypotheses in run->candidates; returns how
 * many. */
static size_t choose(struct beam_run *run, struct search *search, size_t wanted)
{
    size_t count = 0;
    for (size_t row = search->first_row; row < search->first_row + search->open; row++) {
        double shift;
        const real *values = allowed_values(&shift, run, search, row);
        if (values)
            count = choose_of_row(run, row, values, shift, count, wanted);
    }
    return count;
}

/* The same by sampling: one continuation of each open hypothesis, or all `wanted` ones of a single
 * hypothesis. */
static size_t draw(struct beam_run *run, struct search *search, size_t wanted)
{
    const size_t n = run->vocabulary;
    size_t count = 0;
    for (size_t row = search->first_row; row < search->first_row + search->open; row++) {
        double shift;
        real *values = allowed_values(&shift, run, search, row);
        if (!values)
            continue;
        if (run->member_count > 1)
            memcpy(run->weights, values, n * sizeof *values);
        else
            vec_exp_sum(run->weights, values, vec_max(values, n), n);
        for (size_t id = 0; id < n; id++)
            if (values[id] == -INFINITY)
                run->weights[id] = 0;
        for (size_t i = search->open > 1 ? wanted - 1 : 0; i < wanted; i++) {
            const int id = sample_word(run->words, run->weights, (int)run->vocabulary, &run->options->sample,
                                       rng_uniform(&search->rng));
            if (id >= 0 && values[id] > -INFINITY)
                run->candidates[count++] =
                    (struct candidate){row, (size_t)id, log_of(run, shift, values[id])};
        }
    }
    return count;
}

static struct step_input input_of(const struct beam_run *run, size_t member)
{
    return (struct step_input){run->now.ids, &run->now.unique,
                               const_mat_of(run->now.states[member], run->now.unique.count,
                                            stepper_state_width(&run->members[member].stepper)),
                               run->now.source_rank, run->step};
}

/* Attention in a row of this step: [1 + heads][source_length], the mean over members, then each head. */
static const real *row_attention(const struct beam_run *run, size_t row, size_t source_length)
{
    real *alpha = ARENA_ZERO(run->arena, (1 + run->heads) * source_length, real);
    for (size_t m = 0; m < run->member_count; m++) {
        const struct member *member = &run->members[m];
        const struct step_input input = input_of(run, m);
        stepper_add_attention(alpha, (real)1 / (real)run->member_count, &member->stepper, member->alpha,
                              &input, row, source_length);
        if (run->heads)
            stepper_head_attention(alpha + source_length, &member->stepper, member->alpha, &input, row,
                                   source_length);
    }
    return alpha;
}

/* Makes the node of a candidate, with its attention if it is wanted. */
static const struct node *extend(struct beam_run *run, const struct search *search,
                                 const struct candidate *candidate)
{
    struct node *node = ARENA_NEW(run->arena, 1, struct node);
    node->previous = run->now.rows[candidate->row].node;
    node->id = (int)candidate->id;
    node->alpha = NULL;
    if (run->options->alignment || wants_coverage(run))
        node->alpha = row_attention(run, candidate->row, search->source_length);
    return node;
}

static size_t width_of(const struct stepper *stepper)
{
    return stepper_state_width(stepper);
}

/* Adds a row to the next step that continues row `from`. */
static void add_row(struct beam_run *run, size_t from, const struct node *node, double log_probability,
                    size_t rank)
{
    struct decoder_rows *next = &run->next;
    if (run->state_of[from] < 0) {
        const size_t state = next->unique.count++;
        run->state_of[from] = (int)state;
        next->source_rank[state] = rank;
        for (size_t m = 0; m < run->member_count; m++) {
            const size_t width = width_of(&run->members[m].stepper);
            memcpy(next->states[m] + state * width, run->members[m].next_states + from * width,
                   width * sizeof(real));
        }
    }
    const size_t row = next->unique.rows++;
    next->rows[row] = (struct row){node, log_probability};
    next->ids[row] = node->id;
    next->unique.index[row] = (size_t)run->state_of[from];
}

/* Ends all open hypotheses of a sentence, whose values are no longer finite. */
static void end_overflowed(struct beam_run *run, struct search *search)
{
    for (size_t row = search->first_row; row < search->first_row + search->open; row++) {
        end_hypothesis(run, search, run->now.rows[row].node, false, run->now.rows[row].log_probability);
        search->ended[search->ended_count - 1].overflowed = true;
    }
}

/* Advances one sentence by one step: its candidates end, or become rows of the next step. */
static void advance(struct beam_run *run, struct search *search)
{
    const size_t wanted = (size_t)run->options->beam - search->ended_count;
    const size_t count = (run->options->sampled ? draw : choose)(run, search, wanted);
    const size_t first = run->next.unique.rows, first_state = run->next.unique.count;
    for (size_t row = search->first_row; row < search->first_row + search->open; row++)
        run->state_of[row] = -1;
    if (count == 0)
        end_overflowed(run, search);
    for (size_t i = 0; i < count; i++) {
        const struct candidate *candidate = &run->candidates[i];
        const struct node *node = extend(run, search, candidate);
        if (candidate->id == VOCAB_END)
            end_hypothesis(run, search, node, true, candidate->log_probability);
        else
            add_row(run, candidate->row, node, candidate->log_probability, search->rank);
    }
    search->first_row = first;
    search->open = run->next.unique.rows - first;
    if (run->step + 1 < search->max_length)
        return;
    /* Length limit: open hypotheses end here, without an end mark. */
    for (size_t row = first; row < run->next.unique.rows; row++)
        end_hypothesis(run, search, run->next.rows[row].node, false, run->next.rows[row].log_probability);
    run->next.unique.rows = first;
    run->next.unique.count = first_state;
    search->open = 0;
}

/* ---- the search ---- */

static void rows_init(struct decoder_rows *rows, size_t most, const struct beam_run *run, struct arena *arena)
{
    rows->rows = ARENA_NEW(arena, most, struct row);
    for (size_t m = 0; m < run->member_count; m++)
        rows->states[m] = ARENA_NEW(arena, most * width_of(&run->members[m].stepper), real);
    rows->ids = ARENA_NEW(arena, most, int);
    rows->source_rank = ARENA_NEW(arena, most, size_t);
    rows->unique = (struct unique){.index = ARENA_NEW(arena, most, size_t)};
}

static uint64_t hash_of(const struct sentence *sentence)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < sentence->length; i++)
        hash = (hash ^ (uint32_t)sentence->ids[i]) * 0x100000001b3u;
    return hash;
}

/* Heads are kept for a single network only: those of different networks do not correspond. */
static size_t kept_heads(const struct ensemble *ensemble)
{
    const size_t heads = ensemble->members[0].model->decoder.attention.choice.heads;
    return ensemble->count == 1 && heads > 1 ? heads : 0;
}

/* Limit on the length of a translation, end mark included. */
static size_t longest_translation(const struct beam_options *options, size_t source_length)
{
    return (size_t)(options->max_length_ratio * (double)(source_length - 1)) + (size_t)options->extra_length;
}

/* Starts sentence b with one open, empty hypothesis. */
static void search_init(struct beam_run *run, size_t b, const struct sentence *sentence)
{
    const struct beam_options *options = run->options;
    struct search *search = &run->searches[b];
    struct decoder_rows *now = &run->now;
    search->rank = run->members[0].stepper.source.rank[b];
    search->source_length = sentence->length;
    if (options->prefixes)
        search->prefix = options->prefixes[b];
    search->max_length = longest_translation(options, sentence->length) + search->prefix.length;
    rng_init(&search->rng, (uint64_t)options->seed, RNG_SAMPLE, hash_of(sentence), 0);
    search->first_row = now->unique.rows++;
    search->open = 1;
    now->rows[b] = (struct row){NULL, 0};
    now->ids[b] = VOCAB_BEGIN;
    now->source_rank[b] = search->rank;
    now->unique.index[b] = now->unique.count++;
    for (size_t m = 0; m < run->member_count; m++) {
        const struct stepper *stepper = &run->members[m].stepper;
        stepper_start(now->states[m] + b * width_of(stepper), stepper, search->rank);
    }
}

/* Allocates what the steps of all sentences need. */
static void steps_init(struct beam_run *run, size_t most, struct arena *arena)
{
    const size_t values = (most < LOGIT_ROWS ? most : LOGIT_ROWS) * run->vocabulary;
    for (size_t m = 0; m < run->member_count; m++) {
        struct member *member = &run->members[m];
        member->next_states = ARENA_NEW(arena, most * width_of(&member->stepper), real);
        member->alpha = ARENA_NEW(arena, most * stepper_alpha_width(&member->stepper), real);
    }
    rows_init(&run->now, most, run, arena);
    rows_init(&run->next, most, run, arena);
    run->values = ARENA_NEW(arena, values, real);
    if (run->member_count > 1)
        run->logits = ARENA_NEW(arena, values, real);
    if (run->options->sampled) {
        run->weights = ARENA_NEW(arena, run->vocabulary, real);
        run->words = ARENA_NEW(arena, run->vocabulary, struct weighted_word);
    }
    run->candidates = ARENA_NEW(arena, run->options->beam, struct candidate);
    run->state_of = ARENA_NEW(arena, most, int);
}

/* Allocates one struct per network and per sentence. */
static void members_init(struct beam_run *run, const struct ensemble *ensemble, size_t sents)
{
    run->member_count = (size_t)ensemble->count;
    run->members = ARENA_ZERO(run->arena, run->member_count, struct member);
    run->searches = ARENA_ZERO(run->arena, sents, struct search);
    run->sents = sents;
    run->vocabulary = ensemble->members[0].model->target_vocabulary;
    run->heads = run->options->each_head ? kept_heads(ensemble) : 0;
    for (size_t b = 0; b < sents; b++)
        run->searches[b].ended = ARENA_ZERO(run->arena, run->options->beam, struct hypothesis);
}

static void run_init(struct beam_run *run, const struct ensemble *ensemble, const struct sentence *sentences,
                     size_t sents)
{
    const size_t most = sents * (size_t)run->options->beam;
    members_init(run, ensemble, sents);
    for (size_t m = 0; m < run->member_count; m++)
        stepper_init(&run->members[m].stepper, &ensemble->members[m], sentences, sents, most, run->arena);
    steps_init(run, most, run->arena);
    for (size_t b = 0; b < sents; b++)
        search_init(run, b, &sentences[b]);
}

static int by_score(const void *a, const void *b)
{
    const struct hypothesis *x = a, *y = b;
    if (x->overflowed != y->overflowed)
        return x->overflowed ? 1 : -1;
    return x->score > y->score ? -1 : x->score < y->score;
}

/* Advances all sentences by one word. */
static void run_step(struct beam_run *run)
{
    for (size_t m = 0; m < run->member_count; m++) {
        struct member *member = &run->members[m];
        const struct step_input input = input_of(run, m);
        stepper_step(&member->stepper,
                     mat_of(member->next_states, run->now.unique.rows, stepper_state_width(&member->stepper)),
                     member->alpha, &input);
    }
    run->first_values = run->end_values = 0;
    run->next.unique.rows = run->next.unique.count = 0;
    for (size_t b = 0; b < run->sents; b++)
        if (run->searches[b].open)
            advance(run, &run->searches[b]);
    const struct decoder_rows done = run->now;
    run->now = run->next;
    run->next = done;
}

void beam_search(struct hypothesis *best, int *found, const struct ensemble *ensemble,
                 const struct sentence *sentences, size_t sents, const struct beam_options *options,
                 struct arena *arena)
{
    struct beam_run run = {.options = options, .arena = arena};
    assert(options->beam > 0 && options->n_best > 0 && options->n_best <= options->beam);
    run_init(&run, ensemble, sentences, sents);
    for (run.step = 0; run.now.unique.rows > 0; run.step++)
        run_step(&run);
    for (size_t b = 0; b < sents; b++) {
        struct search *search = &run.searches[b];
        qsort(search->ended, search->ended_count, sizeof *search->ended, by_score);
        const size_t n_best = (size_t)options->n_best,
                     count = search->ended_count < n_best ? search->ended_count : n_best;
        memcpy(best + b * n_best, search->ended, count * sizeof *best);
        found[b] = (int)count;
    }
}

/* ---- memory ---- */

/* Allocates the most that a sentence's hypotheses can need: nodes with their attention, and the words of
 * ended ones. */
static void count_hypotheses(const struct beam_run *run, size_t source_length, struct arena *arena)
{
    const struct beam_options *options = run->options;
    const size_t beam = (size_t)options->beam, words = longest_translation(options, source_length);
    for (size_t i = 0; i < beam * words; i++) {
        (void)ARENA_NEW(arena, 1, struct node);
        if (options->alignment || wants_coverage(run))
            (void)ARENA_NEW(arena, (1 + run->heads) * source_length, real);
    }
    for (size_t i = 0; i < beam; i++) {
        (void)ARENA_NEW(arena, words, int);
        if (options->alignment)
            (void)ARENA_NEW(arena, words + 1, const real *);
        if (wants_coverage(run))
            (void)ARENA_NEW(arena, source_length, real);
    }
}

double beam_search_bytes(const struct seq2seq *model, const struct sentence *sentences, size_t sents,
                         const struct beam_options *options)
{
    struct arena arena, counting;
    struct step_weights weights = {.model = model};
    struct beam_run run = {.options = options, .arena = &arena};
    const size_t most = sents * (size_t)options->beam;
    arena_init(&arena);
    arena_init_counting(&counting);
    members_init(&run, &(struct ensemble){&weights, 1}, sents);
    stepper_count(&run.members[0].stepper, &weights, sentences, sents, most, &arena, &counting);
    steps_init(&run, most, &counting);
    for (size_t b = 0; b < sents; b++)
        count_hypotheses(&run, sentences[b].length, &counting);
    const double bytes = (double)arena.peak_bytes + (double)counting.peak_bytes;
    arena_release(&arena);
    return bytes;
}

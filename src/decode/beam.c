#include "beam.h"

#include "vecmath.h"
#include "vocab.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A word of a hypothesis, and the way back. */
struct node {
    const struct node *before; /* NULL for the first word */
    int id;
    const real *alpha;
};

/* An open hypothesis. */
struct row {
    const struct node *node; /* NULL before the first word */
    double log_probability;
};

#define LOGIT_ROWS 64
/* Words that are passed over together where none of them is good enough. */
#define SCAN_BLOCK 256

struct candidate {
    int row, id;
    double log_probability;
};

/* Search for one sentence. */
struct search {
    int rank; /* of the source */
    int source_length;
    int max_length;
    int first_row, open; /* its rows in this step */
    struct hypothesis *ended;
    int ended_count;
};

/* The open hypotheses of all sentences, and their decoder states: those that went on from the same hypothesis
 * share one. */
struct decoder_rows {
    struct row *rows;      /* [which.rows] */
    int *ids;              /* [which.rows]: last words */
    struct distinct which; /* from rows to states */
    real *states;          /* [which.count][D] */
    int *column;           /* [which.count]: source ranks */
};

struct beam_run {
    struct stepper stepper;
    const struct beam_options *options;
    struct arena *arena;
    struct search *searches;
    int sents;
    struct decoder_rows now, next;
    real *next_states, *alpha;
    real *logits; /* of rows first_logits … end_logits - 1 of this step */
    int first_logits, end_logits;
    struct candidate *candidates; /* [beam] of one sentence, best first */
    int *state_of;                /* [rows of now]: the state of the next step that continues a row, or -1 */
};

/* ---- ending hypotheses ---- */

static double coverage_of(const struct node *last, int source_length, struct arena *arena)
{
    real *covered = ARENA_ZERO(arena, source_length, real);
    for (const struct node *node = last; node; node = node->before)
        vec_add(covered, node->alpha, (size_t)source_length);
    double sum = 0;
    for (int j = 0; j < source_length; j++)
        sum += log(fmin(fmax((double)covered[j], 1e-10), 1));
    return sum;
}

/* The hypothesis that ends with `last`; if `closed`, that is the end mark. */
static void end_hypothesis(struct beam_run *run, struct search *search, const struct node *last, bool closed,
                           double log_probability)
{
    struct hypothesis *h = &search->ended[search->ended_count++];
    int words = 0;
    for (const struct node *node = last; node; node = node->before)
        words++;
    h->length = words - closed;
    h->ids = ARENA_NEW(run->arena, h->length, int);
    h->alpha = run->options->alignment ? ARENA_ZERO(run->arena, h->length + 1, const real *) : NULL;
    h->log_probability = log_probability;
    h->score = log_probability / pow(words ? words : 1, run->options->length_penalty);
    if (run->options->coverage_penalty > 0)
        h->score += run->options->coverage_penalty * coverage_of(last, search->source_length, run->arena);
    int at = words;
    for (const struct node *node = last; node; node = node->before) {
        at--;
        if (at < h->length)
            h->ids[at] = node->id;
        if (h->alpha)
            h->alpha[at] = node->alpha;
    }
}

/* ---- choosing words ---- */

/* Puts a candidate in its place among the best `most`; returns how many there are now. */
static int insert(struct candidate *best, int count, int most, struct candidate candidate)
{
    int at = count < most ? count : most - 1;
    for (; at > 0 && best[at - 1].log_probability < candidate.log_probability; at--)
        best[at] = best[at - 1];
    best[at] = candidate;
    return count < most ? count + 1 : most;
}

/* A row's logits, together with those of the rows behind it: few enough to stay in the cache. */
static real *logits_of(struct beam_run *run, int row)
{
    const size_t vocabulary = (size_t)run->stepper.weights->model->target_vocabulary;
    if (row < run->first_logits || row >= run->end_logits) {
        const int left = run->now.which.rows - row;
        run->first_logits = row;
        run->end_logits = row + (left < LOGIT_ROWS ? left : LOGIT_ROWS);
        stepper_logits(&run->stepper, run->logits, row, run->end_logits - row);
    }
    return run->logits + (size_t)(row - run->first_logits) * vocabulary;
}

/* The `wanted` best continuations of a sentence's open hypotheses, into run->candidates; how many there are.
 */
static int choose(struct beam_run *run, const struct search *search, int wanted)
{
    const int vocabulary = run->stepper.weights->model->target_vocabulary;
    int count = 0;
    for (int row = search->first_row; row < search->first_row + search->open; row++) {
        real *logits = logits_of(run, row);
        logits[VOCAB_BEGIN] = -INFINITY;
        if (!run->options->unknown)
            logits[VOCAB_UNKNOWN] = -INFINITY;
        const double shift = run->now.rows[row].log_probability - vec_log_sum_exp(logits, (size_t)vocabulary);
        /* Only logits above this can enter: most blocks of words end at one comparison. */
        real least = count < wanted ? -INFINITY : (real)(run->candidates[count - 1].log_probability - shift);
        for (int block = 0; block < vocabulary; block += SCAN_BLOCK) {
            const int end = vocabulary - block < SCAN_BLOCK ? vocabulary : block + SCAN_BLOCK;
            if (!(vec_max(logits + block, (size_t)(end - block)) > least))
                continue;
            for (int id = block; id < end; id++) {
                if (!(logits[id] > least))
                    continue;
                count = insert(run->candidates, count, wanted,
                               (struct candidate){row, id, shift + (double)logits[id]});
                if (count == wanted)
                    least = (real)(run->candidates[count - 1].log_probability - shift);
            }
        }
    }
    return count;
}

static struct step_input input_of(const struct beam_run *run)
{
    return (struct step_input){run->now.ids, &run->now.which, run->now.states, run->now.column};
}

/* Makes the node of a candidate; keeps its attention where somebody will ask for it. */
static const struct node *extend(struct beam_run *run, const struct search *search,
                                 const struct candidate *candidate)
{
    struct node *node = ARENA_NEW(run->arena, 1, struct node);
    node->before = run->now.rows[candidate->row].node;
    node->id = candidate->id;
    node->alpha = NULL;
    if (run->options->alignment || run->options->coverage_penalty > 0) {
        real *alpha = ARENA_NEW(run->arena, search->source_length, real);
        const struct step_input input = input_of(run);
        const int at = stepper_alpha_row(&run->stepper, &input, candidate->row);
        memcpy(alpha, run->alpha + (size_t)at * (size_t)run->stepper.source.steps,
               (size_t)search->source_length * sizeof *alpha);
        node->alpha = alpha;
    }
    return node;
}

/* Row `from` goes on with a word, as a row of the next step. */
static void add_row(struct beam_run *run, int from, const struct node *node, double log_probability, int rank)
{
    const size_t units = (size_t)run->stepper.weights->model->decoder.cell.units;
    struct decoder_rows *next = &run->next;
    if (run->state_of[from] < 0) {
        const int state = run->state_of[from] = next->which.count++;
        next->column[state] = rank;
        memcpy(next->states + (size_t)state * units, run->next_states + (size_t)from * units,
               units * sizeof(real));
    }
    const int row = next->which.rows++;
    next->rows[row] = (struct row){node, log_probability};
    next->ids[row] = node->id;
    next->which.which[row] = run->state_of[from];
}

/* One step of one sentence: its candidates end or become rows of the next step. */
static void advance(struct beam_run *run, struct search *search, int step)
{
    const int wanted = run->options->beam - search->ended_count;
    const int count = choose(run, search, wanted);
    const int first = run->next.which.rows, first_state = run->next.which.count;
    for (int row = search->first_row; row < search->first_row + search->open; row++)
        run->state_of[row] = -1;
    if (count == 0) /* weights that are not numbers: no word is better than another */
        for (int row = search->first_row; row < search->first_row + search->open; row++)
            end_hypothesis(run, search, run->now.rows[row].node, false, run->now.rows[row].log_probability);
    for (int i = 0; i < count; i++) {
        const struct candidate *candidate = &run->candidates[i];
        const struct node *node = extend(run, search, candidate);
        if (candidate->id == VOCAB_END)
            end_hypothesis(run, search, node, true, candidate->log_probability);
        else
            add_row(run, candidate->row, node, candidate->log_probability, search->rank);
    }
    search->first_row = first;
    search->open = run->next.which.rows - first;
    if (step + 1 < search->max_length)
        return;
    /* Too long: what is still open ends here, without an end mark. */
    for (int row = first; row < run->next.which.rows; row++)
        end_hypothesis(run, search, run->next.rows[row].node, false, run->next.rows[row].log_probability);
    run->next.which.rows = first;
    run->next.which.count = first_state;
    search->open = 0;
}

/* ---- the whole ---- */

static void rows_init(struct decoder_rows *rows, int most, int units, struct arena *arena)
{
    rows->rows = ARENA_NEW(arena, most, struct row);
    rows->states = ARENA_NEW(arena, (size_t)most * (size_t)units, real);
    rows->ids = ARENA_NEW(arena, most, int);
    rows->column = ARENA_NEW(arena, most, int);
    rows->which = (struct distinct){.which = ARENA_NEW(arena, most, int)};
}

static void run_init(struct beam_run *run, const struct step_weights *weights,
                     const struct sentence *sentences, int sents)
{
    const struct seq2seq *model = weights->model;
    const int most = sents * run->options->beam, units = model->decoder.cell.units;
    struct arena *arena = run->arena;
    stepper_init(&run->stepper, weights, sentences, sents, most, arena);
    rows_init(&run->now, most, units, arena);
    rows_init(&run->next, most, units, arena);
    run->logits = ARENA_NEW(
        arena, (size_t)(most < LOGIT_ROWS ? most : LOGIT_ROWS) * (size_t)model->target_vocabulary, real);
    run->next_states = ARENA_NEW(arena, (size_t)most * (size_t)units, real);
    run->alpha = ARENA_NEW(arena, (size_t)most * (size_t)run->stepper.source.steps, real);
    run->candidates = ARENA_NEW(arena, run->options->beam, struct candidate);
    run->state_of = ARENA_NEW(arena, most, int);
    run->searches = ARENA_ZERO(arena, sents, struct search);
    run->sents = sents;
    for (int b = 0; b < sents; b++) {
        struct search *search = &run->searches[b];
        search->rank = run->stepper.source.rank[b];
        search->source_length = sentences[b].length;
        search->max_length =
            (int)(run->options->max_length_ratio * (sentences[b].length - 1)) + run->options->extra_length;
        search->first_row = run->now.which.rows++;
        search->open = 1;
        search->ended = ARENA_ZERO(arena, run->options->beam, struct hypothesis);
        run->now.rows[b] = (struct row){NULL, 0};
        run->now.ids[b] = VOCAB_BEGIN;
        run->now.column[b] = search->rank;
        run->now.which.which[b] = run->now.which.count++;
        memcpy(run->now.states + (size_t)b * (size_t)units, stepper_start(&run->stepper, search->rank),
               (size_t)units * sizeof(real));
    }
}

static int by_score(const void *a, const void *b)
{
    const struct hypothesis *x = a, *y = b;
    return x->score > y->score ? -1 : x->score < y->score;
}

double beam_search_bytes(const struct seq2seq *model, int sents, int source_tokens, int beam)
{
    const double e = model->target.width, k = encoder_width(&model->encoder), d = model->decoder.cell.units;
    const double a = model->decoder.attention.units, v = model->target_vocabulary;
    /* As allocated by stepper_init (the encoder in one direction at a time) and by run_init. */
    const double per_token = a + (3 * d + e) + e + 8 * k;
    const double per_row =
        3 * d + 10 * d + (3 * d + e) + 2 * e + a + (model->decoder.conditional ? d + 2 : 0);
    const double rows = (double)sents * beam, logits = (rows < LOGIT_ROWS ? rows : LOGIT_ROWS) * v;
    return 1.2 * (double)sizeof(real) * (source_tokens * per_token + rows * per_row + logits + v);
}

void beam_search(struct hypothesis *best, int *found, const struct step_weights *weights,
                 const struct sentence *sentences, int sents, const struct beam_options *options,
                 struct arena *arena)
{
    struct beam_run run = {.options = options, .arena = arena};
    assert(options->beam > 0 && options->n_best > 0 && options->n_best <= options->beam);
    run_init(&run, weights, sentences, sents);
    for (int step = 0; run.now.which.rows > 0; step++) {
        const struct step_input input = input_of(&run);
        stepper_step(&run.stepper, run.next_states, run.alpha, &input);
        run.first_logits = run.end_logits = 0;
        run.next.which.rows = run.next.which.count = 0;
        for (int b = 0; b < sents; b++)
            if (run.searches[b].open)
                advance(&run, &run.searches[b], step);
        const struct decoder_rows done = run.now;
        run.now = run.next;
        run.next = done;
    }
    for (int b = 0; b < sents; b++) {
        struct search *search = &run.searches[b];
        qsort(search->ended, (size_t)search->ended_count, sizeof *search->ended, by_score);
        found[b] = search->ended_count < options->n_best ? search->ended_count : options->n_best;
        memcpy(best + (size_t)b * (size_t)options->n_best, search->ended, (size_t)found[b] * sizeof *best);
    }
}

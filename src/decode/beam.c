/* Beam search and sampling over a stepper, for a batch of sentences: which hypotheses continue, end or are
 * pruned. The network's computation is in stepper.c, text in hypothesis_text.c. */
#include "beam_run.h"
#include "err.h"
#include "vecmath.h"
#include "vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

double judged_score(const struct score_terms *terms, enum judge_kind kind)
{
    const int length = terms->judged[kind].length;
    return length ? terms->judged[kind].log_probability / (double)length : 0;
}

double beam_score(const struct score_terms *terms, const struct beam_options *options)
{
    const double length = options->wu ? (5.0 + terms->length) / 6 : terms->length;
    double score = terms->log_probability / pow(length, options->length_penalty) +
                   options->coverage_penalty * terms->coverage;
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        score += options->judge_weights[kind] * judged_score(terms, kind);
    return score;
}

static bool wants_coverage(const struct beam_run *run)
{
    return run->options->coverage || run->options->coverage_penalty > 0;
}

/* Ends a hypothesis after `last`, which may be the end mark. */
static void end_hypothesis(struct beam_run *run, struct search *search, const struct node *last,
                           enum hypothesis_end end, double log_probability)
{
    struct hypothesis *h = &search->ended[search->ended_count++];
    int words = 0;
    for (const struct node *node = last; node; node = node->previous)
        words++;
    h->length = words - (end == END_MARK);
    h->end = end;
    h->ids = ARENA_NEW(run->arena, h->length, int);
    h->token_log_probabilities = ARENA_ZERO(run->arena, h->length + 1, float);
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
        h->token_log_probabilities[at] = node->log_probability;
        if (h->alpha)
            h->alpha[at] = node->alpha;
    }
}

/* ---- a step ---- */

static struct step_input input_of(const struct beam_run *run, size_t member)
{
    return (struct step_input){run->now.ids, &run->now.unique,
                               const_mat_of(run->now.states[member], run->now.unique.count,
                                            stepper_state_width(&run->members[member].stepper)),
                               run->now.source_rank, run->step};
}

void beam_attention(real *alpha, const struct beam_run *run, size_t row, size_t source_length)
{
    memset(alpha, 0, source_length * sizeof *alpha);
    for (size_t m = 0; m < run->member_count; m++) {
        const struct member *member = &run->members[m];
        const struct step_input input = input_of(run, m);
        stepper_add_attention(alpha, (real)1 / (real)run->member_count, &member->stepper, member->alpha,
                              &input, row, source_length);
    }
}

/* The same, [1 + heads][source_length], followed by each head's. */
static const real *row_attention(const struct beam_run *run, size_t row, size_t source_length)
{
    real *alpha = ARENA_NEW(run->arena, (1 + run->heads) * source_length, real);
    beam_attention(alpha, run, row, source_length);
    const struct step_input input = input_of(run, 0);
    if (run->heads) /* of a single network */
        stepper_head_attention(alpha + source_length, &run->members[0].stepper, run->members[0].alpha, &input,
                               row, source_length);
    return alpha;
}

/* Makes the node of a candidate, with its attention if it is wanted. */
static const struct node *extend(struct beam_run *run, const struct search *search,
                                 const struct candidate *candidate)
{
    struct node *node = ARENA_NEW(run->arena, 1, struct node);
    const struct open_hypothesis *before = &run->now.rows[candidate->row];
    node->previous = before->node;
    node->id = (int)candidate->id;
    node->log_probability = (float)(candidate->log_probability - before->log_probability);
    node->alpha = NULL;
    if (run->options->alignment || wants_coverage(run))
        node->alpha = row_attention(run, candidate->row, search->source_length);
    return node;
}

/* Where the phrases of a hypothesis are after a further word. */
static struct constraint_state phrases_after(const struct search *search,
                                             const struct open_hypothesis *hypothesis, int id)
{
    return search->constraints
               ? constraints_next(search->constraints, hypothesis->phrases, last_word(hypothesis), id)
               : hypothesis->phrases;
}

/* Adds a row to the next step that continues row `from`. */
static void add_row(struct beam_run *run, const struct search *search, size_t from, const struct node *node,
                    double log_probability)
{
    struct decoder_rows *next = &run->next;
    if (run->state_of[from] < 0) {
        const size_t state = next->unique.count++;
        run->state_of[from] = (int)state;
        next->source_rank[state] = search->rank;
        for (size_t m = 0; m < run->member_count; m++) {
            const size_t width = stepper_state_width(&run->members[m].stepper);
            memcpy(next->states[m] + state * width, run->members[m].next_states + from * width,
                   width * sizeof(real));
        }
    }
    const size_t row = next->unique.rows++;
    const struct open_hypothesis *before = &run->now.rows[from];
    next->rows[row] = (struct open_hypothesis){node, log_probability,
                                               before->missing & ~placeholder_of(run->options, node->id),
                                               phrases_after(search, before, node->id)};
    next->ids[row] = node->id;
    next->unique.index[row] = (size_t)run->state_of[from];
}

/* Ends all open hypotheses of a sentence, for which there is no candidate: values are no longer finite, or
 * the options forbid every word. */
static void end_open(struct beam_run *run, struct search *search)
{
    for (size_t row = search->first_row; row < search->first_row + search->open; row++)
        end_hypothesis(run, search, run->now.rows[row].node, run->finite ? END_LIMIT : END_OVERFLOW,
                       run->now.rows[row].log_probability);
}

/* The search's continuations of a sentence's hypotheses, in run->candidates. */
static size_t find_candidates(struct beam_run *run, struct search *search)
{
    const size_t wanted = search->width - search->ended_count;
    return (run->options->sampled    ? candidates_drawn
            : search->constraints    ? candidates_banked
            : run->options->branched ? candidates_branched
                                     : candidates_best)(run, search, wanted);
}

/* Closes a sentence after this step if enough hypotheses have ended, or the length limit ends the open ones,
 * without an end mark. `first_state`: the next step's first one. */
static void close_if_done(struct beam_run *run, struct search *search, size_t first_state)
{
    const size_t first = search->first_row;
    const bool enough = search->ended_count >= (size_t)run->options->beam;
    if (!enough && run->step + 1 < search->max_length)
        return;
    for (size_t row = first; !enough && row < run->next.unique.rows; row++)
        end_hypothesis(run, search, run->next.rows[row].node, END_LIMIT, run->next.rows[row].log_probability);
    run->next.unique.rows = first;
    run->next.unique.count = first_state;
    search->open = 0;
}

/* Advances one sentence by one step: its candidates end, or become rows of the next step. */
static void advance(struct beam_run *run, struct search *search)
{
    run->finite = false;
    const size_t count = find_candidates(run, search);
    const size_t first = run->next.unique.rows, first_state = run->next.unique.count;
    for (size_t row = search->first_row; row < search->first_row + search->open; row++)
        run->state_of[row] = -1;
    if (count == 0)
        end_open(run, search);
    for (size_t i = 0; i < count; i++) {
        const struct candidate *candidate = &run->candidates[i];
        const struct node *node = extend(run, search, candidate);
        if (candidate->id == VOCAB_END)
            end_hypothesis(run, search, node, END_MARK, candidate->log_probability);
        else
            add_row(run, search, candidate->row, node, candidate->log_probability);
    }
    search->first_row = first;
    search->open = run->next.unique.rows - first;
    close_if_done(run, search, first_state);
}

/* ---- the search ---- */

static void rows_init(struct decoder_rows *rows, size_t most, const struct beam_run *run, struct arena *arena)
{
    rows->rows = ARENA_NEW(arena, most, struct open_hypothesis);
    for (size_t m = 0; m < run->member_count; m++)
        rows->states[m] = ARENA_NEW(arena, most * stepper_state_width(&run->members[m].stepper), real);
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

/* The placeholders of a source sentence. */
static placeholder_set placeholders_of(const struct beam_options *options, const struct sentence *sentence)
{
    placeholder_set set = 0;
    for (size_t i = 0; i < sentence->length; i++)
        set |= placeholder_of(options, sentence->ids[i]);
    return set;
}

size_t beam_longest_translation(const struct beam_options *options, size_t source_length)
{
    return (size_t)(options->max_length_ratio * (double)(source_length - 1)) + (size_t)options->extra_length;
}

/* Limit on how often an n-gram may occur in a row: the option's, or where the source itself repeats more, as
 * often as there. */
static size_t most_in_a_row(const struct beam_options *options, const struct sentence *sentence)
{
    const size_t allowed = (size_t)options->max_repetitions,
                 in_source = allowed ? longest_run(sentence->ids, sentence->length) : 0;
    return in_source > allowed ? in_source : allowed;
}

/* Starts sentence b with one open, empty hypothesis. */
static void search_init(struct beam_run *run, size_t b, const struct sentence *sentence)
{
    const struct beam_options *options = run->options;
    struct search *search = &run->searches[b];
    struct decoder_rows *now = &run->now;
    search->rank = run->members[0].stepper.source.rank[b];
    search->source_length = sentence->length;
    const placeholder_set missing = placeholders_of(options, sentence);
    const size_t longest = beam_longest_translation(options, sentence->length),
                 least = placeholder_count(missing) + 1;
    search->max_length = (longest > least ? longest : least) + search->prefix.length;
    struct constraint_state state = {0, 0};
    if (search->constraints) {
        state = constraints_start(search->constraints);
        search->max_length += constraints_tokens(search->constraints, state.missing);
    }
    search->most_in_a_row = most_in_a_row(options, sentence);
    rng_init(&search->rng, (uint64_t)options->seed, RNG_SAMPLE, hash_of(sentence), 0);
    search->first_row = now->unique.rows++;
    search->open = 1;
    now->rows[b] = (struct open_hypothesis){NULL, 0, missing, state};
    now->ids[b] = VOCAB_BEGIN;
    now->source_rank[b] = search->rank;
    now->unique.index[b] = now->unique.count++;
    for (size_t m = 0; m < run->member_count; m++) {
        const struct stepper *stepper = &run->members[m].stepper;
        stepper_start(now->states[m] + b * stepper_state_width(stepper), stepper, search->rank);
    }
}

/* Allocates what the steps of all sentences need. */
static void steps_init(struct beam_run *run, size_t most, struct arena *arena)
{
    const size_t values = (most < LOGIT_ROWS ? most : LOGIT_ROWS) * run->most_words;
    for (size_t m = 0; m < run->member_count; m++) {
        struct member *member = &run->members[m];
        member->next_states = ARENA_NEW(arena, most * stepper_state_width(&member->stepper), real);
        member->alpha = ARENA_NEW(arena, most * stepper_alpha_width(&member->stepper), real);
    }
    rows_init(&run->now, most, run, arena);
    rows_init(&run->next, most, run, arena);
    run->values = ARENA_NEW(arena, values, real);
    run->maxima = ARENA_NEW(arena, (run->most_words + VEC_BLOCK - 1) / VEC_BLOCK, real);
    if (run->member_count > 1)
        run->logits = ARENA_NEW(arena, values, real);
    if (run->options->sampled) {
        run->weights = ARENA_NEW(arena, run->most_words, real);
        run->words = ARENA_NEW(arena, run->most_words, struct weighted_word);
    }
    run->candidates = ARENA_NEW(arena, run->widest, struct candidate);
    run->state_of = ARENA_NEW(arena, most, int);
}

/* Allocates a struct per network and per sentence, and room for the sentences' ended hypotheses. */
static void members_init(struct beam_run *run, const struct ensemble *ensemble, size_t sents)
{
    run->member_count = (size_t)ensemble->count;
    run->members = ARENA_ZERO(run->arena, run->member_count, struct member);
    run->searches = ARENA_ZERO(run->arena, sents, struct search);
    run->sents = sents;
    run->vocabulary = run->most_words = ensemble->members[0].model->target_vocabulary;
    run->heads = run->options->each_head ? kept_heads(ensemble) : 0;
    for (size_t b = 0; b < sents; b++) {
        struct search *search = &run->searches[b];
        const struct constraints *constraints = run->options->constraints;
        search->constraints = constraints && constraints[b].count ? &constraints[b] : NULL;
        if (run->options->first_placeholders)
            search->first_placeholders = run->options->first_placeholders[b];
        if (run->options->prefixes)
            search->prefix = run->options->prefixes[b];
        search->words = (struct selection){.count = run->vocabulary};
        search->width = (size_t)run->options->beam + (search->constraints ? search->constraints->count : 0);
        search->ended = ARENA_ZERO(run->arena, search->width, struct hypothesis);
        run->widest = search->width > run->widest ? search->width : run->widest;
    }
}

static void run_init(struct beam_run *run, const struct ensemble *ensemble, const struct sentence *sentences,
                     size_t sents)
{
    size_t most = 0;
    members_init(run, ensemble, sents);
    for (size_t b = 0; b < sents; b++)
        most += run->searches[b].width;
    for (size_t m = 0; m < run->member_count; m++)
        stepper_init(&run->members[m].stepper, &ensemble->members[m], sentences, sents, most, run->arena);
    selections_init(run, ensemble, sentences);
    steps_init(run, most, run->arena);
    if (run->options->constraints)
        banks_init(run, sentences, run->arena);
    for (size_t b = 0; b < sents; b++)
        search_init(run, b, &sentences[b]);
}

static int by_score(const void *a, const void *b)
{
    const struct hypothesis *x = a, *y = b;
    if ((x->end == END_OVERFLOW) != (y->end == END_OVERFLOW))
        return x->end == END_OVERFLOW ? 1 : -1;
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

int beam_search(struct hypothesis *best, int *found, const struct ensemble *ensemble,
                const struct sentence *sentences, size_t sents, const struct beam_options *options,
                struct arena *arena)
{
    struct beam_run run = {.options = options, .arena = arena};
    ASSERT(options->beam > 0 && options->n_best > 0 && options->n_best <= options->beam);
    ASSERT(!options->scored || (options->prefixes && options->beam == 1));
    ASSERT(!options->constraints || !(options->scored || options->sampled));
    run_init(&run, ensemble, sentences, sents);
    for (run.step = 0; run.now.unique.rows > 0; run.step++) {
        if (options->cancelled && options->cancelled(options->cancel_context))
            return -1;
        run_step(&run);
    }
    for (size_t b = 0; b < sents; b++) {
        struct search *search = &run.searches[b];
        qsort(search->ended, search->ended_count, sizeof *search->ended, by_score);
        const size_t n_best = (size_t)options->n_best,
                     count = search->ended_count < n_best ? search->ended_count : n_best;
        memcpy(best + b * n_best, search->ended, count * sizeof *best);
        found[b] = (int)count;
    }
    return 0;
}

/* ---- memory ---- */

/* Allocates the most that a sentence's hypotheses can need: nodes with their attention, and the words of
 * ended ones. */
static void count_hypotheses(const struct beam_run *run, size_t source_length, struct arena *arena)
{
    const struct beam_options *options = run->options;
    const size_t beam = (size_t)options->beam, words = beam_longest_translation(options, source_length);
    for (size_t i = 0; i < beam * words; i++) {
        (void)ARENA_NEW(arena, 1, struct node);
        if (options->alignment || wants_coverage(run))
            (void)ARENA_NEW(arena, (1 + run->heads) * source_length, real);
    }
    for (size_t i = 0; i < beam; i++) {
        (void)ARENA_NEW(arena, words, int);
        (void)ARENA_NEW(arena, words + 1, float);
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
    members_init(&run, &(struct ensemble){.members = &weights, .count = 1}, sents);
    stepper_count(&run.members[0].stepper, &weights, sentences, sents, most, &arena, &counting);
    steps_init(&run, most, &counting);
    for (size_t b = 0; b < sents; b++)
        count_hypotheses(&run, sentences[b].length, &counting);
    const double bytes = (double)arena.peak_bytes + (double)counting.peak_bytes;
    arena_release(&arena);
    return bytes;
}

/* The candidates of a step of a search: computes the values of its words, by one network or as the mean of an
 * ensemble, removes forbidden words, and takes the best ones or draws some. beam.c extends hypotheses by the
 * candidates. */
#include "beam_run.h"
#include "vecmath.h"
#include "vocab.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Tokens of an n-gram whose repetition is noticed: those of a clause of unknown words, letter by letter. */
#define LONGEST_UNIT 32

void candidate_insert(struct candidate_list *list, size_t most, struct candidate candidate)
{
    struct candidate *best = list->items;
    if (list->count == most && !(candidate.log_probability > best[most - 1].log_probability))
        return;
    size_t at = list->count < most ? list->count++ : most - 1;
    for (; at > 0 && best[at - 1].log_probability < candidate.log_probability; at--)
        best[at] = best[at - 1];
    best[at] = candidate;
}

int last_word(const struct open_hypothesis *hypothesis)
{
    return hypothesis->node ? hypothesis->node->id : VOCAB_BEGIN;
}

/* logits [rows][words] of rows `first` … of the search */
static void member_logits(real *logits, const struct beam_run *run, const struct selection *words, size_t m,
                          size_t first, size_t rows)
{
    const struct stepper *stepper = &run->members[m].stepper;
    if (words->outputs)
        stepper_part_logits(stepper, logits, &words->outputs[m], first, rows);
    else
        stepper_logits(stepper, logits, first, rows);
}

/* log Σ exp of all words' values, of which `max` is that of the words that may come. */
static double log_total(const real *values, real max, const struct selection *words)
{
    const double own = vec_log_sum_exp(values, max, words->count);
    if (!words->sampled)
        return own;
    const real *others = values + words->count;
    const double rest =
        vec_log_sum_exp(others, vec_max(others, words->sampled), words->sampled) + log(words->sampled_weight);
    const double most = fmax(own, rest);
    return most + log(exp(own - most) + exp(rest - most));
}

/* Values become exp(value - the largest one); returns the sum of all words'. */
static real exp_total(real *values, const struct selection *words)
{
    const real max = vec_max(values, words->count + words->sampled);
    real sum = vec_exp_sum(values, values, max, words->count);
    if (words->sampled) {
        real *others = values + words->count;
        sum += (real)words->sampled_weight * vec_exp_sum(others, others, max, words->sampled);
    }
    return sum;
}

/* values [rows][words] = mean of the members' probabilities of rows `first` … */
static void mean_probabilities(struct beam_run *run, const struct selection *words, size_t first, size_t rows)
{
    const size_t n = words->count + words->sampled;
    memset(run->values, 0, rows * n * sizeof *run->values);
    for (size_t m = 0; m < run->member_count; m++) {
        member_logits(run->logits, run, words, m, first, rows);
        for (size_t i = 0; i < rows; i++) {
            real *row = run->logits + i * n;
            const real sum = exp_total(row, words);
            vec_axpy(run->values + i * n, 1 / (sum * (real)run->member_count), row, n);
        }
    }
}

/* They are computed for LOGIT_ROWS rows at once, few enough to stay in the cache: of all searches, or of one
 * with words of its own. */
real *candidate_values(struct beam_run *run, const struct search *search, size_t row)
{
    const struct selection *words = &search->words;
    if (row < run->first_values || row >= run->end_values) {
        const size_t end = words->outputs ? search->first_row + search->open : run->now.unique.rows;
        const size_t rows = end - row < LOGIT_ROWS ? end - row : LOGIT_ROWS;
        run->first_values = row;
        run->end_values = row + rows;
        if (run->member_count > 1)
            mean_probabilities(run, words, row, rows);
        else
            member_logits(run->values, run, words, 0, row, rows);
    }
    return run->values + (row - run->first_values) * (words->count + words->sampled);
}

/* Finds the maximum of each block of a row's n values, and returns that of all. */
static real find_maxima(struct beam_run *run, const real *values, size_t n)
{
    vec_block_max(run->maxima, values, n);
    return vec_max(run->maxima, (n + VEC_BLOCK - 1) / VEC_BLOCK);
}

static bool is_finite(const real *values, size_t n)
{
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite &= isfinite(values[i]) != 0;
    return finite;
}

/* Removes words that may never be produced, but none from a translation to be scored. Returns the shift that
 * turns a word's value into the log-probability of the extended hypothesis: log p(hypothesis) minus the log
 * of the remaining words' total. */
static double mask_and_shift(struct beam_run *run, real *values, const struct selection *words,
                             double log_probability)
{
    const bool ensemble = run->member_count > 1;
    double mass = 1;
    if (!run->options->scored) {
        mass -= (double)values[VOCAB_BEGIN];
        values[VOCAB_BEGIN] = -INFINITY;
    }
    if (!run->options->scored && !run->options->unknown) {
        mass -= (double)values[VOCAB_UNKNOWN];
        values[VOCAB_UNKNOWN] = -INFINITY;
    }
    if (run->options->scored && ensemble && !is_finite(values, words->count))
        mass = (double)NAN; /* as a network's own total is */
    const real max = find_maxima(run, values, words->count);
    return log_probability - (ensemble ? log(mass) : log_total(values, max, words));
}

/* Are the n words up to x those up to y? */
static bool end_alike(const struct node *x, const struct node *y, size_t n)
{
    for (; n > 0 && x && y && x->id == y->id; n--) {
        x = x->previous;
        y = y->previous;
    }
    return n == 0;
}

/* Removes each word that would repeat an n-gram: one that followed an earlier occurrence of the last n - 1
 * words. */
static void block_repetitions(real *values, const struct selection *words, const struct node *last, size_t n)
{
    const struct node *after = NULL;
    for (const struct node *at = last; at; after = at, at = at->previous)
        if ((after || n == 1) && end_alike(last, at, n - 1))
            values[selection_index(words, n == 1 ? at->id : after->id)] = -INFINITY;
}

/* Removes each word with which an n-gram would occur more than `most` times in a row: the n-th last word, if
 * the words before the new one repeat those n places earlier. */
static void end_runs(real *values, const struct selection *words, const struct node *last, size_t most)
{
    const struct node *nth = last;
    for (size_t n = 1; n <= LONGEST_UNIT && nth && nth->id != VOCAB_UNKNOWN; n++, nth = nth->previous)
        if (end_alike(last, nth->previous, most * n - 1))
            values[selection_index(words, nth->id)] = -INFINITY;
}

size_t longest_run(const int *ids, size_t count)
{
    size_t longest = 0;
    for (size_t n = 1; n <= LONGEST_UNIT && n <= count; n++) {
        size_t same = 0;
        for (size_t i = n; i < count; i++) {
            same = ids[i] == ids[i - n] && ids[i] != VOCAB_UNKNOWN ? same + 1 : 0;
            longest = same / n > longest ? same / n : longest;
        }
    }
    return longest + 1;
}

/* ---- placeholders ---- */

placeholder_set placeholder_of(const struct beam_options *options, int id)
{
    const int number = options->placeholders ? id - VOCAB_PLACEHOLDER(1) : -1;
    return number >= 0 && number < PLACEHOLDERS ? (placeholder_set)1 << number : 0;
}

size_t placeholder_count(placeholder_set set)
{
    size_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

/* Is the end mark the best word? */
static bool would_end(const real *values, size_t n)
{
    return values[VOCAB_END] > -INFINITY && values[VOCAB_END] >= vec_max(values, n);
}

/* Removes all of n words but the missing placeholders, whose index is their id. */
static void force_placeholders(struct beam_run *run, real *values, size_t n, placeholder_set missing)
{
    for (size_t id = 0; id < n; id++)
        if (!(placeholder_of(run->options, (int)id) & missing))
            values[id] = -INFINITY;
        else if (run->member_count > 1)
            values[id] = (real)fmax((double)values[id], FLT_MIN);
    find_maxima(run, values, n);
}

/* Those of the missing placeholders before which no other one must come. */
static placeholder_set next_placeholders(const int *first, placeholder_set missing)
{
    placeholder_set next = missing;
    for (int i = 0; first && i < PLACEHOLDERS; i++)
        if (first[i] && (missing & ((placeholder_set)1 << (first[i] - 1))))
            next &= ~((placeholder_set)1 << i);
    return next;
}

/* Removes what would make it impossible that each placeholder of the source comes once, and what comes too
 * early. `left`: how many words may follow, the end mark included. */
static void forbid_placeholders(struct beam_run *run, const struct search *search, real *values,
                                placeholder_set missing, size_t left)
{
    const size_t n = search->words.count;
    const placeholder_set next = next_placeholders(search->first_placeholders, missing);
    for (int number = 1; number <= PLACEHOLDERS; number++)
        if (!(next & placeholder_of(run->options, VOCAB_PLACEHOLDER(number))))
            values[VOCAB_PLACEHOLDER(number)] = -INFINITY;
    if (missing && (left <= placeholder_count(missing) + 1 || would_end(values, n)))
        force_placeholders(run, values, n, next);
    if (missing)
        values[VOCAB_END] = -INFINITY;
}

/* Removes the words that the options forbid at this place, without renormalising. */
static void forbid(const struct beam_run *run, const struct search *search, real *values,
                   const struct node *last)
{
    if (run->step < (size_t)run->options->min_length)
        values[VOCAB_END] = -INFINITY;
    if (run->options->block_ngrams)
        block_repetitions(values, &search->words, last, (size_t)run->options->block_ngrams);
    if (search->most_in_a_row)
        end_runs(values, &search->words, last, search->most_in_a_row);
}

/* Convert a word's value to the log-probability of the extended hypothesis, and back. */
double candidate_log(const struct beam_run *run, double shift, real value)
{
    return shift + (run->member_count > 1 ? log((double)value) : (double)value);
}

static real value_of(const struct beam_run *run, double shift, double log_probability)
{
    return (real)(run->member_count > 1 ? exp(log_probability - shift) : log_probability - shift);
}

real *candidate_allowed_values(double *shift, struct beam_run *run, const struct search *search, size_t row)
{
    const struct open_hypothesis *hypothesis = &run->now.rows[row];
    const size_t step = run->step;
    const size_t n = search->words.count;
    real *values = candidate_values(run, search, row);
    const bool forced = step < search->prefix.length;
    const size_t next = forced ? selection_index(&search->words, search->prefix.ids[step]) : 0;
    real value = values[next];
    if (run->member_count > 1)
        value = (real)fmax((double)value, FLT_MIN); /* no probability of 0 for a word that must come */
    *shift = mask_and_shift(run, values, &search->words, hypothesis->log_probability);
    if (!isfinite(*shift))
        return NULL;
    run->finite = true;
    if (forced) {
        for (size_t i = 0; i < n; i++)
            values[i] = -INFINITY;
        values[next] = value;
        find_maxima(run, values, n);
    } else {
        forbid(run, search, values, hypothesis->node);
        if (run->options->placeholders)
            forbid_placeholders(run, search, values, hypothesis->missing, search->max_length - step);
    }
    return values;
}

void candidate_choose(struct candidate_list *list, const struct beam_run *run, const struct search *search,
                      size_t row, const real *values, double shift, size_t most)
{
    /* Only values above this can enter: most blocks of words are rejected by one comparison. */
    const struct candidate *last = &list->items[most - 1];
    const size_t n = search->words.count;
    real least = list->count < most ? -INFINITY : value_of(run, shift, last->log_probability);
    for (size_t begin = 0, block = 0; begin < n; begin += VEC_BLOCK, block++) {
        const size_t end = n - begin < VEC_BLOCK ? n : begin + VEC_BLOCK;
        if (!(run->maxima[block] > least))
            continue;
        for (size_t i = begin; i < end; i++) {
            if (!(values[i] > least))
                continue;
            const size_t id = (size_t)selection_id(&search->words, i);
            candidate_insert(list, most, (struct candidate){row, id, candidate_log(run, shift, values[i])});
            if (list->count == most)
                least = value_of(run, shift, last->log_probability);
        }
    }
}

size_t candidates_best(struct beam_run *run, struct search *search, size_t wanted)
{
    struct candidate_list list = {run->candidates, 0};
    for (size_t row = search->first_row; row < search->first_row + search->open; row++) {
        double shift;
        const real *values = candidate_allowed_values(&shift, run, search, row);
        if (values)
            candidate_choose(&list, run, search, row, values, shift, wanted);
    }
    return list.count;
}

/* The best first words after the prefix; from then on, the best one of each open hypothesis. */
size_t candidates_branched(struct beam_run *run, struct search *search, size_t wanted)
{
    size_t count = 0;
    if (run->step <= search->prefix.length)
        return candidates_best(run, search, wanted);
    for (size_t row = search->first_row; row < search->first_row + search->open; row++) {
        struct candidate_list list = {run->candidates + count, 0};
        double shift;
        const real *values = candidate_allowed_values(&shift, run, search, row);
        if (values)
            candidate_choose(&list, run, search, row, values, shift, 1);
        count += list.count;
    }
    return count;
}

/* Makes the largest weight 1: those of an ensemble may be too small for a low temperature. */
static void scale_up(real *weights, size_t n)
{
    const real most = vec_max(weights, n);
    for (size_t id = 0; id < n && most > 0; id++)
        weights[id] /= most;
}

/* One of each open hypothesis, or all `wanted` ones of a single hypothesis. */
size_t candidates_drawn(struct beam_run *run, struct search *search, size_t wanted)
{
    const size_t n = search->words.count;
    size_t count = 0;
    for (size_t row = search->first_row; row < search->first_row + search->open; row++) {
        double shift;
        real *values = candidate_allowed_values(&shift, run, search, row);
        if (!values)
            continue;
        if (run->member_count > 1)
            memcpy(run->weights, values, n * sizeof *values);
        else
            vec_exp_sum(run->weights, values, vec_max(values, n), n);
        for (size_t id = 0; id < n; id++)
            if (values[id] == -INFINITY)
                run->weights[id] = 0;
        if (run->member_count > 1)
            scale_up(run->weights, n);
        for (size_t i = search->open > 1 ? wanted - 1 : 0; i < wanted; i++) {
            const int at = sample_word(run->words, run->weights, (int)n, &run->options->sample,
                                       rng_uniform(&search->rng));
            if (at >= 0 && values[at] > -INFINITY)
                run->candidates[count++] =
                    (struct candidate){row, (size_t)selection_id(&search->words, (size_t)at),
                                       candidate_log(run, shift, values[at])};
        }
    }
    return count;
}

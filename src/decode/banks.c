/* The candidates of a step where phrases must come: the best ones of each bank, which has the hypotheses with
 * the same number of phrases complete or begun. How phrases are followed is in constraints.c. */
#include "beam_run.h"
#include "err.h"
#include "vecmath.h"
#include "vocab.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A phrase begins where its source has so much of the attention. Multi30k into German with terms in 115, 227,
 * 378 of 580 sentences, BLEU, 42.57 without (decoding.max_repetitions 0): 43.3, 43.8, 44.2 with 0.05; 43.7,
 * 43.9, 43.9 with 0.1; 43.7, 43.7, 42.9 with 0.2. Anywhere: 42.6 for the second. */
#define LEAST_ATTENTION (real)0.05

struct bank_lists {
    struct candidate_list *lists; /* [most phrases + 1] */
    size_t *slots;                /* [most phrases + 1] */
    int *ids;                     /* [most nodes]: words of phrases … */
    real *values;                 /* … and their values */
    real *attention;              /* [longest source] */
    struct candidate_list last;   /* of hypotheses that would end without a phrase: if there are no others */
};

void banks_init(struct beam_run *run, const struct sentence *sentences, struct arena *arena)
{
    size_t phrases = 0, nodes = 1, longest = 0;
    for (size_t b = 0; b < run->sents; b++) {
        const struct constraints *c = &run->options->constraints[b];
        phrases = c->count > phrases ? c->count : phrases;
        nodes = c->node_count > nodes ? c->node_count : nodes;
        longest = sentences[b].length > longest ? sentences[b].length : longest;
    }
    struct bank_lists *banks = run->banks = ARENA_NEW(arena, 1, struct bank_lists);
    banks->lists = ARENA_ZERO(arena, phrases + 1, struct candidate_list);
    banks->slots = ARENA_NEW(arena, phrases + 1, size_t);
    banks->ids = ARENA_NEW(arena, nodes, int);
    banks->attention = ARENA_NEW(arena, longest, real);
    banks->last.items = ARENA_NEW(arena, run->widest, struct candidate);
    banks->values = ARENA_NEW(arena, nodes, real);
    for (size_t i = 0; i <= phrases; i++)
        banks->lists[i].items = ARENA_NEW(arena, run->widest, struct candidate);
}

/* ---- the candidates of a row ---- */

/* What may follow a hypothesis. */
struct outlook {
    phrase_set missing;
    bool tight;   /* so few words may follow that they must be those of phrases */
    bool ends;    /* the end mark is the best word, but phrases are missing */
    size_t count; /* words that begin or continue phrases, in the banks' ids and values */
};

/* The phrases whose source has enough of a row's attention. */
static phrase_set attended(struct beam_run *run, const struct search *search, size_t row)
{
    const struct constraints *constraints = search->constraints;
    real *attention = run->banks->attention;
    phrase_set set = 0;
    beam_attention(attention, run, row, search->source_length);
    for (size_t p = 0; p < constraints->count; p++) {
        const struct source_part *part = &constraints->parts[p];
        real sum = part->begin == part->end ? 1 : 0;
        for (size_t j = part->begin; j < part->end; j++)
            sum += attention[j];
        if (!(sum < LEAST_ATTENTION))
            set |= (phrase_set)1 << p;
    }
    return set;
}

/* Looks at a row's values before any word is forbidden. */
static struct outlook look_ahead(struct beam_run *run, const struct search *search, size_t row)
{
    const struct constraints *constraints = search->constraints;
    const struct open_hypothesis *hypothesis = &run->now.rows[row];
    const real *values = candidate_values(run, search, row),
               least = run->member_count > 1 ? FLT_MIN : -FLT_MAX;
    struct bank_lists *banks = run->banks;
    struct outlook outlook = {.missing = hypothesis->phrases.missing};
    if (!outlook.missing || run->step < search->prefix.length)
        return outlook;
    /* An end mark follows; and within a word, a phrase cannot begin at once. */
    const size_t needed = constraints_tokens(constraints, outlook.missing) +
                          placeholder_count(hypothesis->missing) + (constraints->touch ? 2 : 1);
    outlook.tight = search->max_length - run->step <= needed;
    outlook.ends = run->step >= (size_t)run->options->min_length &&
                   values[VOCAB_END] >= vec_max(values, search->words.count);
    const phrase_set begin = outlook.tight || outlook.ends ? outlook.missing : attended(run, search, row);
    outlook.count = constraints_wanted(banks->ids, constraints, hypothesis->phrases, last_word(hypothesis),
                                       begin, outlook.tight);
    for (size_t i = 0; i < outlook.count; i++)
        banks->values[i] =
            (real)fmax((double)values[selection_index(&search->words, banks->ids[i])], (double)least);
    return outlook;
}

/* Puts a candidate into its bank, or into the list of last resort. */
static void insert(struct beam_run *run, const struct search *search, struct candidate candidate, bool last)
{
    const struct open_hypothesis *hypothesis = &run->now.rows[candidate.row];
    const struct constraint_state next =
        constraints_next(search->constraints, hypothesis->phrases, last_word(hypothesis), (int)candidate.id);
    struct bank_lists *banks = run->banks;
    candidate_insert(last ? &banks->last : &banks->lists[constraints_bank(search->constraints, next)],
                     search->width, candidate);
}

/* Adds the words of phrases. */
static void add_wanted(struct beam_run *run, const struct search *search, size_t row, double shift,
                       const struct outlook *outlook)
{
    const bool last = outlook->ends && !outlook->tight && !run->now.rows[row].phrases.node;
    for (size_t i = 0; i < outlook->count; i++) {
        const double log_probability = candidate_log(run, shift, run->banks->values[i]);
        insert(run, search, (struct candidate){row, (size_t)run->banks->ids[i], log_probability}, last);
    }
}

/* Adds other words, unless only those of phrases may follow. */
static void add_others(struct beam_run *run, const struct search *search, size_t row, real *values,
                       double shift, const struct outlook *outlook)
{
    const struct constraints *constraints = search->constraints;
    const struct constraint_state state = {outlook->missing, 0};
    if (outlook->count && (outlook->tight || outlook->ends))
        return;
    if (outlook->missing)
        values[VOCAB_END] = -INFINITY;
    for (size_t i = 0; outlook->tight && i < search->words.count; i++) /* behind a word that is open */
        if (constraints->touch[selection_id(&search->words, i)] != TOUCH_NONE)
            values[i] = -INFINITY;
    for (size_t i = 0; i < outlook->count; i++)
        values[selection_index(&search->words, run->banks->ids[i])] = -INFINITY;
    candidate_choose(&run->banks->lists[constraints_bank(constraints, state)], run, search, row, values,
                     shift, search->width);
}

static void add_candidates(struct beam_run *run, const struct search *search, size_t row)
{
    const struct outlook outlook = look_ahead(run, search, row);
    double shift;
    real *values = candidate_allowed_values(&shift, run, search, row);
    if (!values)
        return;
    if (run->step < search->prefix.length) {
        const int id = search->prefix.ids[run->step];
        const real value = values[selection_index(&search->words, id)];
        insert(run, search, (struct candidate){row, (size_t)id, candidate_log(run, shift, value)}, false);
        return;
    }
    add_wanted(run, search, row, shift, &outlook);
    add_others(run, search, row, values, shift, &outlook);
}

/* ---- the places of the beam ---- */

/* Shares `wanted` places out evenly, the rest to the last bank; those that a bank cannot fill go to the one
 * before it, and from the first to the last. */
static void allocate(struct bank_lists *banks, size_t count, size_t wanted)
{
    ASSERT(count > 0);
    for (size_t i = 0; i < count; i++)
        banks->slots[i] = wanted / count;
    banks->slots[count - 1] += wanted % count;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = count; i-- > 0;) {
            const size_t found = banks->lists[i].count;
            if (banks->slots[i] <= found)
                continue;
            banks->slots[i ? i - 1 : count - 1] += banks->slots[i] - found;
            banks->slots[i] = found;
        }
    if (banks->slots[count - 1] > banks->lists[count - 1].count)
        banks->slots[count - 1] = banks->lists[count - 1].count;
}

size_t candidates_banked(struct beam_run *run, struct search *search, size_t wanted)
{
    struct bank_lists *banks = run->banks;
    const size_t count = search->constraints->count + 1;
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        banks->lists[i].count = 0;
    banks->last.count = 0;
    for (size_t row = search->first_row; row < search->first_row + search->open; row++)
        add_candidates(run, search, row);
    allocate(banks, count, wanted);
    for (size_t i = count; i-- > 0;)
        for (size_t k = 0; k < banks->slots[i]; k++)
            run->candidates[taken++] = banks->lists[i].items[k];
    if (taken)
        return taken;
    taken = banks->last.count < wanted ? banks->last.count : wanted;
    memcpy(run->candidates, banks->last.items, taken * sizeof *run->candidates);
    return taken;
}

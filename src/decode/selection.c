/* Chooses the words that the translation of each sentence may have: those of the models' shortlists, and what
 * the search may be forced to write. They depend on the sentence alone, not on others in its batch.
 *
 * Their probabilities remain those among all words: the sum over the others is estimated from a sample, every
 * so many-th word by frequency. If the words were all, those of uncertain places would gain most, and
 * translations would become longer: by 1.7 % for a model with 32,055 words, which then has 0.4 BLEU less. */
#include "beam_run.h"
#include "err.h"
#include "shortlist.h"
#include "vocab.h"

size_t selection_index(const struct selection *words, int id)
{
    size_t begin = 0, end = words->count;
    if (!words->ids)
        return (size_t)id;
    while (end - begin > 1) {
        const size_t middle = begin + (end - begin) / 2;
        if (words->ids[middle] <= id)
            begin = middle;
        else
            end = middle;
    }
    ASSERT(words->ids[begin] == id);
    return begin;
}

int selection_id(const struct selection *words, size_t index)
{
    return words->ids ? words->ids[index] : (int)index;
}

static size_t set_size(size_t vocabulary)
{
    return (vocabulary + WORD_BITS - 1) / WORD_BITS;
}

static void add_constraints(word_bits *set, const struct constraints *constraints)
{
    for (size_t node = 1; node < constraints->node_count; node++)
        word_bits_add(set, (size_t)constraints_token(constraints, node));
}

/* Marks the words for a sentence. */
static void find_words(word_bits *set, const struct beam_run *run, const struct ensemble *ensemble,
                       const struct search *search, const struct sentence *sentence)
{
    const int specials = VOCAB_SPECIALS + (run->options->placeholders ? PLACEHOLDERS : 0);
    for (int id = 0; id < specials; id++)
        word_bits_add(set, (size_t)id);
    for (int m = 0; m < ensemble->count; m++)
        shortlist_add(set, ensemble->shortlists[m], sentence->ids, sentence->length);
    for (size_t i = 0; i < search->prefix.length; i++)
        word_bits_add(set, (size_t)search->prefix.ids[i]);
    if (search->constraints)
        add_constraints(set, search->constraints);
}

/* Others of the vocabulary that are looked at. */
#define SAMPLED 128

/* Appends other words to ids [count] in equal distances; returns their number. */
static size_t sample_others(int *ids, size_t count, size_t vocabulary)
{
    size_t sampled = 0, at = 0;
    int id = -1;
    for (size_t i = 0; i < SAMPLED && count < vocabulary; i++) {
        const int next = (int)((2 * i + 1) * vocabulary / (2 * SAMPLED));
        while (at < count && ids[at] < next)
            at++;
        if (next != id && (at == count || ids[at] != next))
            ids[count + sampled++] = next;
        id = next;
    }
    return sampled;
}

/* Lists the words of a set, ascending, and a sample of the others, and empties the set. */
static void take_words(struct selection *words, word_bits *set, size_t vocabulary, struct arena *arena)
{
    const size_t size = set_size(vocabulary);
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += (size_t)__builtin_popcountll(set[i]);
    int *ids = ARENA_NEW(arena, count + SAMPLED, int), *next = ids;
    for (size_t i = 0; i < size; i++)
        for (; set[i]; set[i] &= set[i] - 1)
            *next++ = (int)(i * WORD_BITS) + __builtin_ctzll(set[i]);
    words->ids = ids;
    words->count = count;
    words->sampled = sample_others(ids, count, vocabulary);
    if (words->sampled)
        words->sampled_weight = (double)(vocabulary - count) / (double)words->sampled;
}

void selections_init(struct beam_run *run, const struct ensemble *ensemble, const struct sentence *sentences)
{
    if (!ensemble->shortlists || run->options->scored)
        return;
    word_bits *set = ARENA_ZERO(run->arena, set_size(run->vocabulary), word_bits);
    run->most_words = 0;
    for (size_t b = 0; b < run->sents; b++) {
        struct search *search = &run->searches[b];
        struct selection *words = &search->words;
        find_words(set, run, ensemble, search, &sentences[b]);
        take_words(words, set, run->vocabulary, run->arena);
        const size_t count = words->count + words->sampled;
        words->outputs = ARENA_NEW(run->arena, run->member_count, struct output_part);
        for (size_t m = 0; m < run->member_count; m++)
            output_part_init(&words->outputs[m], &ensemble->members[m], words->ids, count, run->arena);
        run->most_words = count > run->most_words ? count : run->most_words;
    }
}

/* Chooses the words that the translation of each sentence may have: those of the models' shortlists, and what
 * the search may be forced to write. They depend on the sentence alone, not on others in its batch. */
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

static void add(word_bits *set, int id)
{
    set[id / WORD_BITS] |= (word_bits)1 << id % WORD_BITS;
}

static void add_constraints(word_bits *set, const struct constraints *constraints)
{
    for (size_t node = 1; node < constraints->node_count; node++)
        add(set, constraints_token(constraints, node));
}

/* Marks the words for a sentence. */
static void find_words(word_bits *set, const struct beam_run *run, const struct ensemble *ensemble,
                       const struct search *search, const struct sentence *sentence)
{
    const int specials = VOCAB_SPECIALS + (run->options->placeholders ? PLACEHOLDERS : 0);
    for (int id = 0; id < specials; id++)
        add(set, id);
    for (int m = 0; m < ensemble->count; m++)
        shortlist_add(set, ensemble->shortlists[m], sentence->ids, sentence->length);
    for (size_t i = 0; i < search->prefix.length; i++)
        add(set, search->prefix.ids[i]);
    if (search->constraints)
        add_constraints(set, search->constraints);
}

/* Lists the words of a set of `size`, ascending, and empties it. */
static void take_words(struct selection *words, word_bits *set, size_t size, struct arena *arena)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += (size_t)__builtin_popcountll(set[i]);
    int *ids = ARENA_NEW(arena, count, int), *next = ids;
    for (size_t i = 0; i < size; i++)
        for (; set[i]; set[i] &= set[i] - 1)
            *next++ = (int)(i * WORD_BITS) + __builtin_ctzll(set[i]);
    words->ids = ids;
    words->count = count;
}

void selections_init(struct beam_run *run, const struct ensemble *ensemble, const struct sentence *sentences)
{
    const size_t size = (run->vocabulary + WORD_BITS - 1) / WORD_BITS;
    if (!ensemble->shortlists || run->options->given)
        return;
    word_bits *set = ARENA_ZERO(run->arena, size, word_bits);
    run->most_words = 0;
    for (size_t b = 0; b < run->sents; b++) {
        struct search *search = &run->searches[b];
        struct selection *words = &search->words;
        find_words(set, run, ensemble, search, &sentences[b]);
        take_words(words, set, size, run->arena);
        words->outputs = ARENA_NEW(run->arena, run->member_count, struct output_part);
        for (size_t m = 0; m < run->member_count; m++)
            output_part_init(&words->outputs[m], &ensemble->members[m], words->ids, words->count, run->arena);
        run->most_words = words->count > run->most_words ? words->count : run->most_words;
    }
}

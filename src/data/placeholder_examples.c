/* Finds places that correspond in the words of a pair, and puts placeholders there. Strings of the text that
 * are protected have been replaced before, by protect.c. */
#include "placeholder_examples.h"

#include "mem.h"
#include "placeholder.h"
#include "span.h"
#include "tokenize.h"
#include "utf8.h"

#include <string.h>

#define SHARE 0.1          /* of the pairs */
#define MORE 0.5           /* chance of one more placeholder in the same pair */
#define MOST_PLACES 256    /* in a pair */
#define LEAST_CHARACTERS 2 /* of a word that is replaced */

struct piece {
    const char *text;
    size_t bytes;
    int number;       /* of the placeholder that it is, or 0 */
    struct span bare; /* in the text, without marks that no placeholder in its place would have */
};

/* A side of a pair as a list of words that grows. */
struct sentence_words {
    struct piece *items;
    size_t count, capacity;
    struct word_numbers numbers;
};

/* Places that correspond, before the given words or, if `replaces`, in place of them. */
struct place {
    size_t at[SIDES];
    bool replaces;
};

struct places {
    struct place items[MOST_PLACES];
    int count;
};

static bool ends_unspaced(const struct piece *piece)
{
    return !piece->number && word_ends_unspaced(piece->text, piece->bytes);
}

static bool begins_unspaced(const struct piece *piece)
{
    return !piece->number && word_begins_unspaced(piece->text, piece->bytes);
}

/* Beside text without blanks a word of another script has a mark, "Linux￭ の", and a placeholder has none. */
static void find_bare(struct sentence_words *words)
{
    const size_t mark = strlen(TOKENIZE_JOINER);
    for (size_t i = 0; i < words->count; i++) {
        struct piece *piece = &words->items[i];
        struct span *bare = &piece->bare;
        *bare = (struct span){0, piece->bytes};
        if (i && word_joins_left(piece->text, piece->bytes) && ends_unspaced(&words->items[i - 1]))
            bare->begin += mark;
        if (i + 1 < words->count && bare->end - bare->begin > mark &&
            word_joins_right(piece->text, piece->bytes) && begins_unspaced(&words->items[i + 1]))
            bare->end -= mark;
    }
}

static void words_split(struct sentence_words *words, const struct strbuf *line,
                        const struct word_table *table)
{
    size_t at = 0, length, capacity = 0;
    memset(words, 0, sizeof *words);
    for (const char *word; (word = next_word(line->text, line->length, &at, &length));) {
        GROW(words->items, words->count + 1, words->capacity);
        words->items[words->count++] = (struct piece){word, length, placeholder_number(word, length), {0, 0}};
        GROW(words->numbers.items, words->count, capacity);
        words->numbers.items[words->numbers.count++] = strmap_find(&table->words, word, length);
    }
    find_bare(words);
}

static void words_release(struct sentence_words *words)
{
    xfree(words->items);
    xfree(words->numbers.items);
}

/* ---- places ---- */

static void add_place(struct places *places, size_t source, size_t target, bool replaces)
{
    if (places->count < MOST_PLACES)
        places->items[places->count++] = (struct place){{source, target}, replaces};
}

static bool is_same(const struct piece *a, const struct piece *b)
{
    const size_t bytes = a->bare.end - a->bare.begin;
    return b->bare.end - b->bare.begin == bytes &&
           !memcmp(a->text + a->bare.begin, b->text + b->bare.begin, bytes);
}

/* Is it letters or digits, at least two, without marks? */
static bool is_word(const struct piece *piece)
{
    int characters = 0;
    for (size_t at = piece->bare.begin; at < piece->bare.end; characters++) {
        int32_t code;
        at += utf8_decode(piece->text + at, piece->bare.end - at, &code);
        if (!utf8_is_wordlike(code))
            return false;
    }
    return characters >= LEAST_CHARACTERS;
}

static size_t times_in(const struct sentence_words *words, const struct piece *piece, size_t *last)
{
    size_t times = 0;
    for (size_t i = 0; i < words->count; i++)
        if (is_same(&words->items[i], piece)) {
            times++;
            *last = i;
        }
    return times;
}

/* Words that both sides hold once; those of the source from `first` on. */
static void add_shared_words(struct places *places, const struct sentence_words *sides, size_t first)
{
    size_t i, j;
    for (size_t at = first; at < sides[SOURCE].count; at++) {
        const struct piece *piece = &sides[SOURCE].items[at];
        if (is_word(piece) && times_in(&sides[TARGET], piece, &j) == 1 &&
            times_in(&sides[SOURCE], piece, &i) == 1)
            add_place(places, i, j, true);
    }
}

/* Is there a blank before word i? */
static bool has_blank(const struct sentence_words *words, size_t i)
{
    const struct piece *left = &words->items[i - 1], *right = &words->items[i];
    return !word_joins_right(left->text, left->bytes) && !word_joins_left(right->text, right->bytes);
}

/* Gaps between words that are linked with neighbours in the same order; in the source behind word `first`. */
static void add_gaps(struct places *places, const struct sentence_words *sides, size_t first,
                     const struct lexicon *lexicon)
{
    int *target_of = xmalloc(sides[SOURCE].count, sizeof *target_of);
    lexicon_links(target_of, lexicon, &sides[SOURCE].numbers, &sides[TARGET].numbers);
    for (size_t i = first + 1; i < sides[SOURCE].count; i++) {
        const int left = target_of[i - 1], right = target_of[i];
        if (left >= 0 && right == left + 1 && has_blank(&sides[SOURCE], i) &&
            has_blank(&sides[TARGET], (size_t)right))
            add_place(places, i, (size_t)right, false);
    }
    xfree(target_of);
}

/* Is it a sign that touches the word before it? */
static bool is_behind_word(const struct piece *piece)
{
    const bool joins = word_joins_left(piece->text, piece->bytes);
    const size_t begin = joins ? strlen(TOKENIZE_JOINER) : 0;
    int32_t first = 0;
    utf8_decode(piece->text + begin, piece->bytes - begin, &first);
    return !piece->number && utf8_class_of(first) == UTF8_SYMBOL && (joins || begins_unspaced(piece));
}

/* The place of the signs at the end, as a final stop is one. */
static size_t before_stop(const struct sentence_words *words)
{
    size_t at = words->count;
    while (at > 1 && is_behind_word(&words->items[at - 1]))
        at--;
    return at;
}

/* ---- choosing ---- */

static void insert(struct sentence_words *words, const struct place *place, int side, int number)
{
    const struct piece piece = {.number = number};
    const size_t at = place->at[side];
    if (place->replaces) {
        words->items[at] = piece;
        return;
    }
    GROW(words->items, words->count + 1, words->capacity);
    memmove(words->items + at + 1, words->items + at, (words->count - at) * sizeof *words->items);
    words->items[at] = piece;
    words->count++;
}

/* Makes room for a placeholder before the words from `at` on. */
static void shift(struct places *places, const struct place *used)
{
    for (int i = 0; i < places->count && !used->replaces; i++)
        for (int side = 0; side < SIDES; side++)
            places->items[i].at[side] += places->items[i].at[side] >= used->at[side];
}

static int placeholders_in(const struct sentence_words *words)
{
    int count = 0;
    for (size_t i = 0; i < words->count; i++)
        count += words->items[i].number > 0;
    return count;
}

/* Numbers the placeholders by their order in the source, from `first` on. */
static void renumber(struct sentence_words *sides, int first)
{
    int now[2 * PLACEHOLDERS + 1] = {0};
    for (size_t i = 0; i < sides[SOURCE].count; i++)
        if (sides[SOURCE].items[i].number)
            now[sides[SOURCE].items[i].number] = first++;
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < sides[side].count; i++)
            sides[side].items[i].number = now[sides[side].items[i].number];
}

/* Takes some of the places, each once. */
static int use_places(struct sentence_words *sides, struct places *places, struct rng *rng)
{
    int number = placeholders_in(&sides[SOURCE]);
    do {
        if (!places->count || number == PLACEHOLDERS)
            break;
        const int i = (int)rng_below(rng, (uint64_t)places->count);
        const struct place place = places->items[i];
        places->items[i] = places->items[--places->count];
        number++;
        for (int side = 0; side < SIDES; side++)
            insert(&sides[side], &place, side, number);
        shift(places, &place);
    } while (rng_uniform(rng) < MORE);
    return number;
}

static void print(struct strbuf *line, const struct sentence_words *words)
{
    struct strbuf out;
    strbuf_init(&out);
    for (size_t i = 0; i < words->count; i++) {
        const struct piece *piece = &words->items[i];
        if (i)
            strbuf_addch(&out, ' ');
        if (piece->number)
            placeholder_add(&out, piece->number, NULL, 0);
        else
            strbuf_add(&out, piece->text, piece->bytes);
    }
    strbuf_release(line);
    *line = out;
}

void placeholder_examples_add(struct pair_words *pair, bool tagged, const struct lexicon *lexicon,
                              struct rng *rng)
{
    const size_t first = tagged;
    struct sentence_words sides[SIDES];
    struct places places = {.count = 0};
    if (rng_uniform(rng) >= SHARE)
        return;
    if (lexicon->reversed) /* places are found in the order of reading */
        pair_words_reverse_target(pair);
    for (int side = 0; side < SIDES; side++)
        words_split(&sides[side], &pair->side[side], lexicon->tables->side[side]);
    add_place(&places, first, 0, false);
    add_place(&places, before_stop(&sides[SOURCE]), before_stop(&sides[TARGET]), false);
    add_shared_words(&places, sides, first);
    add_gaps(&places, sides, first, lexicon);
    const int count = use_places(sides, &places, rng);
    renumber(sides, 1 + (int)rng_below(rng, (uint64_t)(PLACEHOLDERS - count + 1)));
    for (int side = 0; side < SIDES; side++) {
        print(&pair->side[side], &sides[side]);
        words_release(&sides[side]);
    }
    if (lexicon->reversed)
        pair_words_reverse_target(pair);
}

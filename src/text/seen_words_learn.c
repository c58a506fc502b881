/* Counts what sentences show (seen_words_observe.c), and learns which words count as seen and which others
 * are copied. */
#include "seen_words.h"

#include "compound.h"
#include "log.h"
#include "mem.h"
#include "scan.h"
#include "seen_words_entries.h"
#include "tokenize.h"

#include <string.h>

#define MOST_WORDS ((size_t)1 << 20) /* while counting */
#define MOST_TIMES ((int64_t)1 << 40)
#define RARE 2        /* times; words that a training sees so seldom stand for unseen ones */
#define LEAST_RARE 20 /* words of a shape, to judge it by its share of copies */
#define LEAST_SHARE 0.5
#define LEAST_CHANGED 5     /* strings of a kind, where none of them is copied */
#define LEAST_OF_DIGITS 0.1 /* the same of words with digits, which are few, where they are known */
#define MOST_WRONG 0.012    /* of the words of a text */
#define MOST_NON_LATIN 0.01 /* of these words, that stand in translations, where none is copied */
#define WORD_EXCEPTIONS (EXCEPTION_SET(BUT_COMPOUNDS) | EXCEPTION_SET(BUT_NONLATIN)) /* the first ones */
/* ---- what is known of the words ---- */

/* What is known of the words, [keys.count] each. */
struct tally {
    struct strmap keys;
    int64_t *times, *copies;
    unsigned *shapes; /* sets */
    size_t times_capacity, copies_capacity, shapes_capacity;
};

static bool is_word_entry(const char *entry)
{
    return is_digit(entry[0]);
}

/* An entry of the counts. */
struct observation {
    enum word_shape shape;
    bool copied;
    const char *key;
    size_t bytes;
};

/* False if it is not of a word. */
static bool read_observation(struct observation *observation, const struct word_counts *counts, size_t i)
{
    const char *text = strmap_text(&counts->words, (int)i);
    *observation = (struct observation){(enum word_shape)(text[0] - '0'), text[1] == COPIED, text + 2,
                                        strmap_length(&counts->words, (int)i) - 2};
    return is_word_entry(text);
}

static void tally_add(struct tally *tally, const struct observation *observation, int64_t times)
{
    const size_t known = tally->keys.count;
    const size_t i = (size_t)strmap_intern(&tally->keys, observation->key, observation->bytes);
    GROW(tally->times, i + 1, tally->times_capacity);
    GROW(tally->copies, i + 1, tally->copies_capacity);
    GROW(tally->shapes, i + 1, tally->shapes_capacity);
    if (i == known) {
        tally->times[i] = tally->copies[i] = 0;
        tally->shapes[i] = 0;
    }
    tally->times[i] += times;
    tally->copies[i] += observation->copied ? times : 0;
    tally->shapes[i] |= SHAPE_SET(observation->shape);
}

static struct tally tally_words(const struct word_counts *counts)
{
    struct tally tally = {.times = NULL};
    struct observation o;
    strmap_init(&tally.keys);
    for (size_t i = 0; i < counts->words.count; i++)
        if (read_observation(&o, counts, i) && o.shape != SHAPE_HYPHEN)
            tally_add(&tally, &o, counts->counts[i]);
    for (size_t i = 0; i < counts->words.count; i++) {
        const char *text = strmap_text(&counts->words, (int)i);
        const int key = text[0] == TRANSLATED ? strmap_find(&tally.keys, text + 1, strlen(text + 1)) : -1;
        if (key >= 0 && tally.times[key] <= RARE)
            tally.copies[key] = 0;
    }
    return tally;
}

static void tally_release(struct tally *tally)
{
    strmap_release(&tally->keys);
    xfree(tally->times);
    xfree(tally->copies);
    xfree(tally->shapes);
}

/* How often a word occurs. */
static int64_t tally_times(const struct tally *tally, const char *word, size_t bytes)
{
    const int key = strmap_find(&tally->keys, word, bytes);
    return key < 0 ? 0 : tally->times[key];
}

static bool is_rare_compound(const struct tally *tally, int i)
{
    return tally->times[i] <= RARE && tally->shapes[i] != SHAPE_SET(SHAPE_NUMBER) &&
           compound_is(strmap_text(&tally->keys, i), strmap_length(&tally->keys, i), &tally->keys,
                       tally->times);
}

/* Which of a set of exceptions a word is. */
static unsigned exceptions_of(const struct tally *tally, int key, unsigned among)
{
    unsigned exceptions = 0;
    if ((among & EXCEPTION_SET(BUT_COMPOUNDS)) && is_rare_compound(tally, key))
        exceptions |= EXCEPTION_SET(BUT_COMPOUNDS);
    if ((among & EXCEPTION_SET(BUT_NONLATIN)) &&
        utf8_has(strmap_text(&tally->keys, key), strmap_length(&tally->keys, key), utf8_is_non_latin))
        exceptions |= EXCEPTION_SET(BUT_NONLATIN);
    return exceptions;
}

/* ---- forgetting ---- */

/* The entries that say of a shape's forgotten words how many they were, and how many occurred once and were
 * no copies, by the set of exceptions that they are. */
struct forgotten_entry {
    char text[3];
};

static struct forgotten_entry forgotten_words(int shape)
{
    return (struct forgotten_entry){{FORGOTTEN, (char)('0' + shape), '*'}};
}

static struct forgotten_entry forgotten_wrong(int shape, unsigned exceptions)
{
    return (struct forgotten_entry){{FORGOTTEN, (char)('0' + shape), (char)('a' + exceptions)}};
}

static void count_forgotten(struct word_counts *kept, const struct observation *o, int64_t times,
                            const struct tally *tally)
{
    const struct forgotten_entry words = forgotten_words((int)o->shape);
    if (o->shape == SHAPE_HYPHEN)
        return;
    word_counts_add(kept, words.text, sizeof words.text, times);
    if (o->copied || tally_times(tally, o->key, o->bytes) != 1)
        return;
    const int key = strmap_find(&tally->keys, o->key, o->bytes);
    const struct forgotten_entry wrong =
        forgotten_wrong((int)o->shape, exceptions_of(tally, key, WORD_EXCEPTIONS));
    word_counts_add(kept, wrong.text, sizeof wrong.text, 1);
}

/* Does an entry say of a word that is forgotten that it is no copy, or of one that a machine seldom made? */
static bool is_of_forgotten(const struct word_counts *counts, size_t i, const struct tally *tally,
                            int64_t least)
{
    const char *text = strmap_text(&counts->words, (int)i);
    return (text[0] == TRANSLATED && tally_times(tally, text + 1, strlen(text + 1)) < least) ||
           (text[0] == SYNTHETIC && counts->counts[i] < least);
}

/* Forgets the least frequent words, but how many they were, until half of the room is free. */
static void forget_rare(struct word_counts *counts)
{
    for (int64_t least = 2; counts->words.count > MOST_WORDS / 2 && least < MOST_TIMES; least *= 2) {
        struct tally tally = tally_words(counts);
        struct word_counts kept;
        word_counts_init(&kept);
        for (size_t i = 0; i < counts->words.count; i++) {
            const int64_t times = counts->counts[i];
            struct observation o;
            if (read_observation(&o, counts, i) && times < least)
                count_forgotten(&kept, &o, times, &tally);
            else if (!is_of_forgotten(counts, i, &tally, least))
                word_counts_add(&kept, strmap_text(&counts->words, (int)i),
                                strmap_length(&counts->words, (int)i), times);
        }
        tally_release(&tally);
        word_counts_release(counts);
        *counts = kept;
    }
}

void seen_words_count(struct word_counts *counts, const struct strbuf *line)
{
    size_t at = 0, bytes;
    for (const char *word; (word = next_word(line->text, line->length, &at, &bytes));)
        word_counts_add(counts, word, bytes, 1);
    if (counts->words.count > MOST_WORDS)
        forget_rare(counts);
}

/* Counts an entry that says something else of the word of an entry. */
static void count_key(struct word_counts *counts, char begin, const char *word, size_t bytes)
{
    struct strbuf entry;
    strbuf_init(&entry);
    strbuf_addch(&entry, begin);
    strbuf_add(&entry, word + 2, bytes - 2);
    word_counts_add(counts, entry.text, entry.length, 1);
    strbuf_release(&entry);
}

static bool is_of_single_word(const char *entry)
{
    return is_word_entry(entry) && entry[0] - '0' != SHAPE_HYPHEN;
}

void seen_words_count_further(struct word_counts *counts, const struct strbuf *line)
{
    size_t at = 0, bytes;
    for (const char *word; (word = next_word(line->text, line->length, &at, &bytes));)
        if (is_of_single_word(word) && word[1] != COPIED &&
            strmap_find(&counts->words, word, bytes) < 0) /* else counted as no copy */
            count_key(counts, TRANSLATED, word, bytes);
    if (counts->words.count > MOST_WORDS)
        forget_rare(counts);
}

void seen_words_count_synthetic(struct word_counts *counts, const struct strbuf *line)
{
    size_t at = 0, bytes;
    for (const char *word; (word = next_word(line->text, line->length, &at, &bytes));) {
        if (is_of_single_word(word)) {
            if (word[1] != COPIED && strmap_find(&counts->words, word, bytes) < 0) /* else counted already */
                count_key(counts, SYNTHETIC, word, bytes);
        } else if (word[0] == SIGN)
            word_counts_add(counts, word, bytes, 1);
    }
    if (counts->words.count > MOST_WORDS)
        forget_rare(counts);
}

/* ---- learning ---- */

/* How a shape's unseen words would fare as copies, by what the rare words did. */
struct shape_tally {
    int64_t rare, copies;
    int64_t wrong; /* words that occur once and are no copies */
};

static bool is_rare_word(const struct tally *tally, const char *word, size_t bytes)
{
    const int key = strmap_find(&tally->keys, word, bytes);
    return key >= 0 && tally->times[key] <= RARE && tally->shapes[key] != SHAPE_SET(SHAPE_NUMBER);
}

/* Two words with a hyphen are rare if one of them is, and no number. */
static void tally_pair(struct shape_tally *t, const struct tally *tally, const struct observation *o,
                       int64_t times)
{
    const size_t left = (size_t)((const char *)memchr(o->key, '-', o->bytes) - o->key);
    if (!is_rare_word(tally, o->key, left) && !is_rare_word(tally, o->key + left + 1, o->bytes - left - 1))
        return;
    t->rare += times;
    t->copies += o->copied ? times : 0;
    t->wrong += times == 1 && !o->copied;
}

static int64_t count_of(const struct word_counts *counts, const char *entry, size_t bytes)
{
    const int i = strmap_find(&counts->words, entry, bytes);
    return i < 0 ? 0 : counts->counts[i];
}

/* Adds the words that were forgotten, and returns how many they were. A word that was forgotten and came
 * again counts as two. */
static int64_t tally_forgotten(struct shape_tally tallies[SHAPES], const struct word_counts *counts,
                               unsigned but)
{
    int64_t words = 0;
    for (int shape = 0; shape < SHAPE_HYPHEN; shape++) {
        const struct forgotten_entry all = forgotten_words(shape);
        words += count_of(counts, all.text, sizeof all.text);
        for (unsigned set = 0; set <= WORD_EXCEPTIONS; set++) {
            const struct forgotten_entry wrong = forgotten_wrong(shape, set);
            tallies[shape].wrong += (set & but) ? 0 : count_of(counts, wrong.text, sizeof wrong.text);
        }
    }
    return words;
}

/* Returns the number of words of the text. */
static int64_t tally_shapes(struct shape_tally tallies[SHAPES], const struct tally *tally,
                            const struct word_counts *counts, const struct seen_words *seen)
{
    struct observation o;
    memset(tallies, 0, SHAPES * sizeof *tallies);
    int64_t words = tally_forgotten(tallies, counts, seen->but);
    for (size_t i = 0; i < counts->words.count; i++) {
        if (!read_observation(&o, counts, i))
            continue;
        if (o.shape == SHAPE_HYPHEN) {
            tally_pair(&tallies[SHAPE_HYPHEN], tally, &o, counts->counts[i]);
            continue;
        }
        const int key = strmap_find(&tally->keys, o.key, o.bytes);
        const int64_t times = tally->times[key];
        struct shape_tally *t = &tallies[o.shape];
        words += counts->counts[i];
        if (times > RARE || exceptions_of(tally, key, seen->but))
            continue;
        const bool copied = o.copied && tally->copies[key];
        t->rare += counts->counts[i];
        t->copies += copied ? counts->counts[i] : 0;
        t->wrong += times == 1 && !copied;
    }
    return words;
}

/* Would so many words of a text be wrong copies that a reader minds? The share of words that occur once tells
 * how many words of a text are new (Good 1953). */
static bool are_many(int64_t wrong, int64_t words)
{
    return (double)(wrong + 1) > MOST_WRONG * (double)words;
}

static bool are_many_wrong(const struct shape_tally tallies[SHAPES], int64_t words)
{
    int64_t wrong = 0;
    for (int shape = 0; shape < SHAPE_NUMBER; shape++)
        wrong += tallies[shape].wrong;
    return are_many(wrong, words);
}

/* A shape is copied if hardly any copy would be wrong, or most are right. Numbers and what hyphens connect
 * are always little, and a wrong copy of them is worse than that of a word. So are first words of sentences,
 * which elsewhere are small: if those are not copied, most must be right. `copied`: the shapes before. */
static bool is_copied(int shape, const struct shape_tally *t, int64_t words, unsigned copied)
{
    const bool little = shape >= SHAPE_NUMBER || (shape == SHAPE_FIRST && !(copied & SHAPE_SET(SHAPE_LOWER)));
    if (shape == SHAPE_DIGITS && t->rare >= LEAST_RARE &&
        (double)t->copies < LEAST_OF_DIGITS * (double)t->rare)
        return false;
    if (!little && !are_many(t->wrong, words))
        return true;
    return t->rare < LEAST_RARE ? (SHAPES_USUALLY_COPIED & SHAPE_SET(shape)) != 0
                                : (double)t->copies >= LEAST_SHARE * (double)t->rare;
}

static void report(const struct shape_tally tallies[SHAPES], int64_t words, const struct seen_words *seen)
{
    struct strbuf text;
    strbuf_init(&text);
    for (int shape = 0; shape < SHAPES; shape++) {
        const struct shape_tally *t = &tallies[shape];
        strbuf_addf(&text, "%s%s %s (", shape ? ", " : "", seen_words_shape_name((enum word_shape)shape),
                    seen->copied & SHAPE_SET(shape) ? "yes" : "no");
        if (t->rare)
            strbuf_addf(&text, "%.0f %% of %lld rare ones, ", 100 * (double)t->copies / (double)t->rare,
                        (long long)t->rare);
        strbuf_addf(&text, "%.2f %% of the text wrong)", 100 * (double)t->wrong / (double)words);
    }
    for (int i = 0; i < EXCEPTIONS; i++)
        if (seen->but & EXCEPTION_SET(i) & ~WORD_EXCEPTIONS)
            strbuf_addf(&text, "; no %s", seen_words_exception_name((enum copy_exception)i));
    log_info("unseen words%s%s are copied: %s",
             seen->but & EXCEPTION_SET(BUT_NONLATIN) ? " in Latin script" : "",
             seen->but & EXCEPTION_SET(BUT_COMPOUNDS) ? " but compounds" : "", text.text);
    strbuf_release(&text);
}

/* Is the source written in another script than the Latin one, which translations do not have? */
static bool stays_out(const struct tally *tally)
{
    int64_t words = 0, others = 0, copies = 0;
    for (int i = 0; i < (int)tally->keys.count; i++) {
        const bool other =
            utf8_has(strmap_text(&tally->keys, i), strmap_length(&tally->keys, i), utf8_is_non_latin);
        words += tally->times[i];
        others += other ? tally->times[i] : 0;
        copies += other ? tally->copies[i] : 0;
    }
    return others >= LEAST_RARE && 2 * others >= words && (double)copies < MOST_NON_LATIN * (double)others;
}

/* Are strings written otherwise in most translations, as "5 kg" is "5 кг" in Russian, and Turkish "%5" is
 * "5%" elsewhere? A few tell if none is copied, but not of addresses, which a network hardly spells. */
static bool are_changed(const struct word_counts *counts, enum copy_exception exception)
{
    const struct string_entry copied = string_entry(exception, true),
                              changed = string_entry(exception, false);
    const int64_t copies = count_of(counts, copied.text, sizeof copied.text),
                  all = copies + count_of(counts, changed.text, sizeof changed.text);
    return (all >= LEAST_RARE && (double)copies < LEAST_SHARE * (double)all) ||
           (all >= LEAST_CHANGED && !copies && exception != BUT_URLS);
}

static void choose_copied(struct seen_words *seen, const struct tally *tally,
                          const struct word_counts *counts)
{
    struct shape_tally tallies[SHAPES];
    seen->but |= stays_out(tally) ? EXCEPTION_SET(BUT_NONLATIN) : 0;
    for (enum copy_exception i = 0; i < EXCEPTIONS; i++)
        seen->but |= are_changed(counts, i) ? EXCEPTION_SET(i) : 0;
    const int64_t words = tally_shapes(tallies, tally, counts, seen);
    seen->but |= are_many_wrong(tallies, words) ? EXCEPTION_SET(BUT_COMPOUNDS) : 0;
    if (seen->but & EXCEPTION_SET(BUT_COMPOUNDS))
        tally_shapes(tallies, tally, counts, seen);
    for (int shape = 0; shape < SHAPES; shape++)
        seen->copied |= is_copied(shape, &tallies[shape], words, seen->copied) ? SHAPE_SET(shape) : 0;
    if (words)
        report(tallies, words, seen);
}

/* Is a word a rare one that training has placeholders for? */
static bool is_replaced(const struct tally *tally, int i, const struct seen_words *seen)
{
    return tally->times[i] <= RARE && tally->copies[i] == tally->times[i] &&
           !(tally->shapes[i] & ~seen->copied) && !exceptions_of(tally, i, seen->but);
}

/* Adds the words that a machine alone made. */
static void add_synthetic(struct seen_words *seen, const struct tally *tally,
                          const struct word_counts *counts)
{
    for (int i = 0; i < (int)counts->words.count; i++) {
        const char *entry = strmap_text(&counts->words, i);
        const size_t bytes = strmap_length(&counts->words, i);
        if (entry[0] == SYNTHETIC && strmap_find(&tally->keys, entry + 1, bytes - 1) < 0)
            seen_words_add(seen, entry + 1, bytes - 1);
    }
}

void seen_words_learn(struct seen_words *seen, const struct word_counts *counts)
{
    struct tally tally = tally_words(counts);
    size_t count;
    int *ranked = strmap_rank(&count, &counts->words, counts->counts);
    for (size_t i = 0; i < count; i++) {
        const char *sign = strmap_text(&counts->words, ranked[i]);
        if (sign[0] == SIGN) /* the most frequent one comes first */
            seen_words_add(seen, sign + 1, strmap_length(&counts->words, ranked[i]) - 1);
    }
    xfree(ranked);
    choose_copied(seen, &tally, counts);
    for (int i = 0; i < (int)tally.keys.count; i++)
        if (!is_replaced(&tally, i, seen))
            seen_words_add(seen, strmap_text(&tally.keys, i), strmap_length(&tally.keys, i));
    add_synthetic(seen, &tally, counts);
    tally_release(&tally);
}

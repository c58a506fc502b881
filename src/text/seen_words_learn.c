/* Counts the words of a source text, and learns which of them count as seen and which others are copied. */
#define _GNU_SOURCE /* memmem */
#include "seen_words.h"

#include "compound.h"
#include "log.h"
#include "mem.h"
#include "patterns.h"
#include "segment.h"
#include "tokenize.h"

#include <string.h>

#define MOST_WORDS ((size_t)1 << 20) /* while counting */
#define MOST_TIMES ((int64_t)1 << 40)
#define MOST_SEARCHED ((size_t)4096) /* bytes of a translation, for each string; sentences are shorter */
#define RARE 2                       /* times; words that a training sees so seldom stand for unseen ones */
#define LEAST_RARE 20                /* words of a shape, to judge it by its share of copies */
#define LEAST_SHARE 0.5
#define LEAST_CHANGED 5     /* strings of a kind, where none of them is copied */
#define LEAST_OF_DIGITS 0.1 /* the same of words with digits, which are few, where they are known */
#define MOST_WRONG 0.012    /* of the words of a text */
#define MOST_NON_LATIN 0.01 /* of these words, that stand in translations, where none is copied */
#define WORD_EXCEPTIONS (EXCEPTION_SET(BUT_COMPOUNDS) | EXCEPTION_SET(BUT_NONLATIN)) /* the first ones */
#define WORD_KINDS (PATTERN_SET(PATTERN_UNSEEN) | PATTERN_SET(PATTERN_IDENTIFIER))
#define ALL_KINDS (2 * PATTERN_SET(PATTERN_UNSEEN) - 1)
/* What begins the entries of counts that are not of words: signs, strings that may be exceptions, words
 * forgotten, and words that a further translation of their sentence does not hold. */
#define SIGN '='
#define STRING '#'
#define FORGOTTEN '~'
#define TRANSLATED '!'
#define COPIED '+'
#define NOT_COPIED '-'

/* ---- counting ---- */

static void add_characters(struct strbuf *line, const char *text, size_t bytes, bool capitals)
{
    size_t used = 0;
    for (size_t at = 0; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        if (!capitals || utf8_case_of(code) == UTF8_UPPER || code == SMALL_PALOCHKA ||
            seen_words_is_apostrophe(code)) {
            strbuf_addch(line, SIGN);
            strbuf_add(line, text + at, used);
            strbuf_addch(line, ' ');
        }
    }
}

/* Appends a word's shape as a number, whether it is a copy, and its key. */
static void add_observation(struct strbuf *line, enum word_shape shape, const struct strbuf *normal,
                            const struct strmap *target)
{
    strbuf_addch(line, (char)('0' + (int)shape));
    strbuf_addch(line, strmap_find(target, normal->text, normal->length) >= 0 ? COPIED : NOT_COPIED);
    utf8_lower(line, normal->text, normal->length);
    strbuf_addch(line, ' ');
}

static void add_word(struct strbuf *line, const struct scan *s, const struct segment *segment,
                     const struct strmap *target)
{
    struct strbuf normal;
    strbuf_init(&normal);
    segment_add_normal(&normal, s, segment);
    add_characters(line, normal.text, normal.length, segment->is_word);
    if (segment->is_word)
        add_observation(line, segment->shape, &normal, target);
    strbuf_release(&normal);
}

/* The normal form of two words with a hyphen between them. */
static void add_hyphenated(struct strbuf *out, const struct scan *s, const struct segment *left,
                           const struct segment *right)
{
    segment_add_normal(out, s, left);
    strbuf_addch(out, '-');
    segment_add_normal(out, s, right);
}

static void add_pair(struct strbuf *line, const struct scan *s, const struct segment *left,
                     const struct segment *right, const struct strmap *target)
{
    struct strbuf normal;
    strbuf_init(&normal);
    add_hyphenated(&normal, s, left, right);
    add_observation(line, SHAPE_HYPHEN, &normal, target);
    strbuf_release(&normal);
}

static bool holds(const struct scan *s, const char *string, size_t bytes)
{
    const char *at = s->text, *const end = at + (s->bytes < MOST_SEARCHED ? s->bytes : MOST_SEARCHED);
    while ((at = memmem(at, (size_t)(end - at), string, bytes)) &&
           !scan_has_string(s, (size_t)(at - s->text), string, bytes))
        at++;
    return at != NULL;
}

/* Goes through the segments of a text and the strings that they are part of. */
struct segments {
    const struct scan *text, *translation; /* the latter may be NULL */
    struct patterns patterns;
    struct pattern_string string; /* the last one found */
    bool held;                    /* does the translation hold it? */
    size_t at, string_at;
};

/* What a string ends within, as in "%dKB", begins behind it. */
static bool segments_next(struct segment *segment, struct segments *segments)
{
    const struct scan *text = segments->text;
    const struct span *span = &segments->string.span;
    while (segment_next(segment, text, &segments->at)) {
        bool found = true;
        while (span->end <= segment->begin && found) {
            found = patterns_next(&segments->string, text->text, text->bytes, &segments->string_at,
                                  &segments->patterns);
            segments->held = found && segments->translation &&
                             holds(segments->translation, text->text + span->begin, span->end - span->begin);
        }
        if (segment->begin < span->begin || segment->begin >= span->end || segment->end <= span->end)
            return true;
        segments->at = span->end;
    }
    return false;
}

/* Is a segment part of a string that the translation holds? */
static bool is_in_common(const struct segments *segments, const struct segment *segment)
{
    const struct span *span = &segments->string.span;
    return segments->held && span->begin <= segment->begin && segment->end <= span->end;
}

/* Adds the words of a translation, and those that hyphens connect. */
static void collect(struct strmap *target, const struct scan *s, unsigned kinds)
{
    struct strbuf word;
    struct segments segments = {.text = s, .patterns = {.kinds = kinds & PATTERN_SET(PATTERN_VARIABLE)}};
    struct segment segment, next;
    strbuf_init(&word);
    while (segments_next(&segment, &segments)) {
        strbuf_reset(&word);
        segment_add_normal(&word, s, &segment);
        strmap_intern(target, word.text, word.length);
        strbuf_reset(&word);
        if (segment_behind_hyphen(&next, &segment, s)) {
            add_hyphenated(&word, s, &segment, &next);
            strmap_intern(target, word.text, word.length);
        }
    }
    strbuf_release(&word);
}

/* An entry of the counts says whether a translation holds a string that may be an exception. */
struct string_entry {
    char text[3];
};

static struct string_entry string_entry(enum copy_exception exception, bool copied)
{
    return (struct string_entry){{STRING, (char)('a' + (int)exception), copied ? COPIED : NOT_COPIED}};
}

static void add_strings(struct strbuf *line, const struct scan *source, const struct scan *translation)
{
    const struct patterns patterns = {.kinds = ALL_KINDS & ~WORD_KINDS};
    struct pattern_string string;
    for (size_t at = 0; patterns_next(&string, source->text, source->bytes, &at, &patterns);) {
        const char *text = source->text + string.span.begin;
        const size_t bytes = string.span.end - string.span.begin;
        const bool percentage = bytes == 2 && text[0] == '%' && is_digit(text[1]);
        const enum copy_exception exception =
            percentage ? BUT_PERCENTAGES : seen_words_exception(string.kind);
        if (exception == EXCEPTIONS)
            continue;
        const struct string_entry entry = string_entry(exception, holds(translation, text, bytes));
        strbuf_add(line, entry.text, sizeof entry.text);
        strbuf_addch(line, ' ');
    }
}

void seen_words_observe(struct strbuf *line, const char *const *text, const size_t *bytes, unsigned kinds)
{
    const struct scan source = {.text = text[0], .bytes = bytes[0]},
                      translation = {.text = text[1], .bytes = bytes[1]};
    struct segments segments = {
        .text = &source, .translation = &translation, .patterns = {.kinds = kinds & ~WORD_KINDS}};
    struct strmap target;
    struct segment segment, next;
    strmap_init(&target);
    strbuf_reset(line);
    add_strings(line, &source, &translation);
    collect(&target, &translation, kinds);
    while (segments_next(&segment, &segments)) {
        if (is_in_common(&segments, &segment))
            continue;
        add_word(line, &source, &segment, &target);
        if (segment_behind_hyphen(&next, &segment, &source) &&
            !(segment_is_name(&segment) && segment_is_name(&next)))
            add_pair(line, &source, &segment, &next, &target);
    }
    strmap_release(&target);
}

/* ---- what is known of the words ---- */

/* What is known of the words, [keys.count] each. */
struct tally {
    struct strmap keys;
    int64_t *times, *copies;
    unsigned *shapes; /* sets */
    size_t times_capacity, copies_capacity, shapes_capacity;
};

static bool is_word_entry(const char *word)
{
    return word[0] != SIGN && word[0] != STRING && word[0] != FORGOTTEN && word[0] != TRANSLATED;
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

/* Does an entry say of a word that is forgotten that it is no copy? */
static bool is_of_forgotten(const struct word_counts *counts, size_t i, const struct tally *tally,
                            int64_t least)
{
    const char *text = strmap_text(&counts->words, (int)i);
    return text[0] == TRANSLATED && tally_times(tally, text + 1, strlen(text + 1)) < least;
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

void seen_words_count_further(struct word_counts *counts, const struct strbuf *line)
{
    struct strbuf entry;
    size_t at = 0, bytes;
    strbuf_init(&entry);
    for (const char *word; (word = next_word(line->text, line->length, &at, &bytes));) {
        if (!is_word_entry(word) || word[0] - '0' == SHAPE_HYPHEN || word[1] == COPIED ||
            strmap_find(&counts->words, word, bytes) >= 0) /* counted as no copy */
            continue;
        strbuf_reset(&entry);
        strbuf_addch(&entry, TRANSLATED);
        strbuf_add(&entry, word + 2, bytes - 2);
        word_counts_add(counts, entry.text, entry.length, 1);
    }
    strbuf_release(&entry);
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

/* Chooses what is copied. */
static void choose(struct seen_words *seen, const struct tally *tally, const struct word_counts *counts)
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
    choose(seen, &tally, counts);
    for (int i = 0; i < (int)tally.keys.count; i++)
        if (!is_replaced(&tally, i, seen))
            seen_words_add(seen, strmap_text(&tally.keys, i), strmap_length(&tally.keys, i));
    tally_release(&tally);
}

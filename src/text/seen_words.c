/* Counts the words of a source text, learns which of them count as seen, and keeps these as a file. What is
 * unseen is found in segment.c and match_unseen.c. */
#include "seen_words.h"

#include "compound.h"
#include "log.h"
#include "mem.h"
#include "names.h"
#include "segment.h"
#include "tokenize.h"

#include <string.h>

#define MOST_WORDS ((size_t)1 << 20) /* while counting; text has its frequent words early */
#define RARE 2                       /* times; words that a training sees so seldom stand for unseen ones */
#define LEAST_RARE 20                /* words of a shape, to judge it by its share of copies */
#define LEAST_SHARE 0.5
#define MOST_WRONG 0.012 /* of the words of a text */
#define SIGN '='
#define BUT_COMPOUNDS "but-compounds"

#define ENTRY(constant, name) [constant] = #name,
static const char *const shape_names[] = {WORD_SHAPES(ENTRY)};

void seen_words_init(struct seen_words *seen)
{
    memset(seen, 0, sizeof *seen);
    strmap_init(&seen->words);
    strmap_init(&seen->characters);
}

void seen_words_release(struct seen_words *seen)
{
    strmap_release(&seen->words);
    strmap_release(&seen->characters);
    seen_words_init(seen);
}

static void add(struct seen_words *seen, const char *word, size_t bytes)
{
    size_t used = 0;
    strmap_intern(&seen->words, word, bytes);
    for (size_t at = 0; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(word + at, bytes - at, &code);
        strmap_intern(&seen->characters, word + at, used);
    }
}

/* ---- counting ---- */

static void add_characters(struct strbuf *line, const char *text, size_t bytes, bool capitals)
{
    size_t used = 0;
    for (size_t at = 0; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        if (!capitals || utf8_case_of(code) == UTF8_UPPER) {
            strbuf_addch(line, SIGN);
            strbuf_add(line, text + at, used);
            strbuf_addch(line, ' ');
        }
    }
}

/* Appends a word as its shape's number, '+' if it is a copy, else '-', and its key. */
static void add_word(struct strbuf *line, const struct scan *s, const struct segment *segment,
                     const struct strmap *target)
{
    struct strbuf normal;
    strbuf_init(&normal);
    segment_add_normal(&normal, s, segment);
    add_characters(line, normal.text, normal.length, segment->is_word);
    if (segment->is_word) {
        strbuf_addch(line, (char)('0' + (int)segment->shape));
        strbuf_addch(line, strmap_find(target, normal.text, normal.length) >= 0 ? '+' : '-');
        utf8_lower(line, normal.text, normal.length);
        strbuf_addch(line, ' ');
    }
    strbuf_release(&normal);
}

void seen_words_observe(struct strbuf *line, const char *const *text, const size_t *bytes)
{
    const struct scan source = {.text = text[0], .bytes = bytes[0]},
                      translation = {.text = text[1], .bytes = bytes[1]};
    struct strmap target;
    struct strbuf word;
    struct segment segment;
    strmap_init(&target);
    strbuf_init(&word);
    strbuf_reset(line);
    for (size_t at = 0; segment_next(&segment, &translation, &at); strbuf_reset(&word)) {
        segment_add_normal(&word, &translation, &segment);
        strmap_intern(&target, word.text, word.length);
    }
    for (size_t at = 0; segment_next(&segment, &source, &at);)
        add_word(line, &source, &segment, &target);
    strbuf_release(&word);
    strmap_release(&target);
}

void seen_words_count(struct word_counts *counts, const struct strbuf *line)
{
    size_t at = 0, bytes;
    for (const char *word; (word = next_word(line->text, line->length, &at, &bytes));)
        if (counts->words.count < MOST_WORDS || strmap_find(&counts->words, word, bytes) >= 0)
            word_counts_add(counts, word, bytes, 1);
}

/* ---- learning ---- */

/* What is known of the words, [keys.count] each. */
struct tally {
    struct strmap keys;
    int64_t *times, *copies;
    unsigned *shapes; /* sets */
    size_t times_capacity, copies_capacity, shapes_capacity;
};

/* An entry of the counts. */
struct observation {
    enum word_shape shape;
    bool copied;
    const char *key;
    size_t bytes;
};

/* False if it is of a sign. */
static bool read_observation(struct observation *observation, const struct word_counts *counts, size_t i)
{
    const char *text = strmap_text(&counts->words, (int)i);
    *observation = (struct observation){(enum word_shape)(text[0] - '0'), text[1] == '+', text + 2,
                                        strmap_length(&counts->words, (int)i) - 2};
    return text[0] != SIGN;
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

/* How a shape's unseen words would fare as copies, by what the rare words did. */
struct shape_tally {
    int64_t rare, copies;
    int64_t wrong; /* words that occur once and are no copies */
};

static bool is_rare_compound(const struct tally *tally, int i)
{
    return tally->times[i] <= RARE && compound_is(strmap_text(&tally->keys, i),
                                                  strmap_length(&tally->keys, i), &tally->keys, tally->times);
}

/* Returns the number of words of the text. */
static int64_t tally_shapes(struct shape_tally tallies[SHAPES], const struct tally *tally,
                            const struct word_counts *counts, bool but_compounds)
{
    int64_t words = 0;
    struct observation o;
    memset(tallies, 0, SHAPES * sizeof *tallies);
    for (size_t i = 0; i < counts->words.count; i++) {
        if (!read_observation(&o, counts, i))
            continue;
        const int key = strmap_find(&tally->keys, o.key, o.bytes);
        const int64_t times = tally->times[key];
        struct shape_tally *t = &tallies[o.shape];
        words += counts->counts[i];
        if (times > RARE || (but_compounds && is_rare_compound(tally, key)))
            continue;
        t->rare += counts->counts[i];
        t->copies += o.copied ? counts->counts[i] : 0;
        t->wrong += times == 1 && !o.copied;
    }
    return words;
}

/* Would so many words of a text be wrong copies that a reader minds? The share of words that occur once tells how
 * many words of a text are new (Good 1953). */
static bool are_many(int64_t wrong, int64_t words)
{
    return (double)(wrong + 1) > MOST_WRONG * (double)words;
}

static bool are_many_wrong(const struct shape_tally tallies[SHAPES], int64_t words)
{
    int64_t wrong = 0;
    for (int shape = 0; shape < SHAPES; shape++)
        wrong += tallies[shape].wrong;
    return are_many(wrong, words);
}

/* A shape is copied if hardly any copy would be wrong, or most are right. */
static bool is_copied(int shape, const struct shape_tally *t, int64_t words)
{
    if (!are_many(t->wrong, words))
        return true;
    return t->rare < LEAST_RARE ? (SHAPES_OF_NAMES & SHAPE_SET(shape)) != 0
                                : (double)t->copies >= LEAST_SHARE * (double)t->rare;
}

static void report(const struct shape_tally tallies[SHAPES], int64_t words, const struct seen_words *seen)
{
    struct strbuf text;
    strbuf_init(&text);
    for (int shape = 0; shape < SHAPES; shape++) {
        const struct shape_tally *t = &tallies[shape];
        strbuf_addf(&text, "%s%s %s (", shape ? ", " : "", shape_names[shape],
                    seen->copied & SHAPE_SET(shape) ? "yes" : "no");
        if (t->rare)
            strbuf_addf(&text, "%.0f %% of %lld rare ones, ", 100 * (double)t->copies / (double)t->rare,
                        (long long)t->rare);
        strbuf_addf(&text, "%.2f %% of the text wrong)", 100 * (double)t->wrong / (double)words);
    }
    log_info("unseen words%s are copied: %s", seen->but_compounds ? " but compounds" : "", text.text);
    strbuf_release(&text);
}

/* Chooses which unseen words are copied. */
static void choose(struct seen_words *seen, const struct tally *tally, const struct word_counts *counts)
{
    struct shape_tally tallies[SHAPES];
    const int64_t words = tally_shapes(tallies, tally, counts, false);
    seen->but_compounds = are_many_wrong(tallies, words);
    if (seen->but_compounds)
        tally_shapes(tallies, tally, counts, true);
    seen->copied = 0;
    for (int shape = 0; shape < SHAPES; shape++)
        seen->copied |= is_copied(shape, &tallies[shape], words) ? SHAPE_SET(shape) : 0;
    if (words)
        report(tallies, words, seen);
}

/* Is a word a rare one that training has placeholders for? */
static bool is_replaced(const struct tally *tally, int i, const struct seen_words *seen)
{
    return tally->times[i] <= RARE && tally->copies[i] == tally->times[i] &&
           !(tally->shapes[i] & ~seen->copied) && !(seen->but_compounds && is_rare_compound(tally, i));
}

void seen_words_learn(struct seen_words *seen, const struct word_counts *counts)
{
    struct tally tally = {.times = NULL};
    struct observation o;
    strmap_init(&tally.keys);
    for (size_t i = 0; i < counts->words.count; i++)
        if (read_observation(&o, counts, i))
            tally_add(&tally, &o, counts->counts[i]);
        else
            add(seen, strmap_text(&counts->words, (int)i) + 1, strmap_length(&counts->words, (int)i) - 1);
    choose(seen, &tally, counts);
    for (int i = 0; i < (int)tally.keys.count; i++)
        if (!is_replaced(&tally, i, seen))
            add(seen, strmap_text(&tally.keys, i), strmap_length(&tally.keys, i));
    strmap_release(&tally.keys);
    xfree(tally.times);
    xfree(tally.copies);
    xfree(tally.shapes);
}

/* ---- the file ---- */

/* Context of take_line. */
struct loading {
    struct seen_words *seen;
    const char *path;
    bool begun;
};

/* The shape of that name, or SHAPES. */
static int find_shape(const char *name, size_t bytes)
{
    int shape = 0;
    while (shape < SHAPES &&
           (strlen(shape_names[shape]) != bytes || memcmp(shape_names[shape], name, bytes) != 0))
        shape++;
    return shape;
}

/* Reads names of shapes, separated by blanks, or "-", and BUT_COMPOUNDS; false if it is anything else. */
static bool read_copied(struct seen_words *seen, const struct strbuf *line)
{
    size_t at = 0, bytes;
    for (const char *word; (word = next_word(line->text, line->length, &at, &bytes));) {
        const int shape = find_shape(word, bytes);
        if (shape < SHAPES)
            seen->copied |= SHAPE_SET(shape);
        else if (bytes == strlen(BUT_COMPOUNDS) && !memcmp(word, BUT_COMPOUNDS, bytes))
            seen->but_compounds = true;
        else if (bytes != 1 || *word != '-')
            return false;
    }
    return true;
}

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    struct loading *loading = context;
    struct seen_words *seen = loading->seen;
    loading->begun = true;
    if (number == 1)
        return read_copied(seen, line)
                   ? 0
                   : err_set(err, "cannot read '%s': line 1 is neither '-' nor some of %s", loading->path,
                             &(WORD_SHAPES(NAMES_BAR))[1]);
    if (!line->length || utf8_check(line->text, line->length) != line->length ||
        strlen(line->text) != line->length)
        return err_set(err, "cannot read '%s': line %lld is not a word", loading->path, (long long)number);
    if (strmap_find(&seen->words, line->text, line->length) >= 0)
        return err_set(err, "cannot read '%s': the word of line %lld is there already", loading->path,
                       (long long)number);
    add(seen, line->text, line->length);
    return 0;
}

int seen_words_load(struct seen_words *seen, const struct model_files *files, const char *name,
                    struct err *err)
{
    char *path = model_files_name(files, name);
    struct loading loading = {.seen = seen, .path = path};
    int status = model_files_each_line(files, name, take_line, &loading, err);
    if (status == 0 && !loading.begun)
        status = err_set(err, "cannot read '%s': the file is empty", path);
    xfree(path);
    if (status)
        seen_words_release(seen);
    return status;
}

void seen_words_print(struct strbuf *text, const struct seen_words *seen)
{
    const size_t begin = text->length;
    for (int shape = 0; shape < SHAPES; shape++)
        if (seen->copied & SHAPE_SET(shape))
            strbuf_addf(text, "%s%s", text->length > begin ? " " : "", shape_names[shape]);
    if (text->length == begin)
        strbuf_addch(text, '-');
    strbuf_adds(text, seen->but_compounds ? " " BUT_COMPOUNDS "\n" : "\n");
    for (int i = 0; i < (int)seen->words.count; i++)
        strbuf_addf(text, "%s\n", strmap_text(&seen->words, i));
}

bool seen_words_same(const struct seen_words *a, const struct seen_words *b)
{
    bool same =
        a->copied == b->copied && a->but_compounds == b->but_compounds && a->words.count == b->words.count;
    for (int i = 0; same && i < (int)a->words.count; i++)
        same = !strcmp(strmap_text(&a->words, i), strmap_text(&b->words, i));
    return same;
}

/* The words that count as seen, and their file. They are learned in seen_words_learn.c; what is unseen is
 * found in segment.c and match_unseen.c, and signs are read as seen ones in seen_words_sign.c. */
#include "seen_words.h"

#include "casing.h"
#include "compound.h"
#include "mem.h"
#include "names.h"
#include "spelling.h"
#include "tokenize.h"
#include "utf8.h"

#include <string.h>

#define BUT "but-" /* names of exceptions begin so in the file */

#define ENTRY(constant, name) [constant] = #name,
static const char *const shape_names[] = {WORD_SHAPES(ENTRY)};
static const char *const exception_names[] = {COPY_EXCEPTIONS(ENTRY)};

const char *seen_words_shape_name(enum word_shape shape)
{
    return shape_names[shape];
}

const char *seen_words_exception_name(enum copy_exception exception)
{
    return exception_names[exception];
}

void seen_words_init(struct seen_words *seen)
{
    memset(seen, 0, sizeof *seen);
    strmap_init(&seen->words);
    strmap_init(&seen->characters);
    strmap_init(&seen->bare);
    strmap_init(&seen->joined);
}

void seen_words_release(struct seen_words *seen)
{
    strmap_release(&seen->words);
    strmap_release(&seen->characters);
    strmap_release(&seen->bare);
    strmap_release(&seen->joined);
    seen_words_init(seen);
}

/* Adds a word with joiners to those that are found without them. Of several, the first one counts. */
static void add_joined(struct seen_words *seen, const char *word, size_t bytes)
{
    struct strbuf bare;
    strbuf_init(&bare);
    if (spelling_add_bare(&bare, word, bytes) && strmap_find(&seen->bare, bare.text, bare.length) < 0) {
        strmap_intern(&seen->bare, bare.text, bare.length);
        strmap_intern(&seen->joined, word, bytes);
    }
    strbuf_release(&bare);
}

void seen_words_add(struct seen_words *seen, const char *word, size_t bytes)
{
    size_t used = 0;
    strmap_intern(&seen->words, word, bytes);
    add_joined(seen, word, bytes);
    for (size_t at = 0; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(word + at, bytes - at, &code);
        strmap_intern(&seen->characters, word + at, used);
    }
}

int seen_words_character(const struct seen_words *seen, int32_t code)
{
    char bytes[UTF8_MOST_BYTES];
    return strmap_find(&seen->characters, bytes, utf8_encode(bytes, code));
}

bool seen_words_has(const struct seen_words *seen, int32_t code)
{
    return seen_words_character(seen, code) >= 0;
}

enum copy_exception seen_words_exception(enum pattern_kind kind)
{
    static const struct {
        enum pattern_kind kind;
        enum copy_exception exception;
    } exceptions[] = {{PATTERN_QUANTITY, BUT_QUANTITIES}, {PATTERN_URL, BUT_URLS},
                      {PATTERN_MENTION, BUT_MENTIONS},    {PATTERN_DATE, BUT_DATES},
                      {PATTERN_VERSION, BUT_VERSIONS},    {PATTERN_NUMBER, BUT_NUMBERS}};
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (exceptions[i].kind == kind)
            return exceptions[i].exception;
    return EXCEPTIONS;
}

unsigned seen_words_copied_kinds(const struct seen_words *seen, unsigned kinds)
{
    for (enum pattern_kind kind = 0; PATTERN_SET(kind) <= kinds; kind++)
        if (seen->but & EXCEPTION_SET(seen_words_exception(kind)))
            kinds &= ~PATTERN_SET(kind);
    return kinds;
}

bool seen_words_may_copy(const struct seen_words *seen, enum word_shape shape, const char *key, size_t bytes)
{
    return (seen->copied & SHAPE_SET(shape)) &&
           !((seen->but & EXCEPTION_SET(BUT_COMPOUNDS)) && shape != SHAPE_NUMBER &&
             compound_is(key, bytes, &seen->words, NULL)) &&
           !((seen->but & EXCEPTION_SET(BUT_NONLATIN)) && utf8_has(key, bytes, utf8_is_non_latin));
}

/* ---- words as they were seen ---- */

/* Is it a capital that the training did not see, of a small letter that it saw? */
static bool is_new_capital(const struct seen_words *seen, const char *letter, size_t bytes, int32_t code)
{
    struct strbuf lower;
    if (utf8_case_of(code) != UTF8_UPPER || strmap_find(&seen->characters, letter, bytes) >= 0)
        return false;
    strbuf_init(&lower);
    utf8_lower(&lower, letter, bytes);
    const bool known = strmap_find(&seen->characters, lower.text, lower.length) >= 0;
    strbuf_release(&lower);
    return known;
}

/* Appends a word in the lower case in which it was seen. */
static void add_lower(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes)
{
    struct strbuf common, turkic;
    strbuf_init(&common);
    strbuf_init(&turkic);
    casing_lower(&common, CASING_COMMON, word, bytes);
    casing_lower(&turkic, CASING_TURKIC, word, bytes);
    const bool is_turkic = strmap_find(&seen->words, common.text, common.length) < 0 &&
                           strmap_find(&seen->words, turkic.text, turkic.length) >= 0;
    const struct strbuf *lower = is_turkic ? &turkic : &common;
    strbuf_add(out, lower->text, lower->length);
    strbuf_release(&common);
    strbuf_release(&turkic);
}

/* Appends a word as it was seen, if it was seen in another spelling or in lower case. */
static void add_respelled(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes)
{
    struct strbuf other;
    bool new_capitals = false;
    strbuf_init(&other);
    if (spelling_find(&other, seen, word, bytes)) {
        word = other.text;
        bytes = other.length;
    }
    for (size_t at = 0, used; at < bytes && !new_capitals; at += used) {
        int32_t code;
        used = utf8_decode(word + at, bytes - at, &code);
        new_capitals = is_new_capital(seen, word + at, used, code);
    }
    if (new_capitals)
        add_lower(out, seen, word, bytes);
    else
        strbuf_add(out, word, bytes);
    strbuf_release(&other);
}

void seen_words_respell(struct strbuf *out, const struct seen_words *seen, const char *text, size_t bytes)
{
    size_t word = 0; /* where one begins that has not ended, or what is between two */
    for (size_t at = 0, used; at <= bytes; at += used) {
        int32_t code = 0;
        used = at < bytes ? utf8_decode(text + at, bytes - at, &code) : 1;
        if (at < bytes && utf8_class_of(code) == UTF8_LETTER)
            continue;
        if (at > word)
            add_respelled(out, seen, text + word, at - word);
        if (at < bytes)
            strbuf_add(out, text + at, used);
        word = at + used;
    }
}

/* ---- the file ---- */

/* Context of take_line. */
struct loading {
    struct seen_words *seen;
    const char *path;
    bool begun;
};

/* The set that has the one of that name alone; empty if there is none. */
static unsigned find_name(const char *const *names, int count, const char *name, size_t bytes)
{
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == bytes && !memcmp(names[i], name, bytes))
            return 1u << i;
    return 0;
}

/* Reads names of shapes, separated by blanks, or "-", and of exceptions; false if it is anything else. */
static bool read_copied(struct seen_words *seen, const struct strbuf *line)
{
    const size_t but = strlen(BUT);
    size_t at = 0, bytes;
    for (const char *word; (word = next_word(line->text, line->length, &at, &bytes));) {
        const bool may_be_exception = bytes > but && !memcmp(word, BUT, but);
        const unsigned shape = find_name(shape_names, SHAPES, word, bytes),
                       exception = may_be_exception
                                       ? find_name(exception_names, EXCEPTIONS, word + but, bytes - but)
                                       : 0;
        seen->copied |= shape;
        seen->but |= exception;
        if (!shape && !exception && (bytes != 1 || *word != '-'))
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
    seen_words_add(seen, line->text, line->length);
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
    for (int i = 0; i < EXCEPTIONS; i++)
        if (seen->but & EXCEPTION_SET(i))
            strbuf_addf(text, " " BUT "%s", exception_names[i]);
    strbuf_addch(text, '\n');
    for (int i = 0; i < (int)seen->words.count; i++)
        strbuf_addf(text, "%s\n", strmap_text(&seen->words, i));
}

bool seen_words_same(const struct seen_words *a, const struct seen_words *b)
{
    bool same = a->copied == b->copied && a->but == b->but && a->words.count == b->words.count;
    for (int i = 0; same && i < (int)a->words.count; i++)
        same = !strcmp(strmap_text(&a->words, i), strmap_text(&b->words, i));
    return same;
}

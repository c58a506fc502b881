/* The words that count as seen, and their file. They are learned in seen_words_learn.c; what is unseen is
 * found in segment.c and match_unseen.c. */
#include "seen_words.h"

#include "casing.h"
#include "compound.h"
#include "mem.h"
#include "names.h"
#include "scan.h"
#include "spelling.h"
#include "tokenize.h"
#include "utf8.h"

#include <string.h>

#define BUT "but-"         /* names of exceptions begin so in the file */
#define MOST_WORD_BYTES 64 /* that are looked at behind an apostrophe, or before a word space */
#define WORD_SPACE 0x1361  /* of Ethiopic */

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
}

void seen_words_release(struct seen_words *seen)
{
    strmap_release(&seen->words);
    strmap_release(&seen->characters);
    seen_words_init(seen);
}

void seen_words_add(struct seen_words *seen, const char *word, size_t bytes)
{
    size_t used = 0;
    strmap_intern(&seen->words, word, bytes);
    for (size_t at = 0; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(word + at, bytes - at, &code);
        strmap_intern(&seen->characters, word + at, used);
    }
}

bool seen_words_has_non_latin(const char *word, size_t bytes)
{
    bool has = false;
    for (size_t at = 0; at < bytes && !has;) {
        int32_t code;
        at += utf8_decode(word + at, bytes - at, &code);
        has = utf8_is_non_latin(code);
    }
    return has;
}

enum copy_exception seen_words_exception(enum pattern_kind kind)
{
    static const struct {
        enum pattern_kind kind;
        enum copy_exception exception;
    } exceptions[] = {{PATTERN_QUANTITY, BUT_QUANTITIES},
                      {PATTERN_URL, BUT_URLS},
                      {PATTERN_DATE, BUT_DATES},
                      {PATTERN_VERSION, BUT_VERSIONS},
                      {PATTERN_NUMBER, BUT_NUMBERS}};
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
           !((seen->but & EXCEPTION_SET(BUT_COMPOUNDS)) && compound_is(key, bytes, &seen->words, NULL)) &&
           !((seen->but & EXCEPTION_SET(BUT_NONLATIN)) && seen_words_has_non_latin(key, bytes));
}

/* ---- signs ---- */

/* The order in which one is looked for in the place of another. */
static const int32_t apostrophes[] = {0x27, 0x2019, 0x2bc, 0x2bb, 0x2018, 0xb4, 0x60, 0x2032, 0xff07};
#define APOSTROPHES (sizeof apostrophes / sizeof apostrophes[0])

bool seen_words_is_apostrophe(int32_t code)
{
    for (size_t i = 0; i < APOSTROPHES; i++)
        if (code == apostrophes[i])
            return true;
    return false;
}

static bool is_known(const struct seen_words *seen, int32_t code)
{
    struct strbuf text;
    strbuf_init(&text);
    utf8_append(&text, code);
    const bool known = strmap_find(&seen->characters, text.text, text.length) >= 0;
    strbuf_release(&text);
    return known;
}

/* The apostrophe that the training has seen; the given one if there is none. */
static int32_t known_apostrophe(const struct seen_words *seen, int32_t code)
{
    for (size_t i = 0; i < APOSTROPHES; i++)
        if (is_known(seen, apostrophes[i]))
            return apostrophes[i];
    return code;
}

/* The other code of a letter that has two: Romanian letters with a cedilla or a comma, Arabic letters of
 * Arabic and Persian keyboards; and of hyphens and the Hebrew signs, that of keyboards; 0 if it has one. */
static int32_t other_code(int32_t code)
{
    static const int32_t codes[][2] = {{0x15e, 0x218}, {0x15f, 0x219}, {0x162, 0x21a}, {0x163, 0x21b},
                                       {0x64a, 0x6cc}, {0x643, 0x6a9}, {0x2010, '-'},  {0x2011, '-'},
                                       {0x5be, '-'},   {0x5f3, '\''},  {0x5f4, '"'}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (int k = 0; k < 2; k++)
            if (code == codes[i][k])
                return codes[i][!k];
    return 0;
}

/* Vowel signs of Arabic and Hebrew, which most texts leave out, and the stroke that widens Arabic words. */
static bool may_be_left_out(int32_t code)
{
    return (code >= 0x64b && code <= 0x652) || code == 0x670 || code == 0x640 ||
           (code >= 0x5b0 && code <= 0x5c7 && code != 0x5be && utf8_extends(code));
}

/* Is it a sign for which another may stand, or none? */
static bool may_be_read(int32_t code)
{
    if (code < 0x80)
        return code == '\'' || code == '`';
    const char category = utf8_category(code);
    return category == 'C' || category == 'Z' || code == WORD_SPACE || seen_words_is_apostrophe(code) ||
           may_be_left_out(code) || other_code(code);
}

/* What stands for a sign that is no apostrophe and was not seen. */
static int32_t like_of(const struct seen_words *seen, int32_t sign)
{
    const int32_t other = other_code(sign);
    if (other)
        return is_known(seen, other) ? other : sign;
    if (may_be_left_out(sign))
        return 0;
    return utf8_category(sign) == 'Z' ? ' ' : utf8_extends(sign) ? 0 : sign;
}

/* What stands for an Ethiopic word space, which was not seen: a blank, or with a second one a full stop; none
 * within a time, as in "3፡30". */
static int32_t like_of_word_space(const char *text, size_t bytes, size_t at)
{
    size_t used, more, begin = at;
    char_at(text, bytes, at, &used);
    if (utf8_class_of(char_before(text, at, &more)) == UTF8_DIGIT &&
        utf8_class_of(char_at(text, bytes, at + used, &more)) == UTF8_DIGIT)
        return WORD_SPACE;
    while (at - begin < MOST_WORD_BYTES && char_before(text, begin, &used) == WORD_SPACE)
        begin -= used;
    char_at(text, bytes, at, &used);
    if ((at - begin) / used % 2)
        return 0;
    return char_at(text, bytes, at + used, &used) == WORD_SPACE ? 0x1362 : ' ';
}

/* Was the word seen that the apostrophe makes with the letters and apostrophes behind a place? */
static bool is_seen_with(const struct seen_words *seen, int32_t apostrophe, const char *text, size_t bytes,
                         size_t at)
{
    struct strbuf word, key;
    size_t used;
    int32_t code;
    strbuf_init(&word);
    strbuf_init(&key);
    utf8_append(&word, apostrophe);
    for (; (code = char_at(text, bytes, at, &used)) >= 0 && word.length < MOST_WORD_BYTES; at += used) {
        if (!is_in_word(code) && !seen_words_is_apostrophe(code))
            break;
        utf8_append(&word, seen_words_is_apostrophe(code) ? apostrophe : code);
    }
    utf8_lower(&key, word.text, word.length);
    const bool is = strmap_find(&seen->words, key.text, key.length) >= 0;
    strbuf_release(&word);
    strbuf_release(&key);
    return is;
}

/* Is an apostrophe within a word, or the beginning of one: Afrikaans "’n" (few languages open quotes so), or
 * a letter such as that of Hawaiian, with which the word was seen? */
static bool is_of_word(const struct seen_words *seen, int32_t sign, const char *text, size_t bytes, size_t at)
{
    size_t used, length;
    const int32_t known = known_apostrophe(seen, sign), before = char_before(text, at, &length);
    char_at(text, bytes, at, &used);
    const int32_t after = char_at(text, bytes, at + used, &length);
    if (after <= 0 || !is_in_word(after))
        return false;
    return (before > 0 && is_in_word(before)) || is_in_word(sign) || sign == 0x2019 ||
           (is_in_word(known) && is_seen_with(seen, known, text, bytes, at + used));
}

int32_t seen_words_sign(const struct seen_words *seen, const char *text, size_t bytes, size_t at)
{
    size_t used;
    const int32_t sign = char_at(text, bytes, at, &used);
    if (sign < 0 || !may_be_read(sign) || !seen->words.count || is_known(seen, sign))
        return sign < 0 ? 0 : sign;
    if (sign == WORD_SPACE)
        return like_of_word_space(text, bytes, at);
    if (!seen_words_is_apostrophe(sign))
        return like_of(seen, sign);
    return is_of_word(seen, sign, text, bytes, at) ? known_apostrophe(seen, sign) : sign;
}

void seen_words_read(struct strbuf *out, const struct seen_words *seen, const char *text, size_t bytes,
                     struct span part, bool blanks)
{
    size_t copied = part.begin;
    for (size_t at = part.begin, used; at < part.end; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        const int32_t sign = may_be_read(code) ? seen_words_sign(seen, text, bytes, at) : code;
        if (sign == code || (sign == ' ' && !blanks))
            continue;
        strbuf_add(out, text + copied, at - copied);
        copied = at + used;
        if (sign)
            utf8_append(out, sign);
    }
    strbuf_add(out, text + copied, part.end - copied);
}

/* ---- words as they were seen ---- */

/* Is it a capital that the training did not see, of a small letter that it saw? */
static bool is_new_capital(const struct seen_words *seen, const char *letter, size_t bytes, int32_t code)
{
    struct strbuf lower;
    if (utf8_case_of(code) != UTF8_UPPER || is_known(seen, code))
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

void seen_words_respell(struct strbuf *out, const struct seen_words *seen, const char *text, size_t bytes)
{
    size_t word = 0; /* where one begins that has not ended, or what is between two */
    bool new_capitals = false;
    for (size_t at = 0, used; at <= bytes; at += used) {
        int32_t code = 0;
        used = at < bytes ? utf8_decode(text + at, bytes - at, &code) : 1;
        if (at < bytes && utf8_class_of(code) == UTF8_LETTER) {
            new_capitals = new_capitals || is_new_capital(seen, text + at, used, code);
            continue;
        }
        if (new_capitals)
            add_lower(out, seen, text + word, at - word);
        else if (!spelling_find(out, seen, text + word, at - word))
            strbuf_add(out, text + word, at - word);
        if (at < bytes)
            strbuf_add(out, text + at, used);
        word = at + used;
        new_capitals = false;
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

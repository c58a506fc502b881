/* Learns the usual case of words, keeps it as a file, and gives it to text. What a line of capitals becomes
 * in translation is decided by decode. */
#include "truecaser.h"

#include "cased_words.h"
#include "mem.h"
#include "scan.h"
#include "sentence_signs.h"
#include "spelling.h"
#include "utf8.h"
#include "word_counts.h"

#include <string.h>

#define MOST_FORMS ((size_t)1 << 20) /* while learning; text has its frequent words early */
#define LEAST_CAPITALS 2             /* times; a line may be shouted */
#define LEAST_TITLE_WORDS 3          /* a title has more words with a capital than a name has */
#define SHORT_WORD 4                 /* characters; shorter words may be small in a title … */
#define SHORT_WORDS 3.6  /* … but not where small words have less on average, as in Vietnamese (3.4) … */
#define LEAST_WORDS 1000 /* … in so many words */
#define MANY_TITLES 0.01 /* of the lines … */
#define LEAST_TITLES 100 /* … and so many: then a model knows titles as they are written */

void truecaser_init(struct truecaser *truecaser)
{
    memset(truecaser, 0, sizeof *truecaser);
    strmap_init(&truecaser->words);
    strmap_init(&truecaser->forms);
}

void truecaser_release(struct truecaser *truecaser)
{
    strmap_release(&truecaser->words);
    strmap_release(&truecaser->forms);
    truecaser_init(truecaser);
}

/* ---- learning ---- */

struct learning {
    struct word_counts forms;    /* of words within sentences … */
    struct word_counts firsts;   /* … and in front */
    struct word_counts capitals; /* of words in lines of capitals */
    int64_t capital, small;      /* how sentences begin */
    int64_t words, letters;      /* in small letters */
    int64_t upper, other;        /* lines: in capitals, and others with letters */
    struct cased_word *line;     /* the words of a line */
    size_t capacity;
};

static void count_form(struct word_counts *forms, const char *form, size_t bytes)
{
    if (forms->words.count < MOST_FORMS || strmap_find(&forms->words, form, bytes) >= 0)
        word_counts_add(forms, form, bytes, 1);
}

/* The first word of a sentence says nothing about its usual case; nor does a line of capitals of words that
 * other lines have. Beside letters of a script that has none, capitals are usual. */
static void learn_line(struct learning *learning, const char *text, size_t bytes)
{
    struct cased_word word;
    struct cased_reading reading;
    size_t count = 0;
    int others = 0; /* letters that are no capitals */
    for (cased_reading_init(&reading, NULL, text, bytes); cased_reading_next(&word, &reading);) {
        GROW(learning->line, count + 1, learning->capacity);
        learning->line[count++] = word;
        others += word.lower + word.caseless;
    }
    learning->upper += count && !others;
    learning->other += others > 0;
    for (size_t i = 0; i < count; i++) {
        const struct cased_word *w = &learning->line[i];
        if (!others || w->first)
            count_form(others ? &learning->firsts : &learning->capitals, text + w->begin, w->end - w->begin);
        if (!others)
            continue;
        const bool small = w->lower == w->characters && !w->joined;
        learning->words += small;
        learning->letters += small ? w->characters : 0;
        if (!w->first)
            count_form(&learning->forms, text + w->begin, w->end - w->begin);
        else if (w->upper + w->lower > 0)
            ++*(w->capital ? &learning->capital : &learning->small);
    }
}

static void add_form(struct truecaser *truecaser, const char *lower, size_t lower_bytes, const char *form,
                     size_t bytes)
{
    strmap_intern(&truecaser->words, lower, lower_bytes);
    strmap_intern(&truecaser->forms, form, bytes);
}

/* Sets `folded` to a form that was counted. */
static void fold_form(struct strbuf *folded, const struct truecaser *truecaser,
                      const struct word_counts *forms, int i)
{
    strbuf_reset(folded);
    casing_fold(folded, truecaser->casing, strmap_text(&forms->words, i), strmap_length(&forms->words, i));
}

/* Is a word, folded, among those of other lines, perhaps in the spelling that capitals do not have? */
static bool is_known_small(const struct strmap *words, const struct strbuf *folded)
{
    struct strbuf other;
    bool known = strmap_find(words, folded->text, folded->length) >= 0;
    strbuf_init(&other);
    for (size_t at = 0; !known && spelling_exchange(&other, folded->text, folded->length, &at);)
        known = strmap_find(words, other.text, other.length) >= 0;
    strbuf_release(&other);
    return known;
}

/* Keeps the words that only lines of capitals have, such as "OK" and "KB": a model knows them so. `words`:
 * folded, of the other lines, to which their first words are added. */
static void keep_capitals(struct truecaser *truecaser, const struct learning *learning, struct strmap *words)
{
    struct strbuf folded, common;
    strbuf_init(&folded);
    strbuf_init(&common);
    for (int i = 0; i < (int)learning->firsts.words.count; i++) {
        fold_form(&folded, truecaser, &learning->firsts, i);
        strmap_intern(words, folded.text, folded.length);
    }
    for (int i = 0; i < (int)learning->capitals.words.count; i++) {
        const char *form = strmap_text(&learning->capitals.words, i);
        fold_form(&folded, truecaser, &learning->capitals, i);
        strbuf_reset(&common);
        utf8_lower(&common, form, strlen(form)); /* of a foreign name in Turkish text */
        if (learning->capitals.counts[i] >= LEAST_CAPITALS && !is_known_small(words, &folded) &&
            !is_known_small(words, &common) && strmap_find(&truecaser->words, folded.text, folded.length) < 0)
            add_form(truecaser, folded.text, folded.length, form, strlen(form));
    }
    strbuf_release(&common);
    strbuf_release(&folded);
}

/* Keeps the most frequent form of each word where that is not the folded one; of equals, the first. */
static void keep_usual(struct truecaser *truecaser, const struct learning *learning)
{
    struct strmap words;
    struct strbuf lower;
    int *best = xcalloc(learning->forms.words.count, sizeof *best);
    strmap_init(&words);
    strbuf_init(&lower);
    for (int i = 0; i < (int)learning->forms.words.count; i++) {
        fold_form(&lower, truecaser, &learning->forms, i);
        const size_t known = words.count;
        const size_t word = (size_t)strmap_intern(&words, lower.text, lower.length);
        if (word == known || learning->forms.counts[i] > learning->forms.counts[best[word]])
            best[word] = i;
    }
    for (int word = 0; word < (int)words.count; word++) {
        const char *form = strmap_text(&learning->forms.words, best[word]);
        if (strcmp(form, strmap_text(&words, word)) != 0)
            add_form(truecaser, strmap_text(&words, word), strmap_length(&words, word), form, strlen(form));
    }
    keep_capitals(truecaser, learning, &words);
    strbuf_release(&lower);
    strmap_release(&words);
    xfree(best);
}

static bool has_many_titles(const struct truecaser *truecaser, const char *const *lines, const size_t *bytes,
                            size_t count)
{
    size_t titles = 0;
    for (size_t i = 0; i < count; i++)
        titles += truecaser_case(truecaser, NULL, lines[i], bytes[i]) == CASE_TITLE;
    return titles >= LEAST_TITLES && (double)titles >= MANY_TITLES * (double)count;
}

void truecaser_learn(struct truecaser *truecaser, enum casing casing, const char *const *lines,
                     const size_t *bytes, size_t count)
{
    struct learning learning = {.line = NULL};
    struct strbuf normal;
    truecaser->casing = casing;
    word_counts_init(&learning.forms);
    word_counts_init(&learning.firsts);
    word_counts_init(&learning.capitals);
    strbuf_init(&normal);
    for (size_t i = 0; i < count; i++) {
        strbuf_reset(&normal);
        utf8_normalize(&normal, lines[i], bytes[i], UTF8_NFC);
        learn_line(&learning, normal.text, normal.length);
    }
    strbuf_release(&normal);
    keep_usual(truecaser, &learning);
    truecaser->capital = learning.capital > learning.small;
    truecaser->brief =
        learning.words >= LEAST_WORDS && (double)learning.letters < SHORT_WORDS * (double)learning.words;
    truecaser->titles = has_many_titles(truecaser, lines, bytes, count);
    truecaser->learned = true;
    word_counts_release(&learning.forms);
    word_counts_release(&learning.firsts);
    word_counts_release(&learning.capitals);
    xfree(learning.line);
    if (learning.upper > learning.other)
        truecaser_release(truecaser);
}

/* ---- the file ---- */

#define CAPITAL "capital"
#define SMALL "small"
#define BRIEF "brief"
#define TITLES "titles"

/* Context of take_line. */
struct loading {
    struct truecaser *truecaser;
    const char *path;
    bool begun;
};

/* Does a line go on with a blank, unless it begins here, and a word? Moves behind them. */
static bool take_word(const char **line, const char *begin, const char *word)
{
    const char *at = *line + (*line > begin);
    const size_t bytes = strlen(word);
    if ((*line > begin && **line != ' ') || strncmp(at, word, bytes) != 0 || (at[bytes] && at[bytes] != ' '))
        return false;
    *line = at + bytes;
    return true;
}

/* How sentences begin, the casing, whether words are short and titles many; false if the line says something
 * else. */
static bool take_first_line(struct truecaser *truecaser, const char *line)
{
    const char *at = line;
    truecaser->capital = take_word(&at, line, CAPITAL);
    if (!truecaser->capital && !take_word(&at, line, SMALL))
        return false;
    for (enum casing casing = CASING_COMMON + 1; casing < CASINGS; casing++)
        if (take_word(&at, line, casing_name(casing))) {
            truecaser->casing = casing;
            break;
        }
    truecaser->brief = take_word(&at, line, BRIEF);
    truecaser->titles = take_word(&at, line, TITLES);
    return !*at;
}

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    struct loading *loading = context;
    struct truecaser *truecaser = loading->truecaser;
    struct strbuf lower;
    loading->begun = true;
    if (number == 1) {
        return take_first_line(truecaser, line->text)
                   ? 0
                   : err_set(err, "cannot read '%s': line 1 is neither 'capital' nor 'small'", loading->path);
    }
    if (utf8_check(line->text, line->length) != line->length || strlen(line->text) != line->length)
        return err_set(err, "cannot read '%s': line %lld is not text", loading->path, (long long)number);
    strbuf_init(&lower);
    casing_fold(&lower, truecaser->casing, line->text, line->length);
    const bool again = strmap_find(&truecaser->words, lower.text, lower.length) >= 0;
    if (!again)
        add_form(truecaser, lower.text, lower.length, line->text, line->length);
    strbuf_release(&lower);
    return again ? err_set(err, "cannot read '%s': the word of line %lld is there already", loading->path,
                           (long long)number)
                 : 0;
}

int truecaser_load(struct truecaser *truecaser, const struct model_files *files, const char *name,
                   struct err *err)
{
    char *path = model_files_name(files, name);
    struct loading loading = {.truecaser = truecaser, .path = path};
    int status = model_files_each_line(files, name, take_line, &loading, err);
    if (status == 0 && !loading.begun)
        status = err_set(err, "cannot read '%s': the file is empty", path);
    xfree(path);
    truecaser->learned = true;
    if (status)
        truecaser_release(truecaser);
    return status;
}

void truecaser_print(struct strbuf *text, const struct truecaser *truecaser)
{
    strbuf_adds(text, truecaser->capital ? CAPITAL : SMALL);
    if (truecaser->casing != CASING_COMMON)
        strbuf_addf(text, " %s", casing_name(truecaser->casing));
    if (truecaser->brief)
        strbuf_adds(text, " " BRIEF);
    if (truecaser->titles)
        strbuf_adds(text, " " TITLES);
    strbuf_addch(text, '\n');
    for (int i = 0; i < (int)truecaser->forms.count; i++)
        strbuf_addf(text, "%s\n", strmap_text(&truecaser->forms, i));
}

/* ---- use ---- */

/* Does a form have another accent than the word in lower case, which has one, and none of capitals? */
static bool has_other_accent(enum casing casing, const char *form, const struct strbuf *lower,
                             const struct strbuf *folded)
{
    struct strbuf lower_form, capitals;
    strbuf_init(&lower_form);
    strbuf_init(&capitals);
    casing_lower(&lower_form, casing, form, strlen(form));
    bool other = strcmp(lower->text, folded->text) != 0 && strcmp(lower->text, lower_form.text) != 0;
    if (other) {
        casing_upper(&capitals, casing, form, strlen(form));
        strbuf_reset(&lower_form);
        casing_lower(&lower_form, casing, capitals.text, capitals.length);
        other = strcmp(lower->text, lower_form.text) != 0;
    }
    strbuf_release(&lower_form);
    strbuf_release(&capitals);
    return other;
}

/* Has it no capitals, as Greek forms with accents? */
static bool is_small(const char *form)
{
    struct strbuf lower;
    strbuf_init(&lower);
    utf8_lower(&lower, form, strlen(form));
    const bool is = !strcmp(lower.text, form);
    strbuf_release(&lower);
    return is;
}

/* The number of the usual form of a word, given in lower case; -1 if that is usual. */
static int find_form(const struct truecaser *truecaser, const struct strbuf *lower, const char *word,
                     size_t bytes)
{
    struct strbuf key;
    strbuf_init(&key);
    casing_fold(&key, truecaser->casing, word, bytes);
    const int number = strmap_find(&truecaser->words, key.text, key.length);
    const bool is = number >= 0 &&
                    !has_other_accent(truecaser->casing, strmap_text(&truecaser->forms, number), lower, &key);
    strbuf_release(&key);
    return is ? number : -1;
}

static bool has_word(const struct seen_words *seen, const struct strbuf *lower)
{
    return seen && strmap_find(&seen->words, lower->text, lower->length) >= 0;
}

/* May a word that was seen in the case of other languages be foreign? Turkish words that begin with "I" were
 * seen so, too, where they began sentences. */
static bool may_be_foreign(const char *word, size_t bytes)
{
    bool inner = false, dotted = false;
    for (size_t at = 1; at < bytes; at++) {
        inner |= word[at] == 'I';
        dotted |= !memcmp(word + at - 1, "İ", strlen("İ"));
    }
    return inner && !dotted;
}

/* Has a word a form, or was it seen, in the case of other languages, and in that of this one was it not? Then
 * it is foreign: *lower becomes its lower case there, *number that of its form. */
static void read_as_foreign(struct strbuf *lower, int *number, const struct truecaser *truecaser,
                            const struct seen_words *seen, const char *word, size_t bytes)
{
    struct strbuf common;
    if (*number >= 0 || truecaser->casing != CASING_TURKIC || has_word(seen, lower))
        return;
    strbuf_init(&common);
    utf8_lower(&common, word, bytes);
    *number = strmap_find(&truecaser->words, common.text, common.length);
    if (may_be_foreign(word, bytes) && has_word(seen, &common)) {
        strbuf_reset(lower);
        strbuf_add(lower, common.text, common.length);
    }
    strbuf_release(&common);
}

/* Capitals have "SS" for "ß". Has a word no form, and was it not seen, but in another spelling it has, or
 * was? Then *lower becomes that word, *number that of its form. */
static void read_respelled(struct strbuf *lower, int *number, const struct truecaser *truecaser,
                           const struct seen_words *seen)
{
    struct strbuf other;
    if (*number >= 0 || has_word(seen, lower))
        return;
    strbuf_init(&other);
    for (size_t at = 0; spelling_exchange(&other, lower->text, lower->length, &at);) {
        *number = strmap_find(&truecaser->words, other.text, other.length);
        if (*number >= 0 || has_word(seen, &other)) {
            strbuf_reset(lower);
            strbuf_add(lower, other.text, other.length);
            break;
        }
    }
    strbuf_release(&other);
}

/* Appends a word in its usual case. `seen` may be NULL. */
static void add_usual(struct strbuf *out, const struct truecaser *truecaser, const struct seen_words *seen,
                      const char *text, const struct cased_word *word)
{
    struct strbuf lower;
    const size_t bytes = word->end - word->begin;
    strbuf_init(&lower);
    casing_lower(&lower, truecaser->casing, text + word->begin, bytes);
    int number = find_form(truecaser, &lower, text + word->begin, bytes);
    read_as_foreign(&lower, &number, truecaser, seen, text + word->begin, bytes);
    if (!word->lower)
        read_respelled(&lower, &number, truecaser, seen);
    const char *form = number < 0 ? lower.text : strmap_text(&truecaser->forms, number);
    if (word->first && !word->counted && truecaser->capital && (number < 0 || is_small(form)))
        casing_capitalize(out, truecaser->casing, form, strlen(form));
    else
        strbuf_adds(out, form);
    strbuf_release(&lower);
}

void truecaser_apply(struct strbuf *out, const struct truecaser *truecaser, const struct seen_words *seen,
                     bool title, const char *text, size_t bytes)
{
    struct cased_word word;
    struct cased_reading reading;
    struct strbuf normal;
    size_t end = 0;
    strbuf_init(&normal);
    utf8_normalize(&normal, text, bytes, UTF8_NFC);
    for (cased_reading_init(&reading, title ? seen : NULL, normal.text, normal.length);
         cased_reading_next(&word, &reading);) {
        strbuf_add(out, normal.text + end, word.begin - end);
        add_usual(out, truecaser, seen, normal.text, &word);
        end = word.end;
    }
    strbuf_add(out, normal.text + end, normal.length - end);
    strbuf_release(&normal);
}

/* Is a word within a sentence written otherwise than usual? One with small letters in front may be a name
 * like "iOS", unless it is known with a capital elsewhere. */
static bool is_unusual(const struct truecaser *truecaser, const char *text, const struct cased_word *word)
{
    struct strbuf usual;
    struct cased_word inner = *word;
    strbuf_init(&usual);
    inner.first &= !word->prefixed;
    add_usual(&usual, truecaser, NULL, text, &inner);
    const size_t bytes = word->end - word->begin;
    const bool unusual = (usual.length != bytes || memcmp(usual.text, text + word->begin, bytes) != 0) &&
                         !(word->prefixed && is_small(usual.text));
    strbuf_release(&usual);
    return unusual;
}

/* How the words of a text are written. */
struct census {
    int lower, caseless; /* letters */
    int unusual, capitals;
    int small; /* words that a title would not have so */
};

static struct census count_words(const struct truecaser *truecaser, const struct seen_words *seen,
                                 const char *text, size_t bytes)
{
    const int short_word = truecaser->brief ? 0 : SHORT_WORD;
    struct census census = {0};
    struct cased_word word;
    struct cased_reading reading;
    for (cased_reading_init(&reading, seen, text, bytes); cased_reading_next(&word, &reading);) {
        census.lower += word.prefixed ? 0 : word.lower;
        census.caseless += word.caseless;
        census.capitals += word.capital;
        census.small += word.lower > 0 && !word.capital && !word.joined && word.characters >= short_word;
        if (word.upper > 0 && !(word.first && word.upper == 1 && word.lower > 0))
            census.unusual += is_unusual(truecaser, text, &word);
    }
    return census;
}

static bool is_title(const struct census *census)
{
    return !census->small && census->capitals >= LEAST_TITLE_WORDS && 2 * census->unusual >= census->capitals;
}

enum text_case truecaser_case(const struct truecaser *truecaser, const struct seen_words *seen,
                              const char *text, size_t bytes)
{
    struct strbuf normal;
    strbuf_init(&normal);
    utf8_normalize(&normal, text, bytes, UTF8_NFC);
    const struct census all = count_words(truecaser, NULL, normal.text, normal.length);
    enum text_case written = CASE_USUAL;
    if (!all.lower)
        written = all.unusual && !all.caseless ? CASE_UPPER : CASE_USUAL;
    else if (!truecaser->titles && is_title(&all)) {
        const struct census known = count_words(truecaser, seen, normal.text, normal.length);
        written = is_title(&known) ? CASE_TITLE : CASE_USUAL;
    }
    strbuf_release(&normal);
    return written;
}

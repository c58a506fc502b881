/* Counts n-grams of letters, keeps them as a file, and scores text by them. The sizes are measured by
 * scripts/study/languages. */
#include "language_profile.h"

#include "mem.h"
#include "patterns.h"
#include "tokenize.h"
#include "utf8.h"
#include "word_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARK '_'
#define MOST_NGRAMS 6000
#define MOST_LEARNED_BYTES ((size_t)1 << 20) /* of text, evenly spread */
#define MOST_SCORED_BYTES ((size_t)4096)
#define MOST_NGRAM_BYTES (4 * PROFILE_ORDER)
#define MOST_COUNT INT32_MAX
#define UNKNOWN 1e-6     /* the probability of a letter that the profile does not have */
#define TEMPERATURE 0.75 /* of a letter; neighbouring letters do not speak independently */

void language_profile_init(struct language_profile *profile)
{
    memset(profile, 0, sizeof *profile);
    strmap_init(&profile->ngrams);
}

void language_profile_release(struct language_profile *profile)
{
    strmap_release(&profile->ngrams);
    xfree(profile->counts);
    xfree(profile->next);
    language_profile_init(profile);
}

/* ---- words ---- */

/* Replaces `out` by the text's words in lower case, a blank behind each. */
static void find_all_words(struct strbuf *out, const char *text, size_t bytes)
{
    struct strbuf normal, lower;
    size_t used;
    strbuf_init(&normal);
    strbuf_init(&lower);
    utf8_normalize(&normal, text, bytes, UTF8_NFKC);
    utf8_lower(&lower, normal.text, normal.length);
    strbuf_reset(out);
    for (size_t at = 0; at < lower.length; at += used) {
        int32_t code;
        used = utf8_decode(lower.text + at, lower.length - at, &code);
        if (utf8_class_of(code) == UTF8_LETTER)
            strbuf_add(out, lower.text + at, used);
        else if (out->length && out->text[out->length - 1] != ' ')
            strbuf_addch(out, ' ');
    }
    if (out->length && out->text[out->length - 1] != ' ')
        strbuf_addch(out, ' ');
    strbuf_release(&lower);
    strbuf_release(&normal);
}

/* Appends the text with a blank in the place of each string that is in no language. */
static void add_without_strings(struct strbuf *out, const char *text, size_t bytes)
{
    const struct patterns patterns = {.kinds = PATTERN_SET(PATTERN_URL) | PATTERN_SET(PATTERN_EMAIL) |
                                               PATTERN_SET(PATTERN_PATH) | PATTERN_SET(PATTERN_MARKUP) |
                                               PATTERN_SET(PATTERN_ENTITY) | PATTERN_SET(PATTERN_VARIABLE) |
                                               PATTERN_SET(PATTERN_CODE)};
    struct pattern_string string;
    size_t end = 0;
    for (size_t at = 0; patterns_next(&string, text, bytes, &at, &patterns); end = string.span.end) {
        strbuf_add(out, text + end, string.span.begin - end);
        strbuf_addch(out, ' ');
    }
    strbuf_add(out, text + end, bytes - end);
}

/* The same without addresses, tags and the like, unless the text has no other words. */
static void find_words(struct strbuf *out, const char *text, size_t bytes)
{
    struct strbuf plain;
    strbuf_init(&plain);
    add_without_strings(&plain, text, bytes);
    find_all_words(out, plain.text, plain.length);
    if (!out->length)
        find_all_words(out, text, bytes);
    strbuf_release(&plain);
}

/* The last letters of a word, as they are read one after the other. */
struct window {
    const char *begin[PROFILE_ORDER]; /* of the last letter, of the last two, … */
    const char *end;
    int letters;
};

/* Takes the next letter of a word between marks; false at its end. The mark in front is not a letter to be
 * told, but one that others follow. */
static bool window_next(struct window *window, const struct strbuf *word)
{
    if (!window->letters)
        *window = (struct window){.begin = {word->text}, .end = word->text + 1, .letters = 1};
    if (window->end == word->text + word->length)
        return false;
    int32_t code;
    const char *letter = window->end;
    memmove(window->begin + 1, window->begin, sizeof window->begin - sizeof *window->begin);
    window->begin[0] = letter;
    window->letters += window->letters < PROFILE_ORDER;
    window->end += utf8_decode(letter, word->length - (size_t)(letter - word->text), &code);
    return true;
}

static void put_marks(struct strbuf *out, const char *word, size_t bytes)
{
    strbuf_reset(out);
    strbuf_addch(out, MARK);
    strbuf_add(out, word, bytes);
    strbuf_addch(out, MARK);
}

/* ---- learning ---- */

static void add_ngram(struct language_profile *profile, const char *text, size_t bytes, int64_t times)
{
    const size_t known = profile->ngrams.count;
    const size_t number = (size_t)strmap_intern(&profile->ngrams, text, bytes);
    GROW(profile->counts, profile->ngrams.count, profile->capacity);
    profile->counts[number] = times + (number < known ? profile->counts[number] : 0);
}

/* Where the last letter of an n-gram begins. */
static size_t last_letter(const char *ngram, size_t bytes)
{
    int32_t code;
    return bytes - utf8_decode_before(ngram, bytes, &code);
}

/* Sums what follows each n-gram, when all are there. */
static void sum_next(struct language_profile *profile)
{
    profile->next = xcalloc(profile->ngrams.count, sizeof *profile->next);
    for (int i = 0; i < (int)profile->ngrams.count; i++) {
        const char *ngram = strmap_text(&profile->ngrams, i);
        const size_t history = last_letter(ngram, strmap_length(&profile->ngrams, i));
        const int number = history ? strmap_find(&profile->ngrams, ngram, history) : -1;
        struct ngram_next *next = number >= 0 ? &profile->next[number] : &profile->first;
        if (history && number < 0)
            continue;
        next->count += profile->counts[i];
        next->kinds++;
    }
}

/* Moves the most frequent n-grams of `all` to the profile; of equals, a shorter one comes before those that
 * it begins. */
static void keep_frequent(struct language_profile *profile, const struct language_profile *all)
{
    size_t count;
    int *rank = strmap_rank(&count, &all->ngrams, all->counts);
    for (size_t i = 0; i < count && i < MOST_NGRAMS; i++)
        add_ngram(profile, strmap_text(&all->ngrams, rank[i]), strmap_length(&all->ngrams, rank[i]),
                  all->counts[rank[i]]);
    xfree(rank);
    sum_next(profile);
}

static void count_words(struct word_counts *words, const char *const *lines, const size_t *bytes,
                        size_t count)
{
    struct strbuf found;
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += bytes[i];
    strbuf_init(&found);
    for (size_t i = 0; i < count; i += 1 + all / MOST_LEARNED_BYTES) {
        find_words(&found, lines[i], bytes[i]);
        word_counts_add(words, found.text, found.length, 1);
    }
    strbuf_release(&found);
}

static void count_ngrams(struct language_profile *all, const struct word_counts *words)
{
    struct strbuf word;
    strbuf_init(&word);
    for (int i = 0; i < (int)words->words.count; i++) {
        struct window window = {.letters = 0};
        put_marks(&word, strmap_text(&words->words, i), strmap_length(&words->words, i));
        while (window_next(&window, &word))
            for (int n = 0; n < window.letters; n++)
                add_ngram(all, window.begin[n], (size_t)(window.end - window.begin[n]), words->counts[i]);
    }
    strbuf_release(&word);
}

void language_profile_learn(struct language_profile *profile, const char *const *lines, const size_t *bytes,
                            size_t count)
{
    struct language_profile all;
    struct word_counts words;
    language_profile_init(&all);
    word_counts_init(&words);
    count_words(&words, lines, bytes, count);
    count_ngrams(&all, &words);
    keep_frequent(profile, &all);
    word_counts_release(&words);
    language_profile_release(&all);
}

void language_profile_merge(struct language_profile *profile, const struct language_profile *const *profiles,
                            size_t count)
{
    for (size_t p = 0; p < count; p++)
        for (int i = 0; i < (int)profiles[p]->ngrams.count; i++)
            add_ngram(profile, strmap_text(&profiles[p]->ngrams, i), strmap_length(&profiles[p]->ngrams, i),
                      profiles[p]->counts[i]);
    sum_next(profile);
}

/* ---- the file ---- */

/* Context of take_line. */
struct loading {
    struct language_profile *profile;
    const char *path;
};

/* Is it valid text of 1 to PROFILE_ORDER characters? */
static bool is_ngram(const char *text, size_t bytes)
{
    if (bytes > MOST_NGRAM_BYTES || utf8_check(text, bytes) != bytes)
        return false;
    const size_t characters = utf8_count(text, bytes);
    return characters >= 1 && characters <= PROFILE_ORDER;
}

/* Reads digits alone; 0 if it is no count. */
static int64_t read_count(const char *text)
{
    char *end;
    if (*text < '1' || *text > '9')
        return 0;
    const long long count = strtoll(text, &end, 10);
    return *end || count > MOST_COUNT ? 0 : count;
}

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct loading *loading = context;
    const char *blank = memchr(line->text, ' ', line->length);
    const size_t bytes = blank ? (size_t)(blank - line->text) : 0;
    const int64_t count = blank && strlen(line->text) == line->length ? read_count(blank + 1) : 0;
    if (!count || !is_ngram(line->text, bytes))
        return err_set(err, "cannot read '%s': line %lld is not an n-gram and its count", loading->path,
                       (long long)number);
    if (strmap_find(&loading->profile->ngrams, line->text, bytes) >= 0)
        return err_set(err, "cannot read '%s': the n-gram of line %lld is there already", loading->path,
                       (long long)number);
    add_ngram(loading->profile, line->text, bytes, count);
    return 0;
}

int language_profile_load(struct language_profile *profile, const struct model_files *files, const char *name,
                          struct err *err)
{
    char *path = model_files_name(files, name);
    struct loading loading = {.profile = profile, .path = path};
    const int status = model_files_each_line(files, name, take_line, &loading, err);
    xfree(path);
    if (status)
        language_profile_release(profile);
    else
        sum_next(profile);
    return status;
}

void language_profile_print(struct strbuf *text, const struct language_profile *profile)
{
    for (int i = 0; i < (int)profile->ngrams.count; i++)
        strbuf_addf(text, "%s %lld\n", strmap_text(&profile->ngrams, i), (long long)profile->counts[i]);
}

/* ---- use ---- */

static int64_t count_of(const struct language_profile *profile, const char *text, size_t bytes)
{
    const int number = strmap_find(&profile->ngrams, text, bytes);
    return number < 0 ? 0 : profile->counts[number];
}

/* p(last letter | those before it): from the last letter alone to the longest history that the profile has.
 * What is left of a history's count, T kinds of letters for new ones among it, goes to the shorter
 * history. */
static double letter_probability(const struct language_profile *profile, const struct window *window)
{
    const char *const letter = window->begin[0], *const end = window->end;
    const struct ngram_next *first = &profile->first;
    double p = (double)count_of(profile, letter, (size_t)(end - letter)) /
                   (double)(first->count + first->kinds + 1) +
               UNKNOWN;
    for (int n = 1; n < window->letters; n++) {
        const char *const begin = window->begin[n];
        const int history = strmap_find(&profile->ngrams, begin, (size_t)(letter - begin));
        if (history < 0)
            break;
        const struct ngram_next *next = &profile->next[history];
        const int64_t seen = profile->counts[history] > next->count ? profile->counts[history] : next->count;
        const double all = (double)(seen + next->kinds);
        p = (double)count_of(profile, begin, (size_t)(end - begin)) / all +
            (1 - (double)next->count / all) * p;
    }
    return p;
}

static void fit_word(struct language_fit *fit, const struct language_profile *profile,
                     const struct strbuf *word)
{
    struct window window = {.letters = 0};
    while (window_next(&window, word)) {
        const size_t bytes = (size_t)(window.end - window.begin[0]);
        fit->log_probability += log(letter_probability(profile, &window));
        if (*window.begin[0] != MARK) {
            fit->letters++;
            fit->known += strmap_find(&profile->ngrams, window.begin[0], bytes) >= 0;
        }
    }
}

/* The part of the text that is looked at, from the first letter on: no character is cut. */
static struct span scored_part(const char *text, size_t bytes)
{
    struct span part = {0, bytes};
    int32_t code;
    for (size_t used; part.begin < bytes; part.begin += used) {
        used = utf8_decode(text + part.begin, bytes - part.begin, &code);
        if (utf8_class_of(code) == UTF8_LETTER)
            break;
    }
    if (bytes - part.begin > MOST_SCORED_BYTES)
        part.end = part.begin + MOST_SCORED_BYTES;
    while (part.end < bytes && utf8_continues(text[part.end]))
        part.end--;
    return part;
}

struct language_fit language_profile_fit(const struct language_profile *profile, const char *text,
                                         size_t bytes)
{
    struct language_fit fit = {.letters = 0};
    const struct span part = scored_part(text, bytes);
    struct strbuf words, word;
    size_t at = 0, length;
    ASSERT(profile->ngrams.count > 0);
    strbuf_init(&words);
    strbuf_init(&word);
    find_words(&words, text + part.begin, part.end - part.begin);
    for (const char *next; (next = next_word(words.text, words.length, &at, &length));) {
        put_marks(&word, next, length);
        fit_word(&fit, profile, &word);
    }
    strbuf_release(&word);
    strbuf_release(&words);
    return fit;
}

void language_confidences(double *confidences, const struct language_fit *fits, size_t count)
{
    double best = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < count; i++)
        best = fmax(best, fits[i].log_probability);
    for (size_t i = 0; i < count; i++) {
        const double letters = fits[i].letters > 1 ? fits[i].letters : 1;
        confidences[i] = exp((fits[i].log_probability - best) / (TEMPERATURE * sqrt(letters)));
        sum += confidences[i];
    }
    for (size_t i = 0; i < count; i++)
        confidences[i] *= fits[i].letters ? (double)fits[i].known / fits[i].letters / sum : 0;
}

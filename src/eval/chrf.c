/* Counts matching n-grams of characters and words sentence by sentence, and scores the sums. mteval.c
 * lower-cases, and finds white space. */
#include "chrf.h"

#include "mem.h"
#include "mteval.h"
#include "strmap.h"
#include "tokenize.h"
#include "utf8.h"

#include <string.h>

#define BETA_SQUARED 4.0

void chrf_init(struct chrf *chrf, bool lowercase, int word_order, int references)
{
    memset(chrf, 0, sizeof *chrf);
    chrf->lowercase = lowercase;
    chrf->word_order = word_order;
    chrf->references = references;
}

/* A sentence as a sequence of characters without white space, or of words with a blank between them. */
struct units {
    struct strbuf text;
    size_t *begin; /* [count + 1]: of each in the text, and where one more would begin */
    size_t count, capacity;
    size_t gap; /* bytes between two of them */
};

static void units_init(struct units *units, size_t gap)
{
    *units = (struct units){.gap = gap};
    strbuf_init(&units->text);
}

/* The next one begins at this byte. */
static void units_begin(struct units *units, size_t at)
{
    GROW(units->begin, units->count + 1, units->capacity);
    units->begin[units->count++] = at;
}

static void units_end(struct units *units)
{
    units_begin(units, units->text.length + (units->count ? units->gap : 0));
    units->count--;
}

static void units_release(struct units *units)
{
    strbuf_release(&units->text);
    xfree(units->begin);
}

static void take_characters(struct units *units, const char *text, bool lowercase)
{
    units_init(units, 0);
    mteval_characters(&units->text, text, strlen(text), lowercase);
    for (size_t at = 0; at < units->text.length;) {
        int32_t code;
        units_begin(units, at);
        at += utf8_decode(units->text.text + at, units->text.length - at, &code);
    }
    units_end(units);
}

static void add_word(struct units *units, const char *word, size_t bytes)
{
    if (units->count)
        strbuf_addch(&units->text, ' ');
    units_begin(units, units->text.length);
    strbuf_add(&units->text, word, bytes);
}

static bool is_ascii_punctuation(char c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

/* Words by white space; of several characters, a punctuation mark at the end is a word of its own, or else
 * one at the beginning. */
static void take_words(struct units *units, const char *text, bool lowercase)
{
    struct strbuf words;
    size_t at = 0, length;
    units_init(units, 1);
    strbuf_init(&words);
    mteval_words(&words, text, strlen(text), MTEVAL_NONE, lowercase);
    for (const char *word; (word = next_word(words.text, words.length, &at, &length));) {
        const size_t cut = length == 1                              ? 0
                           : is_ascii_punctuation(word[length - 1]) ? length - 1
                           : is_ascii_punctuation(word[0])          ? 1
                                                                    : 0;
        if (cut)
            add_word(units, word, cut);
        add_word(units, word + cut, length - cut);
    }
    units_end(units);
    strbuf_release(&words);
}

static size_t bytes_of(const struct units *units, size_t first, size_t n)
{
    return units->begin[first + n] - units->gap - units->begin[first];
}

static int64_t matches(const struct units *hyp, const struct units *ref, size_t n)
{
    if (hyp->count < n || ref->count < n)
        return 0;
    struct strmap map;
    strmap_init(&map);
    int *left = xcalloc(ref->count, sizeof *left); /* of each reference n-gram: occurrences not yet matched */
    for (size_t i = 0; i + n <= ref->count; i++)
        left[strmap_intern(&map, ref->text.text + ref->begin[i], bytes_of(ref, i, n))]++;
    int64_t found = 0;
    for (size_t i = 0; i + n <= hyp->count; i++) {
        const int key = strmap_find(&map, hyp->text.text + hyp->begin[i], bytes_of(hyp, i, n));
        if (key >= 0 && left[key] > 0) {
            left[key]--;
            found++;
        }
    }
    xfree(left);
    strmap_release(&map);
    return found;
}

/* Counts the n-grams up to `order`, from counts [first] on. */
static void count(struct chrf_counts *counts, size_t first, const struct units *hyp, const struct units *ref,
                  size_t order)
{
    for (size_t n = 1; n <= order; n++) {
        const int64_t in_ref = ref->count >= n ? (int64_t)(ref->count - n + 1) : 0;
        const int64_t in_hyp = hyp->count >= n ? (int64_t)(hyp->count - n + 1) : 0;
        counts->reference[first + n - 1] = in_ref;
        counts->hypothesis[first + n - 1] =
            in_ref ? in_hyp : 0; /* as sacreBLEU: without reference n-grams, those of the hypothesis don't
                                  * count */
        counts->match[first + n - 1] = matches(hyp, ref, n);
    }
}

static double f_score(const struct chrf_counts *counts)
{
    double precision = 0, recall = 0;
    int orders = 0;
    for (int n = 0; n < CHRF_ORDERS; n++) {
        if (!counts->hypothesis[n] || !counts->reference[n])
            continue;
        precision += (double)counts->match[n] / (double)counts->hypothesis[n];
        recall += (double)counts->match[n] / (double)counts->reference[n];
        orders++;
    }
    if (!orders || precision + recall == 0)
        return 0;
    precision /= orders;
    recall /= orders;
    return 100 * (1 + BETA_SQUARED) * precision * recall / (BETA_SQUARED * precision + recall);
}

static void counts_add(struct chrf_counts *counts, const struct chrf_counts *more)
{
    for (int n = 0; n < CHRF_ORDERS; n++) {
        counts->hypothesis[n] += more->hypothesis[n];
        counts->reference[n] += more->reference[n];
        counts->match[n] += more->match[n];
    }
}

/* A sentence as chrF sees it. */
struct sentence {
    struct units characters, words;
};

static void sentence_init(struct sentence *sentence, const struct chrf *chrf, const char *text)
{
    char *normal = mteval_normal(text);
    take_characters(&sentence->characters, normal, chrf->lowercase);
    if (chrf->word_order)
        take_words(&sentence->words, normal, chrf->lowercase);
    else
        units_init(&sentence->words, 1);
    xfree(normal);
}

static void sentence_release(struct sentence *sentence)
{
    units_release(&sentence->characters);
    units_release(&sentence->words);
}

void chrf_add(struct chrf *chrf, const char *hypothesis, const char *const *references)
{
    struct sentence hyp;
    struct chrf_counts best = {{0}, {0}, {0}};
    double best_score = -1;
    sentence_init(&hyp, chrf, hypothesis);
    for (int r = 0; r < chrf->references; r++) {
        struct sentence ref;
        struct chrf_counts counts = {{0}, {0}, {0}};
        sentence_init(&ref, chrf, references[r]);
        count(&counts, 0, &hyp.characters, &ref.characters, CHRF_CHARACTER_ORDER);
        count(&counts, CHRF_CHARACTER_ORDER, &hyp.words, &ref.words, (size_t)chrf->word_order);
        const double score = f_score(&counts);
        if (score > best_score) {
            best_score = score;
            best = counts;
        }
        sentence_release(&ref);
    }
    counts_add(&chrf->counts, &best);
    sentence_release(&hyp);
}

void chrf_sum(struct chrf *chrf, const struct chrf *more)
{
    counts_add(&chrf->counts, &more->counts);
}

double chrf_score(const struct chrf *chrf)
{
    return f_score(&chrf->counts);
}

const char *chrf_name(const struct chrf *chrf)
{
    static const char *const names[] = {"chrF2", "chrF2+", "chrF2++"};
    return names[chrf->word_order];
}

void chrf_signature(const struct chrf *chrf, struct strbuf *out)
{
    strbuf_addf(out, "case:%s|eff:yes|nc:%d|nw:%d|space:no", chrf->lowercase ? "lc" : "mixed",
                CHRF_CHARACTER_ORDER, chrf->word_order);
}

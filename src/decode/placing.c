/* Finds the words of a sentence and of its translation, and sums the attention between them. */
#include "placing.h"

#include "mem.h"
#include "translation_json.h"
#include "word_spans.h"

#include <string.h>

#define MOST_WORK ((size_t)1 << 26) /* words that are looked at for all tags */
#define MOST_PARTS 16               /* words of a string that may have tags of their own */

/* ---- words ---- */

/* Makes spans disjoint: words may share a character. */
static void part_spans(struct span *spans, int count)
{
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        spans[i].begin = spans[i].begin > at ? spans[i].begin : at;
        spans[i].end = spans[i].end > spans[i].begin ? spans[i].end : spans[i].begin;
        at = spans[i].end;
    }
}

static bool is_long(const char *text, struct span span)
{
    int blanks = 0;
    for (size_t at = span.begin; at < span.end; at++)
        blanks += text[at] == ' ';
    return blanks >= MOST_PARTS;
}

/* Parts spans at blanks: tags may be around some words of a string that is protected as one. (*of)[*count]:
 * the number of the span that each part is of. */
static struct span *split_spans(int **of, int *count, const struct span *spans, const char *text)
{
    struct span *parts = NULL;
    size_t capacity = 0, of_capacity = 0, n = 0;
    *of = NULL;
    for (int i = 0; i < *count; i++) {
        const bool whole = is_long(text, spans[i]);
        size_t at = spans[i].begin;
        do {
            const size_t begin = at;
            while (at < spans[i].end && (whole || text[at] != ' '))
                at++;
            GROW(parts, n + 1, capacity);
            GROW(*of, n + 1, of_capacity);
            parts[n] = (struct span){begin, at};
            (*of)[n++] = i;
            while (at < spans[i].end && text[at] == ' ')
                at++;
        } while (at < spans[i].end);
    }
    *count = (int)n;
    return parts;
}

static struct span *find_words(int **of, int *count, const struct words *words,
                               const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    struct span *spans = xcalloc(words->texts.count, sizeof *spans);
    *count = (int)words->texts.count - 1;
    words_find(spans, words, tokenizer, text, bytes);
    part_spans(spans, *count);
    struct span *parts = split_spans(of, count, spans, text);
    xfree(spans);
    return parts;
}

bool placing_is_same(const struct placing *p, int word, int source)
{
    const struct span to = p->words[word], from = p->source_words[source];
    return to.end - to.begin == from.end - from.begin &&
           !memcmp(p->text + to.begin, p->source + from.begin, to.end - to.begin);
}

/* How much of the attention to a string goes to one of its words: all to the same word, if it has that. */
static float share_of(const struct placing *p, int word, int source)
{
    const int column = p->source_columns[source];
    int first = source, end = source + 1, same = 0;
    while (first > 0 && p->source_columns[first - 1] == column)
        first--;
    while (end < p->source_count && p->source_columns[end] == column)
        end++;
    if (end == first + 1)
        return 1;
    for (int i = first; i < end; i++)
        same += placing_is_same(p, word, i);
    return same ? (float)placing_is_same(p, word, source) / (float)same : 1 / (float)(end - first);
}

static void sum_attention(struct placing *p, const struct translation *t, size_t weight_columns)
{
    struct translation_weights weights;
    const size_t columns = (size_t)p->source_count + 1;
    translation_weights_init(&weights, t, true);
    if (weights.weights) {
        p->sums = xcalloc((size_t)p->word_count * columns, sizeof *p->sums);
        for (int i = 0; i < p->word_count; i++) {
            const float *row = weights.weights + (size_t)p->word_rows[i] * weight_columns;
            float *sums = p->sums + (size_t)i * columns;
            for (int j = 0; j < p->source_count; j++)
                sums[j + 1] = sums[j] + row[p->source_columns[j]] * share_of(p, i, j);
        }
    }
    translation_weights_release(&weights);
}

/* Later tags first: those in a pair come behind it. */
static void find_kept_tags(struct placing *p)
{
    for (size_t i = 0; i < p->count; i++)
        p->kept[i] = p->tags[i].kept ? (struct run){(int)i, (int)i} : (struct run){-1, -1};
    for (size_t i = p->count; i-- > 0;) {
        struct run *parent = p->tags[i].parent < 0 ? NULL : &p->kept[p->tags[i].parent];
        if (!parent || p->kept[i].begin < 0)
            continue;
        parent->begin = p->kept[i].begin;
        parent->end = parent->end > p->kept[i].end ? parent->end : p->kept[i].end;
    }
}

void placing_init(struct placing *p, const struct translation *t, const struct tokenizer *tokenizers)
{
    struct words words;
    p->source_bytes = strlen(p->source);
    p->text_bytes = strlen(p->text);
    words_of_translation(&words, t, true);
    p->words = find_words(&p->word_rows, &p->word_count, &words, &tokenizers[TARGET], p->text, p->text_bytes);
    words_release(&words);
    if (p->count > MOST_WORK / ((size_t)p->word_count + 1))
        p->word_count = 0; /* all tags come to the end */
    if (t->alpha && t->source && p->word_count) {
        words_init(&words, t->source, true);
        p->source_words = find_words(&p->source_columns, &p->source_count, &words, &tokenizers[SOURCE],
                                     p->source, p->source_bytes);
        sum_attention(p, t, words.texts.count);
        words_release(&words);
    }
    p->owner = xmalloc((size_t)p->word_count + 1, sizeof *p->owner);
    for (int i = 0; i < p->word_count; i++)
        p->owner[i] = -1;
    p->runs = xcalloc(p->count, sizeof *p->runs);
    p->placed = xcalloc(p->count, sizeof *p->placed);
    p->inside = xcalloc(p->count, sizeof *p->inside);
    p->kept = xcalloc(p->count, sizeof *p->kept);
    find_kept_tags(p);
}

void placing_release(struct placing *p)
{
    xfree(p->words);
    xfree(p->word_rows);
    xfree(p->source_words);
    xfree(p->source_columns);
    xfree(p->sums);
    xfree(p->owner);
    xfree(p->runs);
    xfree(p->placed);
    xfree(p->inside);
    xfree(p->kept);
}

/* ---- attention ---- */

int placing_word_behind(const struct placing *p, size_t at)
{
    int from = 0, to = p->source_count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (p->source_words[middle].end > at)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

size_t placing_place_in_source(const struct placing *p, int word)
{
    const struct span span = p->words[word];
    const double middle = (double)(span.begin + span.end) / 2;
    return p->text_bytes ? (size_t)(middle * (double)p->source_bytes / (double)p->text_bytes) : 0;
}

struct run placing_source_run(const struct placing *p, struct span text)
{
    struct run run = {0, 0};
    if (!p->sums)
        return run;
    run.begin = run.end = placing_word_behind(p, text.begin);
    while (run.end < p->source_count && p->source_words[run.end].begin < text.end)
        run.end++;
    return run;
}

float placing_weight(const struct placing *p, int word, struct span text, struct run run)
{
    if (p->sums) {
        const float *sums = p->sums + (size_t)word * ((size_t)p->source_count + 1);
        return sums[run.end] - sums[run.begin];
    }
    const size_t at = placing_place_in_source(p, word);
    return at >= text.begin && at < text.end ? 1 : 0;
}

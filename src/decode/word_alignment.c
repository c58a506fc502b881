/* Joins subwords to words, and their attention and probabilities with them. Pictures of it are drawn in
 * assess. */
#include "word_alignment.h"

#include "bpe.h"
#include "mem.h"
#include "tokenize.h"

#include <math.h>
#include <string.h>

void words_init(struct words *words, const char *subwords, bool joined)
{
    const size_t bytes = strlen(subwords);
    struct strbuf word;
    size_t at = 0, length, capacity = 0;
    memset(words, 0, sizeof *words);
    strbuf_init(&word);
    for (const char *subword; (subword = next_word(subwords, bytes, &at, &length)); words->subwords++) {
        const bool more = joined && bpe_goes_on(subword, length);
        GROW(words->of, (size_t)words->subwords + 2, capacity);
        words->of[words->subwords] = (int)words->texts.count;
        strbuf_add(&word, subword, more ? length - strlen(BPE_SEPARATOR) : length);
        if (!more || at >= bytes) {
            lines_add(&words->texts, word.text, word.length);
            strbuf_reset(&word);
        }
    }
    GROW(words->of, (size_t)words->subwords + 1, capacity);
    words->of[words->subwords++] = (int)words->texts.count;
    lines_add(&words->texts, WORD_END_MARK, strlen(WORD_END_MARK));
    strbuf_release(&word);
}

void words_release(struct words *words)
{
    lines_release(&words->texts);
    xfree(words->of);
    memset(words, 0, sizeof *words);
}

void words_attention(float *sums, const float *weights, const struct words *target,
                     const struct words *source)
{
    const size_t columns = source->texts.count, rows = target->texts.count;
    int *parts = xcalloc(rows, sizeof *parts);
    for (int t = 0; t < target->subwords; t++)
        parts[target->of[t]]++;
    memset(sums, 0, rows * columns * sizeof *sums);
    for (int t = 0; t < target->subwords; t++)
        for (int j = 0; j < source->subwords; j++) {
            const size_t row = (size_t)target->of[t], column = (size_t)source->of[j];
            sums[row * columns + column] += weights[t * source->subwords + j] / (float)parts[row];
        }
    xfree(parts);
}

int attention_strongest(const float *weights, int count)
{
    int best = 0;
    for (int j = 1; j < count; j++)
        if (weights[j] > weights[best])
            best = j;
    return best;
}

void attention_links(struct links *links, const float *weights, int targets, int sources)
{
    for (int i = 0; i + 1 < targets && sources > 1; i++)
        links_add(links, attention_strongest(weights + i * sources, sources - 1), i, true);
}

void words_confidence(float *confidence, const struct words *words, const float *log_probabilities)
{
    memset(confidence, 0, words->texts.count * sizeof *confidence);
    for (int t = 0; t < words->subwords; t++)
        confidence[words->of[t]] += log_probabilities[t];
    for (size_t i = 0; i < words->texts.count; i++)
        confidence[i] = expf(fminf(confidence[i], 0));
}

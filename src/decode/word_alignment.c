/* Joins subwords to words, and their attention and probabilities with them. Pictures of it are drawn in
 * report. */
#include "word_alignment.h"

#include "bpe.h"
#include "mem.h"
#include "tokenize.h"
#include "translate.h"

#include <math.h>
#include <string.h>

/* Words to which subwords are being added. */
struct joining {
    struct words *words;
    struct strbuf word; /* as far as it has come */
    size_t capacity;    /* of words->of */
    bool joined;
};

static void joining_begin(struct joining *joining, struct words *words, bool joined)
{
    *joining = (struct joining){.words = words, .joined = joined};
    memset(words, 0, sizeof *words);
    strbuf_init(&joining->word);
}

static void end_word(struct joining *joining)
{
    lines_add(&joining->words->texts, joining->word.text, joining->word.length);
    strbuf_reset(&joining->word);
}

static void add_subword(struct joining *joining, const char *subword, size_t length)
{
    struct words *words = joining->words;
    const bool more = joining->joined && bpe_is_continued(subword, length);
    GROW(words->of, (size_t)words->subwords + 1, joining->capacity);
    words->of[words->subwords++] = (int)words->texts.count;
    strbuf_add(&joining->word, subword, more ? length - strlen(BPE_SEPARATOR) : length);
    if (!more)
        end_word(joining);
}

static void joining_end(struct joining *joining)
{
    if (joining->word.length) /* its end was cut off */
        end_word(joining);
    joining->joined = false;
    add_subword(joining, WORD_END_MARK, strlen(WORD_END_MARK));
    strbuf_release(&joining->word);
}

void words_init(struct words *words, const char *subwords, bool joined)
{
    const size_t bytes = strlen(subwords);
    struct joining joining;
    size_t at = 0, length;
    joining_begin(&joining, words, joined);
    for (const char *subword; (subword = next_word(subwords, bytes, &at, &length));)
        add_subword(&joining, subword, length);
    joining_end(&joining);
}

void words_of_translation(struct words *words, const struct translation *t, bool joined)
{
    struct joining joining;
    joining_begin(&joining, words, joined);
    for (int i = 0; i + 1 < t->length; i++)
        add_subword(&joining, t->subwords + t->token_begin[i], t->token_begin[i + 1] - t->token_begin[i] - 1);
    joining_end(&joining);
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
            sums[row * columns + column] += *weights++ / (float)parts[row];
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
        links_add(links, attention_strongest(weights + (size_t)i * (size_t)sources, sources - 1), i, true);
}

void words_confidence(float *confidence, const struct words *words, const float *log_probabilities)
{
    memset(confidence, 0, words->texts.count * sizeof *confidence);
    for (int t = 0; t < words->subwords; t++)
        confidence[words->of[t]] += log_probabilities[t];
    for (size_t i = 0; i < words->texts.count; i++)
        confidence[i] = expf(fminf(confidence[i], 0));
}

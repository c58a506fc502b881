/* Makes text of a hypothesis: words for ids, protected strings, replacements of unknown words, capitals. */
#include "hypothesis_text.h"

#include "mem.h"
#include "unseen.h"
#include "utf8.h"
#include "word_alignment.h"

#include <string.h>

/* The source word with the most attention, but neither the tag nor a protected string, which comes by itself,
 * nor the end mark; NULL if there is none. */
static const char *replacing_word(size_t *bytes, const struct translator *translator,
                                  const struct input *input, const real *alpha)
{
    const char *best = NULL, *word;
    real most = -1;
    size_t at = 0, length;
    for (size_t j = 0; (word = next_word(input->subwords.text, input->subwords.length, &at, &length)); j++) {
        const bool is_tag = j == 0 && translator->source.tag;
        if (is_tag || placeholder_number(word, length) || !(alpha[j] > most))
            continue;
        most = alpha[j];
        best = word;
        *bytes = length;
    }
    return best;
}

/* Appends that word, or its dictionary entry, in place of an unknown word. */
static void add_replacement(struct strbuf *out, const struct translator *translator,
                            const struct input *input, const real *alpha)
{
    const struct language_pair *pair = translator->ensemble->pair;
    size_t length = 0;
    const char *word = replacing_word(&length, translator, input, alpha);
    if (!word) {
        strbuf_adds(out, vocab_word(pair->tokenizer[TARGET].vocab, VOCAB_UNKNOWN));
        return;
    }
    struct strbuf text;
    strbuf_init(&text);
    strbuf_add(&text, word, length);
    unseen_add(out,
               &(struct replacing){.options = &translator->options,
                                   .pair = pair,
                                   .user_words = &translator->user_words,
                                   .zeros = &translator->zeros},
               &text, &text);
    strbuf_release(&text);
}

/* Appends the source's word of a placeholder: its string, and marks where it touches a neighbour there. */
static void add_protected(struct strbuf *out, const struct input *input, int number)
{
    const char *text = input->subwords.text, *word;
    size_t at = 0, bytes;
    while ((word = next_word(text, input->subwords.length, &at, &bytes)))
        if (placeholder_number(word, bytes) == number) {
            strbuf_add(out, word, bytes);
            return;
        }
    placeholder_add(out, number, NULL, 0); /* the translation was forced to begin with it */
}

/* Ends a word that a search has left open before a placeholder. */
static void end_word(struct strbuf *subwords)
{
    if (bpe_is_continued(subwords->text, subwords->length))
        strbuf_truncate(subwords, subwords->length - strlen(BPE_SEPARATOR));
}

/* Puts the text from `begin` on in capitals. */
static void capitalize_from(struct strbuf *text, size_t begin, enum casing casing)
{
    struct strbuf upper;
    strbuf_init(&upper);
    casing_upper(&upper, casing, text->text + begin, text->length - begin);
    strbuf_truncate(text, begin);
    strbuf_add(text, upper.text, upper.length);
    strbuf_release(&upper);
}

static int count_capitals(const char *word, size_t bytes)
{
    int count = 0;
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        at += utf8_decode(word + at, bytes - at, &code);
        count += utf8_is_capital(code);
    }
    return count;
}

/* Sets which tokens of a hypothesis are of names that the source has, too: Turkish capitals are not theirs.
 * The first word of a sentence, here behind `tags` tags, has a capital anyway. names [h->length] */
static void find_names(bool *names, const struct vocab *vocab, const struct input *input, size_t tags,
                       const struct hypothesis *h)
{
    struct strmap read, certain;
    struct strbuf tokens;
    struct words source, target;
    strmap_init(&read);
    strmap_init(&certain);
    strbuf_init(&tokens);
    for (int i = 0; i < h->length; i++)
        strbuf_addf(&tokens, "%s%s", i ? " " : "", vocab_word(vocab, h->ids[i]));
    words_init(&source, input->subwords.text, true);
    words_init(&target, tokens.text, true);
    for (size_t i = tags; i < source.texts.count; i++) {
        const char *word = source.texts.text[i];
        const size_t bytes = source.texts.bytes[i];
        const int capitals = count_capitals(word, bytes);
        if (capitals)
            strmap_intern(&read, word, bytes);
        if (capitals > (i == tags ? 1 : 0))
            strmap_intern(&certain, word, bytes);
    }
    for (int i = 0; i < h->length; i++) {
        const char *text = target.texts.text[target.of[i]];
        const struct strmap *known = target.of[i] ? &read : &certain;
        names[i] = strmap_find(known, text, strlen(text)) >= 0 ||
                   strmap_find(known, text, strcspn(text, "'")) >= 0; /* Windows'ta */
    }
    words_release(&target);
    words_release(&source);
    strbuf_release(&tokens);
    strmap_release(&certain);
    strmap_release(&read);
}

/* The words of a hypothesis as the caller is to see them, separated by blanks, and where each begins. */
static void add_subwords(struct strbuf *subwords, size_t *begin, const struct translator *translator,
                         const struct input *input, const struct hypothesis *h)
{
    const struct vocab *vocab = translator->ensemble->pair->tokenizer[TARGET].vocab;
    const enum casing casing = translator->ensemble->pair->casing[TARGET];
    size_t at = 0, bytes = 0;
    bool *names = NULL;
    if (input->written == CASE_UPPER && casing != CASING_COMMON &&
        casing != translator->ensemble->pair->casing[SOURCE]) {
        names = xcalloc((size_t)h->length, sizeof *names);
        find_names(names, vocab, input, translator->source.tag != NULL, h);
    }
    for (int i = 0; i < h->length; i++) {
        const char *forced = next_word(input->target.text, input->target.length, &at, &bytes);
        const int number = h->ids[i] - VOCAB_PLACEHOLDER(1) + 1;
        const bool protected = translator->options.beam.placeholders && number >= 1 && number <= PLACEHOLDERS;
        if (protected && translator->ensemble->pair->tokenizer[TARGET].bpe)
            end_word(subwords);
        if (i)
            strbuf_addch(subwords, ' ');
        begin[i] = subwords->length;
        if (protected)
            add_protected(subwords, input, number);
        else if (h->ids[i] == VOCAB_UNKNOWN && forced) /* of the prefix */
            strbuf_add(subwords, forced, bytes);
        else if (h->ids[i] == VOCAB_UNKNOWN && translator->options.replace_unknown)
            add_replacement(subwords, translator, input, h->alpha[i]);
        else
            strbuf_adds(subwords, vocab_word(vocab, h->ids[i]));
        if (input->written == CASE_UPPER && !protected &&
            !(input->small_prefix && (size_t)i < input->target_ids.count))
            capitalize_from(subwords, begin[i], names && names[i] ? CASING_COMMON : casing);
    }
    xfree(names);
}

/* The same for a given translation, as far as it was scored. */
static void add_scored(struct strbuf *subwords, size_t *begin, const struct input *input,
                       const struct hypothesis *h)
{
    size_t at = 0, length;
    strbuf_add(subwords, input->target.text, input->target.length);
    for (int i = 0; i < h->length; i++)
        begin[i] = (size_t)(next_word(subwords->text, subwords->length, &at, &length) - subwords->text);
    if (h->end == END_OVERFLOW)
        strbuf_truncate(subwords, at);
}

/* Copies the attention of all words: [1 + heads][length + 1][width]; zero for the end mark of a hypothesis
 * that was cut off. */
static float *all_alpha(const struct hypothesis *h, size_t width)
{
    const size_t maps = 1 + (size_t)h->heads, words = (size_t)h->length + 1;
    float *alpha = xcalloc(maps * words * width, sizeof *alpha);
    for (size_t m = 0; m < maps; m++)
        for (size_t i = 0; i < words; i++)
            if (h->alpha[i])
                memcpy(alpha + (m * words + i) * width, h->alpha[i] + m * width, width * sizeof *alpha);
    return alpha;
}

void hypothesis_text(struct translation *to, const struct translator *translator, bool scored,
                     const struct input *input, const struct hypothesis *h)
{
    struct strbuf subwords, text;
    strbuf_init(&subwords);
    strbuf_init(&text);
    to->length = h->length + 1;
    to->token_begin = xcalloc((size_t)to->length, sizeof *to->token_begin);
    if (scored)
        add_scored(&subwords, to->token_begin, input, h);
    else
        add_subwords(&subwords, to->token_begin, translator, input, h);
    to->token_begin[h->length] = subwords.length + 1;
    tokenizer_text(&text, &translator->ensemble->pair->tokenizer[TARGET], subwords.text, subwords.length);
    to->text = strbuf_detach(&text);
    to->subwords = strbuf_detach(&subwords);
    to->score = h->score;
    to->end = h->end;
    to->repaired = input->repaired;
    to->divided = input->divided;
    to->parts = 1;
    to->terms = h->terms;
    to->source_length = (int)input->ids.count;
    to->token_log_probabilities = xmalloc((size_t)to->length, sizeof *to->token_log_probabilities);
    memcpy(to->token_log_probabilities, h->token_log_probabilities,
           (size_t)to->length * sizeof *to->token_log_probabilities);
    to->alpha = h->alpha ? all_alpha(h, input->ids.count) : NULL;
    to->heads = h->heads;
    to->source = h->alpha || translator->options.keep_source ? xstrdup(input->subwords.text) : NULL;
}

/* Reads lines as subwords and ids, and cuts them into batches. Searching and joining is left to translate.c. */
#include "inputs.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

/* Appends tokens, with one blank between them. */
static void add_tokens(struct strbuf *subwords, const struct strbuf *tokens)
{
    size_t at = 0, length;
    for (const char *token; (token = next_word(tokens->text, tokens->length, &at, &length));) {
        if (subwords->length)
            strbuf_addch(subwords, ' ');
        strbuf_add(subwords, token, length);
    }
}

/* Appends the subwords and the ids of a line of any bytes; true if it was not UTF-8. */
static bool read_text(struct translator *translator, struct strbuf *subwords, struct ids *ids,
                      const struct tokenizer *tokenizer, const struct lines *lines, size_t i)
{
    struct strbuf valid;
    strbuf_init(&valid);
    const bool repaired = utf8_repair(&valid, lines->text[i], lines->bytes[i]) > 0;
    translator->repaired_lines += repaired;
    if (translator->options.tokens)
        add_tokens(subwords, &valid);
    else
        tokenizer_split(subwords, tokenizer, valid.text, valid.length);
    tokenizer_ids(ids, tokenizer, subwords->text, subwords->length);
    strbuf_release(&valid);
    return repaired;
}

/* Leaves the first `most` tokens. */
static void cut(struct input *input, size_t most)
{
    size_t at = 0, length;
    for (size_t i = 0; i < most; i++)
        next_word(input->subwords.text, input->subwords.length, &at, &length);
    strbuf_truncate(&input->subwords, at);
    input->ids.count = most;
    input->cut = true;
}

static void input_init(struct translator *translator, struct input *input, const struct lines *lines,
                       size_t i)
{
    const size_t most = (size_t)translator->options.max_tokens;
    memset(input, 0, sizeof *input);
    strbuf_init(&input->subwords);
    strbuf_init(&input->target);
    input->line = (int)i;
    input->repaired = read_text(translator, &input->subwords, &input->ids, &translator->source, lines, i);
    if (input->ids.count > most)
        cut(input, most);
    translator->cut_lines += input->cut;
}

/* Longest first, so that no thread is left with a long batch at the end. */
static int by_length(const void *a, const void *b)
{
    const struct input *x = a, *y = b;
    if (x->ids.count != y->ids.count)
        return x->ids.count > y->ids.count ? -1 : 1;
    return x->line < y->line ? -1 : 1;
}

struct input *inputs_new(struct translator *translator, const struct lines *lines,
                         const struct lines *targets, bool given)
{
    struct input *inputs = xmalloc(lines->count, sizeof *inputs);
    for (size_t i = 0; i < lines->count; i++) {
        struct input *input = &inputs[i];
        input_init(translator, input, lines, i);
        if (targets)
            input->repaired |= read_text(translator, &input->target, &input->target_ids,
                                         &translator->ensemble->pair->tokenizer[TARGET], targets, i);
        if (given)
            ids_add(&input->target_ids, VOCAB_END);
        if (given || input->ids.count)
            ids_add(&input->ids, VOCAB_END);
        translator->source_tokens += (long)input->ids.count;
    }
    qsort(inputs, lines->count, sizeof *inputs, by_length);
    return inputs;
}

void inputs_free(struct input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_release(&inputs[i].subwords);
        strbuf_release(&inputs[i].target);
        ids_release(&inputs[i].ids);
        ids_release(&inputs[i].target_ids);
    }
    xfree(inputs);
}

int inputs_cut(int *begin, const struct input *inputs, int count, const struct translate_options *options)
{
    const int share = (count + options->threads - 1) / options->threads;
    const int most = share < options->batch ? share : options->batch;
    const size_t most_tokens = (size_t)options->batch * BATCH_TOKENS;
    int batches = 0;
    for (int at = 0; at < count; batches++) {
        size_t tokens = 0;
        begin[batches] = at;
        do
            tokens += inputs[at++].ids.count;
        while (at < count && at - begin[batches] < most && tokens + inputs[at].ids.count <= most_tokens);
    }
    begin[batches] = count;
    return batches;
}

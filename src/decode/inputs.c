/* Reads lines as subwords and ids, and cuts them into batches. Which parts lines have is decided in text
 * (splitter.h); searching and joining is left to translate.c. */
#include "inputs.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* Appends tokens, with one blank between them. */
static void add_tokens(struct strbuf *subwords, const char *tokens, size_t bytes)
{
    size_t at = 0, length;
    for (const char *token; (token = next_word(tokens, bytes, &at, &length));) {
        if (subwords->length)
            strbuf_addch(subwords, ' ');
        strbuf_add(subwords, token, length);
    }
}

/* Sets `valid` to the line; true if it was not UTF-8. */
static bool repair(struct strbuf *valid, struct translator *translator, const struct lines *lines, size_t i)
{
    strbuf_reset(valid);
    const bool repaired = utf8_repair(valid, lines->text[i], lines->bytes[i]) > 0;
    translator->repaired_lines += repaired;
    return repaired;
}

/* Appends the subwords and the ids of valid text. */
static void read_text(const struct translator *translator, struct strbuf *subwords, struct ids *ids,
                      const struct tokenizer *tokenizer, const char *text, size_t bytes,
                      const struct protection *protection)
{
    if (translator->options.tokens)
        add_tokens(subwords, text, bytes);
    else if (!utf8_blank(text, bytes)) /* for a tokenizer, a no-break space is text */
        tokenizer_split_around(subwords, tokenizer, text, bytes, protection);
    tokenizer_ids(ids, tokenizer, subwords->text, subwords->length);
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

static void input_release(struct input *input)
{
    strbuf_release(&input->subwords);
    strbuf_release(&input->target);
    ids_release(&input->ids);
    ids_release(&input->target_ids);
    xfree(input->between);
}

/* ---- lines and their parts ---- */

/* How the lines of a run are split. */
struct splitting {
    struct translator *translator;
    struct inputs *inputs;
    bool divides;        /* what is too long is divided, not cut */
    bool sentences;      /* lines are split into sentences */
    bool recases;        /* text is read in its usual case */
    size_t most;         /* tokens of a part */
    struct strbuf valid; /* the line */
    struct strbuf usual; /* a part in its usual case */
    bool repaired;
    int line;
    struct strbuf target;                /* what is given with the line */
    bool given;                          /* its whole translation */
    struct protection protection[SIDES]; /* of the part last added and the target */
};

/* Copies what stands between two parts. */
static char *between_parts(const struct strbuf *text, size_t from, size_t to)
{
    struct strbuf between;
    strbuf_init(&between);
    for (size_t at = from; at < to;) {
        int32_t code;
        const size_t length = utf8_decode(text->text + at, to - at, &code);
        if (code != ' ' && code != '\t' && utf8_class_of(code) == UTF8_BLANK)
            strbuf_addch(&between, ' ');
        else
            strbuf_add(&between, text->text + at, length);
        at += length;
    }
    return strbuf_detach(&between);
}

/* Does a word or an address go on from one part to the next? Not in a script without blanks between words,
 * and not behind its signs or the stops of another script. */
static bool goes_on(const struct strbuf *text, size_t at)
{
    int32_t left = 0, right;
    utf8_decode_before(text->text, at, &left);
    utf8_decode(text->text + at, text->length - at, &right);
    return (left < 0x80 || utf8_class_of(left) != UTF8_SYMBOL) && !utf8_unspaced(left) &&
           !utf8_unspaced(right);
}

/* Finds the strings of a part and the target that placeholders stand for. */
static void protect(struct splitting *s, const char *text, size_t bytes)
{
    const struct protect *kinds = &s->translator->source.protect;
    const struct strbuf *target = &s->target;
    if (s->given) {
        protect_pair(s->protection, kinds, (const char *const[SIDES]){text, target->text},
                     (const size_t[SIDES]){bytes, target->length});
        return;
    }
    protect_source(&s->protection[SOURCE], kinds, text, bytes);
    protect_prefix(&s->protection[TARGET], &s->protection[SOURCE], text, kinds, target->text, target->length);
}

/* Reads a part of the line, in its usual case if that is known and wanted. */
static void read_part(struct splitting *s, struct input *input, struct span part)
{
    const struct truecaser *truecaser = &s->translator->ensemble->pair->truecaser;
    const char *text = s->valid.text + part.begin;
    size_t bytes = part.end - part.begin;
    if (s->recases)
        input->written = truecaser_case(truecaser, text, bytes);
    if (input->written != CASE_USUAL) {
        strbuf_reset(&s->usual);
        truecaser_apply(&s->usual, truecaser, text, bytes);
        text = s->usual.text;
        bytes = s->usual.length;
    }
    protect(s, text, bytes);
    read_text(s->translator, &input->subwords, &input->ids, &s->translator->source, text, bytes,
              &s->protection[SOURCE]);
}

/* Adds a part of the line; `before`: the one before it, or NULL. */
static struct input *add_part(struct splitting *s, struct span part, const struct span *before)
{
    const struct strbuf *text = &s->valid;
    struct inputs *inputs = s->inputs;
    GROW(inputs->items, inputs->count + 1, inputs->capacity);
    struct input *input = &inputs->items[inputs->count];
    memset(input, 0, sizeof *input);
    strbuf_init(&input->subwords);
    strbuf_init(&input->target);
    input->line = s->line;
    input->part = (int)inputs->count++;
    input->repaired = s->repaired;
    if (before) {
        input->between = between_parts(text, before->end, part.begin);
        input->joined = before->end == part.begin && goes_on(text, part.begin);
    }
    read_part(s, input, part);
    return input;
}

/* Divides a sentence, which add_part has added last. */
static void divide(struct splitting *s, struct span sentence, const struct span *before)
{
    struct spans parts = {.count = 0};
    input_release(&s->inputs->items[--s->inputs->count]);
    sentence_divide(&parts, &s->translator->ensemble->pair->splitter, &s->translator->source, s->valid.text,
                    sentence, s->most);
    for (size_t i = 0; i < parts.count; i++)
        add_part(s, parts.items[i], i ? &parts.items[i - 1] : before)->divided = true;
    spans_release(&parts);
}

/* Adds the sentences of a line; false, with nothing added, if it is only one. */
static bool add_sentences(struct splitting *s, bool *divided)
{
    struct spans sentences = {.count = 0};
    sentences_find(&sentences, &s->translator->ensemble->pair->splitter, s->valid.text, s->valid.length);
    const bool several = sentences.count > 1;
    for (size_t i = 0; several && i < sentences.count; i++) {
        const struct span *before = i ? &sentences.items[i - 1] : NULL;
        if (add_part(s, sentences.items[i], before)->ids.count > s->most) {
            divide(s, sentences.items[i], before);
            *divided = true;
        }
    }
    spans_release(&sentences);
    return several;
}

/* A line of one sentence is read as it is, with the blanks around it. */
static void add_line(struct splitting *s)
{
    const struct span whole = {0, s->valid.length};
    bool divided = false;
    if (!s->sentences || !add_sentences(s, &divided)) {
        struct input *input = add_part(s, whole, NULL);
        divided = s->divides && input->ids.count > s->most;
        if (divided)
            divide(s, whole, NULL);
        else if (input->ids.count > (size_t)s->translator->options.max_tokens)
            cut(input, (size_t)s->translator->options.max_tokens);
    }
    s->translator->divided_lines += divided;
}

static void splitting_init(struct splitting *s, struct translator *translator, struct inputs *inputs,
                           bool whole, bool given)
{
    const struct translate_options *options = &translator->options;
    const struct splitter *splitter = &translator->ensemble->pair->splitter;
    const int longest = (int)splitter->longest;
    memset(s, 0, sizeof *s);
    s->translator = translator;
    s->inputs = inputs;
    s->divides = !whole && options->split != SPLIT_OFF && !translate_options_unsplit(options, false);
    s->sentences = s->divides && (options->split == SPLIT_ON || splitter_is_single(splitter));
    s->most = (size_t)(longest && longest < options->max_tokens ? longest : options->max_tokens);
    s->given = given;
    s->recases =
        !given && options->truecase && !options->tokens && translator->ensemble->pair->truecaser.learned;
    strbuf_init(&s->valid);
    strbuf_init(&s->target);
    strbuf_init(&s->usual);
}

/* ---- sorting ---- */

/* Longest first, so that no thread is left with a long batch at the end. */
static int by_length(const void *a, const void *b)
{
    const struct input *x = a, *y = b;
    if (x->ids.count != y->ids.count)
        return x->ids.count > y->ids.count ? -1 : 1;
    return x->part < y->part ? -1 : 1;
}

/* Adds the prefix or the given translation of the line last added. */
static void add_target(struct splitting *s)
{
    struct input *input = &s->inputs->items[s->inputs->count - 1];
    read_text(s->translator, &input->target, &input->target_ids,
              &s->translator->ensemble->pair->tokenizer[TARGET], s->target.text, s->target.length,
              &s->protection[TARGET]);
}

void inputs_init(struct inputs *inputs, struct translator *translator, const struct lines *lines,
                 const struct lines *targets, bool given)
{
    struct splitting s;
    memset(inputs, 0, sizeof *inputs);
    splitting_init(&s, translator, inputs, targets != NULL, given);
    for (size_t i = 0; i < lines->count; i++) {
        s.line = (int)i;
        s.repaired = repair(&s.valid, translator, lines, i);
        if (targets)
            s.repaired |= repair(&s.target, translator, targets, i);
        add_line(&s);
        if (targets)
            add_target(&s);
        translator->cut_lines += inputs->items[inputs->count - 1].cut;
    }
    strbuf_release(&s.valid);
    strbuf_release(&s.target);
    strbuf_release(&s.usual);
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = &inputs->items[i];
        if (given)
            ids_add(&input->target_ids, VOCAB_END);
        if (given || input->ids.count)
            ids_add(&input->ids, VOCAB_END);
        translator->source_tokens += (long)input->ids.count;
    }
    if (inputs->count)
        qsort(inputs->items, inputs->count, sizeof *inputs->items, by_length);
}

void inputs_release(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        input_release(&inputs->items[i]);
    xfree(inputs->items);
    memset(inputs, 0, sizeof *inputs);
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

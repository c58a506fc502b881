/* Joins the translations of a line's parts. How a line is divided is up to line_parts.c. */
#include "parts.h"

#include "mem.h"
#include "parts_text.h"

#include <string.h>

#define MOST_WEIGHTS ((size_t)1 << 26) /* of the attention of a line: 256 MiB */

/* ---- text ---- */

static void add_part_text(struct strbuf *text, const struct input *input, const char *part)
{
    if (!*part)
        return;
    if (text->length && !input->joined)
        parts_add_between(text, input->between);
    strbuf_adds(text, part);
}

static void add_tokens(struct strbuf *tokens, const char *part)
{
    if (*part && tokens->length)
        strbuf_addch(tokens, ' ');
    strbuf_adds(tokens, part);
}

static void join_texts(struct translation *to, const struct translations *parts,
                       const struct input *const *inputs, int count)
{
    struct strbuf text, subwords, source;
    bool has_source = false;
    strbuf_init(&text);
    strbuf_init(&subwords);
    strbuf_init(&source);
    for (int p = 0; p < count; p++) {
        const struct translation *part = parts[p].best;
        add_part_text(&text, inputs[p], part->text);
        add_tokens(&subwords, part->subwords);
        add_tokens(&source, part->source ? part->source : "");
        has_source = has_source || part->source;
    }
    to->text = strbuf_detach(&text);
    to->subwords = strbuf_detach(&subwords);
    to->source = strbuf_detach(&source);
    if (!has_source) {
        xfree(to->source);
        to->source = NULL;
    }
}

/* ---- numbers ---- */

/* Copies the tokens of a part to position `at`, the first of them at `offset` in the text of all. The end
 * mark of the part before, of probability `ended`, goes to the token before it, or if there is none, to the
 * next. Returns the part's own end mark's. */
static float copy_tokens(struct translation *to, int at, size_t offset, const struct translation *part,
                         float ended)
{
    const int tokens = part->length - 1;
    for (int i = 0; i < tokens; i++) {
        to->token_begin[at + i] = offset + part->token_begin[i];
        to->token_log_probabilities[at + i] = part->token_log_probabilities[i];
    }
    if (at)
        to->token_log_probabilities[at - 1] += ended;
    else if (tokens)
        to->token_log_probabilities[0] += ended;
    else
        return ended + part->token_log_probabilities[0];
    return part->token_log_probabilities[tokens];
}

static void join_tokens(struct translation *to, const struct translations *parts, int count)
{
    float ended = 0;
    int at = 0;
    size_t offset = 0;
    to->token_begin = xcalloc((size_t)to->length, sizeof *to->token_begin);
    to->token_log_probabilities = xcalloc((size_t)to->length, sizeof *to->token_log_probabilities);
    for (int p = 0; p < count; p++) {
        const struct translation *part = parts[p].best;
        if (!part->length)
            continue;
        ended = copy_tokens(to, at, offset, part, ended);
        at += part->length - 1;
        offset += *part->subwords ? strlen(part->subwords) + 1 : 0;
    }
    to->token_begin[at] = offset;
    if (to->end == END_MARK || !at)
        to->token_log_probabilities[at] = ended;
    else
        to->token_log_probabilities[at - 1] += ended;
}

/* Copies a part's rows of one map of attention. Its end mark's column is added to the line's; its end mark's
 * row is left out but in the last part that has one. */
static void copy_rows(float *map, const struct translation *to, const float *part_map,
                      const struct translation *part, int row, int column, bool last)
{
    const size_t width = (size_t)to->source_length;
    const int rows = last && to->end == END_MARK ? part->length : part->length - 1;
    for (int i = 0; i < rows; i++) {
        const float *from = part_map + (size_t)i * (size_t)part->source_length;
        float *into = map + (size_t)(row + i) * width;
        memcpy(into + column, from, (size_t)(part->source_length - 1) * sizeof *into);
        into[width - 1] += from[part->source_length - 1];
    }
}

static void join_attention(struct translation *to, const struct translations *parts, int count)
{
    const size_t size = (size_t)to->length * (size_t)to->source_length;
    while (!parts[count - 1].best->length) /* copied: without attention */
        count--;
    to->alpha = xcalloc((size_t)(1 + to->heads) * size, sizeof *to->alpha);
    for (int m = 0; m <= to->heads; m++) {
        int row = 0, column = 0;
        for (int p = 0; p < count; p++) {
            const struct translation *part = parts[p].best;
            if (!part->length)
                continue;
            const size_t part_size = (size_t)part->length * (size_t)part->source_length;
            copy_rows(to->alpha + (size_t)m * size, to, part->alpha + (size_t)m * part_size, part, row,
                      column, p == count - 1);
            row += part->length - 1;
            column += part->source_length - 1;
        }
    }
}

/* Sums lengths and terms of the score, and says what is true of any part. */
static void join_totals(struct translation *to, const struct translations *parts, int count)
{
    bool translated = false;
    to->length = to->source_length = 1;
    for (int p = 0; p < count; p++) {
        const struct translation *part = parts[p].best;
        translated |= part->length > 0;
        to->parts += part->parts;
        to->length += part->length ? part->length - 1 : 0;
        to->source_length += part->length ? part->source_length - 1 : 0;
        to->terms.log_probability += part->terms.log_probability;
        to->terms.coverage += part->terms.coverage;
        for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++) {
            to->terms.judged[kind].log_probability += part->terms.judged[kind].log_probability;
            to->terms.judged[kind].length += part->terms.judged[kind].length;
        }
        to->end = part->end > to->end ? part->end : to->end;
        to->heads = part->alpha ? part->heads : to->heads;
        to->divided = to->divided || part->divided;
    }
    to->terms.length = to->length - (to->end != END_MARK);
    to->terms.length += !to->terms.length;
    if (!translated) /* all parts are copied */
        to->length = to->source_length = 0;
}

static void join_terms(struct translation *to, const struct translations *parts, int count)
{
    for (int p = 0; p < count; p++)
        to->glossary_term_count += parts[p].best->glossary_term_count;
    to->glossary_terms = xcalloc((size_t)to->glossary_term_count, sizeof *to->glossary_terms);
    for (int p = 0, at = 0; p < count; at += parts[p++].best->glossary_term_count)
        for (int i = 0; i < parts[p].best->glossary_term_count; i++)
            to->glossary_terms[at + i] = parts[p].best->glossary_terms[i];
}

static bool has_attention(const struct translations *parts, int count)
{
    for (int p = 0; p < count; p++)
        if (parts[p].best->length && !parts[p].best->alpha)
            return false;
    return true;
}

bool parts_join(struct translations *line, struct translations *parts, const struct input *const *inputs,
                int count, const struct beam_options *options)
{
    if (count == 1) {
        *line = parts[0];
        return true;
    }
    struct translation *to = xcalloc(1, sizeof *to);
    to->repaired = inputs[0]->repaired;
    join_totals(to, parts, count);
    to->score = beam_score(&to->terms, options);
    join_texts(to, parts, inputs, count);
    if (to->length)
        join_tokens(to, parts, count);
    join_terms(to, parts, count);
    const size_t weights = (size_t)(1 + to->heads) * (size_t)to->length * (size_t)to->source_length;
    const bool aligned = to->length && has_attention(parts, count),
               kept = !aligned || weights <= MOST_WEIGHTS;
    if (aligned && kept)
        join_attention(to, parts, count);
    else
        to->heads = 0;
    for (int p = 0; p < count; p++)
        translations_release(&parts[p]);
    *line = (struct translations){to, 1};
    return kept;
}

/* The forms in which nmt translate prints a line: as text, TSV or JSON. Pictures are in
 * assess/alignment.c. */
#include "translation_line.h"

#include "json.h"
#include "mem.h"
#include "word_alignment.h"

#include <string.h>

/* ---- alignments ---- */

/* The weights of a translation's tokens, or of its words; a mark at the end of each side. */
struct alignment_weights {
    const float *weights; /* [targets][sources]; NULL if there are none */
    int targets, sources;
    float *own; /* those of words */
};

static void alignment_weights_init(struct alignment_weights *a, const struct translation *t, bool words)
{
    *a = (struct alignment_weights){t->alpha, t->length, t->source_length, NULL};
    if (!words || !t->alpha)
        return;
    struct words target, source;
    words_of_translation(&target, t, true);
    words_init(&source, t->source, true);
    ASSERT(target.subwords == t->length && source.subwords == t->source_length);
    a->targets = (int)target.texts.count;
    a->sources = (int)source.texts.count;
    a->own = xmalloc(target.texts.count * source.texts.count, sizeof *a->own);
    words_attention(a->own, t->alpha, &target, &source);
    a->weights = a->own;
    words_release(&target);
    words_release(&source);
}

static void alignment_weights_release(struct alignment_weights *a)
{
    xfree(a->own);
}

/* Appends "0-0 1-2": a link from each target token to the source token with the most weight. */
static void add_pharaoh(struct strbuf *out, const struct alignment_weights *a)
{
    struct links links = {0};
    attention_links(&links, a->weights, a->targets, a->sources);
    for (size_t i = 0; i < links.count; i++)
        strbuf_addf(out, "%s%d-%d", i ? " " : "", links.items[i].source, links.items[i].target);
    links_release(&links);
}

/* Appends weights: for each target token and the end mark a row of weights separated by commas; rows are
 * separated by blanks. */
static void add_soft(struct strbuf *out, const struct alignment_weights *a)
{
    const float *weight = a->weights;
    for (int i = 0; i < a->targets; i++)
        for (int j = 0; j < a->sources; j++)
            strbuf_addf(out, "%s%.4f", j ? "," : i ? " " : "", (double)*weight++);
}

static void add_alignment(struct strbuf *out, const struct translation *t, const struct line_form *form)
{
    struct alignment_weights a;
    alignment_weights_init(&a, t, form->words);
    if (a.weights)
        (form->alignment == ALIGNMENT_SOFT ? add_soft : add_pharaoh)(out, &a);
    alignment_weights_release(&a);
}

/* ---- text and TSV ---- */

static void add_text(struct strbuf *out, const struct translations *translations,
                     const struct source_line *source, const struct line_form *form)
{
    for (int k = 0; k < translations->count; k++) {
        const struct translation *t = &translations->best[k];
        if (form->n_best)
            strbuf_addf(out, "%ld ||| ", source->number);
        strbuf_adds(out, t->text);
        if (form->scores || form->n_best)
            strbuf_addf(out, " ||| %.4f", t->score);
        if (form->alignment != ALIGNMENT_NONE) {
            strbuf_adds(out, " ||| ");
            add_alignment(out, t, form);
        }
        strbuf_addch(out, '\n');
    }
}

/* Appends a field, in which a tab would begin another and a carriage return may end the line. */
static void add_field(struct strbuf *out, const char *text, size_t bytes)
{
    const size_t begin = out->length;
    utf8_repair(out, text, bytes);
    for (size_t i = begin; i < out->length; i++)
        if (out->text[i] == '\t' || out->text[i] == '\r')
            out->text[i] = ' ';
}

static void add_tsv(struct strbuf *out, const struct translations *translations,
                    const struct source_line *source, const struct line_form *form)
{
    for (int k = 0; k < translations->count; k++) {
        const struct translation *t = &translations->best[k];
        if (form->n_best)
            strbuf_addf(out, "%ld\t", source->number + 1);
        add_field(out, source->text, source->bytes);
        strbuf_addch(out, '\t');
        add_field(out, t->text, strlen(t->text));
        if (form->scores || form->n_best)
            strbuf_addf(out, "\t%.6f", t->score);
        if (form->alignment != ALIGNMENT_NONE) {
            strbuf_addch(out, '\t');
            add_alignment(out, t, form);
        }
        strbuf_addch(out, '\n');
    }
}

/* ---- JSON ---- */

static void set_texts(struct json *object, const char *key, const struct lines *texts, size_t count)
{
    json_set_strings(object, key, (const char *const *)texts->text, (int)count);
}

/* Words with their confidence; the end mark is none of them. */
static void set_words(struct json *object, const struct translation *t)
{
    struct words words;
    words_of_translation(&words, t, true);
    const size_t count = words.texts.count - 1;
    float *confidence = xcalloc(count + 1, sizeof *confidence);
    if (t->length)
        words_confidence(confidence, &words, t->token_log_probabilities);
    set_texts(object, "words", &words.texts, count);
    json_set_floats(object, "word_confidences", confidence, (int)count);
    xfree(confidence);
    words_release(&words);
}

static void set_tokens(struct json *object, const struct translation *t, int count)
{
    struct words tokens;
    words_of_translation(&tokens, t, false);
    set_texts(object, "tokens", &tokens.texts, (size_t)count);
    json_set_floats(object, "token_log_probabilities", t->token_log_probabilities, count);
    words_release(&tokens);
}

/* The source as tokens, or joined to words. */
static void set_source(struct json *object, const char *key, const struct translation *best, bool joined)
{
    struct words words;
    words_init(&words, best->source ? best->source : "", joined);
    set_texts(object, key, &words.texts, best->source ? words.texts.count : 0);
    words_release(&words);
}

/* `marked`: does the translation have an end mark? */
static void set_alignment(struct json *object, const struct translation *t, bool marked,
                          const struct line_form *form)
{
    struct links links = {0};
    struct alignment_weights a;
    alignment_weights_init(&a, t, form->words);
    if (form->alignment == ALIGNMENT_SOFT) {
        const int rows = a.weights ? a.targets - !marked : 0;
        json_set_rows(object, "attention", a.weights, rows, a.sources);
    } else if (form->alignment == ALIGNMENT_PHARAOH) {
        if (a.weights)
            attention_links(&links, a.weights, a.targets, a.sources);
        json_set_links(object, "alignment", &links);
    }
    alignment_weights_release(&a);
    links_release(&links);
}

static void set_terms(struct json *object, const struct translation *t)
{
    json_set_strings(object, "terms", &(const char *){NULL}, 0);
    for (int i = 0; i < t->glossary_term_count; i++) {
        const struct term *term = &t->glossary_terms[i];
        struct json *item = json_append_object(object, "terms");
        json_set_string(item, "source", term->source);
        json_set_string(item, "target", term->target);
        json_set_bool(item, "used", term->used);
    }
}

static void set_translation(struct json *object, const struct translation *t, const struct line_form *form)
{
    static const char *const ends[] = {
        [END_MARK] = "mark", [END_LIMIT] = "limit", [END_OVERFLOW] = "overflow"};
    const bool marked = !t->length || t->end == END_MARK;
    json_set_string(object, "text", t->text);
    json_set_number(object, "score", t->score);
    json_set_number(object, "log_probability", t->terms.log_probability);
    json_set_string(object, "end", ends[t->end]);
    set_tokens(object, t, marked ? t->length : t->length - 1);
    set_words(object, t);
    set_alignment(object, t, marked, form);
    if (form->glossary)
        set_terms(object, t);
}

static void add_json(struct strbuf *out, const struct translations *translations,
                     const struct source_line *source, const struct line_form *form)
{
    const struct translation *best = &translations->best[0];
    struct json *object = json_new_object();
    json_set_number(object, "line", (double)source->number + 1);
    json_set_bytes(object, "source", source->text, source->bytes);
    json_set_bool(object, "repaired", best->repaired);
    json_set_bool(object, "cut", false); /* of earlier versions */
    json_set_bool(object, "divided", best->divided);
    json_set_number(object, "parts", best->parts);
    set_source(object, "source_tokens", best, false);
    if (form->words)
        set_source(object, "source_words", best, true);
    for (int k = 0; k < translations->count; k++)
        set_translation(json_append_object(object, "translations"), &translations->best[k], form);
    json_add_line(out, object);
}

void translation_line_add(struct strbuf *out, const struct translations *translations,
                          const struct source_line *source, const struct line_form *form)
{
    static void (*const add[])(struct strbuf *, const struct translations *, const struct source_line *,
                               const struct line_form *) = {
        [LINE_TEXT] = add_text, [LINE_TSV] = add_tsv, [LINE_JSON] = add_json};
    add[form->kind](out, translations, source, form);
}

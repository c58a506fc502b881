/* The forms in which nmt translate prints a line: as text, TSV or JSON. Pictures: assess/alignment.c. */
#include "translation_line.h"

#include "mem.h"
#include "nbest.h"
#include "output.h"
#include "word_alignment.h"

#include <string.h>

/* ---- alignments ---- */

/* Each sentence of a line begins with the tag. */
static void drop_tags(struct links *links, const struct translation *t, const struct line_form *form)
{
    struct words source;
    words_init(&source, t->source, form->words);
    bool *tags = xcalloc(source.texts.count, sizeof *tags);
    for (size_t i = 0; i < source.texts.count; i++)
        tags[i] = !strcmp(source.texts.text[i], form->tag);
    links_drop_sources(links, tags, source.texts.count);
    xfree(tags);
    words_release(&source);
}

/* Appends "0-0 1-2": a link from each target token to the source token with the most weight. */
static void add_pharaoh(struct strbuf *out, const struct translation_weights *a, const struct translation *t,
                        const struct line_form *form)
{
    struct links links = {0};
    attention_links(&links, a->weights, a->targets, a->sources);
    if (form->tag)
        drop_tags(&links, t, form);
    links_print(out, &links);
    links_release(&links);
}

/* Appends weights: for each target token and the end mark a row of weights separated by commas; rows are
 * separated by blanks. */
static void add_soft(struct strbuf *out, const struct translation_weights *a)
{
    const float *weight = a->weights;
    for (int i = 0; i < a->targets; i++)
        for (int j = 0; j < a->sources; j++)
            strbuf_addf(out, "%s%.4f", j ? "," : i ? " " : "", (double)*weight++);
}

static void add_alignment(struct strbuf *out, const struct translation *t, const struct line_form *form)
{
    struct translation_weights a;
    translation_weights_init(&a, t, form->words);
    if (a.weights && form->alignment == ALIGNMENT_SOFT)
        add_soft(out, &a);
    else if (a.weights)
        add_pharaoh(out, &a, t, form);
    translation_weights_release(&a);
}

/* ---- text and TSV ---- */

static void add_text(struct strbuf *out, const struct translations *translations,
                     const struct source_line *source, const struct line_form *form)
{
    for (int k = 0; k < translations->count; k++) {
        const struct translation *t = &translations->best[k];
        if (form->n_best)
            strbuf_addf(out, "%ld ||| ", source->number);
        (form->n_best ? nbest_add_text : strbuf_adds)(out, t->text);
        if (form->scores || form->n_best)
            strbuf_addf(out, " ||| %.4f", t->score);
        if (form->alignment != ALIGNMENT_NONE) {
            strbuf_adds(out, " ||| ");
            add_alignment(out, t, form);
        }
        strbuf_addch(out, '\n');
    }
}

static void add_tsv(struct strbuf *out, const struct translations *translations,
                    const struct source_line *source, const struct line_form *form)
{
    for (int k = 0; k < translations->count; k++) {
        const struct translation *t = &translations->best[k];
        if (form->n_best)
            strbuf_addf(out, "%ld\t", source->number + 1);
        output_field(out, source->text, source->bytes);
        strbuf_addch(out, '\t');
        output_field(out, t->text, strlen(t->text));
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

static void add_json(struct strbuf *out, const struct translations *translations,
                     const struct source_line *source, const struct line_form *form)
{
    const struct translation *best = &translations->best[0];
    const struct translation_fields fields = {form->alignment, form->words, form->glossary};
    struct json *object = json_new_object();
    json_set_number(object, "line", (double)source->number + 1);
    json_set_bytes(object, "source", source->text, source->bytes);
    json_set_bool(object, "repaired", best->repaired);
    json_set_bool(object, "cut", false); /* of earlier versions */
    json_set_bool(object, "divided", best->divided);
    json_set_number(object, "parts", best->parts);
    translation_json_source(object, "source_tokens", best, false);
    if (form->words)
        translation_json_source(object, "source_words", best, true);
    for (int k = 0; k < translations->count; k++)
        translation_json(json_append_object(object, "translations"), &translations->best[k], &fields);
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

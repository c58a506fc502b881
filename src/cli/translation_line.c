/* The formats in which nmt translate prints a line: text, scores, alignments. Pictures are in
 * assess/alignment.c. */
#include "translation_line.h"

#include "alignment.h"

/* Appends the most attended source token of each target token: "0-0 1-2". */
static void add_pharaoh(struct strbuf *out, const struct translation *t)
{
    for (int i = 0; i + 1 < t->length; i++) {
        const float *alpha = t->alpha + (size_t)i * (size_t)t->source_length;
        const int best = attention_strongest(alpha, t->source_length - 1);
        strbuf_addf(out, "%s%d-%d", i ? " " : "", best, i);
    }
}

/* Appends weights: for each target token and the end mark a row of weights separated by commas; rows are
 * separated by blanks. */
static void add_soft(struct strbuf *out, const struct translation *t)
{
    for (int i = 0; i < t->length; i++)
        for (int j = 0; j < t->source_length; j++) {
            const char *between = j ? "," : i ? " " : "";
            strbuf_addf(out, "%s%.4f", between,
                        (double)t->alpha[(size_t)i * (size_t)t->source_length + (size_t)j]);
        }
}

void translation_line_add(struct strbuf *out, const struct translations *translations, long number,
                          const struct line_form *form)
{
    for (int k = 0; k < translations->count; k++) {
        const struct translation *t = &translations->best[k];
        if (form->n_best)
            strbuf_addf(out, "%ld ||| ", number);
        strbuf_adds(out, t->text);
        if (form->scores || form->n_best)
            strbuf_addf(out, " ||| %.4f", t->score);
        if (form->alignment != ALIGNMENT_NONE) {
            strbuf_adds(out, " ||| ");
            if (t->alpha)
                (form->alignment == ALIGNMENT_SOFT ? add_soft : add_pharaoh)(out, t);
        }
        strbuf_addch(out, '\n');
    }
}

/* Opens a backward model, and ranks translations by it. Scoring them is left to translator_score. */
#include "backward.h"

#include "mem.h"

#include <string.h>

/* ---- the model ---- */

/* Is it of the other direction, as far as the configs tell? */
static int check_direction(const struct loaded_model *backward, const struct loaded_model *forward,
                           struct err *err)
{
    const struct config_data *back = &backward->config.data, *to = &forward->config.data;
    if (paths_are_same(backward->files.path, forward->files.path))
        return err_set(err, "cannot judge translations by '%s': it makes them itself", backward->files.path);
    if (!back->source_language || !back->target_language || !to->source_language || !to->target_language ||
        (!strcmp(back->source_language, to->target_language) &&
         !strcmp(back->target_language, to->source_language)))
        return 0;
    return err_set(err,
                   "cannot judge translations by '%s': it translates from %s into %s, not from %s into %s",
                   backward->files.path, back->source_language, back->target_language, to->target_language,
                   to->source_language);
}

int backward_open(struct backward **backward, const char *path, const struct loaded_model *forward,
                  int threads, struct err *err)
{
    struct translate_options options;
    *backward = NULL;
    if (!path)
        return 0;
    struct backward *opened = xcalloc(1, sizeof *opened);
    int status = loaded_model_open(&opened->loaded, path, err);
    if (!status && check_direction(&opened->loaded, forward, err)) {
        loaded_model_close(&opened->loaded);
        status = -1;
    }
    if (status) {
        xfree(opened);
        return -1;
    }
    ensemble_init_loaded(&opened->ensemble, &opened->loaded);
    ensemble_take_weights(&opened->ensemble, &opened->loaded);
    translate_options_init(&options, &opened->loaded.config);
    options.threads = threads;
    translator_init(&opened->translator, &opened->ensemble, &options);
    *backward = opened;
    return 0;
}

void backward_close(struct backward *backward)
{
    if (!backward)
        return;
    translator_release(&backward->translator);
    ensemble_release(&backward->ensemble);
    loaded_model_close(&backward->loaded);
    xfree(backward);
}

/* ---- ranking ---- */

static bool is_asked(const struct translations *of, const struct lines *sources, size_t i)
{
    return of->count > 1 && sources->bytes[i];
}

/* Takes what the model said of the hypotheses of one source. False if it could not read one. */
static bool take_judgement(struct translations *of, const struct translations *said,
                           const struct beam_options *options)
{
    for (int k = 0; k < of->count; k++)
        if (said[k].best->too_long || said[k].best->end == END_OVERFLOW)
            return false;
    for (int k = 0; k < of->count; k++) {
        struct score_terms *terms = &of->best[k].terms;
        terms->backward_log_probability = said[k].best->terms.log_probability;
        terms->backward_length = said[k].best->terms.length;
        of->best[k].score = beam_score(terms, options);
    }
    return true;
}

static bool is_better(const struct translation *a, const struct translation *b)
{
    const bool a_fails = a->end == END_OVERFLOW, b_fails = b->end == END_OVERFLOW;
    return a_fails != b_fails ? b_fails : a->score > b->score;
}

/* By insertion, which keeps the order of equal ones. */
static void sort(struct translations *of)
{
    for (int k = 1; k < of->count; k++) {
        const struct translation moved = of->best[k];
        int at = k;
        for (; at > 0 && is_better(&moved, &of->best[at - 1]); at--)
            of->best[at] = of->best[at - 1];
        of->best[at] = moved;
    }
}

static void keep_best(struct translations *of, int n_best)
{
    while (of->count > n_best)
        translation_release(&of->best[--of->count]);
}

int backward_rank(struct translations *const *translations, const struct lines *sources,
                  const struct translate_options *options, const struct translation_watch *watch)
{
    const struct translation_watch only_cancelled = {.cancelled = watch ? watch->cancelled : NULL,
                                                     .context = watch ? watch->context : NULL};
    struct backward *backward = options->backward;
    struct lines hypotheses = {.count = 0}, targets = {.count = 0};
    for (size_t i = 0; i < sources->count; i++)
        for (int k = 0; k < translations[i]->count && is_asked(translations[i], sources, i); k++) {
            const char *text = translations[i]->best[k].text;
            lines_add(&hypotheses, text, strlen(text));
            lines_add(&targets, sources->text[i], sources->bytes[i]);
        }
    struct translations *said = xcalloc(hypotheses.count + 1, sizeof *said);
    const int status = hypotheses.count ? translator_score(&backward->translator, said, &hypotheses, &targets,
                                                           &only_cancelled, NULL)
                                        : 0;
    size_t at = 0;
    for (size_t i = 0; i < sources->count && !status; i++) {
        struct translations *of = translations[i];
        if (is_asked(of, sources, i)) {
            backward->unread += !take_judgement(of, said + at, &options->beam);
            at += (size_t)of->count;
            sort(of);
        }
        keep_best(of, options->beam.n_best);
    }
    for (size_t i = 0; i < hypotheses.count && !status; i++)
        translations_release(&said[i]);
    xfree(said);
    lines_release(&targets);
    lines_release(&hypotheses);
    return status;
}

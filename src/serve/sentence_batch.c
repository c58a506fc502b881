/* A batch's way through the translator. Which sentences are in it is up to queue.c. */
#include "sentence_batch.h"

#include "mem.h"
#include "mem_guard.h"

#include <string.h>

/* ---- translators ---- */

/* All of its memory comes from within, but for the arenas, which grow later. */
static struct translator *translator_new(const struct sentence_batch *batch)
{
    struct translator *translator = xcalloc(1, sizeof *translator);
    struct translate_options options;
    const struct config *config = &batch->kind.model->loaded.config;
    translate_options_init(&options, config);
    options.split = config->decoding.split;
    options.batch = MOST_BATCH;
    options.glossary = batch->kind.glossary;
    translator_init(translator, &batch->kind.model->ensemble, &options);
    return translator;
}

static void translator_free(struct translator *translator)
{
    if (translator)
        translator_release(translator);
    xfree(translator);
}

void worker_translators_release(struct worker_translators *translators)
{
    for (size_t i = 0; i < LIST_MAX; i++)
        translator_free(translators->of_model[i]);
    model_set_release(translators->set);
    memset(translators, 0, sizeof *translators);
}

/* ---- translation ---- */

struct batch_run {
    const struct sentence_batch *batch;
    struct worker_translators *translators;
    struct translator *translator; /* NULL: not made so far */
    struct translations *out;      /* [batch->count]; NULL: cancelled */
};

static bool is_cancelled(void *context)
{
    const struct sentence_batch *batch = ((const struct batch_run *)context)->batch;
    for (size_t i = 0; i < batch->count; i++)
        if (job_run_is_awaited(batch->items[i]->run))
            return false;
    return true;
}

static void make_translator(void *context)
{
    struct batch_run *run = context;
    run->translator = translator_new(run->batch);
}

/* Do the other translations differ in the word behind the prefix? */
static bool is_branched(const struct batch_kind *kind)
{
    return kind->prefix && kind->n_best > 1;
}

/* The search for all translations that are asked for, which is at least as wide. */
static void set_branches(struct beam_options *options, const struct batch_kind *kind)
{
    options->branched = is_branched(kind);
    options->n_best = kind->n_best;
    options->beam = kind->beam < kind->n_best ? kind->n_best : kind->beam;
}

/* The number of tokens that two translations begin with alike. */
static int count_alike(const struct translation *a, const struct translation *b)
{
    int alike = 0;
    while (alike + 1 < a->length && alike + 1 < b->length &&
           a->token_begin[alike + 1] == b->token_begin[alike + 1] &&
           !memcmp(a->subwords, b->subwords, a->token_begin[alike + 1]))
        alike++;
    return alike;
}

/* Puts a translation first among those that differ in a word, in the place of the one that begins as it
 * does. */
static void put_first(struct translations *branches, const struct translation *best)
{
    int at = branches->count - 1;
    for (int i = at - 1; i >= 0; i--)
        if (count_alike(&branches->best[i], best) > count_alike(&branches->best[at], best))
            at = i;
    translation_release(&branches->best[at]);
    memmove(&branches->best[1], branches->best, (size_t)at * sizeof *branches->best);
    branches->best[0] = *best;
}

/* The best translations, as if no others were asked for; then those that differ in the word behind the
 * prefix, which are no search's. Returns false if cancelled. */
static bool translate_branches(struct batch_run *run, struct translations *out, const struct lines *lines,
                               const struct lines *prefixes, const struct translation_watch *watch)
{
    const size_t count = run->batch->count;
    const struct batch_kind *kind = &run->batch->kind;
    struct beam_options *options = &run->translator->options.beam;
    struct translations *best = xcalloc(count, sizeof *best);
    options->branched = false;
    options->n_best = 1;
    options->beam = kind->beam;
    bool done = !translator_run(run->translator, best, lines, prefixes, watch, NULL);
    set_branches(options, kind);
    if (done && translator_run(run->translator, out, lines, prefixes, watch, NULL)) {
        for (size_t i = 0; i < count; i++)
            translations_release(&best[i]);
        done = false;
    }
    for (size_t i = 0; done && i < count; i++) {
        put_first(&out[i], &best[i].best[0]);
        xfree(best[i].best);
    }
    xfree(best);
    return done;
}

static void translate(void *context)
{
    struct batch_run *run = context;
    const struct sentence_batch *batch = run->batch;
    struct lines lines = {.count = 0}, prefixes = {.count = 0};
    for (size_t i = 0; i < batch->count; i++) {
        const char *text = job_sentence_text(batch->items[i]);
        lines_add(&lines, text, strlen(text));
        if (batch->kind.prefix)
            lines_add(&prefixes, batch->kind.prefix, strlen(batch->kind.prefix));
    }
    struct translations *out = xcalloc(batch->count, sizeof *out);
    const struct translation_watch watch = {.cancelled = is_cancelled, .context = run};
    const bool done = is_branched(&batch->kind)
                          ? translate_branches(run, out, &lines, &prefixes, &watch)
                          : !translator_run(run->translator, out, &lines,
                                            batch->kind.prefix ? &prefixes : NULL, &watch, NULL);
    if (!done) {
        xfree(out);
        out = NULL;
    }
    lines_release(&lines);
    lines_release(&prefixes);
    run->out = out;
}

/* The translator of the batch's model, as the batch needs it. */
static int choose_translator(struct batch_run *run, struct err *err)
{
    const struct sentence_batch *batch = run->batch;
    const struct batch_kind *kind = &batch->kind;
    struct worker_translators *all = run->translators;
    struct translator **kept = NULL;
    if (!kind->glossary) {
        if (all->set != batch->set) {
            worker_translators_release(all);
            all->set = model_set_share(batch->set);
        }
        kept = &all->of_model[kind->model - batch->set->models];
        run->translator = *kept;
    }
    if (!run->translator && mem_guard(make_translator, run, err))
        return -1;
    if (kept)
        *kept = run->translator;
    struct translate_options *options = &run->translator->options;
    set_branches(&options->beam, kind);
    options->beam.alignment = kind->alignment;
    options->keep_source = kind->source;
    return 0;
}

enum batch_result sentence_batch_run(struct sentence_batch *batch, struct worker_translators *translators,
                                     struct err *err)
{
    struct batch_run run = {.batch = batch, .translators = translators};
    const int failed = choose_translator(&run, err) || mem_guard(translate, &run, err);
    if (batch->kind.glossary)
        translator_free(run.translator);
    if (failed)
        return BATCH_FAILED;
    if (!run.out)
        return BATCH_CANCELLED;
    for (size_t i = 0; i < batch->count; i++) {
        struct job_sentence *sentence = batch->items[i];
        sentence->translations[sentence->hop++] = run.out[i];
    }
    xfree(run.out);
    return BATCH_DONE;
}

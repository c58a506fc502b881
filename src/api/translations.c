/* Translates and scores lines of the host's. The result is made in result.c. */
#include "corpus.h"
#include "host_lines.h"
#include "mem.h"
#include "model.h"
#include "plural.h"
#include "result.h"
#include "translator.h"

enum task { TRANSLATE, TRANSLATE_PREFIXED, SCORE };

/* What a call asks for. */
struct request {
    struct nmt_translator *translator;
    enum task task;
    const char *const *lines, *const *targets; /* targets: prefixes or translations */
    size_t count;
    struct nmt_result *result;
};

/* ---- callbacks, in the host's locale ---- */

static void tell_progress(void *context, int done)
{
    const struct request *request = context;
    const struct nmt_translator *translator = request->translator;
    const locale_t inside = uselocale(translator->host_locale);
    translator->progress(translator->progress_context, (size_t)done, request->count);
    uselocale(inside);
}

static bool ask_cancelled(void *context)
{
    const struct request *request = context;
    const struct nmt_translator *translator = request->translator;
    const locale_t inside = uselocale(translator->host_locale);
    const bool cancelled = translator->cancelled(translator->cancel_context) != 0;
    uselocale(inside);
    return cancelled;
}

/* ---- the work ---- */

static enum nmt_error_code check_options(const struct nmt_translator *translator, enum task task,
                                         struct err *err)
{
    struct translate_options options = translator->translator.options;
    const struct beam_options *beam = &options.beam;
    const char *excluded = translate_options_unsplit(&options, task == TRANSLATE_PREFIXED);
    if (task == SCORE) { /* what is given has no choice of beams and terms */
        options.glossary = NULL;
        return model_check_options(translator->model, &options, err) ? NMT_WRONG_USE : NMT_NO_ERROR;
    }
    if (options.split == SPLIT_ON && excluded)
        return wrong_use(err, "option 'decoding.split' is on, which '%s' excludes", excluded);
    if (beam->n_best > beam->beam)
        return wrong_use(err, "option 'n-best' is %d, more than the beam of %d", beam->n_best, beam->beam);
    return model_check_options(translator->model, &options, err) ? NMT_WRONG_USE : NMT_NO_ERROR;
}

static enum nmt_error_code run_task(struct request *request, struct translations *out,
                                    const struct lines *lines, const struct lines *targets, struct err *err)
{
    struct nmt_translator *translator = request->translator;
    const struct translation_watch watch = {translator->progress ? tell_progress : NULL,
                                            translator->cancelled ? ask_cancelled : NULL, request};
    const int status =
        request->task == SCORE
            ? translator_score(&translator->translator, out, lines, targets, &watch, err)
            : translator_run(&translator->translator, out, lines,
                             request->task == TRANSLATE_PREFIXED ? targets : NULL, &watch, err);
    return status ? NMT_CANCELLED : NMT_NO_ERROR;
}

static void warn(const struct request *request, const struct translations *out)
{
    static const char *const repaired[] = {
        [TRANSLATE] = "", [TRANSLATE_PREFIXED] = "it or its prefix is ", [SCORE] = "it or its target is "};
    for (size_t i = 0; i < request->count; i++) {
        const struct translation *best = out[i].best;
        const int missed = translation_missed_terms(best);
        if (best->repaired)
            log_warn("line %zu: %snot valid UTF-8; U+FFFD put in", i + 1, repaired[request->task]);
        if (best->divided)
            log_warn(
                "line %zu: a sentence is longer than the model has seen or max-tokens allows: translated "
                "in parts",
                i + 1);
        if (missed)
            log_warn("line %zu: %d term%s of the glossary not used", i + 1, missed, plural(missed));
    }
}

static enum nmt_error_code make_result(struct request *request, const struct translations *out,
                                       struct err *err)
{
    for (size_t i = 0; i < request->count; i++) {
        if (out[i].best->too_long)
            err_set(err, "line %zu: it or its translation has more than %d tokens", i + 1,
                    SCORED_MOST_TOKENS);
        else if (out[i].best->end == END_OVERFLOW)
            err_set(err, "line %zu: the model's numbers are not finite", i + 1);
        else
            continue;
        return NMT_WRONG_INPUT;
    }
    request->result = result_new(request->count);
    for (size_t i = 0; i < request->count; i++)
        result_set(request->result, i, &out[i], request->translator->options.translate.beam.alignment);
    warn(request, out);
    return NMT_NO_ERROR;
}

static enum nmt_error_code translate_lines(struct request *request, const struct lines *lines,
                                           const struct lines *targets, struct err *err)
{
    struct translations *out = xcalloc(request->count, sizeof *out);
    enum nmt_error_code wrong = run_task(request, out, lines, targets, err);
    if (!wrong)
        wrong = make_result(request, out, err);
    for (size_t i = 0; i < request->count; i++)
        translations_release(&out[i]);
    xfree(out);
    return wrong;
}

static enum nmt_error_code serve(void *context, struct err *err)
{
    struct request *request = context;
    struct lines lines = {.count = 0}, targets = {.count = 0};
    enum nmt_error_code wrong = check_options(request->translator, request->task, err);
    if (!wrong)
        wrong = host_lines(&lines, request->lines, request->count, "line", false, err);
    if (!wrong && request->task != TRANSLATE)
        wrong = host_lines(&targets, request->targets, request->count,
                           request->task == SCORE ? "target" : "prefix", request->task != SCORE, err);
    if (!wrong)
        wrong = translate_lines(request, &lines, &targets, err);
    lines_release(&lines);
    lines_release(&targets);
    return wrong;
}

static struct nmt_result *result_of(struct request request)
{
    return translator_call(request.translator, true, serve, &request) ? NULL : request.result;
}

EXPORT struct nmt_result *nmt_translate(struct nmt_translator *translator, const char *const *lines,
                                        size_t count)
{
    return result_of((struct request){translator, TRANSLATE, lines, NULL, count, NULL});
}

EXPORT struct nmt_result *nmt_translate_prefixed(struct nmt_translator *translator, const char *const *lines,
                                                 const char *const *prefixes, size_t count)
{
    return result_of((struct request){translator, TRANSLATE_PREFIXED, lines, prefixes, count, NULL});
}

EXPORT struct nmt_result *nmt_score(struct nmt_translator *translator, const char *const *sources,
                                    const char *const *targets, size_t count)
{
    return result_of((struct request){translator, SCORE, sources, targets, count, NULL});
}

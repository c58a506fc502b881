/* Translators: their life, options, callbacks and errors. What they do with lines is in translations.c. */
#include "translator.h"

#include "mat.h"
#include "mem.h"
#include "model.h"
#include "prepacked.h"
#include "team.h"

#include <pthread.h>
#include <unistd.h>

/* ---- one call at a time ---- */

static bool take_translator(struct nmt_translator *translator)
{
    if (!translator || atomic_exchange(&translator->in_use, true))
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &translator->cancel_state);
    return true;
}

static void give_back(struct nmt_translator *translator)
{
    const int cancel_state = translator->cancel_state;
    atomic_store(&translator->in_use, false);
    pthread_setcancelstate(cancel_state, NULL);
}

/* A callback runs in its host's locale. */
static void hand_message(void *context, const char *message)
{
    const struct nmt_translator *translator = context;
    const locale_t inside = uselocale(translator->host_locale);
    translator->log(translator->log_context, message);
    uselocale(inside);
}

EXPORT enum nmt_error_code nmt_error_code(const struct nmt_translator *translator)
{
    return !translator || atomic_load(&translator->in_use) ? NMT_WRONG_USE : translator->failure.code;
}

EXPORT const char *nmt_error(const struct nmt_translator *translator)
{
    if (!translator)
        return "no translator given";
    return atomic_load(&translator->in_use) ? "the translator is in use by another call"
                                            : translator->failure.err.text;
}

/* ---- life ---- */

struct creation {
    struct nmt_model *model;
    struct nmt_translator *made;
};

static enum nmt_error_code create(void *context, struct err *err)
{
    struct creation *creation = context;
    if (!creation->model)
        return wrong_use(err, "no model given");
    struct nmt_translator *translator = xcalloc(1, sizeof *translator);
    atomic_init(&translator->in_use, false);
    options_init(&translator->options, model_config(creation->model));
    creation->made = translator;
    return NMT_NO_ERROR;
}

EXPORT struct nmt_translator *nmt_translator_new(struct nmt_model *model, char *error, size_t error_bytes)
{
    struct creation creation = {model, NULL};
    struct failure failure;
    const int failed = border_cross(create, &creation, NULL, &failure);
    give_error(&failure, error, error_bytes);
    if (failed)
        return NULL;
    creation.made->model = model_share(model);
    return creation.made;
}

/* After fork, the threads of a team are not in the child: it cannot wait for their end. */
static void unready(struct nmt_translator *translator)
{
    if (translator->ready && translator->process != getpid())
        translator->translator.team = NULL;
    if (translator->ready)
        translator_release(&translator->translator);
    translator->ready = false;
}

EXPORT void nmt_translator_free(struct nmt_translator *translator)
{
    if (!take_translator(translator))
        return;
    const int cancel_state = translator->cancel_state;
    unready(translator);
    options_release(&translator->options);
    nmt_close(translator->model);
    xfree(translator);
    pthread_setcancelstate(cancel_state, NULL);
}

static enum nmt_error_code prepare(void *context, struct err *err)
{
    struct nmt_translator *translator = context;
    const struct dictionary *dictionary = &translator->options.dictionary;
    struct translate_options options = translator->options.translate;
    (void)err;
    options.dictionary_words = dictionary->path ? &dictionary->words : NULL;
    options.dictionary_texts = dictionary->texts;
    const struct glossary *glossary = &translator->options.glossary;
    options.glossary = glossary->path ? glossary : NULL;
    options.threads = team_threads(options.threads);
    options.keep_source = true;
    if (prepacked_needs_blas())
        mat_reserve(options.threads, 0);
    translator_init(&translator->translator, model_ensemble(translator->model), &options);
    if (options.glossary)
        terms_warn(&translator->translator.terms);
    return NMT_NO_ERROR;
}

/* Nothing of what outlives a call is made by work that may still fail: so this is a step of its own. */
static int make_ready(struct nmt_translator *translator, const struct log_sink *sink)
{
    if (translator->ready && translator->process == getpid())
        return 0;
    unready(translator);
    if (border_cross(prepare, translator, sink, &translator->failure))
        return -1;
    translator->process = getpid();
    translator->ready = true;
    return 0;
}

int translator_call(struct nmt_translator *translator, bool translates, border_work *work, void *context)
{
    if (!take_translator(translator))
        return -1;
    const struct log_sink sink = {translator->log ? hand_message : NULL, translator};
    translator->host_locale = uselocale((locale_t)0);
    int status = translates ? make_ready(translator, &sink) : 0;
    if (!status)
        status = border_cross(work, context, &sink, &translator->failure);
    give_back(translator);
    return status;
}

/* ---- options ---- */

struct named_option {
    struct nmt_translator *translator;
    const char *name;
    const char *new_value;
    char *value;
    size_t value_bytes;
    int length;
};

static enum nmt_error_code set_option(void *context, struct err *err)
{
    const struct named_option *option = context;
    struct nmt_translator *translator = option->translator;
    if (!option->name || !option->new_value)
        return wrong_use(err, "no option and value given");
    const enum nmt_error_code wrong = options_set(
        &translator->options, model_ensemble(translator->model)->pair, option->name, option->new_value, err);
    if (!wrong)
        unready(translator);
    return wrong;
}

EXPORT int nmt_set(struct nmt_translator *translator, const char *option, const char *value)
{
    struct named_option named = {.translator = translator, .name = option, .new_value = value};
    return translator_call(translator, false, set_option, &named);
}

static enum nmt_error_code get_option(void *context, struct err *err)
{
    struct named_option *option = context;
    if (!option->name)
        return wrong_use(err, "no option given");
    char *text = options_get(&option->translator->options, option->name, err);
    if (!text)
        return NMT_WRONG_USE;
    option->length = give_value(text, option->value, option->value_bytes);
    xfree(text);
    return NMT_NO_ERROR;
}

EXPORT int nmt_get(struct nmt_translator *translator, const char *option, char *value, size_t value_bytes)
{
    struct named_option named = {translator, option, NULL, value, value_bytes, -1};
    return translator_call(translator, false, get_option, &named) ? -1 : named.length;
}

/* ---- callbacks ---- */

EXPORT void nmt_on_progress(struct nmt_translator *translator,
                            void (*progress)(void *context, size_t done, size_t lines), void *context)
{
    if (!take_translator(translator))
        return;
    translator->progress = progress;
    translator->progress_context = context;
    give_back(translator);
}

EXPORT void nmt_on_cancel(struct nmt_translator *translator, int (*cancelled)(void *context), void *context)
{
    if (!take_translator(translator))
        return;
    translator->cancelled = cancelled;
    translator->cancel_context = context;
    give_back(translator);
}

EXPORT void nmt_on_log(struct nmt_translator *translator, void (*log)(void *context, const char *message),
                       void *context)
{
    if (!take_translator(translator))
        return;
    translator->log = log;
    translator->log_context = context;
    give_back(translator);
}

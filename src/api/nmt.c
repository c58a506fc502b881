/* The public C API: handles and strings around decode's translator, in the C locale. What allocates runs under
 * a guard, so that it fails without memory, instead of ending its host. */
#include "nmt.h"

#include "c_locale.h"
#include "mem.h"
#include "mem_guard.h"
#include "translate.h"

#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct nmt {
    struct loaded_model loaded;
    struct ensemble ensemble;
    struct translator translator;
    struct err err; /* why the last line was not translated */
};

/* A call of nmt_open. */
struct opening {
    const char *dir;
    struct nmt *nmt;
    struct err err;
};

static void open_model(void *context)
{
    struct opening *opening = context;
    struct nmt *nmt = xcalloc(1, sizeof *nmt);
    struct translate_options options;
    if (loaded_model_open(&nmt->loaded, opening->dir, &opening->err)) {
        xfree(nmt);
        return;
    }
    if (ensemble_open(&nmt->ensemble, &nmt->loaded, 1, &opening->err)) {
        loaded_model_close(&nmt->loaded);
        xfree(nmt);
        return;
    }
    ensemble_take_weights(&nmt->ensemble, &nmt->loaded);
    translate_options_init(&options, &nmt->loaded.config);
    translator_init(&nmt->translator, &nmt->ensemble, &options);
    opening->nmt = nmt;
}

EXPORT struct nmt *nmt_open(const char *model_dir, char *error, size_t error_bytes)
{
    struct opening opening = {.dir = model_dir};
    struct c_locale locale;
    c_locale_begin(&locale);
    if (model_dir && *model_dir)
        mem_guard(open_model, &opening, &opening.err);
    else
        err_set(&opening.err, "no model directory given");
    c_locale_end(&locale);
    if (error && error_bytes)
        snprintf(error, error_bytes, "%s", opening.err.text);
    return opening.nmt;
}

EXPORT int nmt_set_beam(struct nmt *nmt, int beam)
{
    if (!nmt || beam < 1 || beam > 1000)
        return -1;
    nmt->translator.options.beam.beam = beam;
    return 0;
}

/* A call of nmt_translate. */
struct translating {
    struct nmt *nmt;
    const char *line;
    char *text;
};

static void translate(void *context)
{
    struct translating *translating = context;
    struct nmt *nmt = translating->nmt;
    const char *line = translating->line;
    size_t length = line ? strnlen(line, LINE_MAX_BYTES + 1) : 0;
    if (!line || length > LINE_MAX_BYTES) {
        err_set(&nmt->err, line ? "the line is longer than %zu MiB" : "no line given", LINE_MAX_BYTES >> 20);
        return;
    }
    char *copy = xstrndup(line, length);
    struct translations out = {NULL, 0};
    const struct lines lines = {.text = &copy, .bytes = &length, .count = 1};
    translator_run(&nmt->translator, &out, &lines, NULL, NULL, NULL);
    const bool overflowed = out.best[0].end == END_OVERFLOW;
    translating->text = overflowed ? NULL : xstrdup(out.best[0].text);
    translations_release(&out);
    xfree(copy);
    nmt->err.text[0] = '\0';
    if (overflowed)
        err_set(&nmt->err, "the model's numbers are not finite for this line");
}

EXPORT char *nmt_translate(struct nmt *nmt, const char *line)
{
    struct translating translating = {nmt, line, NULL};
    struct c_locale locale;
    if (!nmt)
        return NULL;
    c_locale_begin(&locale);
    if (mem_guard(translate, &translating, &nmt->err))
        translating.text = NULL;
    c_locale_end(&locale);
    return translating.text;
}

EXPORT const char *nmt_error(const struct nmt *nmt)
{
    return nmt ? nmt->err.text : "no model given";
}

EXPORT void nmt_close(struct nmt *nmt)
{
    if (!nmt)
        return;
    translator_release(&nmt->translator);
    ensemble_release(&nmt->ensemble);
    loaded_model_close(&nmt->loaded);
    xfree(nmt);
}

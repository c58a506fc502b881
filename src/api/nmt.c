/* The public C API: handles and strings around decode's translator, in the C locale. */
#include "nmt.h"

#include "c_locale.h"
#include "mem.h"
#include "translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct nmt {
    struct loaded_model loaded;
    struct ensemble ensemble;
    struct translator translator;
    struct err err; /* why the last line was not translated */
};

static struct nmt *open_model(const char *model_dir, struct err *err)
{
    if (!model_dir || !*model_dir) {
        err_set(err, "no model directory given");
        return NULL;
    }
    struct nmt *nmt = xcalloc(1, sizeof *nmt);
    struct translate_options options;
    if (loaded_model_open(&nmt->loaded, model_dir, err)) {
        free(nmt);
        return NULL;
    }
    if (ensemble_open(&nmt->ensemble, &nmt->loaded, 1, err)) {
        loaded_model_close(&nmt->loaded);
        free(nmt);
        return NULL;
    }
    ensemble_take_weights(&nmt->ensemble, &nmt->loaded);
    translate_options_init(&options, &nmt->loaded.config);
    translator_init(&nmt->translator, &nmt->ensemble, &options);
    return nmt;
}

EXPORT struct nmt *nmt_open(const char *model_dir, char *error, size_t error_bytes)
{
    struct err err = {.text = ""};
    struct c_locale locale;
    c_locale_begin(&locale);
    struct nmt *nmt = open_model(model_dir, &err);
    c_locale_end(&locale);
    if (error && error_bytes)
        snprintf(error, error_bytes, "%s", err.text);
    return nmt;
}

EXPORT int nmt_set_beam(struct nmt *nmt, int beam)
{
    if (!nmt || beam < 1 || beam > 1000)
        return -1;
    nmt->translator.options.beam.beam = beam;
    return 0;
}

static char *translate(struct nmt *nmt, const char *line)
{
    size_t length = line ? strnlen(line, LINE_MAX_BYTES + 1) : 0;
    if (!line || length > LINE_MAX_BYTES) {
        err_set(&nmt->err, line ? "the line is longer than %zu MiB" : "no line given", LINE_MAX_BYTES >> 20);
        return NULL;
    }
    char *copy = xstrndup(line, length);
    struct translations out = {NULL, 0};
    const struct lines lines = {.text = &copy, .bytes = &length, .count = 1};
    translator_run(&nmt->translator, &out, &lines, NULL, NULL);
    const bool overflowed = out.best[0].overflowed;
    char *text = overflowed ? NULL : xstrdup(out.best[0].text);
    translations_release(&out);
    free(copy);
    nmt->err.text[0] = '\0';
    if (overflowed)
        err_set(&nmt->err, "the model's numbers are not finite for this line");
    return text;
}

EXPORT char *nmt_translate(struct nmt *nmt, const char *line)
{
    struct c_locale locale;
    if (!nmt)
        return NULL;
    c_locale_begin(&locale);
    char *text = translate(nmt, line);
    c_locale_end(&locale);
    return text;
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
    free(nmt);
}

/* The public C API, a thin coat over decode/translate. */
#include "nmt.h"

#include "mem.h"
#include "translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct nmt {
    struct loaded_model loaded;
    struct translator translator;
};

EXPORT struct nmt *nmt_open(const char *model_dir, char *error, size_t error_bytes)
{
    struct err err;
    struct nmt *nmt = xcalloc(1, sizeof *nmt);
    if (loaded_model_open(&nmt->loaded, model_dir, &err)) {
        if (error && error_bytes)
            snprintf(error, error_bytes, "%s", err.text);
        free(nmt);
        return NULL;
    }
    struct translate_options options;
    translate_options_init(&options, &nmt->loaded.config);
    translator_open(&nmt->translator, &nmt->loaded, &options);
    translator_take_weights(&nmt->translator, &nmt->loaded);
    return nmt;
}

EXPORT int nmt_set_beam(struct nmt *nmt, int beam)
{
    if (beam < 1 || beam > 1000)
        return -1;
    nmt->translator.options.beam.beam = beam;
    return 0;
}

EXPORT char *nmt_translate(struct nmt *nmt, const char *line)
{
    char *copy = xstrdup(line);
    const size_t length = strlen(copy);
    struct translations out = {NULL, 0};
    translator_run(&nmt->translator, &out, &copy, &length, NULL, 1, NULL, NULL);
    char *text = xstrdup(out.best[0].text);
    translations_release(&out);
    free(copy);
    return text;
}

EXPORT void nmt_close(struct nmt *nmt)
{
    if (!nmt)
        return;
    translator_release(&nmt->translator);
    loaded_model_close(&nmt->loaded);
    free(nmt);
}

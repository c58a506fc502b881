/* A whole model, as a directory and as a packed file: opened, and used for a search if that succeeds. The
 * bytes are its files, concatenated, each after a line "=== NAME". */
#define _GNU_SOURCE /* memmem */
#include "fileio.h"
#include "fuzz.h"
#include "translate.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "=== "

static const char *const names[] = {MODEL_CONFIG,     "joint.bpe",        "source.bpe",      "target.bpe",
                                    "joint.subwords", "source.subwords",  "target.subwords", "source.vocab",
                                    "target.vocab",   "source.sentences", "source.truecase", "source.words",
                                    "target.forms",   "source.ngrams",    "target.ngrams",   MODEL_WEIGHTS};
#define NAMES (sizeof names / sizeof names[0])

/* The file that the line names, or NULL. */
static const char *name_of(const char *line, size_t bytes)
{
    for (size_t i = 0; i < NAMES; i++)
        if (strlen(names[i]) == bytes && !memcmp(names[i], line, bytes))
            return names[i];
    return NULL;
}

static void write_files(const char *dir, const char *text, size_t bytes)
{
    const char *const end = text + bytes;
    while (bytes >= strlen(MARK) && !memcmp(text, MARK, strlen(MARK))) {
        const char *line = text + strlen(MARK), *line_end = memchr(line, '\n', (size_t)(end - line));
        if (!line_end)
            return;
        const char *name = name_of(line, (size_t)(line_end - line)), *begin = line_end + 1;
        const char *next = memmem(begin, (size_t)(end - begin), "\n" MARK, strlen("\n" MARK));
        const char *stop = next ? next : end;
        struct err err;
        if (name) {
            char *path = path_join(dir, name);
            MUST(!file_replace(path, begin, (size_t)(stop - begin), &err));
            free(path);
        }
        text = next ? next + 1 : end;
        bytes = (size_t)(end - text);
    }
}

static void remove_files(const char *dir)
{
    for (size_t i = 0; i < NAMES; i++) {
        char *path = path_join(dir, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(dir);
}

static void search(const struct loaded_model *loaded)
{
    static char words[] = "a b ab", nothing[] = "", odd[] = "The pilot's \xe4\xbd\xa0\xef\xbf\xad, <b>";
    char *texts[] = {words, nothing, odd};
    size_t lengths[] = {sizeof words - 1, 0, sizeof odd - 1};
    const struct lines lines = {.text = texts, .bytes = lengths, .count = 3};
    struct translate_options options;
    struct ensemble ensemble;
    struct translator translator;
    struct translations out[3];
    translate_options_init(&options, &loaded->config);
    options.threads = 1;
    options.max_tokens = 20;
    options.beam.beam = options.beam.beam < 6 ? options.beam.beam : 6;
    ensemble_init_loaded(&ensemble, loaded);
    translator_init(&translator, &ensemble, &options);
    translator_run(&translator, out, &lines, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        const char *text = out[i].best[0].text;
        MUST(out[i].count >= 1 && !strchr(text, '\n') && utf8_check(text, strlen(text)) == strlen(text));
        translations_release(&out[i]);
    }
    translator_release(&translator);
    ensemble_release(&ensemble);
}

static void recognise(const struct loaded_model *loaded)
{
    static const char text[] = "A b, \xc3\x89t\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac 12";
    for (int side = 0; side < SIDES; side++) {
        const struct language_profile *profile = &loaded->pair.profile[side];
        if (profile->ngrams.count) {
            const struct language_fit fit = language_profile_fit(profile, text, sizeof text - 1);
            double confidence;
            language_confidences(&confidence, &fit, 1);
            MUST(fit.letters == 7 && confidence >= 0 && confidence <= 1);
        }
    }
}

static void open_and_search(const char *path)
{
    struct loaded_model loaded;
    struct err err;
    if (loaded_model_open(&loaded, path, &err))
        return;
    search(&loaded);
    recognise(&loaded);
    loaded_model_close(&loaded);
}

/* Packs the files as they are, if the weights can be read: the checksums fit, whatever the texts are. */
static void pack_and_search(const char *dir)
{
    struct err err;
    struct safetensors file;
    const char *metadata[2 * NAMES + 4] = {"nmt_format", "1", PACKED_KEY, PACKED_FORMAT};
    struct strbuf texts[NAMES];
    size_t pairs = 2;
    char *weights = path_join(dir, MODEL_WEIGHTS), *packed = path_join(dir, "packed");
    const bool opened = !safetensors_open(&file, weights, &err);
    for (size_t i = 0; i < NAMES; i++) {
        char *path = path_join(dir, names[i]);
        strbuf_init(&texts[i]);
        if (strcmp(names[i], MODEL_WEIGHTS) && file_exists(path) && !file_slurp(&texts[i], path, &err)) {
            metadata[2 * pairs] = names[i];
            metadata[2 * pairs++ + 1] = texts[i].text;
        }
        free(path);
    }
    if (opened) {
        const struct safetensors_content content = {.tensors = file.tensors,
                                                    .count = file.count,
                                                    .metadata = metadata,
                                                    .pairs = pairs,
                                                    .sealed = true};
        MUST(!safetensors_save(packed, &content, &err));
        safetensors_close(&file);
        open_and_search(packed);
        unlink(packed);
    }
    for (size_t i = 0; i < NAMES; i++)
        strbuf_release(&texts[i]);
    free(weights);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char dir[] = "/dev/shm/nmt-fuzz-XXXXXX";
    MUST(mkdtemp(dir));
    write_files(dir, (const char *)data, bytes);
    open_and_search(dir);
    pack_and_search(dir);
    remove_files(dir);
    return 0;
}

/* packed_model: the fixture of tests that pack a model: that of an older nmt, and the path of a packed
 * file. */
#ifndef NMT_PACKED_MODEL_H
#define NMT_PACKED_MODEL_H

#include "check.h"
#include "json.h"
#include "mem.h"
#include "model_dir.h"
#include "paths.h"
#include "temporary.h"

static struct loaded_model model; /* float32; subwords, two vocabularies */
static char *packed;              /* the path of a packed file */

static int open_model(void **state)
{
    struct err err;
    char *dir = xasprintf("%s/cli/fixtures/model-0064052", getenv("NMT_TEST_DIR"));
    const int status = make_temporary_dir(state) || loaded_model_open(&model, dir, &err);
    packed = path_join(temporary_dir, "packed");
    xfree(dir);
    return status;
}

static int close_model(void **state)
{
    loaded_model_close(&model);
    remove(packed);
    xfree(packed);
    return remove_temporary_dir(state);
}

/* Takes the metadata of an open file, with another text in the place of one (NULL: without it). */
static size_t take_metadata(const char **metadata, const struct safetensors *file, const char *key,
                            const char *text)
{
    size_t pairs = 0;
    for (const struct json *m = json_first(json_member(file->header, "__metadata__")); m; m = json_next(m)) {
        const char *value = key && !strcmp(json_key(m), key) ? text : json_string(m);
        if (!value || !strcmp(json_key(m), "format") || strstr(json_key(m), "checksum"))
            continue;
        metadata[2 * pairs] = json_key(m);
        metadata[2 * pairs++ + 1] = value;
    }
    return pairs;
}

/* Writes the packed file anew, with such metadata and changed tensors (NULL: as they are); all checksums
 * fit. */
static void rewrite_packed(const char *key, const char *text, void (*change)(struct safetensors *file))
{
    struct err err;
    struct safetensors file;
    const char *metadata[64];
    assert_int_equal(safetensors_open(&file, packed, &err), 0);
    const size_t pairs = take_metadata(metadata, &file, key, text);
    if (change)
        change(&file);
    const struct safetensors_content content = {
        .tensors = file.tensors, .count = file.count, .metadata = metadata, .pairs = pairs, .sealed = true};
    assert_int_equal(safetensors_save(packed, &content, &err), 0);
    safetensors_close(&file);
}

#endif

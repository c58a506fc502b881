/* Gathers what translation needs of a model, and writes it as one file or as a directory. The file format is
 * in model_file.c, reading in model_files.c. */
#include "pack.h"

#include "history.h"
#include "mem.h"
#include "runlog.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- texts ---- */

/* Prints a number unless it is not known. */
static void set_known(struct json *event, const char *key, double number)
{
    if (isfinite(number))
        json_set_number(event, key, number);
}

/* Prints the validation of the weights as a line of a log; nothing if there was none. */
static int print_scores(struct strbuf *text, const struct loaded_model *loaded, struct err *err)
{
    struct history history;
    if (!safetensors_metadata(&loaded->files.weights, "update"))
        return 0;
    if (history_load(&history, &loaded->files, err))
        return -1;
    const struct history_validation *v = history_of_weights(&history, &loaded->files.weights);
    if (v) {
        struct json *event = runlog_event("validation");
        json_set_number(event, "update", v->update);
        set_known(event, "perplexity", v->perplexity);
        set_known(event, "bleu", v->bleu);
        set_known(event, "chrf", v->chrf);
        json_print(event, false, text);
        strbuf_addch(text, '\n');
        json_free(event);
    }
    history_release(&history);
    return 0;
}

/* Passes every text that translation needs to `take`, under its file's name; returns as that does. */
static int each_text(const struct loaded_model *loaded, text_taker *take, void *context, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    config_print_packed(&loaded->config, &text);
    int status = take(context, MODEL_CONFIG, &text, err);
    if (!status)
        status = language_pair_print(&loaded->pair, take, context, err);
    strbuf_reset(&text);
    if (!status)
        status = print_scores(&text, loaded, err);
    if (!status && text.length)
        status = take(context, RUNLOG_FILE, &text, err);
    strbuf_release(&text);
    return status;
}

/* ---- metadata ---- */

/* Keys and values in turn, all of them copies. */
struct metadata {
    char **items;
    size_t count, capacity;
};

static void metadata_add(struct metadata *metadata, const char *key, const char *value)
{
    GROW(metadata->items, metadata->count + 2, metadata->capacity);
    metadata->items[metadata->count++] = xstrdup(key);
    metadata->items[metadata->count++] = xstrdup(value);
}

static void metadata_release(struct metadata *metadata)
{
    for (size_t i = 0; i < metadata->count; i++)
        xfree(metadata->items[i]);
    xfree(metadata->items);
}

static int take_text(void *context, const char *name, const struct strbuf *text, struct err *err)
{
    (void)err;
    metadata_add(context, name, text->text);
    return 0;
}

/* Adds what the user says of the model, now or earlier, and what the training says of the weights. An empty
 * text takes an earlier one away. */
static void add_about(struct metadata *metadata, const struct loaded_model *loaded,
                      const struct pack_options *options)
{
    const struct {
        const char *key, *given;
    } rows[] = {{"name", options->name},
                {"author", options->author},
                {"license", options->license},
                {"update", NULL},
                {"averaged_checkpoints", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *value =
            rows[i].given ? rows[i].given : safetensors_metadata(&loaded->files.weights, rows[i].key);
        if (value && *value)
            metadata_add(metadata, rows[i].key, value);
    }
}

/* ---- one file ---- */

/* What a packed file will hold. */
struct gathered {
    struct packed_weights packed;
    struct metadata metadata;
    struct tensor shortlist[SHORTLIST_TENSORS];
    struct arena arena; /* for int8 */
    struct quantised_params quantised;
};

static void gathered_release(struct gathered *gathered)
{
    metadata_release(&gathered->metadata);
    arena_release(&gathered->arena);
}

/* Metadata and the shortlist, whose tensors are written to `tensors`. */
static struct model_extras extras_of(struct tensor tensors[SHORTLIST_TENSORS],
                                     const struct metadata *metadata, const struct loaded_model *loaded)
{
    return (struct model_extras){.metadata = (const char *const *)metadata->items,
                                 .pairs = metadata->count / 2,
                                 .tensors = tensors,
                                 .count = shortlist_tensors(tensors, &loaded->shortlist)};
}

/* All but the weights. On failure, too, it must be released. */
static int gather(struct gathered *gathered, const struct loaded_model *loaded,
                  const struct pack_options *options, struct err *err)
{
    struct metadata *metadata = &gathered->metadata;
    *metadata = (struct metadata){.count = 0};
    arena_init(&gathered->arena);
    metadata_add(metadata, PACKED_KEY, PACKED_FORMAT);
    add_about(metadata, loaded, options);
    const int status = each_text(loaded, take_text, metadata, err);
    gathered->packed = (struct packed_weights){.layout = &loaded->model.layout,
                                               .values = loaded->weights.values,
                                               .precision = options->precision,
                                               .extras = extras_of(gathered->shortlist, metadata, loaded)};
    return status;
}

static void gather_weights(struct gathered *gathered, const struct loaded_model *loaded)
{
    struct packed_weights *packed = &gathered->packed;
    if (packed->precision == PRECISION_INT8) {
        weights_quantise(&gathered->quantised, &loaded->weights, packed->layout, &gathered->arena);
        packed->quantised = &gathered->quantised;
    } else {
        packed->values = weights_floats(&loaded->weights);
    }
}

int pack_write(const struct loaded_model *loaded, const struct pack_options *options, const char *output,
               struct err *err)
{
    struct gathered gathered;
    struct writer writer;
    int status = gather(&gathered, loaded, options, err);
    if (!status)
        status = writer_open_output(&writer, output, err);
    if (!status) {
        gather_weights(&gathered, loaded);
        status = writer_end(&writer, model_file_pack(&writer, &gathered.packed, err), err);
    }
    gathered_release(&gathered);
    return status;
}

int pack_size(size_t *bytes, const struct loaded_model *loaded, const struct pack_options *options,
              struct err *err)
{
    struct gathered gathered;
    const int status = gather(&gathered, loaded, options, err);
    if (!status)
        *bytes = model_file_packed_bytes(&gathered.packed);
    gathered_release(&gathered);
    return status;
}

/* ---- a directory ---- */

static bool has_text(const char *path, const struct strbuf *text)
{
    struct strbuf own;
    struct err ignored;
    strbuf_init(&own);
    const bool has = text && !file_check_regular(path, &ignored) && !file_slurp(&own, path, &ignored) &&
                     own.length == text->length && !memcmp(own.text, text->text, own.length);
    strbuf_release(&own);
    return has;
}

/* A file with the same text may be there: an unpacking that was killed leaves some. */
static int expect_absent(void *context, const char *name, const struct strbuf *text, struct err *err)
{
    const char *const *dir = context;
    char *path = path_join(*dir, name);
    const bool other = file_exists(path) && !has_text(path, text);
    if (other)
        err_set(err, "cannot write '%s': it exists already: give another directory", path);
    xfree(path);
    return other ? -1 : 0;
}

static int remove_text(void *context, const char *name, const struct strbuf *text, struct err *err)
{
    const char *const *dir = context;
    char *path = path_join(*dir, name);
    (void)text;
    (void)err;
    unlink(path);
    xfree(path);
    return 0;
}

static int write_weights(const struct loaded_model *loaded, const char *dir, struct err *err)
{
    const struct model_block block = {"", weights_floats(&loaded->weights)};
    const struct pack_options nothing = {.name = NULL};
    struct metadata metadata = {.count = 0};
    struct tensor tensors[SHORTLIST_TENSORS];
    char *path = path_join(dir, MODEL_WEIGHTS);
    add_about(&metadata, loaded, &nothing);
    const struct model_extras extras = extras_of(tensors, &metadata, loaded);
    const int status = model_file_save(path, &loaded->model.layout, &block, 1, &extras, err);
    metadata_release(&metadata);
    xfree(path);
    return status;
}

/* The weights come last: without them, the directory is no model. */
static int write_files(const struct loaded_model *loaded, const char *dir, struct err *err)
{
    struct err ignored;
    if (each_text(loaded, expect_absent, &dir, err) || expect_absent(&dir, MODEL_WEIGHTS, NULL, err))
        return -1;
    if (!each_text(loaded, model_files_write, &dir, err) && !write_weights(loaded, dir, err))
        return 0;
    each_text(loaded, remove_text, &dir, &ignored);
    return -1;
}

int pack_unpack(const struct loaded_model *loaded, const char *dir, struct err *err)
{
    struct lock lock;
    if (lock_take(&lock, dir, err))
        return -1;
    const int status = write_files(loaded, dir, err);
    lock_release(&lock);
    return status;
}

/* Saves and loads checkpoints, and chooses which to keep. The model for translation is saved by trainer.c. */
#include "checkpoint.h"

#include "fileio.h"
#include "folder.h"
#include "log.h"
#include "mem.h"
#include "model_file.h"
#include "plural.h"
#include "vecmath.h"
#include "writer.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 4096
#define FILE_BEGIN "update-"
#define FILE_END ".safetensors"
#define AVERAGE "average"
/* Checkpoints kept during training, at least: the newest may be damaged, or already diverging. */
#define IN_TRAINING 2

/* ---- names ---- */

static char *file_of(const char *model_dir, long update)
{
    return xasprintf("%s/" CHECKPOINT_FOLDER "/" FILE_BEGIN "%08ld" FILE_END, model_dir, update);
}

static int newest_first(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;
    return x > y ? -1 : x < y;
}

/* The updates with a checkpoint, newest first. */
struct updates {
    long of[MAX_FILES];
    int count;
};

static void take_file(void *context, const char *name)
{
    struct updates *updates = context;
    char *end;
    if (strncmp(name, FILE_BEGIN, strlen(FILE_BEGIN)) != 0 || updates->count == MAX_FILES)
        return;
    const long update = strtol(name + strlen(FILE_BEGIN), &end, 10);
    if (!strcmp(end, FILE_END))
        updates->of[updates->count++] = update;
}

static int list(struct updates *updates, const char *model_dir, struct err *err)
{
    char *folder = path_join(model_dir, CHECKPOINT_FOLDER);
    updates->count = 0;
    const int status = folder_each(folder, take_file, updates, err);
    xfree(folder);
    qsort(updates->of, (size_t)updates->count, sizeof updates->of[0], newest_first);
    return status;
}

static int remove_one(const char *model_dir, long update, struct err *err)
{
    char *path = file_of(model_dir, update);
    const int status =
        unlink(path) != 0 && errno != ENOENT ? err_set_errno(err, "cannot remove '%s'", path) : 0;
    xfree(path);
    return status;
}

static bool is_best(const struct train_state *state, long update)
{
    for (int i = 0; i < state->best_count; i++)
        if (state->best[i].update == update)
            return true;
    return false;
}

void checkpoint_remove_old(const char *model_dir, const struct train_state *state,
                           const struct config_training *training, bool ended)
{
    struct updates updates;
    struct err err;
    const int newest = ended || training->keep_last > IN_TRAINING ? training->keep_last : IN_TRAINING;
    if (list(&updates, model_dir, &err))
        log_warn("old checkpoints remain: %s", err.text);
    int newer = 0; /* damaged ones, which a resumed training has passed over */
    while (newer < updates.count && updates.of[newer] > state->update)
        newer++;
    for (int i = newer + newest; i < updates.count; i++)
        if (!(training->keep_best > 1 && is_best(state, updates.of[i])) &&
            remove_one(model_dir, updates.of[i], &err))
            log_warn("an old checkpoint remains: %s", err.text);
}

int checkpoint_exists(const char *model_dir, struct err *err)
{
    struct updates updates;
    return list(&updates, model_dir, err) ? -1 : updates.count > 0;
}

int checkpoint_remove_all(const char *model_dir, struct err *err)
{
    struct updates updates;
    int status = list(&updates, model_dir, err);
    for (int i = 0; i < updates.count; i++)
        if (remove_one(model_dir, updates.of[i], err))
            status = -1;
    char *folder = path_join(model_dir, CHECKPOINT_FOLDER);
    temporaries_remove(folder);
    folder_remove_empty(folder);
    xfree(folder);
    return status;
}

int checkpoint_discard(const char *model_dir, long update, struct err *err)
{
    struct updates updates;
    if (list(&updates, model_dir, err))
        return -1;
    const bool older = updates.count && updates.of[updates.count - 1] < update;
    return older ? remove_one(model_dir, update, err) : 0;
}

/* ---- state as text ---- */

/* More than any training reaches, with a margin for further counting. */
#define MOST_UPDATES 0x1p52
#define MOST_VALIDATIONS 1e9

/* Table of all fields, for writing and reading. */
static const struct field {
    const char *key;
    enum {
        FIELD_LONG,
        FIELD_NEW_LONG, /* older checkpoints lack it: it stays as it is */
        FIELD_INT,
        FIELD_DOUBLE,
        FIELD_NEW_DOUBLE, /* likewise */
    } type;
    size_t offset;
    double min, max;
} fields[] = {
    {"update", FIELD_LONG, offsetof(struct train_state, update), 0, MOST_UPDATES},
    {"epoch", FIELD_LONG, offsetof(struct train_state, epoch), 0, MOST_UPDATES},
    {"part", FIELD_LONG, offsetof(struct train_state, part), 0, MOST_UPDATES},
    {"batch", FIELD_LONG, offsetof(struct train_state, batch), 0, MOST_UPDATES},
    {"rate_factor", FIELD_DOUBLE, offsetof(struct train_state, rate_factor), DBL_MIN, 1},
    {"rollbacks", FIELD_INT, offsetof(struct train_state, rollbacks), 0, MOST_VALIDATIONS},
    {"bad_validations", FIELD_INT, offsetof(struct train_state, bad_validations), 0, MOST_VALIDATIONS},
    {"lowest_perplexity", FIELD_NEW_DOUBLE, offsetof(struct train_state, lowest_perplexity), 0, DBL_MAX},
    {"since_halving", FIELD_INT, offsetof(struct train_state, since_halving), 0, MOST_VALIDATIONS},
    {"last_update", FIELD_LONG, offsetof(struct train_state, last_update), 0, MOST_UPDATES},
    {"baseline", FIELD_DOUBLE, offsetof(struct train_state, baseline), -DBL_MAX, DBL_MAX},
    {"seconds", FIELD_DOUBLE, offsetof(struct train_state, seconds), 0, MOST_UPDATES},
    {"validated", FIELD_NEW_LONG, offsetof(struct train_state, validated), -1, MOST_UPDATES},
    {"scored_with", FIELD_NEW_DOUBLE, offsetof(struct train_state, scored_with), 0, DBL_MAX},
    {"target_tokens", FIELD_LONG, offsetof(struct train_state, target_tokens), 0, 0x1p60},
};

#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static char *field_text(const struct field *field, const struct train_state *state)
{
    const void *at = (const char *)state + field->offset;
    if (field->type >= FIELD_DOUBLE)
        return xasprintf("%.17g", *(const double *)at);
    return xasprintf("%ld", field->type == FIELD_INT ? *(const int *)at : *(const long *)at);
}

static int read_field(const struct field *field, struct train_state *state, const char *text)
{
    void *at = (char *)state + field->offset;
    char *end;
    if (!text)
        return field->type == FIELD_NEW_DOUBLE || field->type == FIELD_NEW_LONG ? 0 : -1;
    const double real_value = strtod(text, &end);
    if (end == text || *end || !(real_value >= field->min && real_value <= field->max))
        return -1;
    if (field->type >= FIELD_DOUBLE) {
        *(double *)at = real_value;
        return 0;
    }
    const long value = strtol(text, &end, 10);
    if (field->type == FIELD_INT)
        *(int *)at = (int)value;
    else
        *(long *)at = value;
    return *end ? -1 : 0;
}

/* Prints "update:score:perplexity,update:score:perplexity". */
static void print_best(const struct train_state *state, struct strbuf *out)
{
    for (int i = 0; i < state->best_count; i++)
        strbuf_addf(out, "%s%ld:%.17g:%.17g", i ? "," : "", state->best[i].update, state->best[i].score,
                    state->best[i].perplexity);
}

/* Older versions wrote no perplexity. */
static int read_best(struct train_state *state, const char *text)
{
    state->best_count = 0;
    while (text && *text && state->best_count < TRAIN_STATE_MOST_BEST) {
        struct scored_update *entry = &state->best[state->best_count++];
        char *end;
        entry->update = strtol(text, &end, 10);
        if (end == text || *end != ':' || entry->update < 0 ||
            (double)entry->update > MOST_UPDATES) /* after a rollback, some are later than the state */
            return -1;
        text = end + 1;
        entry->score = strtod(text, &end);
        entry->perplexity = state->lowest_perplexity;
        if (end != text && *end == ':') {
            text = end + 1;
            entry->perplexity = strtod(text, &end);
        }
        if (end == text || (*end && *end != ',') || isnan(entry->score) || !(entry->perplexity >= 0))
            return -1;
        text = *end ? end + 1 : end;
    }
    return text ? 0 : -1;
}

/* ---- saving and loading ---- */

int checkpoint_save(const char *model_dir, const struct workers *workers, const struct train_state *state,
                    struct err *err)
{
    const char *metadata[2 * FIELD_COUNT + 2];
    char *texts[FIELD_COUNT];
    struct strbuf best;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        metadata[2 * i] = fields[i].key;
        metadata[2 * i + 1] = texts[i] = field_text(&fields[i], state);
    }
    strbuf_init(&best);
    print_best(state, &best);
    metadata[2 * FIELD_COUNT] = "best";
    metadata[2 * FIELD_COUNT + 1] = best.text;

    char *folder = path_join(model_dir, CHECKPOINT_FOLDER), *path = file_of(model_dir, state->update);
    const struct optimizer *optimizer = &workers->optimizer;
    struct model_block blocks[2 + OPTIMIZER_MOST_MOMENTS] = {{"", workers->values}};
    size_t block_count = 1;
    for (int i = 0; i < optimizer->kind->moments; i++)
        blocks[block_count++] = (struct model_block){optimizer->kind->names[i], optimizer->moments[i]};
    if (workers->average)
        blocks[block_count++] = (struct model_block){AVERAGE, workers->average};
    int status = dir_make(folder, err);
    if (!status)
        status = model_file_save(path, &workers->model->layout, blocks, block_count,
                                 &(struct model_extras){.metadata = metadata, .pairs = FIELD_COUNT + 1}, err);
    if (!status)
        checkpoint_remove_old(model_dir, state, &workers->config->training, false);
    xfree(folder);
    xfree(path);
    strbuf_release(&best);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        xfree(texts[i]);
    return status;
}

/* Reads the state; it must belong to `update`, the number in the file's name. */
static int load_state(struct train_state *state, const struct safetensors *file, long update, struct err *err)
{
    train_state_init(state);
    state->validated = -1;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (read_field(&fields[i], state, safetensors_metadata(file, fields[i].key)))
            return err_set(err, "cannot read '%s': no training state '%s'", file->path, fields[i].key);
    if (state->update != update)
        return err_set(err, "cannot read '%s': it is of update %ld", file->path, state->update);
    if (read_best(state, safetensors_metadata(file, "best")))
        return err_set(err, "cannot read '%s': no training state 'best'", file->path);
    return 0;
}

static int load_checkpoint(const char *path, long update, struct workers *workers, struct train_state *state,
                           struct err *err)
{
    struct safetensors file;
    const struct layout *layout = &workers->model->layout;
    if (safetensors_open(&file, path, err))
        return -1;
    int status = load_state(state, &file, update, err);
    workers->baseline = state->baseline;
    if (!status)
        status = model_file_read(workers->values, &file, "", layout, err);
    for (int i = 0; i < workers->optimizer.kind->moments && !status; i++)
        status = model_file_read(workers->optimizer.moments[i], &file, workers->optimizer.kind->names[i],
                                 layout, err);
    if (!status && workers->average && model_file_has(&file, AVERAGE, layout))
        status = model_file_read(workers->average, &file, AVERAGE, layout, err);
    else if (!status)
        workers_begin_average(workers);
    safetensors_close(&file);
    return status;
}

int checkpoint_load_newest(const char *model_dir, struct workers *workers, struct train_state *state,
                           struct err *err)
{
    struct updates updates;
    if (list(&updates, model_dir, err))
        return -1;
    if (!updates.count)
        return err_set(err, "no checkpoint in '%s/" CHECKPOINT_FOLDER "'", model_dir);
    int status = -1;
    for (int i = 0; i < updates.count && status; i++) {
        char *path = file_of(model_dir, updates.of[i]);
        if (i > 0)
            log_warn("%s: going on with the checkpoint before it", err->text);
        status = load_checkpoint(path, updates.of[i], workers, state, err);
        xfree(path);
    }
    return status;
}

/* Lists what can be averaged. */
static int list_trained(struct updates *updates, const char *model_dir, const struct config *config,
                        struct err *err)
{
    const int status = list(updates, model_dir, err);
    if (updates->count && !updates->of[updates->count - 1] && !config->training.init_from)
        updates->count--;
    return status;
}

int checkpoint_check_average(const char *model_dir, const struct config *config, int count, struct err *err)
{
    struct updates updates;
    const int least = count ? count : 2;
    if (list_trained(&updates, model_dir, config, err))
        return -1;
    if (updates.count >= least)
        return 0;
    return err_set(err,
                   "cannot average %d checkpoint%s%s: '%s/" CHECKPOINT_FOLDER
                   "' has %d ('training.keep_last' says how many are kept when a training has ended)",
                   least, plural(least), count ? "" : " or more", model_dir, updates.count);
}

int checkpoint_average(real *values, const char *model_dir, const struct config *config,
                       const struct layout *layout, int count, struct err *err)
{
    struct updates updates;
    int status = list_trained(&updates, model_dir, config, err);
    const int used = count && count < updates.count ? count : updates.count;
    real *one = xmalloc(layout->total, sizeof *one);
    memset(values, 0, layout->total * sizeof *values);
    for (int i = 0; i < used && !status; i++) {
        struct safetensors file;
        char *path = file_of(model_dir, updates.of[i]);
        status = safetensors_open(&file, path, err);
        if (!status) {
            status = model_file_read(one, &file, "", layout, err);
            vec_axpy(values, (real)1 / (real)used, one, layout->total);
            safetensors_close(&file);
        }
        xfree(path);
    }
    xfree(one);
    return status ? -1 : used;
}

/* Reads a training's log line by line, and skips lines that it does not know. Reports are made of it. */
#include "history.h"

#include "checksum.h"
#include "fileio.h"
#include "json.h"
#include "log.h"
#include "mem.h"
#include "runlog.h"
#include "utf8_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(const struct json *object, const char *key)
{
    const struct json *value = json_member(object, key);
    return value && json_kind(value) == JSON_NUMBER ? json_number(value) : (double)NAN;
}

/* A copy of the member's text, which the caller frees; NULL if there is none. */
static char *string(const struct json *object, const char *key)
{
    const struct json *value = json_member(object, key);
    return value && json_kind(value) == JSON_STRING ? xstrdup(json_string(value)) : NULL;
}

static void replace(char **place, char *text)
{
    xfree(*place);
    *place = text;
}

/* ---- events: one row of the table each ---- */

static void release_files(struct history *history)
{
    for (size_t i = 0; i < history->file_count; i++) {
        xfree(history->files[i].name);
        xfree(history->files[i].checksum);
    }
    history->file_count = 0;
}

static void drop_file(struct history *history, size_t at)
{
    xfree(history->files[at].name);
    xfree(history->files[at].checksum);
    history->file_count--;
    memmove(&history->files[at], &history->files[at + 1],
            (history->file_count - at) * sizeof *history->files);
}

static void take_files(struct history *history, const struct json *files)
{
    for (const struct json *f = json_first(files); f; f = json_next(f)) {
        struct history_file file = {NULL, NULL};
        if (json_kind(f) == JSON_OBJECT) {
            file.name = string(f, "name");
            file.checksum = string(f, "checksum");
        }
        if (!file.name || !file.checksum) {
            xfree(file.name);
            xfree(file.checksum);
            continue;
        }
        GROW(history->files, history->file_count + 1, history->files_capacity);
        history->files[history->file_count++] = file;
    }
}

static void take_start(struct history *history, const struct json *event)
{
    const struct json *files = json_member(event, "files");
    release_files(history);
    if (files && json_kind(files) == JSON_ARRAY)
        take_files(history, files);
    history->parameters = number(event, "parameters");
    history->pairs = number(event, "pairs");
    history->pairs_weighted = number(event, "pairs_weighted");
    history->threads = number(event, "threads");
    replace(&history->version, string(event, "version"));
    replace(&history->processor, string(event, "processor"));
    replace(&history->blas_kernel, string(event, "blas_kernel"));
    replace(&history->stop_reason, NULL);
}

static void take_update(struct history *history, const struct json *event)
{
    GROW(history->updates, history->update_count + 1, history->updates_capacity);
    struct history_update *u = &history->updates[history->update_count++];
    u->update = number(event, "update");
    u->epoch = number(event, "epoch");
    u->loss = number(event, "loss");
    u->perplexity = number(event, "perplexity");
    u->learning_rate = number(event, "learning_rate");
    u->gradient_norm = number(event, "gradient_norm");
    u->target_tokens = number(event, "target_tokens");
    u->target_tokens_per_second = number(event, "target_tokens_per_second");
    u->seconds = number(event, "seconds");
}

static void take_sample(struct history_validation *validation, const struct json *object)
{
    struct history_sample sample = {number(object, "line"), string(object, "source"),
                                    string(object, "translation"), string(object, "reference")};
    if (!sample.source || !sample.translation || !sample.reference) {
        xfree(sample.source);
        xfree(sample.translation);
        xfree(sample.reference);
        return;
    }
    GROW(validation->samples, validation->sample_count + 1, validation->samples_capacity);
    validation->samples[validation->sample_count++] = sample;
}

static void take_validation(struct history *history, const struct json *event)
{
    GROW(history->validations, history->validation_count + 1, history->validations_capacity);
    struct history_validation *v = &history->validations[history->validation_count++];
    *v = (struct history_validation){.update = number(event, "update"),
                                     .perplexity = number(event, "perplexity"),
                                     .perplexity_per_character = number(event, "perplexity_per_character"),
                                     .bleu = number(event, "bleu"),
                                     .chrf = number(event, "chrf"),
                                     .seconds = number(event, "seconds")};
    const struct json *samples = json_member(event, "samples");
    if (!samples || json_kind(samples) != JSON_ARRAY)
        return;
    for (const struct json *s = json_first(samples); s; s = json_next(s))
        if (json_kind(s) == JSON_OBJECT)
            take_sample(v, s);
}

static void release_validation(struct history_validation *validation)
{
    for (size_t i = 0; i < validation->sample_count; i++) {
        xfree(validation->samples[i].source);
        xfree(validation->samples[i].translation);
        xfree(validation->samples[i].reference);
    }
    xfree(validation->samples);
}

/* Drops everything after the update: it will be logged again. */
static void take_rollback(struct history *history, const struct json *event)
{
    const double update = number(event, "update");
    history->rollbacks++;
    while (history->update_count && history->updates[history->update_count - 1].update > update)
        history->update_count--;
    while (history->validation_count && history->validations[history->validation_count - 1].update > update)
        release_validation(&history->validations[--history->validation_count]);
}

/* Of those files nothing is expected any more. */
static void take_removed(struct history *history, const struct json *event)
{
    const struct json *files = json_member(event, "files");
    const bool is_list = files && json_kind(files) == JSON_ARRAY;
    history->distilled = true;
    for (const struct json *f = is_list ? json_first(files) : NULL; f; f = json_next(f)) {
        const struct history_file *found =
            json_kind(f) == JSON_STRING ? history_find_file(history, json_string(f)) : NULL;
        if (found)
            drop_file(history, (size_t)(found - history->files));
    }
}

static void take_stop(struct history *history, const struct json *event)
{
    replace(&history->stop_reason, string(event, "reason"));
}

static const struct {
    const char *event;
    void (*take)(struct history *history, const struct json *event);
} events[] = {{"start", take_start},       {"update", take_update},   {"validation", take_validation},
              {"rollback", take_rollback}, {"removed", take_removed}, {"stop", take_stop}};

/* ---- the log ---- */

static int take_line(void *context, const struct strbuf *line, int64_t line_number, struct err *err)
{
    struct history *history = context;
    struct err ignored;
    const bool valid = utf8_check(line->text, line->length) == line->length;
    struct json *object = valid ? json_parse(line->text, line->length, RUNLOG_FILE, &ignored) : NULL;
    char *kind = object && json_kind(object) == JSON_OBJECT ? string(object, "event") : NULL;
    (void)err;
    if (!object && !history->torn_lines++)
        history->first_torn = line_number;
    for (size_t i = 0; kind && i < sizeof events / sizeof events[0]; i++)
        if (!strcmp(events[i].event, kind))
            events[i].take(history, object);
    xfree(kind);
    json_free(object);
    return 0;
}

static void warn_of_torn_lines(const struct history *history, const struct model_files *files)
{
    char *name = model_files_name(files, RUNLOG_FILE);
    char *more = history->torn_lines > 1 ? xasprintf(" and %lld more are", (long long)history->torn_lines - 1)
                                         : xstrdup(" is");
    log_warn("'%s': line %lld%s torn, and skipped", name, (long long)history->first_torn, more);
    xfree(more);
    xfree(name);
}

int history_load(struct history *history, const struct model_files *files, struct err *err)
{
    memset(history, 0, sizeof *history);
    const int status = model_files_has(files, RUNLOG_FILE)
                           ? model_files_each_line(files, RUNLOG_FILE, take_line, history, err)
                           : 0;
    if (status)
        history_release(history);
    else if (history->torn_lines)
        warn_of_torn_lines(history, files);
    return status;
}

int history_load_path(struct history *history, const char *model, struct err *err)
{
    struct model_files files;
    if (model_files_open(&files, model, err))
        return -1;
    const int status = history_load(history, &files, err);
    model_files_close(&files);
    return status;
}

void history_release(struct history *history)
{
    for (size_t i = 0; i < history->validation_count; i++)
        release_validation(&history->validations[i]);
    xfree(history->updates);
    xfree(history->validations);
    release_files(history);
    xfree(history->files);
    xfree(history->version);
    xfree(history->processor);
    xfree(history->blas_kernel);
    xfree(history->stop_reason);
    memset(history, 0, sizeof *history);
}

const struct history_file *history_find_file(const struct history *history, const char *name)
{
    for (size_t i = 0; i < history->file_count; i++)
        if (!strcmp(history->files[i].name, name))
            return &history->files[i];
    return NULL;
}

enum history_file_state history_file_check(const struct history_file *file, const char *model_dir)
{
    char digits[CHECKSUM_DIGITS + 1];
    uint64_t sum;
    struct err ignored;
    char *path = path_join(model_dir, file->name);
    const bool read = !checksum_file(&sum, path, &ignored);
    xfree(path);
    if (!read)
        return FILE_UNREADABLE;
    checksum_print(digits, sum);
    return strcmp(digits, file->checksum) ? FILE_CHANGED : FILE_UNCHANGED;
}

/* The validation after that update, or NULL. */
static const struct history_validation *find_validation(const struct history *history, long update)
{
    for (size_t i = 0; i < history->validation_count; i++)
        if (history->validations[i].update == (double)update)
            return &history->validations[i];
    return NULL;
}

const struct history_validation *history_of_weights(const struct history *history,
                                                    const struct safetensors *weights)
{
    const char *update = safetensors_metadata(weights, "update");
    return update ? find_validation(history, strtol(update, NULL, 10)) : NULL;
}

const struct history_validation *history_last_other(const struct history *history,
                                                    const struct history_validation *one)
{
    for (size_t i = history->validation_count; i-- > 0;)
        if (&history->validations[i] != one)
            return &history->validations[i];
    return NULL;
}

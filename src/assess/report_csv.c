/* Writes the learning curves of models as a table of comma-separated values (RFC 4180). Drawing them is up
 * to report_training.c. */
#include "report.h"

#include "fileio.h"
#include "history.h"
#include "log.h"
#include "mem.h"
#include "runlog.h"
#include "utf8_check.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each column: its name, and where its number is in an update or in a validation of the log. */
struct column {
    const char *name;
    size_t offset;
};

#define UPDATE(name)                                                                                         \
    {                                                                                                        \
#name, offsetof(struct history_update, name)                                                         \
    }
#define VALID(name)                                                                                          \
    {                                                                                                        \
        "valid_" #name, offsetof(struct history_validation, name)                                            \
    }

static const struct column of_update[] = {UPDATE(epoch),         UPDATE(loss),
                                          UPDATE(perplexity),    UPDATE(learning_rate),
                                          UPDATE(gradient_norm), UPDATE(target_tokens),
                                          UPDATE(seconds),       UPDATE(target_tokens_per_second)},
                           of_validation[] = {VALID(perplexity), VALID(bleu), VALID(chrf), VALID(seconds),
                                              VALID(perplexity_per_character)};

#define COUNT(columns) ((int)(sizeof(columns) / sizeof(columns)[0]))

static void add_names(struct strbuf *out, const struct column *columns, int count)
{
    for (int c = 0; c < count; c++)
        strbuf_addf(out, ",%s", columns[c].name);
}

/* A field in quotes, so that it may hold anything. */
static void add_quoted(struct strbuf *out, const char *text)
{
    struct strbuf valid;
    strbuf_init(&valid);
    utf8_repair(&valid, text, strlen(text));
    strbuf_addch(out, '"');
    for (const char *at = valid.text; *at; at++) {
        if (*at == '"')
            strbuf_addch(out, '"');
        strbuf_addch(out, *at);
    }
    strbuf_addch(out, '"');
    strbuf_release(&valid);
}

/* In the fewest digits that read back as the same number; nothing if it is not finite, or not known. */
static void add_number(struct strbuf *out, double number)
{
    char digits[32];
    if (!isfinite(number))
        return;
    snprintf(digits, sizeof digits, "%.15g", number);
    if (strtod(digits, NULL) != number)
        snprintf(digits, sizeof digits, "%.17g", number);
    strbuf_adds(out, digits);
}

/* The numbers of a record; empty fields if it is NULL. */
static void add_numbers(struct strbuf *out, const void *record, const struct column *columns, int count)
{
    for (int c = 0; c < count; c++) {
        double number = (double)NAN;
        if (record)
            memcpy(&number, (const char *)record + columns[c].offset, sizeof number);
        strbuf_addch(out, ',');
        add_number(out, number);
    }
}

static void add_row(struct strbuf *out, const char *model, const struct history_update *update,
                    const struct history_validation *validation)
{
    add_quoted(out, model);
    strbuf_addch(out, ',');
    add_number(out, update ? update->update : validation ? validation->update : (double)NAN);
    add_numbers(out, update, of_update, COUNT(of_update));
    add_numbers(out, validation, of_validation, COUNT(of_validation));
    strbuf_adds(out, "\r\n");
}

/* Both lists are in the order of updates: joins what belongs to the same one. */
static void add_rows(struct strbuf *out, const char *model, const struct history *history)
{
    size_t updates = 0, validations = 0;
    while (updates < history->update_count || validations < history->validation_count) {
        const struct history_update *u = updates < history->update_count ? &history->updates[updates] : NULL;
        const struct history_validation *v =
            validations < history->validation_count ? &history->validations[validations] : NULL;
        if (u && v && v->update < u->update)
            u = NULL;
        else if (u && v && u->update < v->update)
            v = NULL;
        add_row(out, model, u, v);
        updates += u != NULL;
        validations += v != NULL;
    }
}

static int report_nothing(const struct model_files *files, struct err *err)
{
    char *log = model_files_name(files, RUNLOG_FILE);
    const int status = file_exists(log) ? err_set(err, "'%s' has no update and no validation", log)
                                        : err_set(err, "'%s' has no log of its training", files->path);
    xfree(log);
    return status;
}

static int add_model(struct strbuf *out, const struct model_files *files, struct err *err)
{
    struct history history;
    if (history_load(&history, files, err))
        return -1;
    const bool empty = !history.update_count && !history.validation_count;
    add_rows(out, files->path, &history);
    history_release(&history);
    return empty ? report_nothing(files, err) : 0;
}

int report_curves(const struct models *models, const char *path, struct err *err)
{
    struct strbuf out;
    int status = 0;
    strbuf_init(&out);
    strbuf_adds(&out, "model,update");
    add_names(&out, of_update, COUNT(of_update));
    add_names(&out, of_validation, COUNT(of_validation));
    strbuf_adds(&out, "\r\n");
    for (int i = 0; i < models->count && !status; i++)
        status = add_model(&out, &models->loaded[i].files, err);
    if (!status)
        status = file_output(path, out.text, out.length, err);
    if (!status)
        log_info("curves: %s", is_standard_output(path) ? "standard output" : path);
    strbuf_release(&out);
    return status;
}

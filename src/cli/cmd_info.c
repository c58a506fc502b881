/* nmt info: describes a model. */
#include "commands.h"
#include "file_uses.h"
#include "history.h"
#include "info_json.h"
#include "mem.h"
#include "model_dir.h"
#include "output.h"
#include "parseopt.h"
#include "plural.h"
#include "shared_options.h"
#include "utf8.h"
#include "utf8_check.h"

#include <stdio.h>
#include <string.h>

static void print_validation(const char *name, const struct history_validation *v)
{
    if (v)
        output_addf("%-22s update %.0f: perplexity %.3f, BLEU %.2f, chrF %.2f\n", name, v->update,
                    v->perplexity, v->bleu, v->chrf);
}

/* A text of the file, which may be anybody's: without what a terminal would obey; in one line, or in those
 * that it has. */
static void add_text(const char *text, bool lines)
{
    struct strbuf valid;
    strbuf_init(&valid);
    utf8_repair(&valid, text, strlen(text));
    for (char *c = valid.text; (c = strpbrk(c, lines ? "\r\f" : "\r\f\n\t"));)
        *c = ' '; /* where a license has the end of a line or a page */
    utf8_hide_controls(valid.text, "\n\t");
    output_adds(valid.text);
    strbuf_release(&valid);
}

static void print_history(const struct history *history, const struct history_validation *own)
{
    if (history->update_count) {
        const struct history_update *u = &history->updates[history->update_count - 1];
        output_addf("%-22s %.0f update%s, %.0f epoch%s, %.1f minutes%s", "training", u->update,
                    plural(u->update), u->epoch, plural(u->epoch), u->seconds / 60,
                    history->stop_reason ? ", stopped: " : "");
        add_text(history->stop_reason ? history->stop_reason : "", false);
        output_adds("\n");
    }
    print_validation("these weights", own);
    print_validation("last other validation", history_last_other(history, own));
}

static void print_parameters(const struct layout *layout)
{
    output_addf("\n%-32s %16s %12s\n", "parameter", "shape", "numbers");
    for (size_t i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        char shape[32];
        snprintf(shape, sizeof shape, param->cols ? "%zu x %zu" : "%zu", param->rows, param->cols);
        output_addf("%-32s %16s %12zu\n", param->name, shape, param_size(param));
    }
}

/* The first line of a text in the metadata, if it is there. */
static void print_words(const struct loaded_model *loaded, const char *key)
{
    const char *text = safetensors_metadata(&loaded->files.weights, key);
    if (!text)
        return;
    char *line = xstrndup(text, strcspn(text, "\n"));
    output_addf("%-22s ", key);
    add_text(line, false);
    if (strlen(line) + 1 < strlen(text))
        output_adds(!strcmp(key, "license") ? " … (--license-text prints all)" : " …");
    output_adds("\n");
    xfree(line);
}

static void print_languages(const struct config_data *data)
{
    if (data->source_language || data->target_language)
        output_shownf("%-22s %s to %s\n", "languages", data->source_language ? data->source_language : "?",
                      data->target_language ? data->target_language : "?");
}

static void print_weights(const struct loaded_model *loaded)
{
    const struct layout *layout = &loaded->model.layout;
    output_addf("%-22s %.2f million, %s (%.1f MiB)\n", "parameters", (double)layout->total / 1e6,
                precision_kinds[loaded_model_precision(loaded)].name,
                (double)safetensors_data_bytes(&loaded->files.weights) / 1048576);
}

static int print_license(const struct loaded_model *loaded, struct err *err)
{
    const char *license = safetensors_metadata(&loaded->files.weights, "license");
    if (!license)
        return err_set(err, "'%s' names no license", loaded->files.path);
    add_text(license, true);
    if (!*license || license[strlen(license) - 1] != '\n')
        output_adds("\n");
    return 0;
}

static void print_text(const struct loaded_model *loaded, const struct history *history,
                       const struct history_validation *own, bool parameters)
{
    const struct config *c = &loaded->config;
    output_shownf("%-22s %s%s\n", "model", loaded->files.path, loaded->files.packed ? " (packed)" : "");
    print_words(loaded, "name");
    print_languages(&c->data);
    print_words(loaded, "author");
    print_words(loaded, "license");
    print_weights(loaded);
    output_addf("%-22s E %d, H %d per direction, D %d, A %d, tied: %s\n", "sizes", c->model.embedding,
                c->model.encoder.units, c->model.decoder.units, c->model.attention.units,
                config_choice("model.tie", c->model.tie).name);
    output_addf("%-22s source %zu, target %zu\n", "vocabulary", loaded->model.source_vocabulary,
                loaded->model.target_vocabulary);
    if (loaded->shortlist.begin)
        output_addf("%-22s %.1f target words for a source word\n", "shortlist",
                    shortlist_mean(&loaded->shortlist));
    output_addf("%-22s %s", "tokenizer", config_choice("text.tokenizer", c->text.tokenizer).name);
    output_addf(", %s\n", config_choice("text.subword", c->text.subword).name);
    for (int i = 0; config_train(c, i) && !loaded->files.packed; i++) {
        const struct config_pairs *corpus = config_train(c, i);
        output_shownf("%-22s %s\n", i ? "" : "trained on",
                      corpus->tsv      ? corpus->tsv
                      : corpus->source ? corpus->source
                                       : "?");
    }
    print_history(history, own);
    if (parameters)
        print_parameters(&loaded->model.layout);
}

static void print_info(const struct loaded_model *loaded, const struct history *history, bool parameters,
                       bool json)
{
    const struct history_validation *own = history_of_weights(history, &loaded->files.weights);
    if (json)
        output_json(info_json(loaded, history, own, parameters));
    else
        print_text(loaded, history, own, parameters);
}

static void print_file(const char *path, enum history_file_state state, bool json)
{
    static const char *const names[] = {
        [FILE_UNCHANGED] = "unchanged", [FILE_CHANGED] = "changed", [FILE_UNREADABLE] = "unreadable"};
    if (!json) {
        output_shownf("%-22s %s\n", names[state], path);
        return;
    }
    struct json *object = json_new_object();
    json_set_string(object, "file", path);
    json_set_string(object, "state", names[state]);
    output_json(object);
}

/* Verifies that the training's files and the weights are unchanged since training; the weights, by opening
 * the model. */
static int verify(const struct loaded_model *loaded, const struct history *history, bool json,
                  struct err *err)
{
    int changed = 0, unreadable = 0;
    char *weights =
        loaded->files.packed ? xstrdup(loaded->files.path) : path_join(loaded->files.path, MODEL_WEIGHTS);
    for (size_t i = 0; i < history->file_count && !loaded->files.packed; i++) {
        const struct history_file *file = &history->files[i];
        const enum history_file_state state = history_file_check(file, loaded->files.path);
        char *path = path_join(loaded->files.path, file->name);
        changed += state == FILE_CHANGED;
        unreadable += state == FILE_UNREADABLE;
        print_file(path, state, json);
        xfree(path);
    }
    print_file(weights, FILE_UNCHANGED, json);
    xfree(weights);
    if (!changed && !unreadable)
        return 0;
    const int count = (int)history->file_count;
    const char *ending = plural((double)count);
    if (!unreadable)
        return err_set(err, "changed since the training began: %d of %d file%s", changed, count, ending);
    char also[64] = "";
    if (changed)
        snprintf(also, sizeof also, ", and %d changed since the training began", changed);
    return err_set(err, "unreadable: %d of %d file%s%s", unreadable, count, ending, also);
}

/* What is printed, and how. */
struct wanted {
    bool parameters, verification, license_text, json;
};

static int print_wanted(const struct loaded_model *loaded, const struct wanted *wanted, struct err *err)
{
    struct history history;
    int status = history_load(&history, &loaded->files, err);
    if (!status && wanted->license_text)
        status = print_license(loaded, err);
    else if (!status && wanted->verification)
        status = verify(loaded, &history, wanted->json, err);
    else if (!status)
        print_info(loaded, &history, wanted->parameters, wanted->json);
    history_release(&history);
    return status;
}

static int check_files(const struct model_files *files)
{
    struct file_uses uses = {.count = 0};
    file_uses_model(&uses, files);
    file_uses_standard_output(&uses);
    return file_uses_check(&uses);
}

int cmd_info(int argc, char **argv)
{
    const char *model = NULL;
    struct wanted wanted = {.json = false};
    const struct option_spec options[] = {
        MODEL_OPERAND(&model),
        {"parameters", 'p', OPTION_FLAG, &wanted.parameters, NULL, "list all parameters with their shapes", 0,
         0},
        {"verify", 'v', OPTION_FLAG, &wanted.verification, NULL,
         "check that corpora, subwords, vocabularies and weights are unchanged since training", 0, 0},
        {"license-text", 0, OPTION_FLAG, &wanted.license_text, NULL,
         "print the full text of the model's license", 0, 0},
        JSON_OPTION(&wanted.json),
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt info [MODEL]",
                                      "Prints sizes, vocabulary, training and scores of a model."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (wanted.license_text && wanted.json)
        return wrong_use(&help, "--license-text and --json exclude each other: --json alone has the license");
    if (wanted.parameters + wanted.verification + wanted.license_text > 1)
        return wrong_use(&help, "--parameters, --verify and --license-text exclude each other");
    struct err err;
    struct loaded_model loaded;
    if (loaded_model_choose(&loaded, model, &err))
        return fail(&err);
    int status = check_files(&loaded.files);
    if (status == EXIT_DONE && print_wanted(&loaded, &wanted, &err))
        status = fail(&err);
    loaded_model_close(&loaded);
    return status;
}

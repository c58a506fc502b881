/* nmt info: what a model is. */
#include "cmd_shared.h"
#include "commands.h"
#include "json.h"
#include "parseopt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last line of each kind of event in a log. */
struct history {
    struct json *start, *update, *validation, *best, *stop;
};

static void keep(struct json **place, struct json *event)
{
    json_free(*place);
    *place = event;
}

static double number(const struct json *event, const char *key)
{
    const struct json *value = event ? json_member(event, key) : NULL;
    return value && json_kind(value) == JSON_NUMBER ? json_number(value) : 0;
}

static const char *string(const struct json *event, const char *key)
{
    const struct json *value = event ? json_member(event, key) : NULL;
    return value && json_kind(value) == JSON_STRING ? json_string(value) : "";
}

static void take_event(struct history *history, struct json *event, long best_update)
{
    const char *kind = string(event, "event");
    if (!strcmp(kind, "start"))
        keep(&history->start, event);
    else if (!strcmp(kind, "update"))
        keep(&history->update, event);
    else if (!strcmp(kind, "validation") && (long)number(event, "update") == best_update)
        keep(&history->best, event);
    else if (!strcmp(kind, "validation"))
        keep(&history->validation, event);
    else if (!strcmp(kind, "stop"))
        keep(&history->stop, event);
    else
        json_free(event);
}

static void read_history(struct history *history, const char *dir, long best_update)
{
    char *path = path_join(dir, "log.jsonl");
    struct reader reader;
    struct strbuf line;
    struct err ignored;
    strbuf_init(&line);
    if (!reader_open(&reader, path, &ignored)) {
        while (reader_line(&reader, &line, &ignored) > 0) {
            struct json *event = json_parse(line.text, line.length, path, &ignored);
            if (event)
                take_event(history, event, best_update);
        }
        reader_close(&reader);
    }
    strbuf_release(&line);
    free(path);
}

static void print_validation(const char *name, const struct json *event)
{
    if (event)
        printf("%-22s update %.0f: perplexity %.3f, BLEU %.2f, chrF %.2f\n", name, number(event, "update"),
               number(event, "perplexity"), number(event, "bleu"), number(event, "chrf"));
}

static void print_parameters(const struct layout *layout)
{
    printf("\n%-32s %16s %12s\n", "parameter", "shape", "numbers");
    for (int i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        char shape[32];
        snprintf(shape, sizeof shape, param->cols ? "%d x %d" : "%d", param->rows, param->cols);
        printf("%-32s %16s %12zu\n", param->name, shape, param_size(param));
    }
}

static void print_info(const struct loaded_model *loaded, bool parameters)
{
    const struct config *c = &loaded->config;
    const char *update = safetensors_metadata(&loaded->weights.file, "update");
    const long best_update = update ? strtol(update, NULL, 10) : -1;
    struct history history = {NULL, NULL, NULL, NULL, NULL};
    read_history(&history, loaded->dir, best_update);
    printf("%-22s %s\n", "model", loaded->dir);
    printf("%-22s %.2f million (%.1f MiB)\n", "parameters", (double)loaded->model.layout.total / 1e6,
           (double)loaded->model.layout.total * sizeof(real) / 1048576);
    printf("%-22s E %d, H %d per direction, D %d, A %d, tied: %s\n", "sizes", c->model.embedding,
           c->model.encoder.units, c->model.decoder.units, c->model.attention.units,
           config_choice_name("model.tie", c->model.tie));
    printf("%-22s source %d, target %d\n", "vocabulary", loaded->model.source_vocabulary,
           loaded->model.target_vocabulary);
    printf("%-22s %s", "tokenizer", config_choice_name("text.tokenizer", c->text.tokenizer));
    printf(", %s\n", config_choice_name("text.subword", c->text.subword));
    for (int i = 0; config_train(c, i); i++) {
        const struct config_pairs *corpus = config_train(c, i);
        printf("%-22s %s\n", i ? "" : "trained on",
               corpus->tsv      ? corpus->tsv
               : corpus->source ? corpus->source
                                : "?");
    }
    if (history.update)
        printf("%-22s %.0f updates, %.0f epochs, %.1f minutes%s%s\n", "training",
               number(history.update, "update"), number(history.update, "epoch"),
               number(history.update, "seconds") / 60, history.stop ? ", stopped: " : "",
               string(history.stop, "reason"));
    print_validation("these weights", history.best);
    print_validation("last other validation", history.validation);
    if (parameters)
        print_parameters(&loaded->model.layout);
    json_free(history.start);
    json_free(history.update);
    json_free(history.validation);
    json_free(history.best);
    json_free(history.stop);
}

int cmd_info(int argc, char **argv)
{
    const char *model = NULL;
    bool parameters = false;
    const struct option_spec options[] = {
        {"model", 'm', OPTION_STRING, &model, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained)", 0, 0},
        {"parameters", 'p', OPTION_FLAG, &parameters, NULL, "list all parameters with their shapes", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt info [--model DIR]",
                                      "Tells sizes, vocabulary, training and scores of a model."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    struct err err;
    struct loaded_model loaded;
    if (open_model(&loaded, model, &err))
        return fail(&err);
    print_info(&loaded, parameters);
    loaded_model_close(&loaded);
    return EXIT_DONE;
}

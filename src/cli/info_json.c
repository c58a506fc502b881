/* Describes a model as a JSON object. cmd_info.c prints it, or the same as text. */
#include "info_json.h"

#include "precision.h"

#include <math.h>
#include <stddef.h>

static void set_text(struct json *object, const char *key, const char *text)
{
    if (text)
        json_set_string(object, key, text);
    else
        json_set_null(object, key);
}

/* What the file is, and what it says of itself. */
static void set_origin(struct json *object, const struct loaded_model *loaded)
{
    static const char *const keys[] = {"name", "author", "license"};
    json_set_string(object, "model", loaded->files.path);
    json_set_bool(object, "packed", loaded->files.packed);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        set_text(object, keys[i], safetensors_metadata(&loaded->files.weights, keys[i]));
    set_text(object, "source_language", loaded->config.data.source_language);
    set_text(object, "target_language", loaded->config.data.target_language);
}

static void set_sizes(struct json *object, const struct loaded_model *loaded)
{
    const struct config *c = &loaded->config;
    const struct layout *layout = &loaded->model.layout;
    json_set_number(object, "parameters", (double)layout->total);
    json_set_string(object, "precision", precision_kinds[loaded_model_precision(loaded)].name);
    json_set_number(object, "bytes", (double)safetensors_data_bytes(&loaded->files.weights));
    json_set_number(object, "embedding", c->model.embedding);
    json_set_number(object, "encoder_units", c->model.encoder.units);
    json_set_number(object, "decoder_units", c->model.decoder.units);
    json_set_number(object, "attention_units", c->model.attention.units);
    json_set_string(object, "tie", config_choice("model.tie", c->model.tie).name);
    json_set_number(object, "source_vocabulary", (double)loaded->model.source_vocabulary);
    json_set_number(object, "target_vocabulary", (double)loaded->model.target_vocabulary);
    json_set_number(object, "shortlist", loaded->shortlist.begin ? shortlist_mean(&loaded->shortlist) : NAN);
    json_set_string(object, "tokenizer", config_choice("text.tokenizer", c->text.tokenizer).name);
    json_set_string(object, "subword", config_choice("text.subword", c->text.subword).name);
}

static void set_corpora(struct json *object, const struct config *config)
{
    json_set_strings(object, "trained_on", (const char *const[]){NULL}, 0);
    for (int i = 0; config_train(config, i); i++) {
        const struct config_pairs *corpus = config_train(config, i);
        if (!corpus->tsv && !corpus->source) /* a packed file does not know */
            continue;
        struct json *files = json_append_object(object, "trained_on");
        if (corpus->tsv)
            json_set_string(files, "tsv", corpus->tsv);
        if (corpus->source)
            json_set_string(files, "source", corpus->source);
        if (corpus->target)
            json_set_string(files, "target", corpus->target);
    }
}

static void set_training(struct json *object, const struct history *history)
{
    if (!history->update_count) {
        json_set_null(object, "training");
        return;
    }
    const struct history_update *last = &history->updates[history->update_count - 1];
    struct json *training = json_set_object(object, "training");
    json_set_number(training, "update", last->update);
    json_set_number(training, "epoch", last->epoch);
    json_set_number(training, "seconds", last->seconds);
    set_text(training, "stop_reason", history->stop_reason);
}

static void set_validation(struct json *object, const char *key, const struct history_validation *v)
{
    if (!v) {
        json_set_null(object, key);
        return;
    }
    struct json *validation = json_set_object(object, key);
    json_set_number(validation, "update", v->update);
    json_set_number(validation, "perplexity", v->perplexity);
    json_set_number(validation, "bleu", v->bleu);
    json_set_number(validation, "chrf", v->chrf);
}

static void set_tensors(struct json *object, const struct layout *layout)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        const double shape[] = {(double)param->rows, (double)param->cols};
        struct json *tensor = json_append_object(object, "tensors");
        json_set_string(tensor, "name", param->name);
        json_set_array(tensor, "shape", shape, param->cols ? 2 : 1);
    }
}

struct json *info_json(const struct loaded_model *loaded, const struct history *history,
                       const struct history_validation *own, bool tensors)
{
    struct json *object = json_new_object();
    set_origin(object, loaded);
    set_sizes(object, loaded);
    set_corpora(object, &loaded->config);
    set_training(object, history);
    set_validation(object, "validation", own);
    set_validation(object, "last_other_validation", history_last_other(history, own));
    if (tensors)
        set_tensors(object, &loaded->model.layout);
    return object;
}

/* Copies weights of another model: tensors by name, rows of embedding and output tables by word. */
#include "inherit.h"

#include "log.h"
#include "mem.h"
#include "translate.h"

#include <string.h>

/* The side whose vocabulary indexes the parameter's rows; SIDES if none does. */
static enum side words_of(const struct seq2seq *model, const struct param *param)
{
    const struct linear *output = &model->readout.output;
    if (param->offset == model->source.weight)
        return SOURCE;
    if (param->offset == model->target.weight || param->offset == output->weight ||
        param->offset == output->bias)
        return TARGET;
    return SIDES;
}

/* Copies the rows of words that both models have; returns their number. */
static int copy_rows(real *to, const float *from, size_t cols, const struct vocab *words,
                     const struct vocab *from_words)
{
    const size_t width = cols ? cols : 1;
    int copied = 0;
    for (int id = 0; id < vocab_size(words); id++) {
        const char *word = vocab_word(words, id);
        const int from_id = id < VOCAB_SPECIALS ? id : vocab_id(from_words, word, strlen(word));
        if (id >= VOCAB_SPECIALS && from_id == VOCAB_UNKNOWN)
            continue;
        memcpy(to + (size_t)id * width, from + (size_t)from_id * width, width * sizeof *to);
        copied++;
    }
    return copied;
}

/* Appends where the networks differ, an item for each key with `between` between them. */
static void add_differences(struct strbuf *out, const struct config *config, const struct loaded_model *from,
                            const char *between)
{
    struct config_key_info key;
    struct err ignored;
    for (size_t i = 0; config_key_describe(&key, i); i++) {
        if (strncmp(key.path, "model.", 6) != 0 || !strncmp(key.path, "model.dropout.", 14))
            continue;
        char *here = config_get(config, key.path, &ignored),
             *there = config_get(&from->config, key.path, &ignored);
        if (strcmp(here, there) != 0)
            strbuf_addf(out, "%s%s: %s, there %s", out->length ? between : "", key.path, here, there);
        xfree(here);
        xfree(there);
    }
}

static int refuse_sizes(const struct config *config, const struct loaded_model *from,
                        const struct param *param, const struct param *from_param, struct err *err)
{
    struct strbuf differences;
    strbuf_init(&differences);
    add_differences(&differences, config, from, "; ");
    err_set(err, "cannot begin with '%s': '%s' is %zu x %zu there, but %zu x %zu here%s%s%s",
            from->files.path, param->name, from_param->rows, from_param->cols, param->rows, param->cols,
            differences.length ? " (" : "", differences.text, differences.length ? ")" : "");
    strbuf_release(&differences);
    return -1;
}

/* -1 unless some tensors of the model are in the other one, all of these with the same sizes but for
 * words. */
static int check_sizes(const struct config *config, const struct seq2seq *model,
                       const struct loaded_model *from, struct err *err)
{
    size_t found = 0;
    for (size_t i = 0; i < model->layout.count; i++) {
        const struct param *param = &model->layout.params[i];
        const struct param *from_param = layout_find(&from->model.layout, param->name);
        if (!from_param)
            continue;
        if (param->cols != from_param->cols ||
            (words_of(model, param) == SIDES && param->rows != from_param->rows))
            return refuse_sizes(config, from, param, from_param, err);
        found++;
    }
    return found ? 0
                 : err_set(err, "cannot begin with '%s': it has none of this network's tensors",
                           from->files.path);
}

static int inherit_tensors(real *values, const struct config *config, const struct seq2seq *model,
                           const struct language_pair *pair, const struct loaded_model *from, struct err *err)
{
    size_t missing = 0;
    int words[SIDES] = {0, 0};
    if (check_sizes(config, model, from, err))
        return -1;
    for (size_t i = 0; i < model->layout.count; i++) {
        const struct param *param = &model->layout.params[i];
        const struct param *from_param = layout_find(&from->model.layout, param->name);
        const enum side side = words_of(model, param);
        if (!from_param) {
            log_warn("'%s' begins at random: '%s' has no such tensor", param->name, from->files.path);
            missing++;
            continue;
        }
        const float *source = weights_floats(&from->weights) + from_param->offset;
        if (side == SIDES)
            memcpy(values + param->offset, source, param_size(param) * sizeof *values);
        else
            words[side] = copy_rows(values + param->offset, source, param->cols, pair->tokenizer[side].vocab,
                                    from->pair.tokenizer[side].vocab);
    }
    log_info("begins with '%s': %zu of %zu tensors", from->files.path, model->layout.count - missing,
             model->layout.count);
    for (int side = 0; side < SIDES; side++)
        if (words[side])
            log_info("  %s vocabulary: %d of %d words are known there", side == SOURCE ? "source" : "target",
                     words[side], vocab_size(pair->tokenizer[side].vocab));
    return 0;
}

/* Warns of what the other network has, and this one does not. */
static void warn_unused(const struct seq2seq *model, const struct loaded_model *from)
{
    for (size_t i = 0; i < from->model.layout.count; i++) {
        const char *name = from->model.layout.params[i].name;
        if (!layout_find(&model->layout, name))
            log_warn("'%s' of '%s' is not used: this network has no such tensor", name, from->files.path);
    }
}

/* Says where the networks differ: the same tensors may be of other equations. */
static void report_differences(const struct config *config, const struct loaded_model *from)
{
    struct strbuf lines;
    strbuf_init(&lines);
    add_differences(&lines, config, from, "\n");
    for (const char *at = lines.text; *at;) {
        const size_t bytes = strcspn(at, "\n");
        log_info("  %.*s", (int)bytes, at);
        at += bytes + (at[bytes] != '\0');
    }
    strbuf_release(&lines);
}

int inherit_weights(real *values, const struct config *config, const struct seq2seq *model,
                    const struct language_pair *pair, const char *dir, struct err *err)
{
    struct loaded_model from;
    if (loaded_model_open(&from, dir, err))
        return -1;
    const int status = inherit_tensors(values, config, model, pair, &from, err);
    if (!status) {
        report_differences(config, &from);
        warn_unused(model, &from);
    }
    loaded_model_close(&from);
    return status;
}

/* Of the tags of corpora and translations, all must be among the words that are kept. */
static int check_tags(const struct config *config, const struct language_pair *pair, struct err *err)
{
    if (language_pair_check_inherited_tags(config, pair->tokenizer[SOURCE].vocab, err))
        return -1;
    return config_trains_tag(config) ? 0 : language_pair_check_tag(pair, config->decoding.tag, err);
}

int inherit_check(const struct config *config, bool has_its_words, const char *dir, struct err *err)
{
    struct loaded_model from;
    if (loaded_model_open(&from, dir, err))
        return -1;
    struct seq2seq *model = xmalloc(1, sizeof *model);
    const size_t source = from.model.source_vocabulary, target = from.model.target_vocabulary;
    seq2seq_init(model, config, source > target ? source : target, target);
    int status = check_sizes(config, model, &from, err);
    if (!status && has_its_words)
        status = check_tags(config, &from.pair, err);
    xfree(model);
    loaded_model_close(&from);
    return status;
}

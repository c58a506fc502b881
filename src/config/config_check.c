/* Checks that involve several keys: files that come in pairs, a training that ends, and so on. Which
 * network settings go together is checked in the model layer (network_check.c). */
#include "config.h"

#include "config_auto.h"
#include "config_keys.h"
#include "utf8_check.h"

#include <string.h>

static int check_pairs(const struct config_pairs *pairs, const char *name, bool needed, struct err *err)
{
    if (pairs->tsv && (pairs->source || pairs->target))
        return err_set(err, "config key 'data.%s' has both 'tsv' and 'source' or 'target'", name);
    if (!pairs->source != !pairs->target)
        return err_set(err, "config key 'data.%s' has '%s' but no '%s'", name,
                       pairs->source ? "source" : "target", pairs->source ? "target" : "source");
    if (needed && !pairs->tsv && !pairs->source)
        return err_set(err, "config key 'data.%s' is missing: name 'source' and 'target', or 'tsv'", name);
    return 0;
}

bool config_trains_tag(const struct config *config)
{
    const char *const tag = config->decoding.tag;
    bool trained = !tag;
    for (int i = 0; config_train(config, i) && !trained; i++)
        trained = config_train(config, i)->tag && !strcmp(config_train(config, i)->tag, tag);
    return trained;
}

int config_check_tag(const struct config *config, struct err *err)
{
    const bool inherits = config->training.init_from && config_is_auto(config, "text.merges");
    return inherits || config_trains_tag(config)
               ? 0
               : err_set(err, "config key 'decoding.tag' is '%s', which no corpus of 'data.train' has",
                         config->decoding.tag);
}

bool config_is_aligned(const struct config *config)
{
    bool aligned = false;
    for (int i = 0; config_train(config, i); i++)
        aligned |= config_train(config, i)->alignment != NULL;
    return aligned;
}

bool config_settle_protect(struct config *config)
{
    const bool protects = config->text.protect && config_is_aligned(config);
    if (protects) /* a list of kinds is refused */
        config->text.protect = 0;
    return protects;
}

/* training.guided_alignment needs alignments, and alignments are used for nothing else. */
static int check_guides(const struct config *config, struct err *err)
{
    const bool aligned = config_is_aligned(config);
    if (aligned != (config->training.guided_alignment > 0))
        return err_set(err, "'training.guided_alignment' and 'data.train.alignment' need each other");
    if (aligned && config->text.reverse_target)
        return err_set(err,
                       "'data.train.alignment' cannot be used with 'text.reverse_target', which moves words");
    if (aligned && config->text.protect && config->text.protect != PROTECTED)
        return err_set(err,
                       "'data.train.alignment' cannot be used with 'text.protect', which makes other words");
    return 0;
}

int config_check_end(const struct config *config, struct err *err)
{
    const struct config_training *t = &config->training;
    const bool ends = t->max_epochs || t->max_updates || t->max_minutes > 0;
    if (t->schedule == SCHEDULE_COSINE && !ends)
        return err_set(err, "config key 'training.schedule' cosine needs an end: 'max_epochs', 'max_updates' "
                            "or 'max_minutes'");
    if (t->cooldown > 0 && !ends && !(t->patience && config_pairs_given(&config->data.valid)))
        return err_set(err, "config key 'training.cooldown' needs an end: 'max_epochs', 'max_updates', "
                            "'max_minutes', or 'patience' and 'data.valid'");
    if (t->cooldown == 1 && !ends)
        return err_set(err, "config key 'training.cooldown' 1 needs 'max_epochs', 'max_updates' or "
                            "'max_minutes': it would begin before patience can end");
    return 0;
}

static int check_training(const struct config *config, struct err *err)
{
    const struct config_training *t = &config->training;
    const double decay = t->learning_rate * t->weight_decay;
    if (t->r_drop > 0)
        return err_set(err, "config key 'training.r_drop' must be 0: R-Drop is no longer part of nmt");
    if (t->scheduled_sampling != SAMPLING_NONE)
        return err_set(err, "config key 'training.scheduled_sampling' must be none: scheduled sampling is no "
                            "longer part of nmt");
    if (t->tune && !config_pairs_given(&config->data.valid))
        return err_set(err, "config key 'training.tune' needs 'data.valid'");
    if (!t->batch_sentences == !t->batch_tokens)
        return err_set(
            err, "exactly one of 'training.batch_sentences' and 'training.batch_tokens' must be above 0");
    if (decay > MOST_DECAY)
        return err_set(
            err,
            "'training.weight_decay' %g at a 'training.learning_rate' of %g would take %g of every "
            "weight with each update, and nothing would be learned: %g is the most",
            t->weight_decay, t->learning_rate, decay, MOST_DECAY / t->learning_rate);
    return 0;
}

/* Paths are copied into the config, the log and the report, which must stay valid JSON and HTML. */
static int check_utf8(const struct config *config, struct err *err)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        const char *text = config_key_is_text(key) ? *(char *const *)config_const_field(config, key) : NULL;
        if (text && !utf8_valid(text))
            return err_set(err, "config key '%s' is not valid UTF-8", key->path);
    }
    const char *path;
    for (int i = 0; (path = config_train_file(config, i)); i++)
        if (!utf8_valid(path))
            return err_set(err, "config key '" CONFIG_LIST "' has a path that is not valid UTF-8");
    return 0;
}

int config_check(const struct config *config, struct err *err)
{
    if (!config->model_dir)
        return err_set(err, "config key 'model_dir' is missing");
    if (check_utf8(config, err))
        return -1;
    for (int i = 0; config_train(config, i); i++)
        if (check_pairs(config_train(config, i), "train", true, err))
            return -1;
    if (check_pairs(&config->data.valid, "valid", false, err) ||
        check_pairs(&config->data.test, "test", false, err))
        return -1;
    if (config->model.tie == TIE_ALL && !config->text.joint && config->text.subword == SUBWORD_BPE)
        return err_set(err, "config key 'model.tie' is 'all', which needs 'text.joint': true");
    return check_guides(config, err) || check_training(config, err) ? -1 : 0;
}

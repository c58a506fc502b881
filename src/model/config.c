#include "config.h"

#include "fileio.h"
#include "json.h"
#include "mem.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum key_type { KEY_INT, KEY_SEED, KEY_REAL, KEY_BOOL, KEY_CHOICE, KEY_PATH };

struct key {
    const char *path;
    enum key_type type;
    size_t offset;
    const char *fallback; /* the default, as it would be written; NULL for a path: not given */
    double min, max;
    const char *choices; /* "a|b|c", in the order of the enum */
    const char *help;
};

/* Whole numbers up to here survive being printed by cJSON. */
#define MAX_SEED 999999999999999.0

#define AT(field) offsetof(struct config, field)
#define INT(path, field, fallback, min, max, help)                                                           \
    {                                                                                                        \
        path, KEY_INT, AT(field), fallback, min, max, NULL, help                                             \
    }
#define REAL(path, field, fallback, min, max, help)                                                          \
    {                                                                                                        \
        path, KEY_REAL, AT(field), fallback, min, max, NULL, help                                            \
    }
#define BOOL(path, field, fallback, help)                                                                    \
    {                                                                                                        \
        path, KEY_BOOL, AT(field), fallback, 0, 1, NULL, help                                                \
    }
#define CHOICE(path, field, fallback, choices, help)                                                         \
    {                                                                                                        \
        path, KEY_CHOICE, AT(field), fallback, 0, 0, choices, help                                           \
    }
#define FILENAME(path, field, help)                                                                          \
    {                                                                                                        \
        path, KEY_PATH, AT(field), NULL, 0, 0, NULL, help                                                    \
    }

static const struct key keys[] = {
    FILENAME("model_dir", model_dir, "directory of the model: weights, vocabularies, checkpoints, log"),
    {"seed", KEY_SEED, AT(seed), "1", 0, MAX_SEED, NULL,
     "seed of all randomness; same seed and threads, same bytes"},
    FILENAME("data.train.source", data.train.source,
             "training text in the source language, a sentence a line"),
    FILENAME("data.train.target", data.train.target, "its translation, line by line"),
    FILENAME("data.train.tsv", data.train.tsv, "or both in one file: source, a tab, target"),
    FILENAME("data.valid.source", data.valid.source, "validation text: chooses the best model"),
    FILENAME("data.valid.target", data.valid.target, "its translation"),
    FILENAME("data.valid.tsv", data.valid.tsv, "or both in one file"),
    FILENAME("data.test.source", data.test.source, "test text: what nmt eval translates by default"),
    FILENAME("data.test.target", data.test.target, "its reference translation"),
    FILENAME("data.test.tsv", data.test.tsv, "or both in one file"),
    INT("data.max_length", data.max_length, "100", 1, 10000,
        "tokens; training pairs with a longer side are dropped (and counted)"),
    CHOICE("data.on_invalid", data.on_invalid, "stop", "stop|skip|replace",
           "invalid UTF-8 in training data: stop, skip the pair, or put U+FFFD"),
    CHOICE(
        "text.tokenizer", text.tokenizer, "unicode", "unicode|whitespace|char",
        "how text becomes words: by Unicode category, at blanks (text is tokenized already), or characters"),
    CHOICE("text.normalize", text.normalize, "nfc", "none|nfc|nfkc",
           "Unicode normalisation before tokenizing"),
    BOOL("text.lowercase", text.lowercase, "false", "train on lower-case text"),
    CHOICE("text.subword", text.subword, "bpe", "bpe|word", "byte-pair encoding, or whole words"),
    INT("text.merges", text.merges, "8000", 0, 1000000, "BPE merge operations"),
    BOOL("text.joint", text.joint, "true", "one set of merges for both languages"),
    INT("text.vocabulary_threshold", text.vocabulary_threshold, "0", 0, 1000000,
        "subwords seen less often are split further"),
    INT("text.vocabulary_size", text.vocabulary_size, "0", 0, 10000000,
        "most words in a vocabulary, the frequent ones first; 0: all"),
    INT("model.embedding", model.embedding, "256", 1, 8192, "E: width of word embeddings and readout"),
    CHOICE("model.tie", model.tie, "target", "none|target|all",
           "share the target embedding with the output layer, or all three tables (one joint vocabulary)"),
    CHOICE("model.encoder.cell", model.encoder.cell, "gru", "gru", "recurrent cell of the encoder"),
    INT("model.encoder.units", model.encoder.units, "256", 1, 8192, "H: encoder units per direction"),
    INT("model.encoder.layers", model.encoder.layers, "1", 1, 1, "encoder layers"),
    BOOL("model.encoder.bidirectional", model.encoder.bidirectional, "true",
         "read the source in both directions"),
    CHOICE("model.decoder.cell", model.decoder.cell, "gru", "gru", "recurrent cell of the decoder"),
    INT("model.decoder.units", model.decoder.units, "512", 1, 8192, "D: decoder units"),
    INT("model.decoder.layers", model.decoder.layers, "1", 1, 1, "decoder layers"),
    CHOICE("model.decoder.init", model.decoder.init, "mean", "mean",
           "first decoder state: from the mean annotation"),
    CHOICE("model.attention.score", model.attention.score, "additive", "additive",
           "how well a position matches"),
    INT("model.attention.units", model.attention.units, "512", 1, 8192, "A: attention units"),
    CHOICE("model.attention.feed", model.attention.feed, "input", "input",
           "where the context goes: beside the previous word, into the decoder cell"),
    REAL("model.dropout.embedding", model.dropout.embedding, "0.3", 0, 0.95, "dropout on word embeddings"),
    REAL("model.dropout.annotation", model.dropout.annotation, "0.3", 0, 0.95, "dropout on annotations"),
    REAL("model.dropout.readout", model.dropout.readout, "0.3", 0, 0.95, "dropout before the output layer"),
    REAL("model.dropout.state", model.dropout.state, "0", 0, 0.95,
         "dropout on recurrent states, one mask per sentence"),
    INT("training.threads", training.threads, "0", 0, 1024, "worker threads; 0: one per core"),
    INT("training.batch_sentences", training.batch_sentences, "64", 0, 65536,
        "sentence pairs in a batch; 0: batch_tokens decides"),
    INT("training.batch_tokens", training.batch_tokens, "0", 0, 10000000,
        "target tokens in a batch, at most; 0: batch_sentences decides"),
    CHOICE("training.optimizer", training.optimizer, "adam", "adam", "how gradients become steps"),
    REAL("training.learning_rate", training.learning_rate, "0.0005", 1e-9, 10,
         "learning rate, at its highest"),
    CHOICE("training.schedule", training.schedule, "plateau", "constant|inverse_sqrt|plateau",
           "learning rate: constant; falling with the root of the update number after warm-up; halved when "
           "validation stops improving"),
    INT("training.warmup", training.warmup, "0", 0, 10000000,
        "updates in which the learning rate rises from 0"),
    REAL("training.beta1", training.beta1, "0.9", 0, 0.999999, "Adam: memory of the mean gradient"),
    REAL("training.beta2", training.beta2, "0.999", 0, 0.999999, "Adam: memory of the squared gradient"),
    REAL("training.clip_norm", training.clip_norm, "1", 0, 1e6,
         "most gradient norm, over all parameters; 0: no clipping"),
    REAL("training.label_smoothing", training.label_smoothing, "0.1", 0, 0.9,
         "probability that is spread over all words"),
    INT("training.max_epochs", training.max_epochs, "30", 0, 1000000,
        "stop after so many epochs; 0: no limit"),
    INT("training.max_updates", training.max_updates, "0", 0, 1000000000,
        "stop after so many updates; 0: no limit"),
    REAL("training.max_minutes", training.max_minutes, "0", 0, 1e6,
         "stop after so many minutes; 0: no limit"),
    INT("training.validate_every", training.validate_every, "0", 0, 1000000000,
        "updates between validations; 0: once an epoch"),
    INT("training.validation_beam", training.validation_beam, "1", 1, 1000,
        "beam of the translations in a validation"),
    INT("training.checkpoint_every", training.checkpoint_every, "500", 1, 1000000000,
        "updates between checkpoints"),
    INT("training.keep_best", training.keep_best, "1", 1, 1000, "best checkpoints to keep"),
    INT("training.keep_last", training.keep_last, "2", 1, 1000, "newest checkpoints to keep"),
    INT("training.patience", training.patience, "8", 0, 1000000,
        "stop after so many validations without a better one; 0: never"),
    INT("training.halve_patience", training.halve_patience, "2", 1, 1000000,
        "plateau: halve the learning rate after so many validations without a better one"),
    CHOICE("training.metric", training.metric, "bleu", "bleu|chrf|perplexity",
           "what makes a validation better"),
    CHOICE("training.on_divergence", training.on_divergence, "rollback", "rollback|stop",
           "a loss that is not finite or explodes: back to the last good checkpoint with half the learning "
           "rate (three "
           "times at most), or stop"),
    INT("decoding.beam", decoding.beam, "5", 1, 1000, "hypotheses in beam search; 1: greedy"),
    REAL("decoding.length_penalty", decoding.length_penalty, "1", 0, 10,
         "scores are divided by length to this power; 0: not at all"),
    REAL("decoding.coverage_penalty", decoding.coverage_penalty, "0", 0, 10,
         "weight of the coverage penalty of Wu et al. 2016"),
    REAL("decoding.max_length_ratio", decoding.max_length_ratio, "2", 0.1, 100,
         "most target tokens for each source token (plus ten)"),
};

#define KEY_COUNT (sizeof keys / sizeof keys[0])

static void *field_of(struct config *config, const struct key *key)
{
    return (char *)config + key->offset;
}

static const void *const_field_of(const struct config *config, const struct key *key)
{
    return (const char *)config + key->offset;
}

/* ---- looking up keys ---- */

static const struct key *find_key(const char *path)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (!strcmp(keys[i].path, path))
            return &keys[i];
    return NULL;
}

/* Is `path` the name of a section, such as "model.encoder"? */
static bool is_section(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (!strncmp(keys[i].path, path, length) && keys[i].path[length] == '.')
            return true;
    return false;
}

/* Levenshtein distance, for texts of less than 64 bytes. */
static int distance(const char *a, const char *b)
{
    int row[64];
    const int length = (int)strlen(b);
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            const int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            const int added = row[j - 1] + 1, removed = row[j] + 1;
            row[j] = replaced < added ? replaced : added;
            row[j] = row[j] < removed ? row[j] : removed;
        }
    }
    return row[length];
}

/* The key or section nearest to a mistyped path: a path of as many parts, which for a section is cut short.
 */
static void nearest_key(const char *path, char *nearest, size_t bytes)
{
    int parts = 1, best = 1 << 20;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.'))
        parts++;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        char candidate[64];
        snprintf(candidate, sizeof candidate, "%s", keys[i].path);
        char *cut = candidate;
        for (int part = 0; cut && part < parts; part++)
            cut = strchr(cut + (part > 0), '.');
        if (cut)
            *cut = '\0';
        const int d = strlen(path) < 64 ? distance(path, candidate) : 1 << 19;
        if (d < best) {
            best = d;
            snprintf(nearest, bytes, "%s", candidate);
        }
    }
}

/* " at line N" where there is a file. */
static const char *place(char *text, size_t bytes, const char *json, const char *path)
{
    text[0] = '\0';
    if (json)
        snprintf(text, bytes, " at line %d", json_line_of(json, path));
    return text;
}

/* ---- choices ---- */

static int choice_index(const char *choices, const char *name)
{
    const size_t length = strlen(name);
    int index = 0;
    for (const char *at = choices; at; index++) {
        const char *bar = strchr(at, '|');
        const size_t here = bar ? (size_t)(bar - at) : strlen(at);
        if (here == length && !memcmp(at, name, length))
            return index;
        at = bar ? bar + 1 : NULL;
    }
    return -1;
}

static void choice_name(const char *choices, int index, char *name, size_t bytes)
{
    for (; index > 0; index--)
        choices = strchr(choices, '|') + 1;
    snprintf(name, bytes, "%.*s", (int)strcspn(choices, "|"), choices);
}

const char *config_choice_name(const char *path, int value)
{
    /* Choices are separated in the table; a name of its own is kept for each, once. */
    static _Thread_local char name[32];
    choice_name(find_key(path)->choices, value, name, sizeof name);
    return name;
}

/* ---- setting one value ---- */

static int range_error(const struct key *key, const char *where, double value, struct err *err)
{
    if (key->type == KEY_REAL)
        return err_set(err, "config key '%s'%s is %g, out of range %g to %g", key->path, where, value,
                       key->min, key->max);
    return err_set(err, "config key '%s'%s is %.0f, out of range %.0f to %.0f", key->path, where, value,
                   key->min, key->max);
}

static int set_number(struct config *config, const struct key *key, double value, const char *where,
                      struct err *err)
{
    if (key->type != KEY_REAL && value != floor(value))
        return err_set(err, "config key '%s'%s must be a whole number, not %g", key->path, where, value);
    if (!(value >= key->min && value <= key->max))
        return range_error(key, where, value, err);
    if (key->type == KEY_REAL)
        *(double *)field_of(config, key) = value;
    else if (key->type == KEY_SEED)
        *(int64_t *)field_of(config, key) = (int64_t)value;
    else
        *(int *)field_of(config, key) = (int)value;
    return 0;
}

static int set_string(struct config *config, const struct key *key, const char *text, const char *base,
                      const char *where, struct err *err)
{
    if (key->type == KEY_PATH) {
        if (!*text)
            return err_set(err, "config key '%s'%s is empty where a path is needed", key->path, where);
        char **field = field_of(config, key);
        char *joined = strcmp(text, "-") ? path_join(base, text) : xstrdup(text);
        free(*field);
        *field = strcmp(text, "-") ? path_absolute(joined) : xstrdup(text);
        free(joined);
        return 0;
    }
    const int index = choice_index(key->choices, text);
    if (index < 0)
        return err_set(err, "config key '%s'%s is '%s' where one of %s is needed", key->path, where, text,
                       key->choices);
    *(int *)field_of(config, key) = index;
    return 0;
}

static const char *type_name(enum key_type type)
{
    static const char *const names[] = {
        [KEY_INT] = "a whole number", [KEY_SEED] = "a whole number", [KEY_REAL] = "a number",
        [KEY_BOOL] = "true or false", [KEY_CHOICE] = "a string",     [KEY_PATH] = "a string"};
    return names[type];
}

/* From text, as a default or in --set. */
static int set_text(struct config *config, const struct key *key, const char *text, const char *base,
                    struct err *err)
{
    if (key->type == KEY_PATH || key->type == KEY_CHOICE)
        return set_string(config, key, text, base, "", err);
    if (key->type == KEY_BOOL) {
        const int truth = choice_index("false|true", text);
        if (truth >= 0)
            *(bool *)field_of(config, key) = truth;
        return truth < 0 ? err_set(err, "config key '%s' must be true or false, not '%s'", key->path, text)
                         : 0;
    }
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end || errno == ERANGE || !isfinite(value))
        return err_set(err, "config key '%s' must be %s, not '%s'", key->path, type_name(key->type), text);
    return set_number(config, key, value, "", err);
}

static int set_json(struct config *config, const struct key *key, const struct json *value, const char *base,
                    const char *where, struct err *err)
{
    const enum json_kind kind = json_kind(value);
    const bool wants_string = key->type == KEY_PATH || key->type == KEY_CHOICE;
    if (wants_string && kind == JSON_STRING)
        return set_string(config, key, json_string(value), base, where, err);
    if (key->type == KEY_BOOL && kind == JSON_BOOL) {
        *(bool *)field_of(config, key) = json_bool(value);
        return 0;
    }
    if (!wants_string && key->type != KEY_BOOL && kind == JSON_NUMBER)
        return set_number(config, key, json_number(value), where, err);
    return err_set(err, "config key '%s'%s must be %s, not %s", key->path, where, type_name(key->type),
                   json_kind_name(kind));
}

/* ---- whole configs ---- */

void config_init(struct config *config)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        struct err err;
        if (keys[i].fallback && set_text(config, &keys[i], keys[i].fallback, "", &err))
            BUG("default of a config key: %s", err.text);
    }
}

void config_release(struct config *config)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].type == KEY_PATH)
            free(*(char **)field_of(config, &keys[i]));
    memset(config, 0, sizeof *config);
}

struct source {
    const char *file, *text, *dir;
};

static int take_object(struct config *config, const struct json *object, const char *prefix,
                       const struct source *source, struct err *err)
{
    int status = 0;
    for (const struct json *member = json_first(object); member && !status; member = json_next(member)) {
        char where[48];
        char *path = xasprintf("%s%s%s", prefix, *prefix ? "." : "", json_key(member));
        const struct key *key = find_key(path);
        place(where, sizeof where, source->text, path);
        if (key) {
            status = set_json(config, key, member, source->dir, where, err);
        } else if (is_section(path) && json_kind(member) == JSON_OBJECT) {
            status = take_object(config, member, path, source, err);
        } else if (is_section(path)) {
            status = err_set(err, "config key '%s'%s must be an object, not %s", path, where,
                             json_kind_name(json_kind(member)));
        } else {
            char nearest[64];
            nearest_key(path, nearest, sizeof nearest);
            status = err_set(err, "unknown key '%.200s'%s; did you mean '%s'?", path, where, nearest);
        }
        free(path);
    }
    return status;
}

int config_load(struct config *config, const char *path, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    int status = -1;
    char *dir = path_dir(path);
    struct json *root = file_slurp(&text, path, err) ? NULL : json_parse(text.text, text.length, path, err);
    if (root && json_kind(root) != JSON_OBJECT)
        err_set(err, "cannot use '%s': a config must be a JSON object, not %s", path,
                json_kind_name(json_kind(root)));
    else if (root)
        status = take_object(config, root, "", &(struct source){path, text.text, dir}, err);
    if (root && status && strncmp(err->text, "cannot", 6))
        err_set(err, "%s: %s", path, err->text);
    json_free(root);
    free(dir);
    strbuf_release(&text);
    return status;
}

int config_set(struct config *config, const char *assignment, struct err *err)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return err_set(err, "'%s' is not an assignment such as training.learning_rate=0.001", assignment);
    char *path = xstrndup(assignment, (size_t)(equals - assignment));
    const struct key *key = find_key(path);
    int status;
    if (key) {
        status = set_text(config, key, equals + 1, "", err);
    } else {
        char nearest[64];
        nearest_key(path, nearest, sizeof nearest);
        status = err_set(err, "unknown key '%.200s'; did you mean '%s'?", path, nearest);
    }
    free(path);
    return status;
}

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

int config_check(const struct config *config, struct err *err)
{
    if (!config->model_dir)
        return err_set(err, "config key 'model_dir' is missing");
    if (check_pairs(&config->data.train, "train", true, err) ||
        check_pairs(&config->data.valid, "valid", false, err) ||
        check_pairs(&config->data.test, "test", false, err))
        return -1;
    if (config->model.tie == TIE_ALL && !config->text.joint && config->text.subword == SUBWORD_BPE)
        return err_set(err, "config key 'model.tie' is 'all', which needs 'text.joint': true");
    if (!config->training.batch_sentences == !config->training.batch_tokens)
        return err_set(
            err, "exactly one of 'training.batch_sentences' and 'training.batch_tokens' must be above 0");
    return 0;
}

/* ---- printing ---- */

static void print_value(const struct config *config, const struct key *key, struct json *object,
                        const char *name)
{
    const void *field = const_field_of(config, key);
    char text[64];
    switch (key->type) {
    case KEY_INT:
        json_set_number(object, name, *(const int *)field);
        break;
    case KEY_SEED:
        json_set_number(object, name, (double)*(const int64_t *)field);
        break;
    case KEY_REAL:
        json_set_number(object, name, *(const double *)field);
        break;
    case KEY_BOOL:
        json_set_bool(object, name, *(const bool *)field);
        break;
    case KEY_CHOICE:
        choice_name(key->choices, *(const int *)field, text, sizeof text);
        json_set_string(object, name, text);
        break;
    case KEY_PATH:
        if (*(char *const *)field)
            json_set_string(object, name, *(char *const *)field);
        break;
    }
}

/* The object in which the key's last part stands, made where it is missing; `name` becomes that part. */
static struct json *descend(struct json *root, const char *path, const char *between, const char **name)
{
    struct json *object = root;
    for (const char *dot = strchr(path, '.'); dot; path = dot + 1, dot = strchr(path, '.')) {
        char section[64];
        snprintf(section, sizeof section, "%.*s", (int)(dot - path), path);
        object = json_set_object(object, section);
        if (between) {
            if (!json_member(object, "type")) {
                json_set_string(object, "type", "object");
                json_set_bool(object, "additionalProperties", false);
            }
            object = json_set_object(object, between);
        }
    }
    *name = path;
    return object;
}

void config_print(const struct config *config, struct strbuf *out)
{
    struct json *root = json_new_object();
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (keys[i].type == KEY_PATH && !*(char *const *)const_field_of(config, &keys[i]))
            continue;
        const char *name;
        struct json *object = descend(root, keys[i].path, NULL, &name);
        print_value(config, &keys[i], object, name);
    }
    json_print(root, true, out);
    json_free(root);
}

static void describe_range(const struct key *key, char *text, size_t bytes)
{
    if (key->type == KEY_CHOICE)
        snprintf(text, bytes, "%s", key->choices);
    else if (key->type == KEY_BOOL)
        snprintf(text, bytes, "true|false");
    else if (key->type == KEY_PATH)
        snprintf(text, bytes, "path");
    else
        snprintf(text, bytes, "%.10g to %.10g", key->min, key->max);
}

void config_print_help(struct strbuf *out, bool markdown)
{
    if (markdown)
        strbuf_adds(out, "| key | default | values | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < KEY_COUNT; i++) {
        char range[128];
        const char *fallback = keys[i].fallback ? keys[i].fallback : "";
        describe_range(&keys[i], range, sizeof range);
        if (!markdown) {
            strbuf_addf(out, "  %-32s %s\n  %-32s   %s%s%s\n", keys[i].path, keys[i].help, "", range,
                        *fallback ? ", default " : "", fallback);
            continue;
        }
        strbuf_addf(out, "| `%s` | %s | ", keys[i].path, fallback);
        for (const char *c = range; *c; c++) {
            if (*c == '|')
                strbuf_adds(out, ", ");
            else
                strbuf_addch(out, *c);
        }
        strbuf_addf(out, " | %s |\n", keys[i].help);
    }
}

static void schema_of(const struct key *key, struct json *schema)
{
    static const char *const types[] = {
        [KEY_INT] = "integer",  [KEY_SEED] = "integer",  [KEY_REAL] = "number",
        [KEY_BOOL] = "boolean", [KEY_CHOICE] = "string", [KEY_PATH] = "string"};
    json_set_string(schema, "type", types[key->type]);
    json_set_string(schema, "description", key->help);
    if (key->type == KEY_INT || key->type == KEY_SEED || key->type == KEY_REAL) {
        json_set_number(schema, "minimum", key->min);
        json_set_number(schema, "maximum", key->max);
        json_set_number(schema, "default", strtod(key->fallback, NULL));
    } else if (key->type == KEY_BOOL) {
        json_set_bool(schema, "default", !strcmp(key->fallback, "true"));
    } else if (key->type == KEY_CHOICE) {
        char *pattern = xasprintf("^(%s)$", key->choices);
        json_set_string(schema, "pattern", pattern);
        json_set_string(schema, "default", key->fallback);
        free(pattern);
    }
}

void config_print_schema(struct strbuf *out)
{
    struct json *root = json_new_object();
    json_set_string(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_set_string(root, "title", "nmt config");
    json_set_string(root, "type", "object");
    json_set_bool(root, "additionalProperties", false);
    struct json *properties = json_set_object(root, "properties");
    for (size_t i = 0; i < KEY_COUNT; i++) {
        const char *name;
        struct json *object = descend(properties, keys[i].path, "properties", &name);
        schema_of(&keys[i], json_set_object(object, name));
    }
    json_print(root, true, out);
    json_free(root);
}

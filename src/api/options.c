/* Options of a translator by name. What they do is up to decode. */
#include "options.h"

#include "mem.h"
#include "names.h"
#include "number.h"
#include "utf8_check.h"

#include <math.h>
#include <string.h>

#define SECTION "decoding."

enum value_kind { VALUE_KEY, VALUE_WHOLE, VALUE_TRUTH, VALUE_DICTIONARY, VALUE_GLOSSARY };

/* The long options of nmt translate that are of use here, and some of the library's own. */
static const struct option {
    const char *name;
    enum value_kind kind;
    const char *key; /* of the config */
    size_t offset;   /* in struct options: of an int or a bool */
    int min, max;
} table[] = {
    {"beam", VALUE_KEY, SECTION "beam", 0, 0, 0},
    {"length-penalty", VALUE_KEY, SECTION "length_penalty", 0, 0, 0},
    {"coverage-penalty", VALUE_KEY, SECTION "coverage_penalty", 0, 0, 0},
    {"split", VALUE_KEY, SECTION "split", 0, 0, 0},
    {"max-length-ratio", VALUE_KEY, SECTION "max_length_ratio", 0, 0, 0},
    {"n-best", VALUE_WHOLE, NULL, offsetof(struct options, translate.beam.n_best), 1, 1000},
    {"alignment", VALUE_TRUTH, NULL, offsetof(struct options, translate.beam.alignment), 0, 0},
    {"unk-replace", VALUE_TRUTH, NULL, offsetof(struct options, translate.replace_unknown), 0, 0},
    {"dictionary", VALUE_DICTIONARY, NULL, 0, 0, 0},
    {"glossary", VALUE_GLOSSARY, NULL, 0, 0, 0},
    {"tokens", VALUE_TRUTH, NULL, offsetof(struct options, translate.tokens), 0, 0},
    {"threads", VALUE_WHOLE, NULL, offsetof(struct options, translate.threads), 0, 1024},
    {"batch", VALUE_WHOLE, NULL, offsetof(struct options, translate.batch), 1, 65536},
    {"max-tokens", VALUE_WHOLE, NULL, offsetof(struct options, translate.max_tokens), 1, 1000000},
};

#define OPTIONS (sizeof table / sizeof table[0])

/* How much of a name or value of the host's is shown. */
static int shown_bytes(const char *text)
{
    return (int)utf8_fitting_bytes(text, 200);
}

static const struct option *find(const char *name, struct err *err)
{
    const char *nearest = "";
    int best = EDIT_DISTANCE_NONE;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!strcmp(name, table[i].name))
            return &table[i];
        if (names_nearer(&best, name, table[i].name))
            nearest = table[i].name;
    }
    err_set(err, "unknown option '%.*s'; did you mean '%s'?", shown_bytes(name), name, nearest);
    return NULL;
}

/* The config key that a name stands for; NULL for other options, and where there is no such option. */
static const char *key_of(const char *name, struct err *err, const struct option **option)
{
    *option = NULL;
    if (strchr(name, '.') && !strchr(name, '=')) {
        if (!strncmp(name, SECTION, strlen(SECTION)))
            return name;
        err_set(err, "'%.*s' is no option: of the config's keys, only those of 'decoding' are",
                shown_bytes(name), name);
        return NULL;
    }
    *option = find(name, err);
    return *option ? (*option)->key : NULL;
}

/* ---- keys of `decoding` ---- */

static void copy_decoding(struct config *to, const struct config *from)
{
    config_init(to);
    xfree(to->decoding.tag);
    to->decoding = from->decoding;
    to->decoding.tag = from->decoding.tag ? xstrdup(from->decoding.tag) : NULL;
}

static void *field(struct options *options, const struct option *option)
{
    return (char *)options + option->offset;
}

static void init_translate(struct options *options)
{
    translate_options_init(&options->translate, &options->config);
    options->translate.split = options->config.decoding.split;
}

/* The search as the config has it; all else as before. */
static void take_config(struct options *options)
{
    struct options before = *options;
    init_translate(options);
    for (size_t i = 0; i < OPTIONS; i++)
        if (table[i].kind == VALUE_WHOLE)
            memcpy(field(options, &table[i]), field(&before, &table[i]), sizeof(int));
        else if (table[i].kind == VALUE_TRUTH)
            memcpy(field(options, &table[i]), field(&before, &table[i]), sizeof(bool));
}

static int set_key(struct options *options, const struct language_pair *pair, const char *key,
                   const char *value, struct err *err)
{
    if (!strcmp(key, SECTION "precision"))
        return err_set(err, "'%s' is no option of a translator: nmt pack gives it to a model", key);
    struct config changed;
    char *assignment = xasprintf("%s=%s", key, value);
    copy_decoding(&changed, &options->config);
    int status = config_set(&changed, assignment, err);
    if (!status)
        status = language_pair_check_tag(pair, changed.decoding.tag, err);
    xfree(assignment);
    if (status) {
        config_release(&changed);
        return -1;
    }
    config_release(&options->config);
    options->config = changed;
    take_config(options);
    return 0;
}

/* ---- the others ---- */

static int set_count(int *count, const struct option *option, const char *value, struct err *err)
{
    double number;
    if (number_read(&number, value) || number != floor(number))
        return err_set(err, "option '%s' must be a whole number, not '%.*s'", option->name,
                       shown_bytes(value), value);
    if (number < option->min || number > option->max)
        return err_set(err, "option '%s' is %.*s, out of range %d to %d", option->name, shown_bytes(value),
                       value, option->min, option->max);
    *count = (int)number;
    return 0;
}

static int set_truth(bool *truth, const struct option *option, const char *value, struct err *err)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return err_set(err, "option '%s' must be true or false, not '%.*s'", option->name, shown_bytes(value),
                       value);
    *truth = *value == 't';
    return 0;
}

/* "" is none. */
static int set_dictionary(struct options *options, const char *path, struct err *err)
{
    struct dictionary dictionary = {.path = NULL};
    if (*path && dictionary_load(&dictionary, path, err))
        return -1;
    dictionary_release(&options->dictionary);
    options->dictionary = dictionary;
    return 0;
}

static int set_glossary(struct options *options, const char *path, struct err *err)
{
    struct glossary glossary = {.path = NULL};
    if (*path && glossary_load(&glossary, path, err))
        return -1;
    glossary_release(&options->glossary);
    options->glossary = glossary;
    return 0;
}

static enum nmt_error_code set_file(struct options *options, const struct option *option, const char *path,
                                    struct err *err)
{
    if (!strcmp(path, "-")) /* the host's standard input is its own */
        return wrong_use(err, "option '%s' must be a file, not '-'", option->name);
    const int status = option->kind == VALUE_DICTIONARY ? set_dictionary(options, path, err)
                                                        : set_glossary(options, path, err);
    return status ? NMT_WRONG_INPUT : NMT_NO_ERROR;
}

enum nmt_error_code options_set(struct options *options, const struct language_pair *pair, const char *name,
                                const char *value, struct err *err)
{
    const struct option *option;
    const char *key = key_of(name, err, &option);
    int status = -1;
    if (option && (option->kind == VALUE_DICTIONARY || option->kind == VALUE_GLOSSARY))
        return set_file(options, option, value, err);
    if (key)
        status = set_key(options, pair, key, value, err);
    else if (option && option->kind == VALUE_WHOLE)
        status = set_count(field(options, option), option, value, err);
    else if (option)
        status = set_truth(field(options, option), option, value, err);
    return status ? NMT_WRONG_USE : NMT_NO_ERROR;
}

char *options_get(const struct options *options, const char *name, struct err *err)
{
    const struct option *option;
    const char *key = key_of(name, err, &option);
    if (key)
        return config_get(&options->config, key, err);
    if (!option)
        return NULL;
    const void *value = (const char *)options + option->offset;
    if (option->kind == VALUE_WHOLE)
        return xasprintf("%d", *(const int *)value);
    if (option->kind == VALUE_TRUTH)
        return xstrdup(*(const bool *)value ? "true" : "false");
    const char *path = option->kind == VALUE_GLOSSARY ? options->glossary.path : options->dictionary.path;
    return xstrdup(path ? path : "");
}

void options_init(struct options *options, const struct config *config)
{
    memset(options, 0, sizeof *options);
    copy_decoding(&options->config, config);
    init_translate(options);
}

void options_release(struct options *options)
{
    config_release(&options->config);
    dictionary_release(&options->dictionary);
    glossary_release(&options->glossary);
}

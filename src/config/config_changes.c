/* Compares the config that a training began with and the one that it is resumed with: which keys differ,
 * and whether the training can continue. */
#include "config_keys.h"
#include "mem.h"

#include <string.h>

struct change {
    char *now, *before; /* as JSON; never both NULL */
};

static const char *shown(const char *value)
{
    return value ? value : "not given";
}

/* False where the key has the same value in both. */
static bool differs(struct change *change, const struct config *now, const struct config *before,
                    const struct key *key)
{
    change->now = now ? config_value(now, key) : NULL;
    change->before = before ? config_value(before, key) : NULL;
    if (change->now && change->before ? strcmp(change->now, change->before) != 0
                                      : change->now != change->before)
        return true;
    xfree(change->now);
    xfree(change->before);
    return false;
}

static void release(struct change *change)
{
    xfree(change->now);
    xfree(change->before);
}

int config_check_resume(const struct config *config, const struct config *begun, struct err *err)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        struct change change;
        if (!key->kept_on_resume || !differs(&change, config, begun, key))
            continue;
        err_set(err,
                "config key '%s' is %s, was %s when '%s' was begun: a resumed training keeps its text, "
                "network and optimizer (--restart begins again)",
                key->path, shown(change.now), shown(change.before), config->model_dir);
        release(&change);
        return -1;
    }
    return 0;
}

bool config_same_text(const struct config *config, const struct config *other)
{
    bool same = true;
    for (size_t i = 0; i < config_key_count && same; i++) {
        const struct key *key = &config_keys[i];
        struct change change;
        const bool matters =
            (key->kept_on_resume && config_key_in_section(key, "text")) || !strcmp(key->path, "model.tie");
        if (!matters || config_key_is_auto(config, key) || !differs(&change, config, other, key))
            continue;
        release(&change);
        same = false;
    }
    return same;
}

static void print_change(struct strbuf *out, const char *path, struct change *change)
{
    strbuf_addf(out, "\n  %s: %s, was %s", path, shown(change->now), shown(change->before));
    release(change);
}

/* A shallow copy of the config with corpus c as its only training corpus, or NULL where there is no corpus
 * c. All pointers still belong to `config`. */
static const struct config *with_corpus(struct config *one, const struct config *config, int c)
{
    const struct config_pairs *pairs = config_train(config, c);
    if (!pairs)
        return NULL;
    *one = *config;
    one->data.train = *pairs;
    return one;
}

/* Prints a key of the training corpora, for each corpus in which it differs. */
static void print_list_changes(struct strbuf *out, const struct config *now, const struct config *before,
                               const struct key *key)
{
    const bool several = now->data.more_count || before->data.more_count;
    for (int c = 0; config_train(now, c) || config_train(before, c); c++) {
        struct config a, b;
        struct change change;
        if (!differs(&change, with_corpus(&a, now, c), with_corpus(&b, before, c), key))
            continue;
        char *path = several ? xasprintf(CONFIG_LIST "[%d]%s", c, key->path + strlen(CONFIG_LIST))
                             : xstrdup(key->path);
        print_change(out, path, &change);
        xfree(path);
    }
}

void config_print_changes(const struct config *now, const struct config *before, struct strbuf *out)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        struct change change;
        if (config_key_in_list(key))
            print_list_changes(out, now, before, key);
        else if (differs(&change, now, before, key))
            print_change(out, key->path, &change);
    }
}

/* config_keys: the table of all keys of a config, from which this layer parses, checks, settles, copies,
 * compares and prints them. To add a key: a field in config.h and a row in config_keys.c; where it
 * chooses from a list of its own, that list in choices.h. */
#ifndef NMT_CONFIG_KEYS_H
#define NMT_CONFIG_KEYS_H

#include "config.h"

#include <stddef.h>

enum key_type {
    KEY_INT,
    KEY_SEED,
    KEY_REAL,
    KEY_BOOL,
    KEY_CHOICE,
    KEY_PATH,
    KEY_WORD,
    KEY_LANGUAGE,
    KEY_SET
};

/* Keys that start with this prefix may come several times, as a list of objects. */
#define CONFIG_LIST "data.train"

struct key {
    const char *path;
    size_t offset;
    const char *fallback; /* the default, as a user would write it; NULL for a text: not given */
    double min, max;
    const char *choices;         /* "a|b|c", in the order of the enum */
    const char *choices_or_auto; /* "auto|a|b|c", of a choice that may be auto */
    unsigned truth;              /* of a set: what true stands for; bit i is choice i */
    const char *help;
    enum key_type type;
    bool kept_on_resume; /* a resumed training must keep its value */
    bool retired;        /* read for the sake of older models; not shown, refused or ignored in training */
};

extern const struct key config_keys[];
extern const size_t config_key_count;

/* The key with that path, or NULL. */
const struct key *config_key_find(const char *path);
/* Is this the path of a section, such as "model.encoder"? */
bool config_is_section(const char *path);
/* The key nearest to a mistyped one, cut to as many parts as that has, so that it may be a section. */
struct key_name {
    char path[64];
};
struct key_name config_key_nearest(const char *path);
/* May the key be auto (config_auto.h)? And its bit in config.automatic, or 0. */
bool config_key_may_be_auto(const struct key *key);
unsigned config_key_auto_bit(const struct key *key);
/* Is it auto in this config, and its value not settled? */
bool config_key_is_auto(const struct config *config, const struct key *key);
void *config_field(struct config *config, const struct key *key);
/* Is the key in a section, such as "model" or "model.encoder"? */
bool config_key_in_section(const struct key *key, const char *section);
/* Does the key belong to a list of corpora? */
bool config_key_in_list(const struct key *key);
/* Does a packed file keep the key? */
bool config_key_is_packed(const struct key *key);
/* The value as JSON, which the caller frees; NULL for a text that is not given. */
char *config_value(const struct config *config, const struct key *key);
/* Is the value a text of the user: a path, word or language? */
bool config_key_is_text(const struct key *key);
const void *config_const_field(const struct config *config, const struct key *key);
/* The largest part of a weight that weight decay may take in one update; with more, nothing is learned. */
#define MOST_DECAY 0.02
/* A set has at most so many choices. */
#define MOST_OF_SET 16
/* The name at an index of "a|b|c". */
struct choice choice_name(const char *choices, unsigned index);

#endif

/* config_values: sets the value of one key, from text or from JSON. */
#ifndef NMT_CONFIG_VALUES_H
#define NMT_CONFIG_VALUES_H

#include "config_keys.h"
#include "json.h"

/* Where a value comes from, for error messages. The line in the file is looked up only when there is an
 * error. */
struct origin {
    const char *text;               /* of the file; NULL: defaults, and --set */
    const char *dir;                /* what relative paths are relative to; "": the working directory */
    const struct json *list, *item; /* in a list of corpora: the list and the item that is being read; or
                                     * NULL */
};

/* " at line 3", the place of the key or section with that path; "" where there is no file. */
struct place {
    char text[32];
};
struct place place_of(const struct origin *origin, const char *path);

/* As path_absolute, but the directory's own name stays where it is a link: the link `latest` belongs beside
 * it, and is itself followed. The caller frees the path. */
char *model_dir_absolute(const char *path);

/* Errors name the key, its place, its value and what it must be. */
int config_set_text(struct config *config, const struct key *key, const char *text,
                    const struct origin *origin, struct err *err);
int config_set_json(struct config *config, const struct key *key, const struct json *value,
                    const struct origin *origin, struct err *err);

#endif

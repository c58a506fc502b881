/* keys: the API keys of a server, from a file with a key in each line, and behind it how many requests it
 * may make in a minute, if that is limited. Blank lines and those that begin with '#' say nothing. */
#ifndef NMT_KEYS_H
#define NMT_KEYS_H

#include "err.h"

#include <stddef.h>

struct api_key {
    char *text;
    int per_minute; /* 0: any number */
};

struct keys {
    struct api_key *items;
    size_t count, capacity;
};

/* On failure there is nothing to release. */
int keys_load(struct keys *keys, const char *path, struct err *err);
void keys_release(struct keys *keys);
/* The key, or NULL. The time that this takes says nothing about the keys but how many there are. */
const struct api_key *keys_find(const struct keys *keys, const char *text);

#endif

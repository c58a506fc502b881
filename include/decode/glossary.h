/* glossary: terms and the translations that they must have: a file of lines with a source term, a tab and its
 * translation. All zero is an empty one. */
#ifndef NMT_GLOSSARY_H
#define NMT_GLOSSARY_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

struct glossary_entry {
    char *source, *target; /* as in the file */
    size_t bytes;          /* of the source term, without a final '*' … */
    bool wildcard;         /* … which stands for all words that begin so */
};

struct glossary {
    char *path; /* NULL: none was loaded */
    struct glossary_entry *entries;
    size_t count, capacity;
};

/* Loads a file. On failure there is nothing to release. */
int glossary_load(struct glossary *glossary, const char *path, struct err *err);
#define GLOSSARY_MOST_BYTES 1000 /* of a text of an entry */
/* Adds an entry of valid UTF-8. False if it is none: a text is blank or too long, the source is '*' alone, or
 * the target has a tab. */
bool glossary_add(struct glossary *glossary, const char *source, size_t bytes, const char *target);
void glossary_release(struct glossary *glossary);

#endif

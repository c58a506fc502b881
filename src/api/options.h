/* options: the options of a translator by name: the keys of a config's section `decoding`, and those of the
 * table in options.c. */
#ifndef NMT_API_OPTIONS_H
#define NMT_API_OPTIONS_H

#include "border.h"

#include "dictionary.h"
#include "translate.h"

struct options {
    struct config config; /* only `decoding` is used */
    struct translate_options translate;
    struct dictionary dictionary;
    struct glossary glossary;
};

/* The defaults of a config. */
void options_init(struct options *options, const struct config *config);
void options_release(struct options *options);
/* Sets one; on failure nothing is changed. */
enum nmt_error_code options_set(struct options *options, const struct language_pair *pair, const char *name,
                                const char *value, struct err *err);
/* Its value as a text, which the caller frees; NULL if there is no such option. */
char *options_get(const struct options *options, const char *name, struct err *err);

#endif

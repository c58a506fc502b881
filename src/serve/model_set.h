/* model_set: the models that are served, their languages, and the way from one language to another. It does
 * not change, and is freed when its last user has released it. */
#ifndef NMT_MODEL_SET_H
#define NMT_MODEL_SET_H

#include "ensemble.h"
#include "language_profile.h"
#include "parseopt.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct served_model {
    char *path;
    struct loaded_model loaded;
    struct ensemble ensemble;
    struct strmap zeros;         /* of digits that are copied (copied_text.h) */
    const char *source, *target; /* languages: data.source_language, data.target_language */
};

/* A language of the models, as a source, a target or both. */
struct served_language {
    const char *code; /* "en" */
    const char *
        *targets; /* [target_count]: codes, in their order: itself, those of models, and those through a
                           * third language; none where no model reads it */
    size_t target_count;
    struct language_profile profile; /* by which it is recognised; empty: its models have none */
};

/* The models between two languages: none from a language to itself, else one, or two that follow each
 * other. */
struct route {
    const struct served_model *models[2];
    int count;
    bool found; /* there is a way */
};

struct model_set {
    struct served_model *models; /* [count] */
    size_t count;
    struct served_language *languages; /* [language_count], sorted by code */
    size_t language_count;
    atomic_long users;
};

/* Opens the models; `settings` override keys of `decoding` in all configs. Each must name its languages, and
 * no two the same. NULL on failure. */
struct model_set *model_set_open(const struct string_list *paths, const struct string_list *settings,
                                 struct err *err);
struct model_set *model_set_share(struct model_set *set);
void model_set_release(struct model_set *set);
/* The code as the models have it, whatever its case, and with '_' for '-'; "pt" also stands for the only one
 * of "pt-BR" and the like, and "pt-PT" for "pt". NULL: no model has it. */
const char *model_set_language(const struct model_set *set, const char *code);
/* The way between two languages, by codes that the models have. */
struct route model_set_route(const struct model_set *set, const char *source, const char *target);

/* A language that a text may be in. */
struct language_guess {
    const char *code;
    double confidence; /* from 0 to 1 */
};

/* Recognises the language of valid UTF-8: guesses [language_count], the most probable first; returns their
 * number, 0 where the text has no letters, or a language has no profile. */
size_t model_set_detect(struct language_guess *guesses, const struct model_set *set, const char *text,
                        size_t bytes);

#endif

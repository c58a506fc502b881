/* score: how well a source position matches what the decoder asks for: e = score(query, key).
 *
 * To add one: a file with its two functions, a row in score.c's table, and the name in config_keys.c (in the
 * same place). */
#ifndef NMT_SCORE_H
#define NMT_SCORE_H

#include "real.h"

#include <stdbool.h>
#include <stddef.h>

struct score {
    const char *name;
    bool projects_query; /* query = W_a s, A wide; otherwise the state itself, D wide */
    bool projects_key;   /* key = U_a h, as wide as the query; otherwise the annotation itself */
    bool key_bias;       /* key = U_a h + b */
    bool vector;         /* has parameters v, as wide as the query */
    bool hidden;         /* a hidden layer between, to which coverage can be added */
    real (*forward)(const real *v, const real *query, const real *key, size_t n);
    /* Given de: adds to dv, dquery and dkey. */
    void (*backward)(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
                     const real *key, size_t n);
};

/* By the values of model.attention.score; "none" has no functions. */
extern const struct score score_kinds[];

#endif

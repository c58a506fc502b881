/* score: how well a source position matches the decoder's query: e = score(query, key).
 *
 * Each is defined in a file score_*.c, with its equation; to add one, see choices.h. */
#ifndef NMT_SCORE_H
#define NMT_SCORE_H

#include "choices.h"
#include "real.h"

#include <stdbool.h>
#include <stddef.h>

/* What a score is of, each [n]; v is read only by a score that has it (`vector`). */
struct score_inputs {
    const real *v, *query, *key;
};

/* Gradients of these. */
struct score_grads {
    real *v, *query, *key;
};

struct score {
    bool projects_query; /* query = W_a s, A wide; otherwise the state itself, D wide */
    bool projects_key;   /* key = U_a h, as wide as the query; otherwise the annotation itself */
    bool key_bias;       /* key = U_a h + b */
    bool vector;         /* has parameters v, as wide as the query */
    bool hidden;         /* has a hidden layer, to which coverage can be added */
    real (*forward)(const struct score_inputs *inputs, size_t n);
    /* Given de: adds to the gradients. */
    void (*backward)(const struct score_grads *grads, real de, const struct score_inputs *inputs, size_t n);
};

#define DECLARE_SCORE(constant, name) extern const struct score score_##name;
SCORES(DECLARE_SCORE)
/* By enum score_kind of choices.h; score_none has no functions. */
extern const struct score *const score_kinds[];

#endif

/* A small network, one batch, and the comparison of its gradients with central differences. In double,
 * with ragged lengths, and dimensions that are odd and all different. */
#ifndef NMT_PROBLEM_H
#define NMT_PROBLEM_H

#include "arena.h"
#include "config.h"
#include "seq2seq.h"

#define SENTS 3
#define MAX_STEPS 6
#define DIFFERENCE 1e-5 /* usual step of a central difference, to each side */

struct problem {
    struct config config;
    struct seq2seq model;
    struct sentence source[SENTS], target[SENTS];
    int ids[2 * SENTS][MAX_STEPS];
    struct batch batch;
    struct pass_options options;
    struct arena arena;
    real *params;
};

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* `settings`: "key=value", ended by NULL; they override those of the sizes. An invalid setting fails the
 * test. */
void problem_init(struct problem *p, const char *const *settings);
void problem_release(struct problem *p);

/* The central difference (f(x + d) - f(x - d)) / 2d of a step d, where x is the problem's parameter number
 * `param`. */
double central_difference(struct problem *p, size_t param, double step, double (*f)(struct problem *));

/* Compares the gradient of every parameter with central differences of the loss. A gradient that is not
 * finite or all zero fails the test. */
void check_gradients(const char *const *settings);

#endif

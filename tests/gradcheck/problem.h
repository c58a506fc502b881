/* A small network, one batch and the comparison of its gradients with central differences, for the programs
 * here. In double: ragged lengths, all dimensions odd and different. */
#ifndef NMT_PROBLEM_H
#define NMT_PROBLEM_H

#include "arena.h"
#include "config.h"
#include "seq2seq.h"

#define SENTS 3
#define MAX_STEPS 6
#define DIFFERENCE 1e-5 /* of a parameter, to both sides */

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

/* `settings`: "key=value", until NULL; they follow those of the sizes. The test fails on one that is no
 * setting. */
void problem_init(struct problem *p, const char *const *settings);
void problem_release(struct problem *p);

/* The central difference (f(x + d) - f(x - d)) / 2d of a function of the problem, x being its parameter number
 * `param`. */
double central_difference(struct problem *p, size_t param, double (*f)(struct problem *));

/* Compares the gradient of every parameter with the loss's central differences. Fails the test, too, on a
 * gradient that is not finite or zero throughout. */
void check_gradients(const char *const *settings);

#endif

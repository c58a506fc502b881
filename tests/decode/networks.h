/* networks: small random networks of every kind, with some sentences each, for tests of search and training.
 *
 * A test program runs its tests on each of them:
 *     for (const char *name; (name = networks_next());)
 *         failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down); */
#ifndef NMT_TEST_NETWORKS_H
#define NMT_TEST_NETWORKS_H

#include "unit/check.h"

#include "arena.h"
#include "beam.h"
#include "config.h"
#include "seq2seq.h"
#include "stepper.h"

#define SENTS 7
#define STEPS 9
#define VOCABULARY 29

struct network {
    struct config config;
    struct seq2seq model;
    real *params;
    int ids[SENTS][STEPS];
    struct sentence sentences[SENTS];
    struct arena arena, shared;
    struct step_weights weights;
    struct ensemble one; /* an ensemble of just this network */
    struct beam_options options;
};

/* A test that starts from the default options, whatever earlier tests have set. */
#define NETWORK_TEST(test) cmocka_unit_test_setup(test, network_reset_options)

/* Moves to the next network; returns its name, NULL after the last one. */
const char *networks_next(void);
/* The same for networks that differ from the default in one choice: each choice of each key of `model`
 * (choices.h, true and false) in turn. */
const char *networks_next_choice(void);
int network_set_up(void **state);
int network_tear_down(void **state);
int network_reset_options(void **state);

/* Greedy search for sentence b among the words that may come (NULL: all), word by word with the training
 * network, which has none of the stepper's shortcuts: target [1 + length], after the begin mark; returns the
 * length. */
int network_greedy(struct network *f, int b, bool (*may_come)(const struct sentence *source, int word),
                   int *target, double *log_probability);

void expect_same(const struct hypothesis *a, const struct hypothesis *b);

#endif

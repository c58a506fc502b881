/* The search with placeholders: each of the source comes once, whatever the network says. */
#include "networks.h"

#include "vocab.h"

#include <math.h>

/* Puts placeholders into the sentences; returns how many sentence b has. */
static int put_placeholders(struct network *f, int b)
{
    const int most = (int)f->sentences[b].length - 1, count = most < b % 4 ? most : b % 4;
    for (int t = 0; t < most; t++) /* the random ids are words */
        if (f->ids[b][t] <= VOCAB_PLACEHOLDER(PLACEHOLDERS))
            f->ids[b][t] = VOCAB_PLACEHOLDER(PLACEHOLDERS) + 1 + t;
    for (int t = 0; t < count; t++)
        f->ids[b][t] = VOCAB_PLACEHOLDER(2 + 3 * t);
    return count;
}

static void expect_each_once(struct network *f, const struct hypothesis *h, int b, int count)
{
    for (int number = 1; number <= PLACEHOLDERS; number++) {
        int wanted = 0, times = 0;
        for (int t = 0; t < count; t++)
            wanted += f->ids[b][t] == VOCAB_PLACEHOLDER(number);
        for (int i = 0; i < h->length; i++)
            times += h->ids[i] == VOCAB_PLACEHOLDER(number);
        assert_int_equal(times, wanted);
    }
    assert_true(isfinite(h->score));
    assert_true(h->end != END_OVERFLOW);
}

static void search(struct network *f, const struct ensemble *ensemble)
{
    struct hypothesis best[SENTS * 4];
    int found[SENTS], count[SENTS];
    f->options.placeholders = true;
    for (int b = 0; b < SENTS; b++)
        count[b] = put_placeholders(f, b);
    beam_search(best, found, ensemble, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_true(found[b] > 0);
        for (int k = 0; k < found[b]; k++)
            expect_each_once(f, &best[b * f->options.n_best + k], b, count[b]);
    }
}

static void greedy(void **state)
{
    search(*state, &((struct network *)*state)->one);
}

static void n_best(void **state)
{
    struct network *f = *state;
    f->options.beam = f->options.n_best = 4;
    f->options.alignment = config_has_attention(&f->config);
    search(f, &f->one);
}

/* Nothing but placeholders can be said. */
static void short_of_room(void **state)
{
    struct network *f = *state;
    f->options.beam = f->options.n_best = 4;
    f->options.max_length_ratio = 0.1;
    f->options.extra_length = 1;
    search(f, &f->one);
}

static void with_other_constraints(void **state)
{
    struct network *f = *state;
    f->options.beam = f->options.n_best = 3;
    f->options.block_ngrams = 1;
    f->options.min_length = 6;
    search(f, &f->one);
}

static void ensembles(void **state)
{
    struct network *f = *state;
    struct step_weights twice[2] = {f->weights, f->weights};
    const struct ensemble two = {.members = twice, .count = 2};
    f->options.beam = f->options.n_best = 3;
    search(f, &two);
    f->options.sampled = true;
    f->options.sample = (struct sample_options){0.01, 0, 1};
    search(f, &two);
}

static void samples(void **state)
{
    struct network *f = *state;
    f->options.beam = f->options.n_best = 4;
    f->options.sampled = true;
    for (int seed = 0; seed < 3; seed++) {
        f->options.seed = seed;
        f->options.sample = (struct sample_options){seed ? 2 : 0.01, 5 * seed, 1};
        search(f, &f->one);
    }
}

/* A placeholder of the prefix does not come again. */
static void prefixes(void **state)
{
    struct network *f = *state;
    struct sentence begin[SENTS];
    for (int b = 0; b < SENTS; b++)
        begin[b] = (struct sentence){f->ids[b], put_placeholders(f, b) > 0};
    f->options.prefixes = begin;
    f->options.beam = f->options.n_best = 2;
    search(f, &f->one);
}

/* Sentences without any are translated as ever, but for the words that are no longer allowed. */
static void without_placeholders(void **state)
{
    struct network *f = *state;
    struct hypothesis before[SENTS], after[SENTS];
    int found[SENTS];
    for (int b = 0; b < SENTS; b++)
        for (int t = 0; t + 1 < (int)f->sentences[b].length; t++)
            if (f->ids[b][t] <= VOCAB_PLACEHOLDER(PLACEHOLDERS))
                f->ids[b][t] = VOCABULARY - 1;
    beam_search(before, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    f->options.placeholders = true;
    beam_search(after, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        bool used = false;
        for (int i = 0; i < before[b].length; i++)
            used |= before[b].ids[i] <= VOCAB_PLACEHOLDER(PLACEHOLDERS);
        if (!used)
            expect_same(&before[b], &after[b]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(greedy),        NETWORK_TEST(n_best),
        NETWORK_TEST(short_of_room), NETWORK_TEST(with_other_constraints),
        NETWORK_TEST(ensembles),     NETWORK_TEST(samples),
        NETWORK_TEST(prefixes),      NETWORK_TEST(without_placeholders),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}

/* The search against slower methods with the same result, and the effect of options. */
#include "networks.h"

#include "mem.h"
#include "params.h"
#include "vocab.h"

#include <math.h>

static void batch_size_does_not_change_a_translation(void **state)
{
    struct network *f = *state;
    for (int beam = 1; beam <= 5; beam += 2) {
        struct hypothesis together[SENTS * 5], alone[5];
        int found[SENTS], one;
        f->options.beam = f->options.n_best = beam;
        beam_search(together, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++) {
            beam_search(alone, &one, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
            assert_int_equal(one, found[b]);
            for (int k = 0; k < one; k++)
                expect_same(&together[b * beam + k], &alone[k]);
        }
    }
}

static void beam_of_one_is_greedy_search_by_the_training_network(void **state)
{
    struct network *f = *state;
    f->options.beam = f->options.n_best = 1;
    for (int b = 0; b < SENTS; b++) {
        struct hypothesis h;
        int found, target[4 * STEPS];
        double log_probability;
        beam_search(&h, &found, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
        const int length = network_greedy(f, b, NULL, target, &log_probability);
        assert_int_equal(h.length, length);
        assert_memory_equal(h.ids, target + 1, (size_t)length * sizeof *target);
        assert_true(fabs(h.terms.log_probability - log_probability) < 1e-4);
    }
}

static void scores_are_what_the_training_network_says(void **state)
{
    struct network *f = *state;
    struct hypothesis best[4];
    int found;
    f->options.beam = f->options.n_best = 4;
    f->options.unknown = true;
    beam_search(best, &found, &f->one, &f->sentences[0], 1, &f->options, &f->arena);
    assert_int_equal(found, 4);
    for (int k = 0; k < found; k++) {
        int target[4 * STEPS] = {VOCAB_BEGIN};
        memcpy(target + 1, best[k].ids, (size_t)best[k].length * sizeof *target);
        target[best[k].length + 1] = VOCAB_END;
        const struct sentence pair = {target, (size_t)best[k].length + 2};
        const struct batch batch = {.source = &f->sentences[0], .target = &pair, .sents = 1};
        struct pass_options none;
        pass_options_none(&none);
        const struct loss loss = seq2seq_loss(NULL, &f->model, f->params, &batch, &none, 0, &f->arena);
        /* The loss gives the begin mark a small probability, which beam search excludes. */
        assert_true(best[k].terms.log_probability >= -loss.sums.nll - 1e-4);
        assert_true(best[k].terms.log_probability < -loss.sums.nll + 0.5 * (best[k].length + 1));
        assert_true(k == 0 || best[k - 1].score >= best[k].score);
    }
}

static void a_wider_beam_finds_no_worse(void **state)
{
    struct network *f = *state;
    struct hypothesis narrow[SENTS], wide[SENTS];
    int found[SENTS];
    f->options.n_best = 1;
    f->options.length_penalty = 0;
    f->options.beam = 1;
    beam_search(narrow, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    f->options.beam = 20;
    beam_search(wide, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    double sum = 0;
    for (int b = 0; b < SENTS; b++)
        sum += wide[b].score - narrow[b].score;
    assert_true(sum > 0);
}

/* An ensemble of the same network twice is equal to that network, also when sampling; one with another
 * network is not. */
static void an_ensemble_averages(void **state)
{
    struct network *f = *state;
    struct hypothesis alone[SENTS], twice[SENTS], mixed[SENTS];
    int found[SENTS], same = 0;
    struct seq2seq other_model;
    struct step_weights members[2] = {f->weights, f->weights};
    struct err err;
    f->options.sample = (struct sample_options){1, 0, 1};
    for (int sampled = 1; sampled >= 0; sampled--) {
        f->options.sampled = sampled;
        f->options.beam = sampled ? 1 : 4;
        beam_search(alone, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        beam_search(twice, found, &(struct ensemble){.members = members, .count = 2}, f->sentences, SENTS,
                    &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++)
            expect_same(&alone[b], &twice[b]);
    }

    assert_int_equal(config_set(&f->config, "model.decoder.units=21", &err), 0);
    seq2seq_init(&other_model, &f->config, VOCABULARY, VOCABULARY);
    real *other = xmalloc(other_model.layout.total, sizeof *other);
    params_randomize(other, &other_model.layout, 8);
    step_weights_init(&members[1], &other_model, other, NULL, &f->shared);
    beam_search(mixed, found, &(struct ensemble){.members = members, .count = 2}, f->sentences, SENTS,
                &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        same += fabs(alone[b].score - mixed[b].score) < 1e-6;
    assert_true(same <= SENTS / 2);
    free(other);
}

static int repeats(const struct hypothesis *h, int n)
{
    int count = 0;
    for (int i = 0; i + n <= h->length; i++)
        for (int j = i + 1; j + n <= h->length; j++)
            count += !memcmp(h->ids + i, h->ids + j, (size_t)n * sizeof *h->ids);
    return count;
}

/* Greedy search in a random network repeats itself unless that is blocked. */
static void blocked_sequences_do_not_repeat(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    for (int n = 0; n <= 3; n++) {
        int count = 0;
        f->options.block_ngrams = n;
        beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++)
            count += repeats(&best[b], n ? n : 1);
        assert_true(n ? count == 0 : count > 0);
    }
}

/* Every word may come once, and none may end the translation: when all have come, it is cut off. */
static void a_vocabulary_may_be_used_up(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    f->options.block_ngrams = 1;
    f->options.min_length = 1000;
    f->options.max_length_ratio = 100;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_int_equal(best[b].end, END_LIMIT);
        assert_in_range(best[b].length, 5, 300);
        assert_int_equal(repeats(&best[b], 1), 0);
    }
}

/* How often in a row an n-gram occurs at most, found by looking at each place. */
static int in_a_row(const int *ids, int length)
{
    int most = 0;
    for (int n = 1; n <= 32; n++)
        for (int i = 0; i + n <= length; i++) {
            int times = 1;
            while (i + (times + 1) * n <= length &&
                   !memcmp(ids + i, ids + i + times * n, (size_t)n * sizeof *ids))
                times++;
            most = times > most ? times : most;
        }
    return most;
}

/* Greedy search in a random network runs in circles, longer ones when short ones are forbidden. */
static void circles_end(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS], ended = 0;
    f->options.min_length = 1000;
    f->options.max_length_ratio = 8;
    for (int most = 0; most <= 3; most++) {
        f->options.max_repetitions = most;
        beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++) {
            const int circles = in_a_row(best[b].ids, best[b].length),
                      in_source = in_a_row(f->sentences[b].ids, (int)f->sentences[b].length);
            ended += most ? 0 : circles > 3;
            if (most)
                assert_in_range(circles, 1, most > in_source ? most : in_source);
        }
    }
    assert_true(ended >= 1);
}

/* A source that repeats allows as much. */
static void the_source_allows_circles(void **state)
{
    struct network *f = *state;
    const int ids[] = {VOCAB_SPECIALS + 1, VOCAB_SPECIALS + 2, VOCAB_SPECIALS + 1, VOCAB_SPECIALS + 2,
                       VOCAB_SPECIALS + 1, VOCAB_SPECIALS + 2, VOCAB_SPECIALS + 1, VOCAB_SPECIALS + 2,
                       VOCAB_SPECIALS + 4, VOCAB_END};
    const struct sentence source = {ids, 10};
    struct hypothesis best[3];
    int found[1];
    f->options.min_length = 1000;
    f->options.max_length_ratio = 8;
    for (int i = 0; i < 3; i++) {
        f->options.max_repetitions = (int[]){1, 3, 4}[i];
        beam_search(&best[i], found, &f->one, &source, 1, &f->options, &f->arena);
        assert_true(in_a_row(best[i].ids, best[i].length) <= 4);
        expect_same(&best[0], &best[i]);
    }
}

/* Unknown words are different ones: in the source they allow no circles, in the translation they are none. */
static void unknown_words_are_no_circles(void **state)
{
    struct network *f = *state;
    enum { U = VOCAB_UNKNOWN };
    const int ids[] = {U, U, U, U, VOCAB_SPECIALS + 4, VOCAB_END};
    const struct sentence source = {ids, 6};
    struct hypothesis best;
    int found;
    real *bias = &f->params[f->model.readout.output.bias + U];
    f->options.min_length = 1000;
    f->options.max_length_ratio = 8;
    f->options.max_repetitions = 1;
    beam_search(&best, &found, &f->one, &source, 1, &f->options, &f->arena);
    assert_int_equal(in_a_row(best.ids, best.length), 1);
    *bias += 30;
    f->options.unknown = true;
    beam_search(&best, &found, &f->one, &source, 1, &f->options, &f->arena);
    assert_int_equal(in_a_row(best.ids, best.length), best.length);
    *bias -= 30;
}

static void translations_have_the_least_length(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    real *end_bias = &f->params[f->model.readout.output.bias + VOCAB_END];
    *end_bias += 30; /* so that hypotheses end as early as allowed */
    f->options.beam = 3;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_int_equal(best[b].length, 0);
    f->options.min_length = 7;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_int_equal(best[b].length, 7);
    *end_bias -= 30;
}

/* With no end before the limit, lengths are proportional to the source without its end mark. */
static void translations_have_the_most_length(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    f->options.beam = 2;
    f->options.min_length = 1000;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_int_equal(best[b].length, 2 * (f->sentences[b].length - 1) + 10);
}

static void translations_begin_with_the_prefix(void **state)
{
    struct network *f = *state;
    struct hypothesis free_one[SENTS], same[SENTS], forced[SENTS];
    struct sentence prefixes[SENTS];
    const int other[] = {VOCAB_SPECIALS + 3, VOCAB_SPECIALS + 1, VOCAB_UNKNOWN, VOCAB_SPECIALS + 3};
    int found[SENTS];
    f->options.min_length = 7;
    f->options.block_ngrams = 3;
    f->options.beam = 1;
    beam_search(free_one, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    f->options.prefixes = prefixes;
    for (int b = 0; b < SENTS; b++) /* half of the greedy result, which does not change it */
        prefixes[b] = (struct sentence){free_one[b].ids, (size_t)free_one[b].length / 2};
    beam_search(same, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_true(same[b].length >= free_one[b].length); /* the limit is that of what follows the prefix */
        assert_memory_equal(same[b].ids, free_one[b].ids, (size_t)free_one[b].length * sizeof(int));
        if (free_one[b].end == END_MARK)
            expect_same(&same[b], &free_one[b]);
    }
    f->options.beam = 3;
    f->options.prefixes = NULL;
    beam_search(free_one, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    f->options.prefixes = prefixes;
    for (int b = 0; b < SENTS; b++)
        prefixes[b] = (struct sentence){other, (size_t)b % 5};
    beam_search(forced, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_true((size_t)forced[b].length >= prefixes[b].length);
        assert_true(isfinite(forced[b].terms.log_probability));
        for (size_t i = 0; i < prefixes[b].length; i++)
            assert_int_equal(forced[b].ids[i], other[i]);
        if (!prefixes[b].length)
            assert_true(forced[b].score == free_one[b].score);
    }
}

/* Each branch is what greedy search makes of the prefix and the branch's first word. */
static void branches_differ_in_the_word_after_the_prefix(void **state)
{
    enum { BRANCHES = 4, PREFIX = 2 };
    struct network *f = *state;
    const int other[PREFIX] = {VOCAB_SPECIALS + 3, VOCAB_SPECIALS + 1};
    for (int b = 0; b < SENTS; b++) {
        struct sentence prefix = {other, PREFIX};
        struct hypothesis best[BRANCHES], alone;
        int found, one;
        f->options.beam = f->options.n_best = BRANCHES;
        f->options.branched = true;
        f->options.prefixes = &prefix;
        beam_search(best, &found, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
        assert_int_equal(found, BRANCHES);
        f->options.beam = f->options.n_best = 1;
        f->options.branched = false;
        for (int k = 0; k < found; k++) {
            for (int i = 0; i < k; i++)
                assert_true(best[i].length == PREFIX || best[k].length == PREFIX ||
                            best[i].ids[PREFIX] != best[k].ids[PREFIX]);
            if (best[k].length == PREFIX)
                continue;
            prefix = (struct sentence){best[k].ids, PREFIX + 1};
            f->options.extra_length--; /* the prefix is one longer */
            beam_search(&alone, &one, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
            f->options.extra_length++;
            expect_same(&best[k], &alone);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(batch_size_does_not_change_a_translation),
        NETWORK_TEST(beam_of_one_is_greedy_search_by_the_training_network),
        NETWORK_TEST(scores_are_what_the_training_network_says),
        NETWORK_TEST(a_wider_beam_finds_no_worse),
        NETWORK_TEST(an_ensemble_averages),
        NETWORK_TEST(blocked_sequences_do_not_repeat),
        NETWORK_TEST(a_vocabulary_may_be_used_up),
        NETWORK_TEST(circles_end),
        NETWORK_TEST(the_source_allows_circles),
        NETWORK_TEST(unknown_words_are_no_circles),
        NETWORK_TEST(translations_have_the_least_length),
        NETWORK_TEST(translations_have_the_most_length),
        NETWORK_TEST(translations_begin_with_the_prefix),
        NETWORK_TEST(branches_differ_in_the_word_after_the_prefix),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}

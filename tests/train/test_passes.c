/* Training passes over every kind of network: the memory they take. */
#include "decode/networks.h"

#include "mem.h"
#include "scoring.h"

#include <string.h>

static void expect_estimate(double estimate, const struct arena *arena)
{
    const double ratio = estimate / (double)arena->peak_bytes;
    print_message("used %zu, estimated %.0f: %.3f\n", arena->peak_bytes, estimate, ratio);
    assert_true(ratio >= 1 && ratio <= 1.15);
}

static void estimate_of_a_pass_holds(void **state)
{
    struct network *f = *state;
    f->config.model.dropout =
        (struct config_dropout){.embedding = 0.1, .annotation = 0.1, .readout = 0.1, .state = 0.1};
    for (int backward = 0; backward < 2; backward++) {
        struct arena arena, text, terms;
        struct pass_options options;
        real *grads = xcalloc(f->model.layout.total, sizeof *grads);
        arena_init(&arena);
        arena_init(&text);
        arena_init_counting(&terms);
        (void)ARENA_NEW(&terms, 1, struct grad_terms);
        pass_options_init(&options, &f->config, 1, 0);
        const struct batch batch = seq2seq_largest_batch(&f->model, SENTS, STEPS, STEPS + 1, &text);
        seq2seq_loss(backward ? grads : NULL, &f->model, f->params, &batch, &options, 1, &arena);
        expect_estimate(pass_weights_bytes(&f->model, FORWARD, PRODUCTS_FLOAT32) +
                            (backward ? pass_weights_bytes(&f->model, BACKWARD, PRODUCTS_FLOAT32) +
                                            (double)terms.peak_bytes
                                      : 0) +
                            seq2seq_pass_bytes(&f->model, &options, &batch, backward),
                        &arena);
        arena_release(&arena);
        arena_release(&text);
        free(grads);
    }
}

/* In both kinds of numbers: nothing is multiplied here. */
static void estimate_of_prepacked_weights_holds(void **state)
{
    struct network *f = *state;
    double bytes[2];
    for (int products = 0; products < 2; products++)
        for (int direction = 0; direction < 2; direction++) {
            struct arena arena;
            struct pass_weights weights;
            arena_init(&arena);
            pass_weights_init(&weights, &f->model, f->params, (enum pass_direction)direction,
                              (enum product_kind)products, &arena);
            bytes[products] =
                pass_weights_bytes(&f->model, (enum pass_direction)direction, (enum product_kind)products);
            assert_true(bytes[products] == (double)arena.peak_bytes);
            arena_release(&arena);
        }
    assert_true(bytes[PRODUCTS_BFLOAT16] != bytes[PRODUCTS_FLOAT32]);
}

/* Attention takes memory in proportion to the product of both lengths: a long pair needs more than a batch of
 * short ones. As many threads as there are batches need the sum of them all. */
static void estimate_of_a_corpus_holds(void **state)
{
    enum { LONG = 500, SHORT = 5, SHORT_PAIRS = 100 };
    struct network *f = *state;
    struct corpus corpus;
    struct arena arena;
    struct pass_options none;
    int ids[LONG];
    memset(ids, 0, sizeof ids);
    corpus_init(&corpus);
    for (int i = 0; i < SHORT_PAIRS; i++)
        corpus_add_ids(&corpus, ids, SHORT, ids, SHORT, LONG);
    corpus_add_ids(&corpus, ids, LONG, ids, LONG, LONG);
    const size_t last = corpus.pairs - 1;
    struct sentence pair[SIDES];
    pair[SOURCE].ids = corpus_source(&corpus, last, &pair[SOURCE].length);
    pair[TARGET].ids = corpus_target(&corpus, last, &pair[TARGET].length);
    const struct batch batch = {.source = &pair[SOURCE], .target = &pair[TARGET], .sents = 1};
    arena_init(&arena);
    pass_options_none(&none);
    seq2seq_loss(NULL, &f->model, f->params, &batch, &none, 1, &arena);
    const double one = corpus_loss_bytes(&f->model, &corpus, 1),
                 two = corpus_loss_bytes(&f->model, &corpus, 2),
                 more = corpus_loss_bytes(&f->model, &corpus, 8);
    assert_true(one >= (double)arena.peak_bytes && one <= 1.25 * (double)arena.peak_bytes); /* with weights */
    assert_true(two > one && two < 2 * one && more == two);
    arena_release(&arena);
    corpus_release(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(estimate_of_a_pass_holds),
        NETWORK_TEST(estimate_of_prepacked_weights_holds),
        NETWORK_TEST(estimate_of_a_corpus_holds),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}

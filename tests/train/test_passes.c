/* Training passes over every kind of network: scheduled inputs, memory. */
#include "decode/networks.h"

#include "mem.h"
#include "rng.h"
#include "scheduled.h"
#include "vecmath.h"
#include "vocab.h"

/* Without teacher forcing, the inputs are what the training network itself predicts after each of them. */
static void scheduled_inputs_are_the_networks_own_words(void **state)
{
    struct network *f = *state;
    struct sentence targets[SENTS];
    struct pass_weights weights;
    struct packed_seq seq;
    struct rng rng;
    for (int b = 0; b < SENTS; b++)
        targets[b] = (struct sentence){f->ids[(b + 1) % SENTS], (size_t)(2 + b % (STEPS - 1))};
    struct batch batch = {f->sentences, targets, SENTS, NULL, NULL};
    arena_reset(&f->arena);
    pass_weights_init(&weights, &f->model, f->params, FORWARD, &f->arena);
    prepack_list_fill(&weights.list, 0, 1);
    rng_init(&rng, 1, RNG_TEST, 0, 0);
    const struct sentence *right = scheduled_inputs(&f->model, &weights, &batch, 1, &rng, &f->arena);
    const struct sentence *own = scheduled_inputs(&f->model, &weights, &batch, 0, &rng, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_memory_equal(right[b].ids, targets[b].ids, (size_t)targets[b].length * sizeof(int));
    batch.inputs = own;
    const real *logits = seq2seq_logits(&seq, &f->model, f->params, &batch, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_int_equal(own[b].ids[0], targets[b].ids[0]);
        for (size_t t = 0; t + 2 < targets[b].length; t++) {
            const real *row = logits + (size_t)(seq.first[t] + seq.rank[b]) * VOCABULARY;
            assert_true(row[own[b].ids[t + 1]] > vec_max(row, VOCABULARY) - 1e-4);
        }
    }
}

static void arena_estimate_holds(void **state)
{
    struct network *f = *state;
    struct sentence targets[SENTS];
    int ids[STEPS + 1] = {VOCAB_BEGIN, 5, 6, 7, 8, 9, 10, 11, 12, VOCAB_END};
    for (int b = 0; b < SENTS; b++) {
        targets[b] = (struct sentence){ids, STEPS + 1};
        f->sentences[b].length = STEPS;
    }
    struct arena arena;
    struct pass_options options;
    const struct batch batch = {f->sentences, targets, SENTS, NULL, NULL};
    real *grads = xcalloc(f->model.layout.total, sizeof *grads);
    arena_init(&arena);
    f->config.model.dropout =
        (struct config_dropout){.embedding = 0.1, .annotation = 0.1, .readout = 0.1, .state = 0.1};
    pass_options_init(&options, &f->config, 1, 0);
    seq2seq_loss(grads, &f->model, f->params, &batch, &options, 1, &arena);
    const double estimate = pass_weights_bytes(&f->model, FORWARD) + pass_weights_bytes(&f->model, BACKWARD) +
                            seq2seq_pass_bytes(&f->model, &options, SENTS, STEPS, STEPS + 1, true) +
                            sizeof(struct grad_terms),
                 ratio = estimate / (double)arena.peak_bytes;
    print_message("used %zu, estimated %.0f: %.3f\n", arena.peak_bytes, estimate, ratio);
    assert_true(ratio >= 1 && ratio <= 1.15);
    arena_release(&arena);
    free(grads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(scheduled_inputs_are_the_networks_own_words),
        NETWORK_TEST(arena_estimate_holds),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}

/* Batches: every pair once, of similar length, within the size limit, in an order determined by seed,
 * epoch and part. */
#include "check.h"

#include "batch.h"

#define PAIRS 5000
#define LONGEST 37

static struct corpus corpus;
static struct batch_order order;

/* Pair i has i % LONGEST source tokens and (7 i) % LONGEST target tokens, without marks. */
static int make_corpus(void **state)
{
    (void)state;
    int ids[LONGEST] = {0};
    corpus_init(&corpus);
    batch_order_init(&order);
    for (int i = 0; i < PAIRS; i++)
        assert_true(corpus_add_ids(&corpus, ids, i % LONGEST, ids, 7 * i % LONGEST, LONGEST));
    return 0;
}

static int release(void **state)
{
    (void)state;
    corpus_release(&corpus);
    batch_order_release(&order);
    return 0;
}

static int source_tokens(int pair)
{
    size_t length;
    corpus_source(&corpus, (size_t)pair, &length);
    return (int)length;
}

static int target_tokens(int pair)
{
    size_t length;
    corpus_target(&corpus, (size_t)pair, &length);
    return (int)length - 1;
}

static void every_pair_is_in_one_batch(void **state)
{
    (void)state;
    for (int by_tokens = 0; by_tokens < 2; by_tokens++) {
        bool seen[PAIRS] = {false};
        batch_order_make(&order, &corpus, by_tokens ? 0 : 32, by_tokens ? 500 : 0, 1, 2, 3);
        assert_int_equal(order.begin[0], 0);
        assert_int_equal(order.begin[order.batches], PAIRS);
        for (size_t i = 0; i < PAIRS; i++) {
            assert_false(seen[order.pairs[i]]);
            seen[order.pairs[i]] = true;
        }
    }
}

static void a_batch_has_as_many_pairs_or_tokens_as_fit(void **state)
{
    (void)state;
    int small = 0;
    batch_order_make(&order, &corpus, 32, 0, 1, 0, 0);
    assert_true(order.batches >= (PAIRS + 31) / 32);
    for (size_t i = 0; i < order.batches; i++) {
        assert_in_range(order.begin[i + 1] - order.begin[i], 1, 32);
        small += order.begin[i + 1] - order.begin[i] < 32;
    }
    assert_in_range(small, 1, 2); /* only at the end of each pool of 100 batches */
    batch_order_make(&order, &corpus, 0, 500, 1, 0, 0);
    for (size_t i = 0; i < order.batches; i++) {
        int tokens = 0, sources = 0;
        for (size_t at = order.begin[i]; at < order.begin[i + 1]; at++) {
            tokens += target_tokens(order.pairs[at]);
            sources += source_tokens(order.pairs[at]);
        }
        assert_in_range(tokens, 1, 500);
        assert_in_range(sources, 1, BATCH_SOURCE_FACTOR * 500); /* some have 17 for 2 target tokens */
    }
    batch_order_make(&order, &corpus, 0, 1, 1, 0, 0); /* no pair fits the limit: each is a batch of its own */
    assert_int_equal(order.batches, PAIRS);
}

static void pairs_of_a_batch_are_of_similar_length(void **state)
{
    (void)state;
    int spread = 0;
    batch_order_make(&order, &corpus, 32, 0, 1, 0, 0);
    for (size_t i = 0; i < order.batches; i++) {
        const int first = target_tokens(order.pairs[order.begin[i]]);
        const int last = target_tokens(order.pairs[order.begin[i + 1] - 1]);
        assert_true(first <= last);
        spread += last - first;
    }
    assert_true(spread <= (int)order.batches); /* 1 token on average; 35 with random pairs */
}

static bool same_order(uint64_t seed, uint64_t epoch, uint64_t part)
{
    struct batch_order other;
    batch_order_init(&other);
    batch_order_make(&other, &corpus, 32, 0, seed, epoch, part);
    const bool same = other.batches == order.batches &&
                      !memcmp(other.pairs, order.pairs, PAIRS * sizeof *order.pairs) &&
                      !memcmp(other.begin, order.begin, (order.batches + 1) * sizeof *order.begin);
    batch_order_release(&other);
    return same;
}

static void the_order_is_that_of_seed_epoch_and_part(void **state)
{
    (void)state;
    batch_order_make(&order, &corpus, 32, 0, 1, 2, 3);
    assert_true(same_order(1, 2, 3));
    assert_false(same_order(2, 2, 3));
    assert_false(same_order(1, 3, 3));
    assert_false(same_order(1, 2, 4));
}

static void no_pairs_are_no_batches(void **state)
{
    (void)state;
    struct corpus none;
    corpus_init(&none);
    batch_order_make(&order, &none, 32, 0, 1, 0, 0);
    assert_int_equal(order.batches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_is_in_one_batch),
        cmocka_unit_test(a_batch_has_as_many_pairs_or_tokens_as_fit),
        cmocka_unit_test(pairs_of_a_batch_are_of_similar_length),
        cmocka_unit_test(the_order_is_that_of_seed_epoch_and_part),
        cmocka_unit_test(no_pairs_are_no_batches),
    };
    return cmocka_run_group_tests(tests, make_corpus, release);
}

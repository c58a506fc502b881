/* Training sets: how an epoch is divided into parts that fit into memory. Blocks themselves are not
 * read. */
#include "check.h"

#include "training_set.h"

#define BLOCKS 20
#define TOKENS 100 /* of a block */

struct fixture {
    struct config config;
    struct corpus_block in_file[BLOCKS];
    int blocks[BLOCKS];
    struct training_set set;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    config_init(&f->config);
    for (int i = 0; i < BLOCKS; i++)
        f->in_file[i] = (struct corpus_block){.tokens = TOKENS, .pairs = 5};
    f->set = (struct training_set){.config = &f->config, .blocks = f->blocks};
    f->set.file.end.blocks = BLOCKS;
    f->set.file.blocks = f->in_file;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    free(f->set.part);
    config_release(&f->config);
    return 0;
}

/* Every block once. */
static void expect_all_blocks(const struct training_set *set)
{
    int seen[BLOCKS] = {0};
    for (int i = 0; i < BLOCKS; i++)
        seen[set->blocks[i]]++;
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(seen[i], 1);
    assert_int_equal(set->part[0], 0);
    assert_int_equal(set->part[set->parts], BLOCKS);
}

static void what_fits_is_one_part_in_order(void **state)
{
    struct fixture *f = *state;
    f->config.data.tokens_in_memory = BLOCKS * TOKENS;
    training_set_begin(&f->set, 3);
    expect_all_blocks(&f->set);
    assert_true(training_set_is_one(&f->set));
    assert_int_equal(training_set_tokens(&f->set), BLOCKS * TOKENS);
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(f->set.blocks[i], i);
}

static void what_does_not_comes_in_parts_shuffled_anew(void **state)
{
    struct fixture *f = *state;
    int first[BLOCKS], same = 0;
    f->config.data.tokens_in_memory = 3 * TOKENS + TOKENS / 2;
    for (long epoch = 0; epoch < 2; epoch++) {
        training_set_begin(&f->set, epoch);
        expect_all_blocks(&f->set);
        assert_false(training_set_is_one(&f->set));
        assert_int_equal(f->set.parts, 7); /* of three blocks, and one of two */
        for (size_t p = 0; p < f->set.parts; p++)
            assert_int_equal(f->set.part[p + 1] - f->set.part[p], p < 6 ? 3 : 2);
        for (int i = 0; i < BLOCKS; i++)
            same += epoch && first[i] == f->set.blocks[i];
        memcpy(first, f->set.blocks, sizeof first);
    }
    assert_true(same >= 0 && same <= BLOCKS / 2);
    assert_int_equal(training_set_tokens(&f->set), 350);
}

/* However little memory is allowed, a part has a block. */
static void a_part_has_a_block(void **state)
{
    struct fixture *f = *state;
    f->config.data.tokens_in_memory = 1;
    training_set_begin(&f->set, 0);
    assert_int_equal(f->set.parts, BLOCKS);
    assert_int_equal(training_set_tokens(&f->set), TOKENS);
}

static void weights_count(void **state)
{
    struct fixture *f = *state;
    f->config.data.tokens_in_memory = 2 * BLOCKS * TOKENS;
    f->config.data.train.weight = 2;
    training_set_begin(&f->set, 0);
    assert_true(training_set_is_one(&f->set));
    f->config.data.train.weight = 1.5; /* pairs are drawn: other ones in every epoch */
    training_set_begin(&f->set, 0);
    assert_int_equal(f->set.parts, 1);
    assert_false(training_set_is_one(&f->set));
    f->config.data.train.weight = 3;
    training_set_begin(&f->set, 0);
    assert_int_equal(f->set.parts, 2);
    f->config.data.train.weight = 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_one_part_in_order),
        cmocka_unit_test(what_does_not_comes_in_parts_shuffled_anew),
        cmocka_unit_test(a_part_has_a_block),
        cmocka_unit_test(weights_count),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

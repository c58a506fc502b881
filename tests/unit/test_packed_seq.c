/* Packed sequences: the rows of ragged sentences, step by step, without padding. */
#include "check.h"

#include "arena.h"
#include "packed_seq.h"

#include <stdbool.h>

static void assert_counts(const size_t *found, const size_t *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(found[i], expected[i]);
}

/* Lengths 2, 4, 1, 4: steps of 4, 3, 2 and 2 rows. */
static void sentences_are_ranked_from_the_longest_to_the_shortest(void **state)
{
    (void)state;
    struct arena arena;
    struct packed_seq seq;
    arena_init(&arena);
    packed_seq_init(&seq, (const size_t[]){2, 4, 1, 4}, 4, &arena);
    assert_int_equal(seq.sents, 4);
    assert_int_equal(seq.steps, 4);
    assert_int_equal(seq.rows, 11);
    assert_counts(seq.order, (const size_t[]){1, 3, 0, 2}, 4); /* ties keep their order */
    assert_counts(seq.rank, (const size_t[]){2, 0, 3, 1}, 4);
    assert_counts(seq.lengths, (const size_t[]){4, 4, 2, 1}, 4);
    assert_counts(seq.count, (const size_t[]){4, 3, 2, 2, 0}, 5);
    assert_counts(seq.first, (const size_t[]){0, 4, 7, 9, 11}, 5);
    arena_release(&arena);
}

static void one_sentence_has_a_row_for_each_step(void **state)
{
    (void)state;
    struct arena arena;
    struct packed_seq seq;
    arena_init(&arena);
    packed_seq_init(&seq, (const size_t[]){3}, 1, &arena);
    assert_int_equal(seq.rows, 3);
    assert_counts(seq.count, (const size_t[]){1, 1, 1, 0}, 4);
    assert_counts(seq.first, (const size_t[]){0, 1, 2, 3}, 4);
    arena_release(&arena);
}

/* Every token of every sentence has its own row. */
static void rows_are_tokens(void **state)
{
    (void)state;
    enum { SENTS = 50 };
    struct arena arena;
    struct packed_seq seq;
    size_t lengths[SENTS], tokens = 0;
    for (size_t b = 0; b < SENTS; b++)
        tokens += lengths[b] = 1 + b * 7 % 11;
    arena_init(&arena);
    packed_seq_init(&seq, lengths, SENTS, &arena);
    assert_int_equal(seq.rows, tokens);
    bool *taken = ARENA_ZERO(&arena, tokens, bool);
    for (size_t b = 0; b < SENTS; b++) {
        assert_int_equal(seq.order[seq.rank[b]], b);
        assert_int_equal(seq.lengths[seq.rank[b]], lengths[b]);
        for (size_t t = 0; t < lengths[b]; t++) {
            const size_t row = seq.first[t] + seq.rank[b];
            assert_true(seq.rank[b] < seq.count[t] && row < tokens && !taken[row]);
            taken[row] = true;
        }
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_ranked_from_the_longest_to_the_shortest),
        cmocka_unit_test(one_sentence_has_a_row_for_each_step),
        cmocka_unit_test(rows_are_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

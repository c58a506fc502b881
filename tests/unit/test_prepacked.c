/* Products with prepacked weights against plain loops; the sums are the same with every instruction set. */
#include "prepacked.h"

#include "check.h"
#include "kernel.h"
#include "mem.h"
#include "random_numbers.h"

#include <math.h>

/* Rows of a and c are longer than the part that is used. */
enum { MORE_A = 3, MORE_C = 1 };

/* Checks c = a wᵀ or a w by the definition, plus the old c with `add`. */
static void expect_product(const real *c, const real *before, const real *a, const struct prepacked *p,
                           size_t m, bool add)
{
    const size_t lda = p->k + MORE_A, ldc = p->n + MORE_C;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < ldc; j++) {
            const real start = before[i * ldc + j];
            double sum = add || j >= p->n ? start : 0;
            for (size_t l = 0; l < p->k && j < p->n; l++)
                sum += (double)a[i * lda + l] *
                       (double)p->weights
                           .data[p->direction == FORWARD ? j * p->weights.ld + l : l * p->weights.ld + j];
            assert_true(fabs((double)c[i * ldc + j] - sum) < 1e-5);
        }
}

static void check(size_t m, size_t n, size_t k, bool transposed, bool add)
{
    const size_t lda = k + MORE_A, ldw = (transposed ? k : n) + 2, ldc = n + MORE_C;
    const size_t size_a = (m * lda), size_w = ((transposed ? n : k) * ldw), size_c = (m * ldc);
    real *a = xmalloc(size_a, sizeof *a), *w = xmalloc(size_w, sizeof *w), *c = xmalloc(size_c, sizeof *c),
         *before = xmalloc(size_c, sizeof *before);
    struct arena arena;
    struct prepacked prepacked;
    struct prepack_list list;
    fill_random(a, size_a, 1);
    fill_random(w, size_w, 2);
    fill_random(before, size_c, 3);
    arena_init(&arena);
    prepack_list_init(&list, transposed ? FORWARD : BACKWARD, PRODUCTS_FLOAT32, NULL, &arena);
    prepack(&prepacked, const_mat_ld(w, transposed ? n : k, transposed ? k : n, ldw), &list);
    for (int part = 2; part >= 0; part--) /* in any order */
        prepack_list_fill(&list, part, 3);
    memcpy(c, before, size_c * sizeof *c);
    prepacked_product(mat_ld(c, m, n, ldc), const_mat_ld(a, m, k, lda), &prepacked, add);
    expect_product(c, before, a, &prepacked, m, add);
    arena_release(&arena);
    free(a);
    free(w);
    free(c);
    free(before);
}

static void products_agree_with_their_definition(void **state)
{
    const enum instruction_set best = instruction_set;
    (void)state;
    for (int set = (int)best; set >= 0; set--) {
        instruction_set = (enum instruction_set)set;
        assert_int_equal(prepacked_needs_blas(), set == INSTRUCTIONS_BASE);
        for (size_t m = 1; m <= 19; m += 3)
            for (size_t n = 1; n <= 70; n += 23)
                for (size_t k = 1; k <= 14; k += 4)
                    for (int variant = 0; variant < 4; variant++)
                        check(m, n, k, variant & 1, variant & 2);
        check(8, 64, 33, true, false);
        check(8, 64, 33, false, true);
    }
    instruction_set = best;
}

/* Nor do they depend on the number of rows. */
static void a_sum_does_not_depend_on_the_instruction_set(void **state)
{
    enum { M = 13, N = 37, K = 37 };
    static real a[M * K], w[N * K], first[M * N], other[M * N];
    const enum instruction_set best = instruction_set;
    (void)state;
    if (best == INSTRUCTIONS_BASE)
        skip(); /* BLAS sums in its own order */
    fill_random(a, M * K, 1);
    fill_random(w, N * K, 2);
    for (int set = (int)best; set > INSTRUCTIONS_BASE; set--) {
        struct arena arena;
        struct prepack_list list;
        struct prepacked prepacked;
        instruction_set = (enum instruction_set)set;
        arena_init(&arena);
        prepack_list_init(&list, FORWARD, PRODUCTS_FLOAT32, NULL, &arena);
        prepack(&prepacked, const_mat_of(w, N, K), &list);
        prepack_list_fill(&list, 0, 1);
        prepacked_product(mat_ld(set == (int)best ? first : other, M, prepacked.n, N),
                          const_mat_ld(a, M, prepacked.k, K), &prepacked, false);
        if (set != (int)best)
            assert_memory_equal(first, other, sizeof first);
        for (size_t i = 0; i < M; i++) {
            prepacked_product(mat_ld(other, 1, prepacked.n, N), const_mat_ld(a + i * K, 1, prepacked.k, K),
                              &prepacked, false);
            assert_memory_equal(first + i * N, other, N * sizeof *other);
        }
        arena_release(&arena);
    }
    instruction_set = best;
}

/* Rows of weights that are longer than the part that is used. */
static void chosen_columns_are_those_of_the_whole(void **state)
{
    enum { M = 5, N = 101, K = 23, LD = 26 };
    static const int chosen[] = {0,  1,  2,  7,  8,  9,  31, 32, 33, 40, 50, 51, 60, 61, 62, 63, 64, 65, 66,
                                 67, 70, 71, 72, 80, 81, 82, 83, 84, 85, 90, 91, 92, 93, 94, 95, 99, 100};
    static real a[M * K], w[N * LD], whole[M * N], part[M * N];
    const enum instruction_set best = instruction_set;
    (void)state;
    fill_random(a, M * K, 1);
    fill_random(w, N * LD, 2);
    for (int set = (int)best; set >= 0; set--)
        for (size_t n = 1; n <= sizeof chosen / sizeof *chosen; n++) {
            struct arena arena;
            struct prepack_list list;
            struct prepacked all, some;
            instruction_set = (enum instruction_set)set;
            arena_init(&arena);
            prepack_list_init(&list, FORWARD, PRODUCTS_FLOAT32, NULL, &arena);
            prepack(&all, const_mat_ld(w, N, K, LD), &list);
            prepack_list_fill(&list, 0, 1);
            prepacked_select(&some, &all, chosen, n, &arena);
            prepacked_product(mat_of(whole, M, N), const_mat_of(a, M, K), &all, false);
            prepacked_product(mat_of(part, M, n), const_mat_of(a, M, K), &some, false);
            for (size_t i = 0; i < M; i++)
                for (size_t j = 0; j < n; j++) {
                    const real expected = whole[i * N + (size_t)chosen[j]], is = part[i * n + j];
                    assert_true(fabs((double)(is - expected)) <= (set == INSTRUCTIONS_BASE ? 1e-5 : 0));
                }
            arena_release(&arena);
        }
    instruction_set = best;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree_with_their_definition),
        cmocka_unit_test(a_sum_does_not_depend_on_the_instruction_set),
        cmocka_unit_test(chosen_columns_are_those_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

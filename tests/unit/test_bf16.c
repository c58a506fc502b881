/* Products in bfloat16 against plain loops over rounded factors, in double. */
#include "bf16.h"

#include "check.h"
#include "kernel.h"
#include "mem.h"
#include "prepacked.h"
#include "random_numbers.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void needs_instruction(void)
{
    if (!has_bf16_instructions()) {
        print_message("skipped: this processor has no AVX512-BF16\n");
        skip();
    }
}

/* To nearest, ties to even. */
static double rounded(real x)
{
    const float number = x;
    float result;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&result, &bits, sizeof bits);
    return (double)result;
}

/* A factor, of which `steps` is how far numbers along k are apart, and `lines` those across. */
struct factor {
    const real *x;
    size_t lines, steps;
};

/* Checks c [m][n, ldc], and that numbers behind its rows are as before. Sums are float32: an error of half a
 * unit in the last place for each addition. */
static void expect_product(const real *c, const real *before, size_t ldc, const size_t sizes[3],
                           const struct factor factors[2], bool add)
{
    for (size_t i = 0; i < sizes[0]; i++)
        for (size_t j = 0; j < ldc; j++) {
            const double start = (double)before[i * ldc + j];
            double sum = add ? start : 0, size = fabs(sum);
            for (size_t l = 0; l < sizes[2] && j < sizes[1]; l++) {
                const double product = rounded(factors[0].x[i * factors[0].lines + l * factors[0].steps]) *
                                       rounded(factors[1].x[j * factors[1].lines + l * factors[1].steps]);
                sum += product;
                size += fabs(product);
            }
            if (j < sizes[1])
                assert_true(fabs((double)c[i * ldc + j] - sum) <= 6e-8 * (double)(sizes[2] + 1) * size);
            else
                assert_true((double)c[i * ldc + j] == start);
        }
}

/* Rows are longer than the part that is used. */
enum { MORE_A = 3, MORE_B = 2, MORE_C = 1 };

enum form { NT, NN, TN, FORMS };

static void multiply(struct mat c, struct const_mat a, struct const_mat b, enum form form, bool add)
{
    struct arena arena;
    struct prepacked prepacked;
    struct prepack_list list;
    if (form == TN) {
        bf16_mat_tn(c, a, b, add);
        return;
    }
    arena_init(&arena);
    prepack_list_init(&list, form == NT ? FORWARD : BACKWARD, PRODUCTS_BFLOAT16, NULL, &arena);
    prepack(&prepacked, b, &list);
    for (int part = 2; part >= 0; part--) /* in any order */
        prepack_list_fill(&list, part, 3);
    assert_false(prepacked_reads_weights(&prepacked));
    prepacked_product(c, a, &prepacked, add);
    arena_release(&arena);
}

static void check(size_t m, size_t n, size_t k, enum form form, bool add)
{
    const size_t a_rows = form == TN ? k : m, a_cols = form == TN ? m : k, b_rows = form == NT ? n : k,
                 b_cols = form == NT ? k : n, lda = a_cols + MORE_A, ldb = b_cols + MORE_B, ldc = n + MORE_C;
    real *a = xmalloc(a_rows * lda, sizeof *a), *b = xmalloc(b_rows * ldb, sizeof *b),
         *c = xmalloc(m * ldc, sizeof *c), *before = xmalloc(m * ldc, sizeof *before);
    const struct factor factors[] = {{a, form == TN ? 1 : lda, form == TN ? lda : 1},
                                     {b, form == NT ? ldb : 1, form == NT ? 1 : ldb}};
    fill_random(a, a_rows * lda, 1);
    fill_random(b, b_rows * ldb, 2);
    fill_random(before, m * ldc, 3);
    memcpy(c, before, m * ldc * sizeof *c);
    multiply(mat_ld(c, m, n, ldc), const_mat_ld(a, a_rows, a_cols, lda), const_mat_ld(b, b_rows, b_cols, ldb),
             form, add);
    expect_product(c, before, ldc, (size_t[]){m, n, k}, factors, add);
    xfree(a);
    xfree(b);
    xfree(c);
    xfree(before);
}

static void products_agree_with_their_definition(void **state)
{
    (void)state;
    needs_instruction();
    for (int form = 0; form < FORMS; form++)
        for (int add = 0; add < 2; add++) {
            for (size_t m = 1; m <= 19; m += 3)
                for (size_t n = 1; n <= 70; n += 23)
                    for (size_t k = 0; k <= 35; k += 5)
                        check(m, n, k, (enum form)form, add);
            /* more than a block in each direction */
            check(131, 33, 515, (enum form)form, add);
            check(67, 261, 259, (enum form)form, add);
            check(128, 256, 512, (enum form)form, add);
        }
}

static void factors_are_rounded_to_nearest(void **state)
{
    static const real numbers[] = {1.00390625f, /* 1 + 2^-8: a tie, to even */
                                   1.01171875f, /* 1 + 3 · 2^-8: a tie, to even */
                                   1.00391f,    -1.00391f, 3e38f, 1e-37f};
    static const real nearest[] = {1, 1.015625f, 1.0078125f, -1.0078125f, 3.004055e+38f, 9.991702e-38f};
    (void)state;
    needs_instruction();
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        for (int form = 0; form < FORMS; form++) {
            real one = 1, c = 0;
            multiply(mat_of(&c, 1, 1), const_mat_of(&numbers[i], 1, 1), const_mat_of(&one, 1, 1),
                     (enum form)form, false);
            assert_true(fabs((double)c / (double)nearest[i] - 1) < 1e-5);
            multiply(mat_of(&c, 1, 1), const_mat_of(&one, 1, 1), const_mat_of(&numbers[i], 1, 1),
                     (enum form)form, false);
            assert_true(fabs((double)c / (double)nearest[i] - 1) < 1e-5);
        }
}

/* So that a divergence is seen. */
static void what_is_not_finite_stays_so(void **state)
{
    static const real numbers[] = {NAN, INFINITY};
    (void)state;
    needs_instruction();
    for (int i = 0; i < 2; i++)
        for (int form = 0; form < FORMS; form++) {
            real one = 1, c = 0;
            multiply(mat_of(&c, 1, 1), const_mat_of(&numbers[i], 1, 1), const_mat_of(&one, 1, 1),
                     (enum form)form, true);
            assert_false(isfinite(c));
        }
}

/* The same bytes for a row alone and among others, and for a column. */
static void a_sum_does_not_depend_on_rows_and_columns(void **state)
{
    enum { M = 137, N = 67, K = 601 };
    static real a[K * M], b[K * N], c[M * N], alone[M * N];
    (void)state;
    needs_instruction();
    fill_random(a, K * M, 1);
    fill_random(b, K * N, 2);
    for (int form = 0; form < FORMS; form++) {
        const struct const_mat x = form == TN ? const_mat_of(a, K, M) : const_mat_of(a, M, K),
                               y = form == NT ? const_mat_of(b, N, K) : const_mat_of(b, K, N);
        multiply(mat_of(c, M, N), x, y, (enum form)form, false);
        for (size_t i = 0; i < M; i++)
            multiply(mat_of(alone + i * N, 1, N),
                     form == TN ? const_mat_cols(x, i, 1) : const_mat_rows(x, i, 1), y, (enum form)form,
                     false);
        assert_memory_equal(c, alone, sizeof c);
        for (size_t j = 0; j < N; j++)
            multiply(mat_ld(alone + j, M, 1, N), x,
                     form == NT ? const_mat_rows(y, j, 1) : const_mat_cols(y, j, 1), (enum form)form, false);
        assert_memory_equal(c, alone, sizeof c);
    }
}

/* Linux refuses AMX to a process in which a stack for signals is too small for its tiles. The child is the
 * first to multiply. */
static void without_tiles_products_are_the_same(void **state)
{
    static char small[4096];
    const stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
    (void)state;
    needs_instruction();
    if (bf16_instructions != BF16_AMX)
        skip();
    const pid_t child = fork();
    if (!child) {
        if (sigaltstack(&stack, NULL))
            _exit(1);
        for (int form = 0; form < FORMS; form++)
            check(67, 33, 259, (enum form)form, true);
        _exit(bf16_instructions == BF16_AVX512 ? 0 : 2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void lower_instruction_sets_have_none(void **state)
{
    const enum instruction_set best = instruction_set;
    (void)state;
    for (int set = INSTRUCTIONS_BASE; set < INSTRUCTIONS_V4; set++) {
        instruction_set = (enum instruction_set)set;
        assert_false(has_bf16_instructions());
    }
    instruction_set = best;
}

static int lower_the_instructions(void **state)
{
    (void)state;
    if (bf16_instructions == BF16_AMX)
        bf16_instructions = BF16_AVX512;
    return 0;
}

int main(void)
{
    const struct CMUnitTest first[] = {
        cmocka_unit_test(without_tiles_products_are_the_same),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree_with_their_definition),
        cmocka_unit_test(factors_are_rounded_to_nearest),
        cmocka_unit_test(what_is_not_finite_stays_so),
        cmocka_unit_test(a_sum_does_not_depend_on_rows_and_columns),
        cmocka_unit_test(lower_instruction_sets_have_none),
    };
    return cmocka_run_group_tests_name("without tiles", first, NULL, NULL) +
           cmocka_run_group_tests_name("the best instructions", tests, NULL, NULL) +
           cmocka_run_group_tests_name("without AMX", tests, lower_the_instructions, NULL);
}

/* Products with quantised weights: by their definition, and the same bits with all instruction sets. */
#include "prepacked.h"

#include "arena.h"
#include "check.h"
#include "kernel.h"
#include "mem.h"
#include "rng.h"

#include <float.h>
#include <math.h>

static void fill_random(real *x, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(rng_hash32((uint32_t)seed, (uint32_t)i) * 0x1p-32 - 0.5);
}

/* c = a wᵀ for a part of a tensor. */
struct product {
    size_t m, n, k;
    size_t rows, cols, row, col; /* the tensor, and where its part begins */
    size_t lda, ldc;
    bool add;
};

/* With sanitizers or an emulator, fewer. */
#if defined(__has_feature)
#define ROUNDS (__has_feature(address_sanitizer) ? 1000 : 10000)
#elif defined(__SANITIZE_ADDRESS__) || !defined(__x86_64__)
#define ROUNDS 1000
#else
#define ROUNDS 10000
#endif

enum { MOST_M = 20, MOST_N = 200, MOST_K = 300, MORE = 5 };

static struct {
    real a[MOST_M * (MOST_K + MORE)], w[(MOST_N + MORE) * (MOST_K + MORE)];
    real before[MOST_M * (MOST_N + MORE)], c[MOST_M * (MOST_N + MORE)], reference[MOST_M * (MOST_N + MORE)];
    int8_t values[(MOST_N + MORE) * (MOST_K + MORE)];
    float scales[MOST_N + MORE];
} numbers;

/* A part of a tensor, or some rows of it. */
struct part {
    size_t row, col, rows; /* it begins at (row, col) */
    const int *chosen;     /* rows of it; NULL: all */
};

/* c (+)= a wᵀ for a part of w. */
static void multiply_part(struct mat c, struct const_mat a, const struct quantised *w, const struct part *of,
                          bool add)
{
    static const real params[7 + 64 * 16384]; /* never read */
    static const size_t offset = 7;
    const struct quantised_params quantised = {params, 1, &offset, w};
    struct arena arena;
    struct prepacked prepacked, few;
    struct prepack_list list;
    arena_init(&arena);
    prepack_list_init(&list, FORWARD, PRODUCTS_FLOAT32, &quantised, &arena);
    prepack(&prepacked,
            const_mat_ld(params + offset + of->row * w->cols + of->col, of->rows, a.cols, w->cols), &list);
    for (int part = 2; part >= 0; part--)
        prepack_list_fill(&list, part, 3);
    assert_false(prepacked_reads_weights(&prepacked));
    if (of->chosen)
        prepacked_select(&few, &prepacked, of->chosen, c.cols, &arena);
    prepacked_product(c, a, of->chosen ? &few : &prepacked, add);
    arena_release(&arena);
}

static void multiply(struct mat c, struct const_mat a, const struct quantised *w, size_t row, size_t col,
                     bool add)
{
    multiply_part(c, a, w, &(struct part){row, col, c.cols, NULL}, add);
}

static bool use(int set)
{
    const bool has = has_int8_instructions((enum int8_instructions)set);
    if (has)
        int8_instructions = (enum int8_instructions)set;
    return has;
}

/* Leaves c = `before` with the product in it. */
static void multiply_numbers(real *c, const struct product *p)
{
    const struct quantised w = {p->rows, p->cols, numbers.values, numbers.scales};
    memcpy(c, numbers.before, sizeof numbers.before);
    multiply(mat_ld(c, p->m, p->n, p->ldc), const_mat_ld(numbers.a, p->m, p->k, p->lda), &w, p->row, p->col,
             p->add);
}

static void quantise_weights(const struct product *p)
{
    quantise(numbers.values, numbers.scales, const_mat_of(numbers.w, p->rows, p->cols));
}

/* q [k] = x in seven bits; returns the scale. */
static float round_activations(long *q, const real *x, size_t k)
{
    float largest = 0;
    for (size_t l = 0; l < k; l++)
        largest = fmaxf(largest, fabsf((float)x[l]));
    for (size_t l = 0; l < k; l++)
        q[l] = largest > 0 ? lrintf((float)x[l] * (63 / largest)) : 0;
    return largest / 63;
}

/* c by the definition. */
static void expect_product(const struct product *p)
{
    long q[MOST_K];
    for (size_t i = 0; i < p->m; i++) {
        const float scale = round_activations(q, numbers.a + i * p->lda, p->k);
        for (size_t j = 0; j < p->ldc; j++) {
            const double before = numbers.before[i * p->ldc + j];
            long sum = 0;
            for (size_t l = 0; l < p->k && j < p->n; l++)
                sum += q[l] * numbers.values[(p->row + j) * p->cols + p->col + l];
            const double product = j < p->n ? (double)sum * scale * numbers.scales[p->row + j] : before,
                         expected = p->add && j < p->n ? before + product : product;
            assert_true(fabs(expected - numbers.c[i * p->ldc + j]) <= 1e-6 * (1 + fabs(product)));
        }
    }
}

static void products_agree_with_their_definition(void **state)
{
    enum { ROWS = 70, COLS = 45 };
    (void)state;
    fill_random(numbers.w, ROWS * COLS, 1);
    fill_random(numbers.a, sizeof numbers.a / sizeof *numbers.a, 2);
    fill_random(numbers.before, sizeof numbers.before / sizeof *numbers.before, 3);
    for (size_t m = 1; m <= 13; m += 4)
        for (size_t n = 1; n <= ROWS; n += 23)
            for (size_t k = 1; k <= COLS; k += 11)
                for (int add = 0; add < 2; add++) {
                    const struct product p = {m,     n,     k,  ROWS, COLS, (ROWS - n) / 2, (COLS - k) / 2,
                                              k + 3, n + 1, add};
                    quantise_weights(&p);
                    multiply_numbers(numbers.c, &p);
                    expect_product(&p);
                }
}

/* Makes a row hard. */
static void spoil(real *x, size_t n, struct rng *rng, bool finite)
{
    static const real odd[] = {FLT_MAX, -1e30f, FLT_TRUE_MIN, -0.0f, NAN, INFINITY, -INFINITY};
    switch (rng_below(rng, 8)) {
    case 0: /* all of the largest size: the largest sums */
        for (size_t i = 0; i < n; i++)
            x[i] = -0.75f;
        break;
    case 1:
        memset(x, 0, n * sizeof *x);
        break;
    case 2: /* one number among smaller ones, or none */
        x[rng_below(rng, n)] = odd[rng_below(rng, finite ? 4 : 7)];
        break;
    case 3:
        for (size_t i = 0; i < n; i++)
            x[i] *= 1e-37f;
        break;
    default:
        break;
    }
}

/* Rows of a, and some rows of weights that lie in the tensor. */
static struct product random_product(struct rng *rng)
{
    struct product p = {.m = 1 + rng_below(rng, MOST_M),
                        .n = 1 + rng_below(rng, MOST_N),
                        .k = 1 + rng_below(rng, MOST_K),
                        .row = rng_below(rng, MORE),
                        .col = rng_below(rng, MORE),
                        .add = rng_below(rng, 2)};
    p.rows = p.n + p.row;
    p.cols = p.k + p.col + rng_below(rng, MORE - p.col);
    p.lda = p.k + rng_below(rng, MORE);
    p.ldc = p.n + rng_below(rng, MORE);
    fill_random(numbers.a, p.m * p.lda, rng_next(rng));
    for (size_t i = 0; i < p.m; i++)
        spoil(numbers.a + i * p.lda, p.k, rng, false);
    for (size_t i = 0; i < p.n; i += 1 + rng_below(rng, 20))
        spoil(numbers.w + (p.row + i) * p.cols, p.cols, rng, true);
    return p;
}

/* The same numbers; any NaN is as good as another. */
static void expect_same(const real *expected, const real *c, const struct product *p,
                        enum int8_instructions set)
{
    for (size_t i = 0; i < p->m * p->ldc; i++)
        if (!(isnan(c[i]) && isnan(expected[i])) &&
            !(c[i] == expected[i] && signbit(c[i]) == signbit(expected[i])))
            fail_msg("instructions %d: m %zu, n %zu, k %zu: %a, not %a at %zu, %zu", set, p->m, p->n, p->k,
                     (double)c[i], (double)expected[i], i / p->ldc, i % p->ldc);
}

static void kernels_agree_bit_by_bit(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, RNG_TEST, 0, 0);
    fill_random(numbers.before, sizeof numbers.before / sizeof *numbers.before, 1);
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 50 == 0)
            fill_random(numbers.w, sizeof numbers.w / sizeof *numbers.w, rng_next(&rng));
        const struct product p = random_product(&rng);
        quantise_weights(&p);
        use(INT8_BASE);
        multiply_numbers(numbers.reference, &p);
        for (int set = INT8_BASE + 1; set < INT8_INSTRUCTIONS; set++)
            if (use(set)) {
                multiply_numbers(numbers.c, &p);
                expect_same(numbers.reference, numbers.c, &p, int8_instructions);
            }
    }
}

static void chosen_columns_are_those_of_the_whole(void **state)
{
    enum { M = 5, N = 90, COLS = 30, ROW = 3, COL = 2, K = 27 };
    const struct quantised w = {ROW + N, COLS, numbers.values, numbers.scales};
    int chosen[N];
    (void)state;
    fill_random(numbers.a, M * K, 1);
    fill_random(numbers.w, (ROW + N) * COLS, 2);
    quantise(numbers.values, numbers.scales, const_mat_of(numbers.w, ROW + N, COLS));
    for (int set = 0; set < INT8_INSTRUCTIONS; set++)
        for (size_t n = 1; n <= N / 2 && use(set); n++) {
            const struct const_mat a = const_mat_of(numbers.a, M, K);
            for (size_t j = 0; j < n; j++)
                chosen[j] = (int)(2 * j + (j > 9));
            multiply(mat_of(numbers.reference, M, N), a, &w, ROW, COL, false);
            multiply_part(mat_of(numbers.c, M, n), a, &w, &(struct part){ROW, COL, N, chosen}, false);
            for (size_t i = 0; i < M; i++)
                for (size_t j = 0; j < n; j++)
                    assert_memory_equal(&numbers.c[i * n + j], &numbers.reference[i * N + (size_t)chosen[j]],
                                        sizeof(real));
        }
}

/* The longest rows and the largest sums: more activations than are quantised at once. */
static void long_rows(void **state)
{
    enum { M = 3, N = 33, K = 16384 };
    real *a = xmalloc(M * K, sizeof *a), *w = xmalloc(N * K, sizeof *w);
    int8_t *values = xmalloc(N * K, 1);
    float scales[N];
    real c[M * N];
    const struct quantised tensor = {N, K, values, scales};
    (void)state;
    for (size_t i = 0; i < M * K; i++)
        a[i] = 3;
    for (size_t i = 0; i < N * K; i++)
        w[i] = i / K % 2 ? 0.5f : -2;
    quantise(values, scales, const_mat_of(w, N, K));
    for (int set = 0; set < INT8_INSTRUCTIONS; set++)
        if (use(set)) {
            multiply(mat_of(c, M, N), const_mat_of(a, M, K), &tensor, 0, 0, false);
            for (size_t i = 0; i < M * N; i++)
                assert_float_equal(c[i], (i % N % 2 ? 1.5f : -6) * K, 0.1);
        }
    xfree(a);
    xfree(w);
    xfree(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree_with_their_definition),
        cmocka_unit_test(kernels_agree_bit_by_bit),
        cmocka_unit_test(chosen_columns_are_those_of_the_whole),
        cmocka_unit_test(long_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

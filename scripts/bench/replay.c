/* Replays products: each reads its factors from the beginning of the same two blocks of random numbers. */
#include "replay.h"

#include "bench.h"

#include "bf16.h"
#include "mem.h"
#include "prepacked.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* The second factor of several products, nt or nn, by the kind of product. */
struct weights {
    const struct product *first;
    struct prepacked prepacked[2];
};

#define WEIGHTS_MOST 512

struct replay {
    const struct product *products;
    size_t count, weight_count;
    struct weights weights[WEIGHTS_MOST];
    struct weights **of; /* [count]: of a product; NULL for those of gradients of weights */
    real *a, *b, *c;     /* for the largest factors and result */
    size_t a_count, b_count, c_count;
    struct arena arena;
    struct prepack_list lists[2][2]; /* by the kind of product and direction */
};

static bool is(const struct product *p, const char *form)
{
    return !strcmp(p->form, form);
}

static enum kind kind_of(const struct product *p)
{
    return is(p, "nt") ? FORWARD_PRODUCTS : is(p, "nn") ? INPUT_GRADIENTS : WEIGHT_GRADIENTS;
}

/* ---- operands ---- */

static struct const_mat factor_a(const struct product *p, const real *a)
{
    return is(p, "tn") ? const_mat_of(a, p->k, p->m) : const_mat_of(a, p->m, p->k);
}

static struct const_mat factor_b(const struct product *p, const real *b)
{
    return is(p, "nt") ? const_mat_of(b, p->n, p->k) : const_mat_of(b, p->k, p->n);
}

static struct weights *find_weights(struct replay *r, const struct product *p)
{
    for (size_t i = 0; i < r->weight_count; i++) {
        const struct product *q = r->weights[i].first;
        if (q->b == p->b && q->n == p->n && q->k == p->k && kind_of(q) == kind_of(p))
            return &r->weights[i];
    }
    ASSERT(r->weight_count < WEIGHTS_MOST);
    struct weights *w = &r->weights[r->weight_count++];
    const enum pass_direction direction = is(p, "nt") ? FORWARD : BACKWARD;
    w->first = p;
    if (p->prepacked)
        prepack(&w->prepacked[PRODUCTS_FLOAT32], factor_b(p, r->b), &r->lists[PRODUCTS_FLOAT32][direction]);
    prepack(&w->prepacked[PRODUCTS_BFLOAT16], factor_b(p, r->b), &r->lists[PRODUCTS_BFLOAT16][direction]);
    return w;
}

static size_t larger(size_t x, size_t y)
{
    return x > y ? x : y;
}

static void add_product(struct replay *r, const struct product *p)
{
    r->a_count = larger(r->a_count, p->m * p->k);
    r->b_count = larger(r->b_count, p->n * p->k);
    r->c_count = larger(r->c_count, p->m * p->n);
}

/* Returns the seconds of all. */
static double prepack_all(double seconds[KINDS], const struct replay *r, enum product_kind products)
{
    static const enum kind kinds[] = {[FORWARD] = FORWARD_PRODUCTS, [BACKWARD] = INPUT_GRADIENTS};
    double all = 0;
    for (int direction = 0; direction < 2; direction++) {
        const double begin = bench_thread_seconds();
        prepack_list_fill(&r->lists[products][direction], 0, 1);
        const double passed = bench_thread_seconds() - begin;
        seconds[kinds[direction]] += passed;
        all += passed;
    }
    return all;
}

/* All memory is written once: a training's is, too, after the first update. */
struct replay *replay_new(const struct probe_report *report)
{
    struct replay *r = xcalloc(1, sizeof *r);
    r->products = report->products;
    r->count = report->product_count;
    for (size_t i = 0; i < r->count; i++)
        add_product(r, &r->products[i]);
    r->a = bench_random_numbers(r->a_count, 1);
    r->b = bench_random_numbers(r->b_count, 2);
    r->c = xcalloc(r->c_count, sizeof *r->c);
    arena_init(&r->arena);
    for (int products = 0; products < 2; products++)
        for (int direction = 0; direction < 2; direction++)
            prepack_list_init(&r->lists[products][direction], (enum pass_direction)direction,
                              (enum product_kind)products, NULL, &r->arena);
    r->of = ARENA_NEW(&r->arena, r->count, struct weights *);
    for (size_t i = 0; i < r->count; i++)
        r->of[i] = is(&r->products[i], "tn") ? NULL : find_weights(r, &r->products[i]);
    double ignored[KINDS] = {0};
    for (int products = 0; products < 2; products++)
        prepack_all(ignored, r, (enum product_kind)products);
    return r;
}

void replay_free(struct replay *r)
{
    arena_release(&r->arena);
    xfree(r->a);
    xfree(r->b);
    xfree(r->c);
    xfree(r);
}

/* ---- products ---- */

static void multiply_sgemm(real *c, const struct product *p, const real *a, const real *b)
{
    const struct const_mat x = factor_a(p, a), y = factor_b(p, b);
    cblas_sgemm(CblasRowMajor, is(p, "tn") ? CblasTrans : CblasNoTrans,
                is(p, "nt") ? CblasTrans : CblasNoTrans, (int)p->m, (int)p->n, (int)p->k, 1, x.data,
                (int)x.ld, y.data, (int)y.ld, p->add, c, (int)p->n);
}

static void multiply(struct replay *r, size_t i, enum engine engine)
{
    const struct product *p = &r->products[i];
    const struct mat c = mat_of(r->c, p->m, p->n);
    const struct const_mat a = factor_a(p, r->a);
    if (engine == BF16 && is(p, "tn"))
        bf16_mat_tn(c, a, factor_b(p, r->b), p->add);
    else if (engine == BF16)
        prepacked_product(c, a, &r->of[i]->prepacked[PRODUCTS_BFLOAT16], p->add);
    else if (engine == NMT && p->prepacked)
        prepacked_product(c, a, &r->of[i]->prepacked[PRODUCTS_FLOAT32], p->add);
    else
        multiply_sgemm(r->c, p, r->a, r->b);
}

void replay_run(double seconds[KINDS], double *prepacking, struct replay *r, enum engine engine)
{
    memset(seconds, 0, KINDS * sizeof *seconds);
    *prepacking =
        engine == SGEMM ? 0 : prepack_all(seconds, r, engine == NMT ? PRODUCTS_FLOAT32 : PRODUCTS_BFLOAT16);
    for (size_t i = 0; i < r->count; i++) {
        const double begin = bench_thread_seconds();
        multiply(r, i, engine);
        seconds[kind_of(&r->products[i])] += bench_thread_seconds() - begin;
    }
    for (int kind = 0; kind < ALL; kind++)
        seconds[ALL] += seconds[kind];
}

void replay_operations(double operations[KINDS], const struct replay *r)
{
    memset(operations, 0, KINDS * sizeof *operations);
    for (size_t i = 0; i < r->count; i++) {
        const struct product *p = &r->products[i];
        operations[kind_of(p)] += 2 * (double)(p->m * p->n * p->k);
    }
    for (int kind = 0; kind < ALL; kind++)
        operations[ALL] += operations[kind];
}

/* ---- check ---- */

/* The same numbers as bfloat16: to nearest, ties to even. */
static real *rounded(const real *x, size_t count)
{
    real *y = xmalloc(count, sizeof *y);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
        memcpy(y + i, &bits, sizeof bits);
    }
    return y;
}

/* A sum of k products of random numbers that are not rounded, or rounded otherwise, is about ten times as far
 * away as is allowed. */
static int compare(const real *c, const real *expected, const struct product *p, struct err *err)
{
    const double allowed = 2e-5 * sqrt((double)p->k);
    for (size_t i = 0; i < p->m * p->n; i++)
        if (!(fabs((double)c[i] - (double)expected[i]) <= allowed))
            return err_set(err, "bfloat16: number %zu of product %zux%zux%zu:%s is %g; sgemm's is %g", i,
                           p->m, p->n, p->k, p->form, (double)c[i], (double)expected[i]);
    return 0;
}

int replay_check(struct replay *r, struct err *err)
{
    real *a = rounded(r->a, r->a_count), *b = rounded(r->b, r->b_count);
    real *expected = xmalloc(r->c_count, sizeof *expected);
    int status = 0;
    for (size_t i = 0; i < r->count && !status; i++) {
        const struct product *p = &r->products[i];
        memset(r->c, 0, p->m * p->n * sizeof *r->c);
        memset(expected, 0, p->m * p->n * sizeof *expected);
        multiply(r, i, BF16);
        multiply_sgemm(expected, p, a, b);
        status = compare(r->c, expected, p, err);
    }
    xfree(a);
    xfree(b);
    xfree(expected);
    return status;
}

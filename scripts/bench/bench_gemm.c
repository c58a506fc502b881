/* nmt_bench gemm: the machine's rate of matrix products, by OpenBLAS or by nmt's prepacked weights. */
#include "bench.h"

#include "arena.h"
#include "log.h"
#include "mat.h"
#include "mem.h"
#include "prepacked.h"
#include "team.h"

#include <cblas.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gemm_shape {
    size_t m, n, k;
    char form[3];
};

static void multiply_blas(const struct gemm_shape *s, real *c, const real *a, const real *b)
{
    const bool a_transposed = s->form[0] == 't', b_transposed = s->form[1] == 't';
    cblas_sgemm(CblasRowMajor, a_transposed ? CblasTrans : CblasNoTrans,
                b_transposed ? CblasTrans : CblasNoTrans, (int)s->m, (int)s->n, (int)s->k, 1, a,
                (int)(a_transposed ? s->m : s->k), b, (int)(b_transposed ? s->k : s->n), 0, c, (int)s->n);
}

static real *filled(size_t count)
{
    real *x = xmalloc(count, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(i % 7) - 3;
    return x;
}

/* Multiplications per second of one thread while all are at it. */
static double multiply_for(const struct gemm_shape *s, bool prepacked, double seconds, atomic_int *arrived,
                           int threads)
{
    real *a = filled(s->m * s->k), *b = filled(s->k * s->n);
    real *c = filled(s->m * s->n);
    struct arena arena;
    struct prepacked w;
    struct prepack_list list;
    arena_init(&arena);
    const bool forward = s->form[1] == 't';
    prepack_list_init(&list, forward ? FORWARD : BACKWARD, PRODUCTS_FLOAT32, NULL, &arena);
    if (prepacked)
        prepack(&w, const_mat_of(b, forward ? s->n : s->k, forward ? s->k : s->n), &list);
    prepack_list_fill(&list, 0, 1);
    multiply_blas(s, c, a, b);
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < threads)
        ;
    const double begin = clock_seconds();
    long count = 0;
    double now;
    do {
        if (prepacked)
            prepacked_product(mat_ld(c, s->m, w.n, s->n), const_mat_ld(a, s->m, w.k, s->k), &w, false);
        else
            multiply_blas(s, c, a, b);
        count++;
        now = clock_seconds();
    } while (now - begin < seconds);
    arena_release(&arena);
    free(a);
    free(b);
    free(c);
    return (double)count / (now - begin);
}

struct multiplying {
    const struct bench *bench;
    const struct gemm_shape *shape;
    atomic_int arrived;
    double *rates; /* [threads] */
};

static void multiply(void *context, int task, int member)
{
    struct multiplying *m = context;
    (void)member;
    m->rates[task] =
        multiply_for(m->shape, m->bench->prepacked, m->bench->seconds, &m->arrived, m->bench->threads);
}

/* Billions of floating-point operations per second, of all threads together. */
static double gemm_gflops(const struct gemm_shape *s, const struct bench *b, struct team *team)
{
    double sum = 0, *rates = xcalloc((size_t)b->threads, sizeof *rates);
    struct multiplying m = {b, s, 0, rates};
    team_run(team, multiply, &m, b->threads);
    for (int i = 0; i < b->threads; i++)
        sum += rates[i];
    free(rates);
    return sum * 2e-9 * (double)(s->m * s->n * s->k);
}

void bench_gemm(const struct bench *b)
{
    struct team *team = team_new(b->threads);
    struct json *result = json_new_object();
    for (const char *at = b->shapes; *at; at += strcspn(at, ","), at += *at == ',') {
        struct gemm_shape s;
        struct err err;
        double gflops[MAX_ROUNDS];
        if (sscanf(at, "%zux%zux%zu:%2[nt]", &s.m, &s.n, &s.k, s.form) != 4 || s.m < 1 || s.n < 1 ||
            s.k < 1) {
            err_set(&err, "'%s' is not MxNxK:nt", at);
            bench_die(&err);
        }
        for (int round = 0; round < b->rounds; round++)
            gflops[round] = gemm_gflops(&s, b, team);
        char *name = xstrndup(at, strcspn(at, ","));
        json_set_array(result, name, gflops, b->rounds);
        free(name);
    }
    json_set_string(result, "blas_kernel", mat_kernel_name());
    bench_print(result);
    team_free(team);
}

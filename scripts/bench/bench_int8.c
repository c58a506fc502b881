/* nmt_bench int8: products with weights of eight bits beside those with prepacked float32, in turns, and the
 * parts of their time. Seconds are of the thread's processor time. */
#include "bench.h"

#include "arena.h"
#include "kernel.h"
#include "mem.h"
#include "prepacked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The matrices of c [m][n] = a [m][k] wᵀ, and w in both forms. */
struct operands {
    size_t m, n, k;
    real *a, *w, *c;
    int8_t *values;
    float *scales;
    struct arena arena;
    struct prepacked float32, int8;
};

/* What is timed. */
static void multiply_float32(struct operands *o)
{
    prepacked_product(mat_of(o->c, o->m, o->n), const_mat_of(o->a, o->m, o->k), &o->float32, false);
}

static void multiply_int8(struct operands *o)
{
    prepacked_product(mat_of(o->c, o->m, o->n), const_mat_of(o->a, o->m, o->k), &o->int8, false);
}

static void quantise_rows(struct operands *o)
{
    quantise(o->values, o->scales, const_mat_of(o->a, o->m, o->k));
}

static void prepack_one(struct prepacked *prepacked, struct const_mat w,
                        const struct quantised_params *quantised, struct arena *arena)
{
    struct prepack_list list;
    prepack_list_init(&list, FORWARD, PRODUCTS_FLOAT32, quantised, arena);
    prepack(prepacked, w, &list);
    prepack_list_fill(&list, 0, 1);
}

static void operands_init(struct operands *o, size_t m, size_t n, size_t k)
{
    const size_t longest = m > n ? m : n, none = 0;
    *o = (struct operands){.m = m,
                           .n = n,
                           .k = k,
                           .a = bench_random_numbers(m * k, 1),
                           .w = bench_random_numbers(n * k, 2),
                           .c = bench_random_numbers(m * n, 3),
                           .values = xmalloc(longest * k, 1),
                           .scales = xmalloc(longest, sizeof(float))};
    const struct quantised tensor = {n, k, o->values, o->scales};
    const struct quantised_params quantised = {o->w, 1, &none, &tensor};
    arena_init(&o->arena);
    quantise(o->values, o->scales, const_mat_of(o->w, n, k));
    prepack_one(&o->float32, const_mat_of(o->w, n, k), NULL, &o->arena);
    prepack_one(&o->int8, const_mat_of(o->w, n, k), &quantised, &o->arena);
}

static void operands_release(struct operands *o)
{
    arena_release(&o->arena);
    xfree(o->a);
    xfree(o->w);
    xfree(o->c);
    xfree(o->values);
    xfree(o->scales);
}

/* Seconds of one call, from as many as take `seconds` together. */
static double time_calls(void (*call)(struct operands *o), struct operands *o, double seconds)
{
    const double begin = bench_thread_seconds();
    long calls = 0;
    double now;
    do {
        for (int i = 0; i < 16; i++) /* a look at the clock takes as long as a small call */
            call(o);
        calls += 16;
        now = bench_thread_seconds();
    } while (now - begin < seconds);
    return (now - begin) / (double)calls;
}

/* A product with k = 4 has next to nothing to multiply: it quantises, rescales and stores. */
static void measure(struct json *result, const struct bench *b, size_t m, size_t n, size_t k)
{
    enum { FLOAT32, INT8, QUANTISING, SHALLOW, TIMED };
    static void (*const calls[TIMED])(struct operands *) = {multiply_float32, multiply_int8, quantise_rows,
                                                            multiply_int8};
    double seconds[TIMED][MAX_ROUNDS] = {{0}}, ratio[MAX_ROUNDS] = {0}, middle[TIMED];
    struct operands deep, shallow;
    operands_init(&deep, m, n, k);
    operands_init(&shallow, m, n, 4);
    for (int round = 0; round < b->rounds; round++) {
        for (int i = 0; i < TIMED; i++)
            seconds[i][round] = time_calls(calls[i], i == SHALLOW ? &shallow : &deep, b->seconds);
        ratio[round] = seconds[FLOAT32][round] / seconds[INT8][round];
    }
    for (int i = 0; i < TIMED; i++)
        middle[i] = bench_median(seconds[i], b->rounds);
    const double operations = 2e-9 * (double)(m * n * k);
    json_set_number(result, "float32_gflops", operations / middle[FLOAT32]);
    json_set_number(result, "int8_gops", operations / middle[INT8]);
    json_set_number(result, "ratio", bench_median(ratio, b->rounds));
    json_set_number(result, "quantising_share", middle[QUANTISING] / middle[INT8]);
    json_set_number(result, "rescaling_share", middle[SHALLOW] / middle[INT8]);
    operands_release(&deep);
    operands_release(&shallow);
}

void bench_int8(const struct bench *b)
{
    struct json *result = json_new_object();
    for (const char *at = b->shapes; *at; at += strcspn(at, ","), at += *at == ',') {
        size_t m, n, k;
        struct err err;
        if (sscanf(at, "%zux%zux%zu", &m, &n, &k) != 3 || m < 1 || n < 1 || k < 1) {
            err_set(&err, "'%s' is not MxNxK", at);
            bench_die(&err);
        }
        char *name = xstrndup(at, strcspn(at, ","));
        measure(json_set_object(result, name), b, m, n, k);
        xfree(name);
    }
    json_set_string(result, "instructions", instruction_set_name());
    json_set_string(result, "int8_instructions", int8_instructions_name());
    bench_print(result);
}

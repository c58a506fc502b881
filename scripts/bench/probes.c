/* Clocks and counters around nmt's functions. The linker puts each __wrap_NAME in NAME's place (--wrap, see
 * CMakeLists.txt); which part of the work a function belongs to is listed here. */
#include "probes.h"

#include "attention.h"
#include "bf16.h"
#include "cell.h"
#include "dropout.h"
#include "embedding.h"
#include "log.h"
#include "mat.h"
#include "optim.h"
#include "prepacked.h"
#include "unique.h"
#include "vecmath.h"
#include "xent.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const char *const part_names[PART_COUNT] = {
#define NAME(name) #name,
    PARTS(NAME)
#undef NAME
};

#define MAX_THREADS 256

static bool on;
static struct slot {
    _Alignas(64) double seconds[PART_COUNT];
    double flops;
} slots[MAX_THREADS];
static atomic_int slots_used;
static atomic_long allocations;
static struct product log_of_products[PRODUCTS_MOST];
static atomic_size_t logged;

static _Thread_local struct slot *own;
/* Seconds that the probes within the one at work took: they are not its own. */
static _Thread_local double inside;
static _Thread_local int products; /* at work */

struct probe {
    double begin, inside_before;
};

static struct probe enter(void)
{
    if (!own)
        own = &slots[atomic_fetch_add(&slots_used, 1) % MAX_THREADS];
    const struct probe probe = {clock_seconds(), inside};
    inside = 0;
    return probe;
}

static void leave(enum part part, struct probe probe)
{
    const double seconds = clock_seconds() - probe.begin;
    own->seconds[part] += seconds - inside;
    inside = probe.inside_before + seconds;
}

/* A product within a product is part of the outer one. */
static void log_product(struct product product)
{
    if (--products > 0)
        return;
    own->flops += 2.0 * (double)(product.m * product.n * product.k);
    const size_t at = atomic_fetch_add(&logged, 1);
    if (at < PRODUCTS_MOST)
        log_of_products[at] = product;
}

void probes_start(void)
{
    memset(slots, 0, sizeof slots);
    atomic_store(&allocations, 0);
    atomic_store(&logged, 0);
    on = true;
}

void probes_stop(struct probe_report *report)
{
    on = false;
    memset(report, 0, sizeof *report);
    for (int i = 0; i < MAX_THREADS; i++) {
        for (int part = 0; part < PART_COUNT; part++)
            report->seconds[part] += slots[i].seconds[part];
        report->gemm_flops += slots[i].flops;
    }
    report->allocations = atomic_load(&allocations);
    report->products = log_of_products;
    report->product_count = atomic_load(&logged) < PRODUCTS_MOST ? atomic_load(&logged) : PRODUCTS_MOST;
}

/* ---- the wrapped functions ---- */

/* The linker sends calls of `name` from other object files to __wrap_name, and __real_name to the function.
 * A wrapper whose parameters are no longer the function's does not compile. */
#define WRAPPED(part, name, parameters, arguments, before, after)                                            \
    __typeof__(name) __real_##name, __wrap_##name;                                                           \
    void __wrap_##name parameters                                                                            \
    {                                                                                                        \
        if (!on) {                                                                                           \
            __real_##name arguments;                                                                         \
            return;                                                                                          \
        }                                                                                                    \
        const struct probe probe = enter();                                                                  \
        before;                                                                                              \
        __real_##name arguments;                                                                             \
        after;                                                                                               \
        leave(PART_##part, probe);                                                                           \
    }
#define PROBE(part, name, parameters, arguments) WRAPPED(part, name, parameters, arguments, (void)0, (void)0)
#define PRODUCT(name, parameters, arguments, ...)                                                            \
    WRAPPED(gemm, name, parameters, arguments, products++, log_product((struct product){__VA_ARGS__}))
#define MAT(name, form_, k_)                                                                                 \
    PRODUCT(name, (struct mat c, struct const_mat a, struct const_mat b, bool add), (c, a, b, add),          \
            .form = form_, .m = c.rows, .n = c.cols, .k = k_, .b = b.data, .add = add)

MAT(mat_nt, "nt", a.cols)
MAT(mat_nn, "nn", a.cols)
MAT(mat_tn, "tn", a.rows)
MAT(bf16_mat_tn, "tn", a.rows)
PRODUCT(prepacked_product, (struct mat c, struct const_mat a, const struct prepacked *w, bool add),
        (c, a, w, add), .form = {'n', w->direction == FORWARD ? 't' : 'n'}, .m = c.rows, .n = c.cols,
        .k = a.cols, .b = w->weights.data, .add = add, .prepacked = !prepacked_reads_weights(w))

PROBE(prepack, prepack_list_fill, (const struct prepack_list *list, int part, int parts), (list, part, parts))
PROBE(attention, attention_forward,
      (struct attention_acts * acts, struct const_mat states, const struct attention_step *step,
       const struct attention_weights *weights),
      (acts, states, step, weights))
PROBE(attention, attention_backward,
      (struct mat dstates, struct attention_acts *acts, const struct attention_step *step,
       const struct attention_weights *weights),
      (dstates, acts, step, weights))
PROBE(attention, attention_sum,
      (struct mat sums, const real *alpha, const struct attention_values *values,
       const struct attention_step *step),
      (sums, alpha, values, step))
PROBE(attention, attention_sum_backward,
      (real * dalpha, struct const_mat dsums, const struct attention_values *values,
       const struct attention_step *step),
      (dalpha, dsums, values, step))
PROBE(attention, attention_values_backward,
      (struct mat dvalues, struct const_mat dsums, const real *alpha, const struct attention_values *values,
       const size_t *source_rank, const struct packed_seq *source, const struct packed_seq *target),
      (dvalues, dsums, alpha, values, source_rank, source, target))
PROBE(gates, cell_forward,
      (const struct cell_state *next, struct cell_acts *acts, struct cell_rows rows,
       const struct cell_weights *weights),
      (next, acts, rows, weights))
PROBE(gates, cell_backward,
      (const struct cell_state *dstate, struct cell_acts *acts, struct cell_rows rows,
       const struct cell_weights *weights),
      (dstate, acts, rows, weights))
PROBE(softmax, xent_forward_backward,
      (struct xent_sums * sums, real *losses, struct mat logits, const int *ids, double smoothing,
       real scale),
      (sums, losses, logits, ids, smoothing, scale))
PROBE(adam, optimizer_step,
      (real * values, const real *grads, const struct optimizer *optimizer,
       const struct optimizer_update *update, size_t begin_at, size_t end),
      (values, grads, optimizer, update, begin_at, end))
PROBE(words, embedding_forward, (struct mat x, const int *ids, const struct embedding_weights *weights),
      (x, ids, weights))
PROBE(words, embedding_backward,
      (struct grad_terms * terms, struct const_mat dx, const int *ids, const struct embedding *embedding),
      (terms, dx, ids, embedding))
PROBE(dropout, dropout_apply, (struct mat x, const struct dropout *dropout), (x, dropout))
PROBE(dropout, dropout_rows, (struct mat y, struct const_mat x, const struct dropout *dropout, bool add),
      (y, x, dropout, add))
PROBE(words, unique_spread, (struct mat y, struct const_mat x, const struct unique *unique, bool add),
      (y, x, unique, add))
PROBE(words, unique_gather, (struct mat dx, struct const_mat dy, const struct unique *unique),
      (dx, dy, unique))
PROBE(sums, vec_add_column_sums, (real * sums, struct const_mat rows), (sums, rows))
PROBE(sums, vec_add_to_rows, (struct mat rows, const real *bias), (rows, bias))

#define COUNTED(name, parameters, arguments)                                                                 \
    __typeof__(name) __real_##name, __wrap_##name;                                                           \
    void *__wrap_##name parameters                                                                           \
    {                                                                                                        \
        if (on)                                                                                              \
            atomic_fetch_add(&allocations, 1);                                                               \
        return __real_##name arguments;                                                                      \
    }

COUNTED(malloc, (size_t bytes), (bytes))
COUNTED(calloc, (size_t count, size_t bytes), (count, bytes))
COUNTED(realloc, (void *old, size_t bytes), (old, bytes))
COUNTED(aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes))

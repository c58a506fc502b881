/* probes: clocks and counters around the functions of nmt in which time goes, put there by the linker
 * (--wrap), so that the program itself knows nothing of them. */
#ifndef NMT_PROBES_H
#define NMT_PROBES_H

#include "real.h"

#include <stdbool.h>
#include <stddef.h>

/* X(name) */
#define PARTS(X) X(gemm) X(prepack) X(attention) X(gates) X(softmax) X(words) X(dropout) X(sums) X(adam)

enum part {
#define ENUM(name) PART_##name,
    PARTS(ENUM)
#undef ENUM
        PART_COUNT
};

extern const char *const part_names[PART_COUNT];

/* A product that ran: c [m][n] = or += a [m][k] times b [k][n], the factors marked "t" transposed. */
struct product {
    size_t m, n, k;
    char form[3];        /* nt, nn, tn */
    bool add, prepacked; /* in panels */
    const real *b;       /* where the second factor lies: nt, nn: in the weights */
};

#define PRODUCTS_MOST 65536

struct probe_report {
    double seconds[PART_COUNT]; /* of all threads together */
    double gemm_flops;          /* 2 m n k of every call */
    long allocations;
    /* The first PRODUCTS_MOST of all threads, in the order in which they ended; valid until probes_start. */
    const struct product *products;
    size_t product_count;
};

/* Clocks cost a little: rates are measured with the probes off. */
void probes_start(void);
void probes_stop(struct probe_report *report);

#endif

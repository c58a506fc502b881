/* probes: clocks and counters around the functions of nmt in which time goes, put there by the linker
 * (--wrap), so that the program itself knows nothing of them. */
#ifndef NMT_PROBES_H
#define NMT_PROBES_H

#include <stdbool.h>

/* X(name) */
#define PARTS(X) X(gemm) X(prepack) X(attention) X(gates) X(softmax) X(words) X(dropout) X(sums) X(adam)

enum part {
#define ENUM(name) PART_##name,
    PARTS(ENUM)
#undef ENUM
        PART_COUNT
};

extern const char *const part_names[PART_COUNT];

struct probe_report {
    double seconds[PART_COUNT]; /* of all threads together */
    double gemm_flops;          /* 2 m n k of every call */
    long allocations;
};

/* Clocks cost a little: rates are measured with the probes off. */
void probes_start(void);
void probes_stop(struct probe_report *report);

#endif

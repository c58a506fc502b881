/* bf16: matrix products of numbers in bfloat16, added up in float32, by the instruction vdpbf16ps
 * (AVX512-BF16) of x86-64. They serve to tell whether training would gain by them. */
#ifndef NMT_BF16_H
#define NMT_BF16_H

#include "mat.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define BF16_KERNELS /* else there are no functions */
#endif

/* An operand [count][k], rounded to nearest, ties to even, in pairs along k: the instruction adds the
 * products of both numbers of a pair. Either by rows, [count][pairs]; or in strips of 16 rows, [count /
 * 16][pairs][16], an even number of them, filled up with zeros. */
struct bf16 {
    size_t count, pairs; /* pairs = (k + 1) / 2 */
    bool strips;
    uint32_t *data;
};

/* Whether the processor has the instruction. Without it, nothing below may be called. */
bool bf16_supported(void);
/* Pairs that an operand of either kind has at most. */
size_t bf16_capacity(size_t count, size_t k);
/* Writes from [count][k] to to->data, by rows. */
void bf16_round(struct bf16 *to, struct const_mat from);
/* Writes from [count][k], or [k][count] if `by_columns`, to to->data, in strips. */
void bf16_pack(struct bf16 *to, struct const_mat from, bool by_columns);
/* c [m][n] = a [m][k] times the transpose of b [n][k], which is in strips; with `add`, c += … */
void bf16_product(struct mat c, const struct bf16 *a, const struct bf16 *b, bool add);

/* The rate of the instruction itself, and of float32's multiply-add: `rounds` rounds of IN_REGISTERS of them
 * that do not wait for each other nor for memory. The result depends on them all. */
#define IN_REGISTERS 24
float bf16_in_registers(long rounds);
float float32_in_registers(long rounds);

#endif

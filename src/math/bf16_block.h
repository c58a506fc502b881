/* bf16_block: what multiplies blocks of two factors that bf16.c has rounded to bfloat16, by instruction
 * set. */
#ifndef NMT_BF16_BLOCK_H
#define NMT_BF16_BLOCK_H

#include "kernel.h"
#include "mat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BF16_STRIP ((size_t)16) /* columns */
#define BF16_PANEL (2 * BF16_STRIP)
#define BF16_STEP ((size_t)16) /* blocks are filled up with zeros to a multiple of so many pairs */

/* Factors a and b, as pairs of numbers along k. */
struct bf16_block {
    const uint32_t
        *a; /* [rows][pairs, a_ld]; behind the last row, memory for a multiple of BF16_PANEL rows */
    size_t a_ld;
    const uint32_t *b; /* strips b_ld apart, of whole panels: [strip][pairs][BF16_STRIP] */
    size_t b_ld, pairs;
};

/* c (+)= a · b, by vdpbf16ps of AVX512-BF16. */
void bf16_dot_product(struct mat c, const struct bf16_block *block, bool add);
/* The same by tdpbf16ps of AMX, once bf16_amx_begin has been true. False: the system refuses AMX. */
bool bf16_amx_begin(void);
void bf16_amx_product(struct mat c, const struct bf16_block *block, bool add);

#if defined(__x86_64__) && defined(__GNUC__) && !defined(NMT_DOUBLE)

#include <immintrin.h>

#define BF16_KERNELS
#define BF16_FEATURES FEATURES_V4 ",avx512bf16"
#define TARGET __attribute__((target(BF16_FEATURES)))
#define INLINE static inline __attribute__((always_inline, target(BF16_FEATURES)))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define EACH(i, count) UNROLL for (size_t i = 0; i < (count); i++)

/* The first of 16 lanes; `count` may be negative. */
INLINE __mmask16 bf16_lanes(ptrdiff_t count)
{
    return count >= 16 ? 0xffff : count <= 0 ? 0 : (__mmask16)((1u << count) - 1);
}

#endif

#endif

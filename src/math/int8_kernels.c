/* Products of quantised rows with panels. Compiled without fused multiply-adds (CMakeLists.txt): all kernels
 * round alike. */
#include "int8_kernels.h"

#include "kernel.h"

#include <string.h>

/* ---- portable: the reference for all others ---- */

static void portable(real *c, size_t ldc, const struct int8_rows *a, const struct int8_panel *panel, bool add)
{
    const int8_t *x = (const int8_t *)a->values, *w = panel->values;
    int32_t sums[INT8_PANEL] = {0};
    (void)ldc;
    for (size_t l = 0; l < panel->depth; l += INT8_GROUP, x += INT8_GROUP)
        for (size_t j = 0; j < INT8_PANEL; j++, w += INT8_GROUP)
            sums[j] += x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3];
    for (size_t j = 0; j < INT8_PANEL; j++) {
        const float product = (float)sums[j] * (a->scales[0] * panel->scales[j]);
        c[j] = add ? c[j] + (real)product : (real)product;
    }
}

static const struct int8_kernels portable_kernels = {.most = 1, .by_rows = {portable}};

#if !defined(NMT_DOUBLE) && ((defined(__x86_64__) && defined(__GNUC__)) || defined(COMPILER_HAS_DOTPROD))

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

/* ---- by instruction set: sums of vectors of columns stay in registers ---- */

#define EACH(i, count) _Pragma("GCC unroll 8") for (size_t i = 0; i < (count); i++)
#define INLINE(features) static inline __attribute__((always_inline, target(features)))

/* Vectors of LANES columns, anywhere in memory. */
#define VECTORS(LANES)                                                                                       \
    typedef float vec##LANES __attribute__((vector_size(LANES * 4), aligned(4), may_alias));                 \
    typedef int32_t ivec##LANES __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
VECTORS(4)
VECTORS(8)
VECTORS(16)

/* clang-format off */

/* A group of each row times groups of VECS vectors of columns: four products go to the lane of their column.
 * A level defines _broadcast (a group of activations in all lanes) and _dot (sums of LANES columns). */
#define DOT_STEP(level, sums, LANES, ROWS, VECS)                                                               \
    do {                                                                                                       \
        ivec##LANES lines[VECS];                                                                               \
        EACH(v, VECS)                                                                                          \
            lines[v] = ((const ivec##LANES *)(const void *)w)[v];                                              \
        EACH(i, ROWS) {                                                                                        \
            int32_t group;                                                                                     \
            memcpy(&group, x + i * a->ld_bytes, sizeof group);                                                 \
            const ivec##LANES row = level##_broadcast(group);                                                  \
            EACH(v, VECS)                                                                                      \
                (sums)[i][v] = level##_dot((sums)[i][v], row, lines[v]);                                       \
        }                                                                                                      \
        x += INT8_GROUP;                                                                                       \
        w += INT8_GROUP * INT8_PANEL;                                                                          \
    } while (0)

/* Each sum waits for its last addition, so with few rows there are SPLITS of each, added up at the end. */
#define DOT_KERNEL(level, features, LANES, ROWS, VECS, SPLITS)                                                 \
    __attribute__((target(features)))                                                                          \
    static void level##_##ROWS(real *c, size_t ldc, const struct int8_rows *a, const struct int8_panel *panel, \
                               bool add)                                                                       \
    {                                                                                                          \
        for (size_t j = 0; j < INT8_PANEL; j += VECS * LANES) {                                                \
            const uint8_t *x = a->values;                                                                      \
            const int8_t *w = panel->values + j * INT8_GROUP;                                                  \
            ivec##LANES sums[SPLITS][ROWS][VECS] = {{{{0}}}};                                                  \
            EACH(i, ROWS) EACH(v, VECS)                                                                        \
                sums[0][i][v] = ((const ivec##LANES *)(panel->starts + j))[v];                                 \
            size_t l = panel->depth / INT8_GROUP;                                                              \
            for (; l >= SPLITS; l -= SPLITS)                                                                   \
                EACH(s, SPLITS)                                                                                \
                    DOT_STEP(level, sums[s], LANES, ROWS, VECS);                                               \
            for (; SPLITS > 1 && l; l--)                                                                       \
                DOT_STEP(level, sums[0], LANES, ROWS, VECS);                                                   \
            EACH(i, ROWS) EACH(v, VECS) {                                                                      \
                EACH(s, SPLITS) if (s)                                                                         \
                    sums[0][i][v] += sums[s][i][v];                                                            \
                const vec##LANES scale = a->scales[i] * ((const vec##LANES *)(panel->scales + j))[v];          \
                const vec##LANES product = __builtin_convertvector(sums[0][i][v], vec##LANES) * scale;         \
                vec##LANES *to = (vec##LANES *)(c + i * ldc + j) + v;                                          \
                if (add)                                                                                       \
                    *to += product;                                                                            \
                else                                                                                           \
                    *to = product;                                                                             \
            }                                                                                                  \
        }                                                                                                      \
    }

/* clang-format on */

#ifdef __x86_64__

/* vpdpbusd: the activations are unsigned, each INT8_ACTIVATION_OFFSET too large; panel->starts takes it
 * back. */
#define FEATURES_AVX512_VNNI FEATURES_V4 ",avx512vnni"

INLINE(FEATURES_AVX512_VNNI) ivec16 avx512_broadcast(int32_t group)
{
    return (ivec16)_mm512_set1_epi32(group);
}

INLINE(FEATURES_AVX512_VNNI) ivec16 avx512_dot(ivec16 sums, ivec16 row, ivec16 line)
{
    return (ivec16)_mm512_dpbusd_epi32((__m512i)sums, (__m512i)row, (__m512i)line);
}

DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 1, 2, 4)
DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 2, 2, 4)
DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 3, 2, 2)
DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 4, 2, 2)
DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 5, 2, 2)
DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 6, 2, 2)
DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 7, 2, 1)
DOT_KERNEL(avx512, FEATURES_AVX512_VNNI, 16, 8, 2, 1)

static const struct int8_kernels avx512_kernels = {
    .offset = INT8_ACTIVATION_OFFSET,
    .most = 8,
    .by_rows = {avx512_1, avx512_2, avx512_3, avx512_4, avx512_5, avx512_6, avx512_7, avx512_8}};

#ifdef COMPILER_HAS_AVX_VNNI
#define FEATURES_AVX_VNNI FEATURES_V3 ",avxvnni"

INLINE(FEATURES_AVX_VNNI) ivec8 avx_broadcast(int32_t group)
{
    return (ivec8)_mm256_set1_epi32(group);
}

INLINE(FEATURES_AVX_VNNI) ivec8 avx_dot(ivec8 sums, ivec8 row, ivec8 line)
{
    return (ivec8)_mm256_dpbusd_avx_epi32((__m256i)sums, (__m256i)row, (__m256i)line);
}

DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 1, 4, 2)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 2, 4, 1)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 3, 2, 2)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 4, 2, 1)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 5, 2, 1)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 6, 2, 1)

static const struct int8_kernels avx_kernels = {
    .offset = INT8_ACTIVATION_OFFSET, .most = 6, .by_rows = {avx_1, avx_2, avx_3, avx_4, avx_5, avx_6}};

#endif

/* Two products in 16 bits, then in 32: none of them saturates (int8_kernels.h). */
INLINE(FEATURES_V3) ivec8 avx2_broadcast(int32_t group)
{
    return (ivec8)_mm256_set1_epi32(group);
}

INLINE(FEATURES_V3) ivec8 avx2_dot(ivec8 sums, ivec8 row, ivec8 line)
{
    const __m256i pairs = _mm256_maddubs_epi16((__m256i)row, (__m256i)line);
    return sums + (ivec8)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

DOT_KERNEL(avx2, FEATURES_V3, 8, 1, 4, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 2, 4, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 3, 2, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 4, 2, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 5, 2, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 6, 2, 1)

static const struct int8_kernels avx2_kernels = {
    .offset = INT8_ACTIVATION_OFFSET, .most = 6, .by_rows = {avx2_1, avx2_2, avx2_3, avx2_4, avx2_5, avx2_6}};

#else

#define FEATURES_DOTPROD "arch=armv8.2-a+dotprod"

INLINE(FEATURES_DOTPROD) ivec4 neon_broadcast(int32_t group)
{
    return (ivec4)vdupq_n_s32(group);
}

INLINE(FEATURES_DOTPROD) ivec4 neon_dot(ivec4 sums, ivec4 row, ivec4 line)
{
    return (ivec4)vdotq_s32((int32x4_t)sums, (int8x16_t)row, (int8x16_t)line);
}

DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 1, 8, 1)
DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 2, 8, 1)
DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 3, 4, 1)
DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 4, 4, 1)

static const struct int8_kernels neon_kernels = {.most = 4, .by_rows = {neon_1, neon_2, neon_3, neon_4}};

#endif

const struct int8_kernels *int8_kernels(void)
{
    switch (int8_instructions) {
#ifdef __x86_64__
    case INT8_AVX2:
        return &avx2_kernels;
#ifdef COMPILER_HAS_AVX_VNNI
    case INT8_AVX_VNNI:
        return &avx_kernels;
#endif
    case INT8_AVX512_VNNI:
        return &avx512_kernels;
#else
    case INT8_DOTPROD:
        return &neon_kernels;
#endif
    default:
        return &portable_kernels;
    }
}

#else

const struct int8_kernels *int8_kernels(void)
{
    return &portable_kernels;
}

#endif

/* Products of quantised rows with panels. Compiled without fused multiply-adds (CMakeLists.txt): all kernels round
 * alike. */
#include "int8_kernels.h"

#include "kernel.h"

#include <string.h>

/* ---- portable: the reference for all others ---- */

static void portable(real *c, size_t ldc, const struct int8_rows *a, const struct int8_panel *panel, bool add)
{
    int32_t sums[INT8_PANEL] = {0};
    (void)ldc;
    for (size_t l = 0; l < panel->depth; l++)
        for (size_t j = 0; j < INT8_PANEL; j++)
            sums[j] += (int8_t)a->values[l] * panel->values[l * INT8_PANEL + j];
    for (size_t j = 0; j < INT8_PANEL; j++) {
        const float product = (float)sums[j] * (a->scales[0] * panel->scales[j]);
        c[j] = add ? c[j] + (real)product : (real)product;
    }
}

static const struct int8_kernels portable_kernels = {
    .group = 1, .offset = 0, .most = 1, .by_rows = {portable}};

#if !defined(NMT_DOUBLE) && ((defined(__x86_64__) && defined(__GNUC__)) || defined(COMPILER_HAS_DOTPROD))

/* ---- by instruction set: four products of each sum at once ---- */

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

#define GROUP 4
#define EACH(i, count) _Pragma("GCC unroll 8") for (size_t i = 0; i < (count); i++)
#define DOT(features) static inline __attribute__((always_inline, target(features)))

/* Vectors of columns, anywhere in memory. */
#define VECTORS(LANES)                                                                                       \
    typedef float vec##LANES __attribute__((vector_size(LANES * 4), aligned(4), may_alias));                 \
    typedef int32_t ivec##LANES __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
VECTORS(4)
VECTORS(8)
VECTORS(16)

/* clang-format off */

/* GROUP numbers of each row times those of VECS vectors of columns */
#define DOT_STEP(level, sum, LANES, ROWS, VECS)                                                                 \
    do {                                                                                                       \
        ivec##LANES line[VECS];                                                                                \
        EACH(v, VECS)                                                                                          \
            line[v] = ((const ivec##LANES *)w)[v];                                                             \
        EACH(i, ROWS) {                                                                                        \
            int32_t four;                                                                                      \
            memcpy(&four, x + i * a->ld, sizeof four);                                                         \
            EACH(v, VECS)                                                                                      \
                (sum)[i][v] = level##_dot((sum)[i][v], four, line[v]);                                         \
        }                                                                                                      \
        x += GROUP;                                                                                            \
        w += GROUP * INT8_PANEL;                                                                               \
    } while (0)

/* Sums of VECS vectors of LANES columns stay in registers. Each is the next addition's input, so with few rows there are
 * SPLITS of each, to be added at last. */
#define DOT_KERNEL(level, features, LANES, ROWS, VECS, SPLITS)                                                 \
    __attribute__((target(features)))                                                                          \
    static void level##_##ROWS(real *c, size_t ldc, const struct int8_rows *a, const struct int8_panel *panel, \
                               bool add)                                                                       \
    {                                                                                                          \
        for (size_t j = 0; j < INT8_PANEL; j += VECS * LANES) {                                                \
            const uint8_t *x = a->values;                                                                      \
            const int8_t *w = panel->values + j * GROUP;                                                       \
            ivec##LANES sum[SPLITS][ROWS][VECS];                                                                      \
            EACH(i, ROWS) EACH(v, VECS) {                                                                      \
                sum[0][i][v] = ((const ivec##LANES *)(panel->starts + j))[v];                                  \
                EACH(s, SPLITS) if (s)                                                                         \
                    sum[s][i][v] = (ivec##LANES){0};                                                           \
            }                                                                                                  \
            size_t l = panel->depth / GROUP;                                                                   \
            for (; l >= SPLITS; l -= SPLITS)                                                                   \
                EACH(s, SPLITS)                                                                                \
                    DOT_STEP(level, sum[s], LANES, ROWS, VECS);                                                       \
            for (; SPLITS > 1 && l; l--)                                                                       \
                DOT_STEP(level, sum[0], LANES, ROWS, VECS);                                                           \
            EACH(i, ROWS) EACH(v, VECS) {                                                                      \
                EACH(s, SPLITS) if (s)                                                                         \
                    sum[0][i][v] += sum[s][i][v];                                                              \
                const vec##LANES scale = a->scales[i] * ((const vec##LANES *)(panel->scales + j))[v];          \
                const vec##LANES product = __builtin_convertvector(sum[0][i][v], vec##LANES) * scale;          \
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

#define FEATURES_AVX512_VNNI FEATURES_V4 ",avx512vnni"
#define FEATURES_AVX_VNNI FEATURES_V3 ",avxvnni"

/* The activations are unsigned, each 128 too large; `starts` takes it back. */
DOT(FEATURES_AVX512_VNNI) ivec16 avx512_dot(ivec16 sum, int32_t four, ivec16 line)
{
    return (ivec16)_mm512_dpbusd_epi32((__m512i)sum, _mm512_set1_epi32(four), (__m512i)line);
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
    .group = GROUP,
    .offset = 128,
    .most = 8,
    .by_rows = {avx512_1, avx512_2, avx512_3, avx512_4, avx512_5, avx512_6, avx512_7, avx512_8}};

#ifdef COMPILER_HAS_AVX_VNNI

DOT(FEATURES_AVX_VNNI) ivec8 avx_dot(ivec8 sum, int32_t four, ivec8 line)
{
    return (ivec8)_mm256_dpbusd_avx_epi32((__m256i)sum, _mm256_set1_epi32(four), (__m256i)line);
}

DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 1, 4, 2)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 2, 4, 1)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 3, 2, 2)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 4, 2, 1)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 5, 2, 1)
DOT_KERNEL(avx, FEATURES_AVX_VNNI, 8, 6, 2, 1)

static const struct int8_kernels avx_kernels = {
    .group = GROUP, .offset = 128, .most = 6, .by_rows = {avx_1, avx_2, avx_3, avx_4, avx_5, avx_6}};

#endif

/* |a| times w with the sign of a: two products of at most 127 · 127 each fit 16 bits. */
DOT(FEATURES_V3) ivec8 avx2_dot(ivec8 sum, int32_t four, ivec8 line)
{
    const __m256i a = _mm256_set1_epi32(four);
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8((__m256i)line, a));
    return sum + (ivec8)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

DOT_KERNEL(avx2, FEATURES_V3, 8, 1, 4, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 2, 4, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 3, 2, 1)
DOT_KERNEL(avx2, FEATURES_V3, 8, 4, 2, 1)

static const struct int8_kernels avx2_kernels = {
    .group = GROUP, .offset = 0, .most = 4, .by_rows = {avx2_1, avx2_2, avx2_3, avx2_4}};

#else

#define FEATURES_DOTPROD "arch=armv8.2-a+dotprod"

DOT(FEATURES_DOTPROD) ivec4 neon_dot(ivec4 sum, int32_t four, ivec4 line)
{
    return (ivec4)vdotq_s32((int32x4_t)sum, (int8x16_t)vdupq_n_s32(four), (int8x16_t)line);
}

DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 1, 8, 1)
DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 2, 8, 1)
DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 3, 4, 1)
DOT_KERNEL(neon, FEATURES_DOTPROD, 4, 4, 4, 1)

static const struct int8_kernels neon_kernels = {
    .group = GROUP, .offset = 0, .most = 4, .by_rows = {neon_1, neon_2, neon_3, neon_4}};

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

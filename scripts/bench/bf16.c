/* Products in bfloat16: packs operands, and multiplies tiles of them whose sums stay in registers. */
#include "bf16.h"

#ifdef BF16_KERNELS

#include "err.h"
#include "kernel.h"

#include <cpuid.h>
#include <immintrin.h>

#define FEATURES FEATURES_V4 ",avx512bf16"
#define TARGET __attribute__((target(FEATURES)))
#define INLINE static inline __attribute__((always_inline, target(FEATURES)))
#define EACH(i, count) _Pragma("GCC unroll 24") for (size_t i = 0; i < (count); i++)

#define STRIP ((size_t)16)
#define ROWS 8               /* of a tile, which is two strips wide: 16 sums of 16 numbers each */
#define DEPTH ((size_t)256)  /* pairs: two strips of b take 32 KiB, and stay in the first cache */
#define HEIGHT ((size_t)256) /* rows: that much of a takes 256 KiB, and stays in the second */

bool bf16_supported(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return instruction_set == INSTRUCTIONS_V4 && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 5);
}

static size_t whole_strips(size_t count)
{
    return (count + 2 * STRIP - 1) / (2 * STRIP) * (2 * STRIP);
}

size_t bf16_capacity(size_t count, size_t k)
{
    return whole_strips(count) * ((k + 1) / 2);
}

/* ---- packing ---- */

/* The first of 16 lanes; `count` may be negative. */
INLINE __mmask16 lanes(ptrdiff_t count)
{
    return count >= 16 ? 0xffff : count <= 0 ? 0 : (__mmask16)((1u << count) - 1);
}

TARGET void bf16_round(struct bf16 *to, struct const_mat from)
{
    *to = (struct bf16){from.rows, (from.cols + 1) / 2, false, to->data};
    for (size_t i = 0; i < from.rows; i++)
        for (size_t l = 0; l < to->pairs; l += 16) {
            const float *x = const_mat_row(from, i) + 2 * l;
            const ptrdiff_t left = (ptrdiff_t)(from.cols - 2 * l);
            const __m512 low = _mm512_maskz_loadu_ps(lanes(left), x),
                         high = _mm512_maskz_loadu_ps(lanes(left - 16), x + 16);
            _mm512_mask_storeu_epi32(to->data + i * to->pairs + l, lanes((left + 1) / 2),
                                     (__m512i)_mm512_cvtne2ps_pbh(high, low));
        }
}

/* Number l of rows i to i + 15, of which `count` exist. */
INLINE __m512 column(struct const_mat from, bool by_columns, size_t i, size_t l, ptrdiff_t count)
{
    if (by_columns)
        return _mm512_maskz_loadu_ps(lanes(count), from.data + l * from.ld + i);
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i rows = _mm512_mullo_epi32(steps, _mm512_set1_epi32((int)from.ld));
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), lanes(count), rows, from.data + i * from.ld + l, 4);
}

TARGET void bf16_pack(struct bf16 *to, struct const_mat from, bool by_columns)
{
    const size_t count = by_columns ? from.cols : from.rows, k = by_columns ? from.rows : from.cols;
    const __m512i interleaved = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8,
                                                 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    uint32_t *at = to->data;
    *to = (struct bf16){count, (k + 1) / 2, true, to->data};
    for (size_t i = 0; i < whole_strips(count); i += STRIP)
        for (size_t l = 0; l < k; l += 2, at += STRIP) {
            const ptrdiff_t left = (ptrdiff_t)count - (ptrdiff_t)i;
            const __m512 low = column(from, by_columns, i, l, left),
                         high = column(from, by_columns, i, l + 1, l + 1 < k ? left : 0);
            const __m512i both = (__m512i)_mm512_cvtne2ps_pbh(high, low);
            _mm512_storeu_si512(at, _mm512_permutexvar_epi16(interleaved, both));
        }
}

/* ---- products ---- */

struct tile {
    const uint32_t *a; /* pair l of row i is a[i * a_row + l * a_pair] */
    size_t a_row, a_pair;
    const uint32_t *b; /* two strips */
    size_t b_strip, pairs;
    float *c; /* [rows][cols, ldc], cols at most 32 */
    size_t ldc, cols;
    bool add;
};

INLINE void tile_product(const struct tile *t, size_t rows)
{
    const __mmask16 cols[2] = {lanes((ptrdiff_t)t->cols), lanes((ptrdiff_t)t->cols - 16)};
    const uint32_t *a = t->a, *b = t->b;
    const size_t a_row = t->a_row, a_pair = t->a_pair, b_strip = t->b_strip, ldc = t->ldc;
    __m512 sum[ROWS][2];
    EACH(i, rows)
    EACH(v, 2) sum[i][v] = _mm512_maskz_loadu_ps(t->add ? cols[v] : 0, t->c + i * ldc + v * STRIP);
    for (size_t l = t->pairs; l; l--, a += a_pair, b += STRIP) {
        const __m512bh low = (__m512bh)_mm512_loadu_si512(b),
                       high = (__m512bh)_mm512_loadu_si512(b + b_strip);
        EACH(i, rows)
        {
            const __m512bh pair = (__m512bh)_mm512_set1_epi32((int)a[i * a_row]);
            sum[i][0] = _mm512_dpbf16_ps(sum[i][0], pair, low);
            sum[i][1] = _mm512_dpbf16_ps(sum[i][1], pair, high);
        }
    }
    EACH(i, rows) EACH(v, 2) _mm512_mask_storeu_ps(t->c + i * ldc + v * STRIP, cols[v], sum[i][v]);
}

#define TILE(rows)                                                                                           \
    TARGET static void tile_##rows(const struct tile *t)                                                     \
    {                                                                                                        \
        tile_product(t, rows);                                                                               \
    }
TILE(1)
TILE(2)
TILE(3)
TILE(4)
TILE(5)
TILE(6)
TILE(7)
TILE(8)

static size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* Rows from `top`, pairs from `l`: HEIGHT and t.pairs of them. */
static void block_product(struct mat c, const struct bf16 *a, const struct bf16 *b, struct tile t, size_t top,
                          size_t l)
{
    static void (*const by_rows[])(const struct tile *) = {tile_1, tile_2, tile_3, tile_4,
                                                           tile_5, tile_6, tile_7, tile_8};
    const size_t end = least(c.rows, top + HEIGHT);
    for (size_t j = 0; j < c.cols; j += 2 * STRIP) {
        t.b = b->data + j * b->pairs + l * STRIP;
        t.cols = least(c.cols - j, 2 * STRIP);
        for (size_t i = top; i < end; i += ROWS) {
            t.a = a->data + (a->strips ? i / STRIP * STRIP * a->pairs + i % STRIP : i * a->pairs) +
                  l * t.a_pair;
            t.c = mat_row(c, i) + j;
            by_rows[least(end - i, ROWS) - 1](&t);
        }
    }
}

void bf16_product(struct mat c, const struct bf16 *a, const struct bf16 *b, bool add)
{
    ASSERT(b->strips && a->pairs == b->pairs && c.rows == a->count && c.cols == b->count);
    struct tile t = {.a_row = a->strips ? 1 : a->pairs,
                     .a_pair = a->strips ? STRIP : 1,
                     .b_strip = STRIP * b->pairs,
                     .ldc = c.ld};
    for (size_t l = 0; l < a->pairs; l += DEPTH) {
        t.pairs = least(DEPTH, a->pairs - l);
        t.add = add || l;
        for (size_t i = 0; i < c.rows; i += HEIGHT)
            block_product(c, a, b, t, i, l);
    }
}

/* ---- registers only ---- */

/* So that the compiler cannot know a number. */
#define HIDE(x) __asm__ volatile("" : "+v"(x))

#define REGISTERS_ONLY(name, type, step)                                                                     \
    TARGET float name(long rounds)                                                                           \
    {                                                                                                        \
        __m512 sum[IN_REGISTERS] = {{0}}, total = {0};                                                       \
        type a = {0}, b = {0};                                                                               \
        HIDE(a);                                                                                             \
        HIDE(b);                                                                                             \
        EACH(i, IN_REGISTERS)                                                                                \
        HIDE(sum[i]);                                                                                        \
        for (; rounds > 0; rounds--)                                                                         \
            EACH(i, IN_REGISTERS)                                                                            \
        sum[i] = step;                                                                                       \
        EACH(i, IN_REGISTERS)                                                                                \
        total += sum[i];                                                                                     \
        return _mm512_reduce_add_ps(total);                                                                  \
    }

REGISTERS_ONLY(bf16_in_registers, __m512i, _mm512_dpbf16_ps(sum[i], (__m512bh)a, (__m512bh)b))
REGISTERS_ONLY(float32_in_registers, __m512, _mm512_fmadd_ps(a, b, sum[i]))

#endif

/* Products in bfloat16: rounds factors, and multiplies tiles of them whose sums stay in registers. What is
 * multiplied this way is up to prepacked.c and to the caller. */
#include "bf16.h"

#include "err.h"
#include "kernel.h"

#define STRIP ((size_t)16)
#define PANEL (2 * STRIP)

static size_t pairs_of(size_t k)
{
    return (k + 1) / 2;
}

static size_t whole_panels(size_t n)
{
    return (n + PANEL - 1) / PANEL * PANEL;
}

size_t bf16_panels_pairs(size_t n, size_t k)
{
    return whole_panels(n) * pairs_of(k);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(NMT_DOUBLE)

#include <immintrin.h>

#define FEATURES FEATURES_V4 ",avx512bf16"
#define TARGET __attribute__((target(FEATURES)))
#define INLINE static inline __attribute__((always_inline, target(FEATURES)))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define EACH(i, count) UNROLL for (size_t i = 0; i < (count); i++)

#define ROWS ((size_t)8) /* of a tile, which is a panel wide: 16 sums of 16 numbers each */

/* Blocks of rounded numbers lie on the stack, which may be small, and stay in the second cache while they are
 * used; a panel of what they are multiplied with stays in the first. */
#define DEPTH ((size_t)128) /* pairs */
#define HEIGHT ((size_t)96) /* rows */
/* The same of bf16_mat_tn, which rounds both factors. */
#define TN_DEPTH ((size_t)96)
#define TN_HEIGHT ((size_t)32)
#define TN_WIDTH ((size_t)256) /* columns */
/* Strips are a bit further apart than they are long: else they would compete for the same lines of the first
 * cache. */
#define TN_STRIP ((TN_DEPTH + 1) * STRIP)

static size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* ---- rounding ---- */

/* The first of 16 lanes; `count` may be negative. */
INLINE __mmask16 lanes(ptrdiff_t count)
{
    return count >= 16 ? 0xffff : count <= 0 ? 0 : (__mmask16)((1u << count) - 1);
}

/* 16 pairs of the numbers at x, of which `left` exist. */
INLINE __m512i round_pairs(const float *x, ptrdiff_t left)
{
    const __m512 low = _mm512_maskz_loadu_ps(lanes(left), x),
                 high = _mm512_maskz_loadu_ps(lanes(left - 16), x + 16);
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

/* to [rows][pairs] = from */
TARGET static void round_rows(uint32_t *to, struct const_mat from)
{
    const size_t pairs = pairs_of(from.cols);
    for (size_t i = 0; i < from.rows; i++, to += pairs)
        for (size_t l = 0; l < pairs; l += 16)
            _mm512_mask_storeu_epi32(
                to + l, lanes((ptrdiff_t)(pairs - l)),
                round_pairs(const_mat_row(from, i) + 2 * l, (ptrdiff_t)(from.cols - 2 * l)));
}

/* Strips of 16 columns, `stride` pairs apart: to [strip][pairs][16] = from [k][n], filled up with zeros to whole
 * panels. */
TARGET static void round_columns(uint32_t *to, size_t stride, struct const_mat from)
{
    const __m512i interleaved = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8,
                                                 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    for (size_t l = 0; l < from.rows; l += 2, to += STRIP)
        for (size_t j = 0; j < whole_panels(from.cols); j += STRIP) {
            const __mmask16 first = lanes((ptrdiff_t)from.cols - (ptrdiff_t)j),
                            second = l + 1 < from.rows ? first : 0;
            const float *x = const_mat_row(from, l) + j;
            const __m512i both = (__m512i)_mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(second, x + from.ld),
                                                              _mm512_maskz_loadu_ps(first, x));
            _mm512_storeu_si512(to + j / STRIP * stride, _mm512_permutexvar_epi16(interleaved, both));
        }
}

/* Transposes x [16][16]. */
INLINE void transpose(__m512i *x)
{
    __m512i y[16];
    EACH(i, 8) /* pairs of rows */
    {
        y[2 * i] = _mm512_unpacklo_epi32(x[2 * i], x[2 * i + 1]);
        y[2 * i + 1] = _mm512_unpackhi_epi32(x[2 * i], x[2 * i + 1]);
    }
    EACH(i, 4) /* x[4 i + j], quarter q: column 4 q + j of rows 4 i … 4 i + 3 */
    {
        x[4 * i] = _mm512_unpacklo_epi64(y[4 * i], y[4 * i + 2]);
        x[4 * i + 1] = _mm512_unpackhi_epi64(y[4 * i], y[4 * i + 2]);
        x[4 * i + 2] = _mm512_unpacklo_epi64(y[4 * i + 1], y[4 * i + 3]);
        x[4 * i + 3] = _mm512_unpackhi_epi64(y[4 * i + 1], y[4 * i + 3]);
    }
    EACH(j, 4) /* quarters 0 and 2, or 1 and 3, of eight rows */
    {
        y[j] = _mm512_shuffle_i32x4(x[j], x[4 + j], 0x88);
        y[4 + j] = _mm512_shuffle_i32x4(x[j], x[4 + j], 0xdd);
        y[8 + j] = _mm512_shuffle_i32x4(x[8 + j], x[12 + j], 0x88);
        y[12 + j] = _mm512_shuffle_i32x4(x[8 + j], x[12 + j], 0xdd);
    }
    EACH(j, 4)
    {
        x[j] = _mm512_shuffle_i32x4(y[j], y[8 + j], 0x88);
        x[4 + j] = _mm512_shuffle_i32x4(y[4 + j], y[12 + j], 0x88);
        x[8 + j] = _mm512_shuffle_i32x4(y[j], y[8 + j], 0xdd);
        x[12 + j] = _mm512_shuffle_i32x4(y[4 + j], y[12 + j], 0xdd);
    }
}

/* A strip, to [pairs][16], of rows j … j + 15 of `from`; those that it does not have are zero. */
TARGET static void round_strip(uint32_t *to, struct const_mat from, size_t j)
{
    const size_t pairs = pairs_of(from.cols);
    for (size_t l = 0; l < pairs; l += 16) {
        __m512i x[16];
        EACH(i, 16)
        x[i] = j + i < from.rows
                   ? round_pairs(const_mat_row(from, j + i) + 2 * l, (ptrdiff_t)(from.cols - 2 * l))
                   : _mm512_setzero_si512();
        transpose(x);
        EACH(i, 16)
        if (l + i < pairs)
            _mm512_storeu_si512(to + (l + i) * STRIP, x[i]);
    }
}

/* Part `part` of the panels of n columns is that of columns [begin, end). */
static void panels_part(size_t n, int part, int parts, size_t *begin, size_t *end)
{
    const size_t count = whole_panels(n) / PANEL;
    *begin = count * (size_t)part / (size_t)parts * PANEL;
    *end = count * (size_t)(part + 1) / (size_t)parts * PANEL;
}

void bf16_panels_fill_nt(uint32_t *panels, struct const_mat w, int part, int parts)
{
    size_t begin, end;
    panels_part(w.rows, part, parts, &begin, &end);
    for (size_t j = begin; j < end; j += STRIP)
        round_strip(panels + j * pairs_of(w.cols), w, j);
}

void bf16_panels_fill_nn(uint32_t *panels, struct const_mat w, int part, int parts)
{
    const size_t pairs = pairs_of(w.rows);
    size_t begin, end;
    panels_part(w.cols, part, parts, &begin, &end);
    if (begin < end)
        round_columns(panels + begin * pairs, STRIP * pairs,
                      const_mat_cols(w, begin, least(end, w.cols) - begin));
}

/* ---- products ---- */

struct tile {
    const uint32_t *a; /* pair l of row i is a[i / 16 * a_strip + i % 16 * a_row + l * a_pair] */
    size_t a_strip, a_row, a_pair;
    const uint32_t *b; /* two strips */
    size_t b_strip, pairs;
    float *c; /* [rows][cols, ldc], cols at most PANEL */
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
    EACH(v, 2)
    {
        _mm_prefetch(t->c + i * ldc + v * STRIP, _MM_HINT_T0);
        sum[i][v] = _mm512_setzero_ps();
    }
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
    EACH(i, rows)
    EACH(v, 2)
    {
        float *c = t->c + i * ldc + v * STRIP;
        _mm512_mask_storeu_ps(c, cols[v],
                              _mm512_add_ps(sum[i][v], _mm512_maskz_loadu_ps(t->add ? cols[v] : 0, c)));
    }
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

/* c = blocks of both factors, where t.a and t.b begin. */
static void block_product(struct mat c, struct tile t)
{
    static void (*const by_rows[])(const struct tile *) = {tile_1, tile_2, tile_3, tile_4,
                                                           tile_5, tile_6, tile_7, tile_8};
    const uint32_t *a = t.a;
    t.ldc = c.ld;
    for (size_t j = 0; j < c.cols; j += PANEL, t.b += 2 * t.b_strip) {
        t.cols = least(c.cols - j, PANEL);
        for (size_t i = 0; i < c.rows; i += ROWS) {
            t.a = a + i / STRIP * t.a_strip + i % STRIP * t.a_row;
            t.c = mat_row(c, i) + j;
            by_rows[least(c.rows - i, ROWS) - 1](&t);
        }
    }
}

void bf16_product(struct mat c, struct const_mat a, const uint32_t *panels, bool add)
{
    _Alignas(64) uint32_t rounded[HEIGHT * DEPTH];
    const size_t pairs = pairs_of(a.cols);
    struct tile t = {.a = rounded, .a_pair = 1, .b_strip = STRIP * pairs};
    for (size_t l = 0; l == 0 || l < pairs; l += DEPTH) {
        t.a_row = t.pairs = least(DEPTH, pairs - l);
        t.a_strip = STRIP * t.pairs;
        t.b = panels + l * STRIP;
        t.add = add || l;
        for (size_t i = 0; i < c.rows; i += HEIGHT) {
            const size_t rows = least(HEIGHT, c.rows - i);
            round_rows(rounded,
                       const_mat_cols(const_mat_rows(a, i, rows), 2 * l, least(2 * DEPTH, a.cols - 2 * l)));
            block_product(mat_rows(c, i, rows), t);
        }
    }
}

/* c (+)= columns of at most 2 · TN_DEPTH rows of a and b, as many of b as a block has */
static void columns_product(struct mat c, struct const_mat a, struct const_mat b, bool add)
{
    _Alignas(64) uint32_t a_strips[TN_HEIGHT / STRIP * TN_STRIP], b_strips[TN_WIDTH / STRIP * TN_STRIP];
    const struct tile t = {.a = a_strips,
                           .a_strip = TN_STRIP,
                           .a_row = 1,
                           .a_pair = STRIP,
                           .b = b_strips,
                           .b_strip = TN_STRIP,
                           .pairs = pairs_of(a.rows),
                           .add = add};
    round_columns(b_strips, TN_STRIP, b);
    for (size_t i = 0; i < c.rows; i += TN_HEIGHT) {
        const size_t rows = least(TN_HEIGHT, c.rows - i);
        round_columns(a_strips, TN_STRIP, const_mat_cols(a, i, rows));
        block_product(mat_rows(c, i, rows), t);
    }
}

void bf16_mat_tn(struct mat c, struct const_mat a, struct const_mat b, bool add)
{
    ASSERT(a.rows == b.rows && c.rows == a.cols && c.cols == b.cols);
    for (size_t l = 0; l == 0 || l < a.rows; l += 2 * TN_DEPTH) {
        const size_t rows = least(2 * TN_DEPTH, a.rows - l);
        for (size_t j = 0; j < c.cols; j += TN_WIDTH) {
            const size_t cols = least(TN_WIDTH, c.cols - j);
            columns_product(mat_cols(c, j, cols), const_mat_rows(a, l, rows),
                            const_mat_cols(const_mat_rows(b, l, rows), j, cols), add || l);
        }
    }
}

#else

#define NONE "no products in bfloat16 here"

void bf16_panels_fill_nt(uint32_t *panels, struct const_mat w, int part, int parts)
{
    (void)panels, (void)w, (void)part, (void)parts;
    BUG(NONE);
}

void bf16_panels_fill_nn(uint32_t *panels, struct const_mat w, int part, int parts)
{
    (void)panels, (void)w, (void)part, (void)parts;
    BUG(NONE);
}

void bf16_product(struct mat c, struct const_mat a, const uint32_t *panels, bool add)
{
    (void)c, (void)a, (void)panels, (void)add;
    BUG(NONE);
}

void bf16_mat_tn(struct mat c, struct const_mat a, struct const_mat b, bool add)
{
    (void)c, (void)a, (void)b, (void)add;
    BUG(NONE);
}

#endif

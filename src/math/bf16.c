/* Products in bfloat16: rounds blocks of factors, which bf16_dot.c or bf16_amx.c multiply. What is multiplied
 * this way is up to prepacked.c and to the caller. */
#include "bf16.h"

#include "bf16_block.h"
#include "err.h"
#include "panels.h"

#include <pthread.h>

/* Pairs of k numbers, filled up with zeros. */
static size_t pairs_of(size_t k)
{
    return round_up((k + 1) / 2, BF16_STEP);
}

static size_t whole_panels(size_t n)
{
    return round_up(n, BF16_PANEL);
}

size_t bf16_panels_pairs(size_t n, size_t k)
{
    return whole_panels(n) * pairs_of(k);
}

#ifdef BF16_KERNELS

/* Blocks of rounded numbers lie on the stack, which may be small, and stay in the second cache while they are
 * used; a panel of what they are multiplied with stays in the first. */
#define DEPTH ((size_t)128) /* pairs */
#define HEIGHT ((size_t)64) /* rows */
/* The same of bf16_mat_tn, which rounds both factors. */
#define TN_DEPTH ((size_t)96)
#define TN_HEIGHT ((size_t)64)
#define TN_WIDTH ((size_t)256) /* columns */
/* Strips and rows are a bit further apart than they are long: else they would compete for the same lines of
 * the first cache. */
#define TN_STRIP ((TN_DEPTH + 1) * BF16_STRIP)
#define TN_ROW (TN_DEPTH + BF16_STEP)

_Static_assert(!(HEIGHT % BF16_PANEL), "rows that may be read");
_Static_assert(!(TN_HEIGHT % BF16_PANEL), "rows that may be read");

/* ---- rounding ---- */

/* 16 pairs of the numbers at x, of which `left` exist. */
INLINE __m512i round_pairs(const float *x, ptrdiff_t left)
{
    const __m512 low = _mm512_maskz_loadu_ps(bf16_lanes(left), x),
                 high = _mm512_maskz_loadu_ps(bf16_lanes(left - 16), x + 16);
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

/* to [rows][pairs] = from */
TARGET static void round_rows(uint32_t *to, struct const_mat from)
{
    const size_t pairs = pairs_of(from.cols);
    for (size_t i = 0; i < from.rows; i++, to += pairs)
        for (size_t l = 0; l < pairs; l += 16)
            _mm512_storeu_si512(to + l,
                                round_pairs(const_mat_row(from, i) + 2 * l, (ptrdiff_t)(from.cols - 2 * l)));
}

/* Pair l of columns j … j + 15; rows and columns that `from` does not have are zero. */
INLINE __m512i round_columns(struct const_mat from, size_t l, size_t j)
{
    const __m512i interleaved = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8,
                                                 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __mmask16 columns = bf16_lanes((ptrdiff_t)from.cols - (ptrdiff_t)j),
                    first = 2 * l < from.rows ? columns : 0, second = 2 * l + 1 < from.rows ? columns : 0;
    const float *x = const_mat_row(from, 2 * l) + j;
    return _mm512_permutexvar_epi16(interleaved,
                                    (__m512i)_mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(second, x + from.ld),
                                                                 _mm512_maskz_loadu_ps(first, x)));
}

/* Strips of columns, `stride` apart, filled up to whole panels: to [strip][pairs][16] = from [k][n] */
TARGET static void round_to_strips(uint32_t *to, size_t stride, struct const_mat from)
{
    for (size_t l = 0; l < pairs_of(from.rows); l++, to += BF16_STRIP)
        for (size_t j = 0; j < whole_panels(from.cols); j += BF16_STRIP)
            _mm512_storeu_si512(to + j / BF16_STRIP * stride, round_columns(from, l, j));
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

/* Columns as rows, `stride` apart, as many as whole panels have: to [n][pairs] = from [k][n]ᵀ */
TARGET static void round_transposed(uint32_t *to, size_t stride, struct const_mat from)
{
    for (size_t j = 0; j < whole_panels(from.cols); j += 16)
        for (size_t l = 0; l < pairs_of(from.rows); l += 16) {
            __m512i x[16];
            EACH(i, 16)
            x[i] = round_columns(from, l + i, j);
            transpose(x);
            EACH(i, 16)
            _mm512_storeu_si512(to + (j + i) * stride + l, x[i]);
        }
}

/* A strip, to [pairs][16], of rows j … j + 15 of `from`; those that it does not have are zero. */
TARGET static void round_strip(uint32_t *to, struct const_mat from, size_t j)
{
    for (size_t l = 0; l < pairs_of(from.cols); l += 16) {
        __m512i x[16];
        EACH(i, 16)
        x[i] = j + i < from.rows
                   ? round_pairs(const_mat_row(from, j + i) + 2 * l, (ptrdiff_t)(from.cols - 2 * l))
                   : _mm512_setzero_si512();
        transpose(x);
        EACH(i, 16)
        _mm512_storeu_si512(to + (l + i) * BF16_STRIP, x[i]);
    }
}

void bf16_panels_fill_nt(uint32_t *panels, struct const_mat w, int part, int parts)
{
    size_t begin, end;
    panels_part(w.rows, BF16_PANEL, part, parts, &begin, &end);
    for (size_t j = begin; j < end; j += BF16_STRIP)
        round_strip(panels + j * pairs_of(w.cols), w, j);
}

void bf16_panels_fill_nn(uint32_t *panels, struct const_mat w, int part, int parts)
{
    const size_t pairs = pairs_of(w.rows);
    size_t begin, end;
    panels_part(w.cols, BF16_PANEL, part, parts, &begin, &end);
    if (begin < end)
        round_to_strips(panels + begin * pairs, BF16_STRIP * pairs,
                        const_mat_cols(w, begin, least(end, w.cols) - begin));
}

/* ---- products ---- */

static void ask_for_tiles(void)
{
    if (bf16_instructions == BF16_AMX && !bf16_amx_begin())
        bf16_instructions = BF16_AVX512;
}

static void block_product(struct mat c, const struct bf16_block *block, bool add)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ask_for_tiles);
    if (bf16_instructions == BF16_AMX)
        bf16_amx_product(c, block, add);
    else
        bf16_dot_product(c, block, add);
}

void bf16_product(struct mat c, struct const_mat a, const uint32_t *panels, bool add)
{
    _Alignas(64) uint32_t rounded[HEIGHT * DEPTH];
    const size_t pairs = pairs_of(a.cols);
    for (size_t l = 0; l == 0 || l < pairs; l += DEPTH) {
        const size_t depth = least(DEPTH, pairs - l);
        const struct bf16_block block = {rounded, depth, panels + l * BF16_STRIP, BF16_STRIP * pairs, depth};
        for (size_t i = 0; i < c.rows; i += HEIGHT) {
            const size_t rows = least(HEIGHT, c.rows - i);
            round_rows(rounded,
                       const_mat_cols(const_mat_rows(a, i, rows), 2 * l, least(2 * DEPTH, a.cols - 2 * l)));
            block_product(mat_rows(c, i, rows), &block, add || l);
        }
    }
}

/* c (+)= columns of at most 2 · TN_DEPTH rows of a and b, as many of b as a block has */
static void columns_product(struct mat c, struct const_mat a, struct const_mat b, bool add)
{
    _Alignas(64) uint32_t a_rows[TN_HEIGHT * TN_ROW], b_strips[TN_WIDTH / BF16_STRIP * TN_STRIP];
    const struct bf16_block block = {a_rows, TN_ROW, b_strips, TN_STRIP, pairs_of(a.rows)};
    round_to_strips(b_strips, TN_STRIP, b);
    for (size_t i = 0; i < c.rows; i += TN_HEIGHT) {
        const size_t rows = least(TN_HEIGHT, c.rows - i);
        round_transposed(a_rows, TN_ROW, const_mat_cols(a, i, rows));
        block_product(mat_rows(c, i, rows), &block, add);
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

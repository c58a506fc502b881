/* Blocks in bfloat16 by AVX512-BF16: the sums of a tile stay in registers. */
#include "bf16_block.h"

#include "panels.h"

#ifdef BF16_KERNELS

#define ROWS ((size_t)8) /* of a tile, which is a panel wide: 16 sums of 16 numbers each */

struct tile {
    const struct bf16_block *block;
    const uint32_t *a, *b;
    float *c; /* [rows][cols, ldc], cols at most BF16_PANEL */
    size_t ldc, cols;
    bool add;
};

INLINE void tile_product(const struct tile *t, size_t rows)
{
    const __mmask16 cols[2] = {bf16_lanes((ptrdiff_t)t->cols), bf16_lanes((ptrdiff_t)t->cols - 16)};
    const uint32_t *a = t->a, *b = t->b;
    const size_t a_ld = t->block->a_ld, b_ld = t->block->b_ld, ldc = t->ldc;
    __m512 sum[ROWS][2];
    EACH(i, rows)
    EACH(v, 2)
    {
        _mm_prefetch(t->c + i * ldc + v * BF16_STRIP, _MM_HINT_T0);
        sum[i][v] = _mm512_setzero_ps();
    }
    for (size_t l = t->block->pairs; l; l--, a++, b += BF16_STRIP) {
        const __m512bh low = (__m512bh)_mm512_loadu_si512(b), high = (__m512bh)_mm512_loadu_si512(b + b_ld);
        EACH(i, rows)
        {
            const __m512bh pair = (__m512bh)_mm512_set1_epi32((int)a[i * a_ld]);
            sum[i][0] = _mm512_dpbf16_ps(sum[i][0], pair, low);
            sum[i][1] = _mm512_dpbf16_ps(sum[i][1], pair, high);
        }
    }
    EACH(i, rows)
    EACH(v, 2)
    {
        float *c = t->c + i * ldc + v * BF16_STRIP;
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

void bf16_dot_product(struct mat c, const struct bf16_block *block, bool add)
{
    static void (*const by_rows[])(const struct tile *) = {tile_1, tile_2, tile_3, tile_4,
                                                           tile_5, tile_6, tile_7, tile_8};
    struct tile t = {.block = block, .ldc = c.ld, .add = add};
    for (size_t j = 0; j < c.cols; j += BF16_PANEL) {
        t.b = block->b + j / BF16_STRIP * block->b_ld;
        t.cols = least(c.cols - j, BF16_PANEL);
        for (size_t i = 0; i < c.rows; i += ROWS) {
            t.a = block->a + i * block->a_ld;
            t.c = mat_row(c, i) + j;
            by_rows[least(c.rows - i, ROWS) - 1](&t);
        }
    }
}

#endif

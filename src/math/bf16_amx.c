/* Blocks in bfloat16 by AMX (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter
 * 18): its registers are tiles of 16 rows of 64 bytes; four of them are the sums of 32 rows and 32 columns.
 * Linux gives them to a process that asks (its documentation, arch/x86/xstate). */
#define _DEFAULT_SOURCE /* syscall */
#include "bf16_block.h"

#include "err.h"
#include "panels.h"

#if defined(BF16_KERNELS) && defined(COMPILER_HAS_AMX)

#include <sys/syscall.h>
#include <unistd.h>

#define AMX __attribute__((target(BF16_FEATURES ",amx-tile,amx-bf16")))

#define REQUEST_PERMISSION 0x1023 /* ARCH_REQ_XCOMP_PERM */
#define TILE_DATA 18              /* XFEATURE_XTILEDATA */

/* gcc's functions do not tell it that they read memory: what has been written goes there first. */
#define WRITE_OUT(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

#define TILE_ROWS ((size_t)16)
#define TILE_BYTES 64 /* of a row */

struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};

_Static_assert(sizeof(struct tile_config) == 64, "as ldtilecfg reads it");

bool bf16_amx_begin(void)
{
    return !syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA);
}

/* All eight tiles have all rows. */
AMX static void configure(void)
{
    struct tile_config config = {.palette = 1};
    for (int t = 0; t < 8; t++) {
        config.row_bytes[t] = TILE_BYTES;
        config.rows[t] = TILE_ROWS;
    }
    WRITE_OUT(&config);
    _tile_loadconfig(&config);
}

/* c [BF16_PANEL][BF16_PANEL, ldc] (+)= rows of a times a panel */
AMX static void tiles_product(float *c, size_t ldc, const uint32_t *a, const uint32_t *b,
                              const struct bf16_block *block, bool add)
{
    const size_t a_bytes = block->a_ld * sizeof *a, c_bytes = ldc * sizeof *c;
    float *const below = c + TILE_ROWS * ldc;
    WRITE_OUT(c);
    if (add) {
        _tile_loadd(0, c, c_bytes);
        _tile_loadd(1, c + BF16_STRIP, c_bytes);
        _tile_loadd(2, below, c_bytes);
        _tile_loadd(3, below + BF16_STRIP, c_bytes);
    } else {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    for (size_t l = 0; l < block->pairs; l += BF16_STEP, a += BF16_STEP, b += BF16_STEP * BF16_STRIP) {
        _tile_loadd(4, a, a_bytes);
        _tile_loadd(5, a + TILE_ROWS * block->a_ld, a_bytes);
        _tile_loadd(6, b, TILE_BYTES);
        _tile_loadd(7, b + block->b_ld, TILE_BYTES);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, c, c_bytes);
    _tile_stored(1, c + BF16_STRIP, c_bytes);
    _tile_stored(2, below, c_bytes);
    _tile_stored(3, below + BF16_STRIP, c_bytes);
}

/* The same where c has fewer rows or columns. */
AMX static void edge_product(struct mat c, const uint32_t *a, const uint32_t *b,
                             const struct bf16_block *block, bool add)
{
    float whole[BF16_PANEL * BF16_PANEL];
    const struct mat part = mat_ld(whole, c.rows, c.cols, BF16_PANEL);
    if (add)
        mat_copy(part, mat_const(c));
    tiles_product(whole, BF16_PANEL, a, b, block, add);
    mat_copy(c, mat_const(part));
}

AMX void bf16_amx_product(struct mat c, const struct bf16_block *block, bool add)
{
    configure();
    for (size_t j = 0; j < c.cols; j += BF16_PANEL) {
        const uint32_t *b = block->b + j / BF16_STRIP * block->b_ld;
        for (size_t i = 0; i < c.rows; i += BF16_PANEL) {
            const uint32_t *a = block->a + i * block->a_ld;
            const struct mat part =
                mat_cols(mat_rows(c, i, least(c.rows - i, BF16_PANEL)), j, least(c.cols - j, BF16_PANEL));
            if (part.rows == BF16_PANEL && part.cols == BF16_PANEL)
                tiles_product(part.data, part.ld, a, b, block, add);
            else
                edge_product(part, a, b, block, add);
        }
    }
    _tile_release();
}

#else

bool bf16_amx_begin(void)
{
    return false;
}

void bf16_amx_product(struct mat c, const struct bf16_block *block, bool add)
{
    (void)c, (void)block, (void)add;
    BUG("no AMX here");
}

#endif

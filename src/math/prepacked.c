/* Prepacked weights: fills their panels, and has the kernels that multiply with them. Without kernels for
 * the processor, products go through mat.c. */
#include "prepacked.h"

#include "bf16.h"
#include "err.h"
#include "kernel.h"
#include "mat.h"
#include "panels.h"
#include "prepacked_int8.h"

#include <string.h>

#define PANEL 32

#if defined(__x86_64__) && defined(__GNUC__) && !defined(NMT_DOUBLE)
#define PANEL_KERNELS
#endif

#ifdef PANEL_KERNELS

#include <xmmintrin.h>

/* ---- kernels: c [ROWS][PANEL] (+)= a [ROWS][k] times panel [k][PANEL] ---- */

typedef void kernel(real *c, size_t ldc, const real *a, size_t lda, const real *panel, size_t k, bool add);

/* clang-format off */

/* `sum` stays in registers: ROWS · PANEL / LANES of them, plus those that hold a line of the panel. */
#define PANEL_KERNEL(level, features, LANES, ROWS)                                                             \
    __attribute__((target(features)))                                                                          \
    static void level##_##ROWS(real *c, size_t ldc, const real *a, size_t lda, const real *panel, size_t k,    \
                               bool add)                                                                       \
    {                                                                                                          \
        typedef real vec __attribute__((vector_size(LANES * sizeof(real)), aligned(4), may_alias));            \
        enum { VECS = PANEL / LANES };                                                                         \
        vec sum[ROWS][VECS];                                                                                   \
        EACH(i, ROWS) EACH(v, VECS)                                                                            \
            sum[i][v] = (vec){0};                                                                              \
        for (size_t l = 0; l < k; l++, panel += PANEL)                                                         \
            EACH(i, ROWS) EACH(v, VECS)                                                                        \
                sum[i][v] += a[i * lda + l] * ((const vec *)panel)[v];                                         \
        EACH(i, ROWS) EACH(v, VECS) {                                                                          \
            vec *to = (vec *)(c + i * ldc) + v;                                                                \
            if (add)                                                                                           \
                *to += sum[i][v];                                                                              \
            else                                                                                               \
                *to = sum[i][v];                                                                               \
        }                                                                                                      \
    }
#define EACH(i, count) _Pragma("GCC unroll 8") for (size_t i = 0; i < count; i++)

PANEL_KERNEL(v4, FEATURES_V4, 16, 1)
PANEL_KERNEL(v4, FEATURES_V4, 16, 2)
PANEL_KERNEL(v4, FEATURES_V4, 16, 3)
PANEL_KERNEL(v4, FEATURES_V4, 16, 4)
PANEL_KERNEL(v4, FEATURES_V4, 16, 5)
PANEL_KERNEL(v4, FEATURES_V4, 16, 6)
PANEL_KERNEL(v4, FEATURES_V4, 16, 7)
PANEL_KERNEL(v4, FEATURES_V4, 16, 8)
PANEL_KERNEL(v3, FEATURES_V3, 8, 1)
PANEL_KERNEL(v3, FEATURES_V3, 8, 2)
PANEL_KERNEL(v3, FEATURES_V3, 8, 3)

/* clang-format on */

#define MOST_ROWS 8

static kernel *const kernels_v4[] = {v4_1, v4_2, v4_3, v4_4, v4_5, v4_6, v4_7, v4_8, NULL};
static kernel *const kernels_v3[] = {v3_1, v3_2, v3_3, NULL};

/* Kernels by number of rows - 1, ended by NULL; or NULL if there are none. */
static kernel *const *kernels(void)
{
    switch (instruction_set) {
    case INSTRUCTIONS_V4:
        return kernels_v4;
    case INSTRUCTIONS_V3:
        return kernels_v3;
    default:
        return NULL;
    }
}

/* ---- prepacking ---- */

/* to [4][PANEL] = the transpose of numbers `at` … at + 3 of four rows */
static void transpose_4x4(real *to, const real *const *rows, size_t at)
{
    __m128 a = _mm_loadu_ps(rows[0] + at), b = _mm_loadu_ps(rows[1] + at), c = _mm_loadu_ps(rows[2] + at),
           d = _mm_loadu_ps(rows[3] + at);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + PANEL, b);
    _mm_storeu_ps(to + 2 * PANEL, c);
    _mm_storeu_ps(to + 3 * PANEL, d);
}

/* panel [k][PANEL] = transpose of the rows [width][k]; columns from `width` on are zero. */
static void fill_transposed(real *panel, const real *const *rows, size_t width, size_t k)
{
    if (width < PANEL)
        memset(panel, 0, k * PANEL * sizeof *panel);
    const size_t quads = width / 4 * 4, k_quads = k / 4 * 4;
    for (size_t j = 0; j < quads; j += 4)
        for (size_t l = 0; l < k_quads; l += 4)
            transpose_4x4(panel + l * PANEL + j, rows + j, l);
    for (size_t j = 0; j < width; j++)
        for (size_t l = j < quads ? k_quads : 0; l < k; l++)
            panel[l * PANEL + j] = rows[j][l];
}

/* The same of rows j … of w, or of those that are chosen. */
static void fill_rows(real *panel, struct const_mat w, const int *chosen, size_t j, size_t width)
{
    const real *rows[PANEL];
    for (size_t i = 0; i < width; i++)
        rows[i] = const_mat_row(w, chosen ? (size_t)chosen[j + i] : j + i);
    fill_transposed(panel, rows, width, w.cols);
}

/* panel [k][PANEL] = w [k][width, ld]; columns from `width` on are zero. */
static void fill(real *panel, const real *w, size_t ld, size_t width, size_t k)
{
    if (width < PANEL)
        memset(panel, 0, k * PANEL * sizeof *panel);
    for (size_t l = 0; l < k; l++)
        memcpy(panel + l * PANEL, w + l * ld, width * sizeof *panel);
}

static real *new_panels(const struct prepacked *prepacked, struct arena *arena)
{
    if (!kernels())
        return NULL;
    return ARENA_NEW(arena, round_up(prepacked->n, PANEL) * prepacked->k, real);
}

static void fill_panels(const struct prepacked *prepacked, int part, int parts)
{
    const size_t k = prepacked->k, ld = prepacked->weights.ld;
    const real *w = prepacked->weights.data;
    size_t begin, end;
    panels_part(prepacked->n, PANEL, part, parts, &begin, &end);
    for (size_t j = begin; j < end; j += PANEL) {
        const size_t width = least(prepacked->n - j, PANEL);
        real *panel = prepacked->panels + j * k;
        if (prepacked->direction == FORWARD)
            fill_rows(panel, prepacked->weights, NULL, j, width);
        else
            fill(panel, w + j, ld, width, k);
    }
}

static void select_panels(struct prepacked *part, const struct const_mat w, const int *chosen,
                          struct arena *arena)
{
    part->panels = new_panels(part, arena);
    for (size_t j = 0; j < part->n; j += PANEL)
        fill_rows(part->panels + j * part->k, w, chosen, j, least(part->n - j, PANEL));
}

/* ---- products ---- */

/* c = a times one panel; columns of the panel that c does not have are dropped. */
static void panel_product(struct mat c, struct const_mat a, const real *panel, bool add,
                          kernel *const *by_rows)
{
    size_t most = 0;
    while (by_rows[most])
        most++;
    ASSERT(most > 0);
    for (size_t i = 0; i < c.rows; i += most) {
        const size_t rows = least(c.rows - i, most);
        if (c.cols == PANEL) {
            by_rows[rows - 1](mat_row(c, i), c.ld, const_mat_row(a, i), a.ld, panel, a.cols, add);
            continue;
        }
        real whole[MOST_ROWS * PANEL];
        by_rows[rows - 1](whole, PANEL, const_mat_row(a, i), a.ld, panel, a.cols, false);
        panels_write_edge(mat_rows(c, i, rows), whole, PANEL, add);
    }
}

static void panels_product(struct mat c, struct const_mat a, const struct prepacked *prepacked, bool add)
{
    for (size_t j = 0; j < c.cols; j += PANEL)
        panel_product(mat_cols(c, j, least(c.cols - j, PANEL)), a, prepacked->panels + j * prepacked->k, add,
                      kernels());
}

#endif

void prepack_list_init(struct prepack_list *list, enum pass_direction direction, enum product_kind products,
                       const struct quantised_params *quantised, struct arena *arena)
{
    ASSERT(!quantised || (direction == FORWARD && products == PRODUCTS_FLOAT32));
    list->arena = arena;
    list->direction = direction;
    list->products = products;
    list->quantised = quantised;
    list->count = 0;
}

static void fill_bf16_panels(const struct prepacked *prepacked, int part, int parts)
{
    if (prepacked->direction == FORWARD)
        bf16_panels_fill_nt(prepacked->bf16_panels, prepacked->weights, part, parts);
    else
        bf16_panels_fill_nn(prepacked->bf16_panels, prepacked->weights, part, parts);
}

static void fill_part(const struct prepacked *prepacked, int part, int parts)
{
    if (prepacked->quantised.values)
        int8_panels_fill(&prepacked->quantised, part, parts);
    else if (prepacked->bf16_panels)
        fill_bf16_panels(prepacked, part, parts);
#ifdef PANEL_KERNELS
    else if (prepacked->panels)
        fill_panels(prepacked, part, parts);
#endif
}

void prepack_list_fill(const struct prepack_list *list, int part, int parts)
{
    for (size_t i = 0; i < list->count; i++)
        fill_part(list->all[i], part, parts);
}

/* Panels of w where it lies in a quantised tensor, whose rows may be longer. */
static bool prepack_quantised(struct prepacked *prepacked, struct const_mat w,
                              const struct prepack_list *list)
{
    const struct quantised *tensor = list->quantised ? quantised_find(list->quantised, w.data) : NULL;
    if (!tensor)
        return false;
    const size_t offset = (size_t)(w.data - quantised_begin(list->quantised, tensor));
    ASSERT(w.ld == tensor->cols);
    int8_panels_init(&prepacked->quantised, tensor, offset / w.ld, offset % w.ld, w.rows, w.cols,
                     list->arena);
    return true;
}

void prepack_many_rows(struct prepacked *prepacked, struct const_mat w, enum pass_direction direction,
                       struct prepack_list *list)
{
    const bool forward = direction == FORWARD;
    if (list->count == PREPACK_MOST)
        BUG("more than %d prepacked matrices", PREPACK_MOST);
    *prepacked = (struct prepacked){
        .n = forward ? w.rows : w.cols, .k = forward ? w.cols : w.rows, .weights = w, .direction = direction};
    list->all[list->count++] = prepacked;
    if (list->products == PRODUCTS_BFLOAT16)
        prepacked->bf16_panels =
            ARENA_NEW(list->arena, bf16_panels_pairs(prepacked->n, prepacked->k), uint32_t);
}

void prepack(struct prepacked *prepacked, struct const_mat w, struct prepack_list *list)
{
    prepack_many_rows(prepacked, w, list->direction, list);
    if (prepacked->bf16_panels || prepack_quantised(prepacked, w, list))
        return;
#ifdef PANEL_KERNELS
    prepacked->panels = new_panels(prepacked, list->arena);
#endif
}

void prepack_input(struct prepacked *prepacked, struct const_mat w, struct prepack_list *list)
{
    if (list->direction == FORWARD)
        prepack(prepacked, w, list);
    else
        prepack_many_rows(prepacked, w, BACKWARD, list);
}

/* A copy of the chosen rows of w. */
static struct const_mat select_rows(struct const_mat w, const int *chosen, size_t n, struct arena *arena)
{
    const struct mat rows = mat_of(ARENA_NEW(arena, n * w.cols, real), n, w.cols);
    for (size_t i = 0; i < n; i++)
        memcpy(mat_row(rows, i), const_mat_row(w, (size_t)chosen[i]), w.cols * sizeof(real));
    return mat_const(rows);
}

void prepacked_select(struct prepacked *part, const struct prepacked *whole, const int *chosen, size_t n,
                      struct arena *arena)
{
    ASSERT(whole->direction == FORWARD && !whole->bf16_panels);
    *part = (struct prepacked){.n = n, .k = whole->k, .direction = FORWARD};
    if (whole->quantised.values) {
        int8_panels_select(&part->quantised, &whole->quantised, chosen, n, arena);
        int8_panels_fill(&part->quantised, 0, 1);
        return;
    }
#ifdef PANEL_KERNELS
    if (whole->panels) {
        select_panels(part, whole->weights, chosen, arena);
        return;
    }
#endif
    part->weights = select_rows(whole->weights, chosen, n, arena);
}

bool prepacked_reads_weights(const struct prepacked *prepacked)
{
    return !prepacked->panels && !prepacked->bf16_panels && !prepacked->quantised.values;
}

bool prepacked_needs_blas(void)
{
#ifdef PANEL_KERNELS
    return !kernels();
#else
    return true;
#endif
}

void prepacked_product(struct mat c, struct const_mat a, const struct prepacked *prepacked, bool add)
{
    ASSERT(c.rows == a.rows && c.cols == prepacked->n && a.cols == prepacked->k);
    if (prepacked->quantised.values) {
        int8_panels_product(c, a, &prepacked->quantised, add);
        return;
    }
    if (prepacked->bf16_panels) {
        bf16_product(c, a, prepacked->bf16_panels, add);
        return;
    }
#ifdef PANEL_KERNELS
    if (prepacked->panels) {
        panels_product(c, a, prepacked, add);
        return;
    }
#endif
    if (prepacked->direction == FORWARD)
        mat_nt(c, a, prepacked->weights, add);
    else
        mat_nn(c, a, prepacked->weights, add);
}

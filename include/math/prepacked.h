/* prepacked: a weight matrix rearranged for many products with few rows, such as the steps of a recurrent
 * network.
 *
 * Before each product, OpenBLAS copies the weights into an order that suits its inner loop; with 32 rows that
 * takes a fifth of the time. Here it is done once for all steps: panels of PANEL columns, [k][PANEL] each,
 * which the inner loop reads sequentially while a few rows of results stay in registers. Each result is the
 * same sum in the same order, whatever the number of rows.
 *
 * On processors without AVX2, and in double, products go through mat.h with the original weights.
 *
 * In bfloat16 (bf16.h) both factors are rounded: the weights in the panels, the rows as they are multiplied.
 *
 * Forward, weights may be quantised: panels of eight bits, sums in int32 (prepacked_int8.h). Then the numbers
 * of the original weights are never read. */
#ifndef NMT_PREPACKED_H
#define NMT_PREPACKED_H

#include "arena.h"
#include "mat.h"
#include "quantised.h"
#include "real.h"

#include <stdbool.h>

/* The product for which a matrix W [outputs][inputs] is prepacked: y = x Wᵀ forward, dx = dy W backward. */
enum pass_direction { FORWARD, BACKWARD };

struct int8_kernels;

/* A part of a quantised tensor. Zeros fill n up to whole panels, and k to whole groups (int8_kernels.h). */
struct int8_panels {
    const struct int8_kernels *kernels;
    const struct quantised *from;
    size_t row, col, n, k; /* the part */
    const int *chosen;     /* [n]: its rows, counted from `row`; NULL: n in a row */
    int8_t *values;        /* [panels][groups][INT8_PANEL][INT8_GROUP]; NULL: not quantised */
    float *scales;         /* [panels][INT8_PANEL] */
    int32_t *starts;       /* [panels][INT8_PANEL]: where sums begin */
};

struct prepacked {
    size_t n, k; /* of c [m][n] = a [m][k] times the matrix */
    struct const_mat weights;
    enum pass_direction direction;
    real *panels;          /* NULL: in other numbers, or the original weights are used */
    uint32_t *bf16_panels; /* NULL: not in bfloat16 */
    struct int8_panels quantised;
};

/* Matrices that are prepacked together for one pass; each thread fills a part of every matrix. */
#define PREPACK_MOST 256

struct prepack_list {
    struct arena *arena;
    enum pass_direction direction;
    enum product_kind products;
    const struct quantised_params *quantised;
    size_t count;
    struct prepacked *all[PREPACK_MOST];
};

/* With PRODUCTS_FLOAT32, weights that lie in one of the `quantised` tensors become panels of eight bits:
 * forward only. NULL: none do. The tensors must stay in place until the list is filled. */
void prepack_list_init(struct prepack_list *list, enum pass_direction direction, enum product_kind products,
                       const struct quantised_params *quantised, struct arena *arena);
/* Appends w [outputs][inputs], with memory for its panels. w and `prepacked` must stay in place until the
 * list is filled; without panels, w is read by every product (prepacked_reads_weights). */
void prepack(struct prepacked *prepacked, struct const_mat w, struct prepack_list *list);
/* The same for few products with many rows, in either direction: in float32 they read w, which BLAS packs in
 * little time beside them. */
void prepack_many_rows(struct prepacked *prepacked, struct const_mat w, enum pass_direction direction,
                       struct prepack_list *list);
/* The same for w of a layer's input: products of few rows or many forward, of many backward. */
void prepack_input(struct prepacked *prepacked, struct const_mat w, struct prepack_list *list);
/* Fills part `part` of `parts` of the panels of all matrices; all parts must be filled before the first
 * product. */
void prepack_list_fill(const struct prepack_list *list, int part, int parts);

/* The columns of products with `whole` that `chosen` [n] names, computed alone: the same numbers wherever
 * there are kernels. Forward only; `whole`, its weights or their quantised tensor, and `chosen` must stay in
 * place until the call ends. `part` is ready for products. Not in bfloat16. */
void prepacked_select(struct prepacked *part, const struct prepacked *whole, const int *chosen, size_t n,
                      struct arena *arena);

/* Whether products read the original weights. */
bool prepacked_reads_weights(const struct prepacked *prepacked);
/* Whether products with prepacked weights are BLAS's: there are no kernels for this processor. */
bool prepacked_needs_blas(void);
/* For programs: mat_begin, if they are BLAS's. */
void prepacked_begin(int threads);
/* c [m][n] = a [m][k] times the matrix; with `add`, c += … */
void prepacked_product(struct mat c, struct const_mat a, const struct prepacked *prepacked, bool add);

#endif

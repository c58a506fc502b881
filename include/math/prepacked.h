/* prepacked: a weight matrix laid out anew for many products with few rows, such as those of a recurrent
 * network's steps.
 *
 * Before each product, OpenBLAS copies the weights into an order that suits its inner loop; with 32 rows that
 * takes a fifth of the time. Here it is done once for all steps: panels of PANEL columns, [k][PANEL] each,
 * that the inner loop reads from beginning to end while a few rows of results stay in registers. One result
 * is always the same sum in the same order, however many rows there are.
 *
 * On processors without AVX2, and in double, products go to mat.h with the weights as they are. */
#ifndef NMT_PREPACKED_H
#define NMT_PREPACKED_H

#include "arena.h"
#include "mat.h"
#include "real.h"

#include <stdbool.h>

/* What a matrix W [outputs][inputs] is multiplied for: y = x Wᵀ forward, dx = dy W backward. */
enum pass_direction { FORWARD, BACKWARD };

struct prepacked {
    size_t n, k; /* of c [m][n] = a [m][k] times the matrix */
    struct const_mat weights;
    enum pass_direction direction;
    real *panels; /* NULL where the weights are multiplied as they are */
};

/* Matrices that are prepacked together for one pass, each thread a part of every one. */
#define PREPACK_MOST 256

struct prepack_list {
    struct arena *arena;
    enum pass_direction direction;
    size_t count;
    struct prepacked *all[PREPACK_MOST];
};

void prepack_list_init(struct prepack_list *list, enum pass_direction direction, struct arena *arena);
/* Appends w [outputs][inputs], with memory for its panels; w and `prepacked` must live as long. */
void prepack(struct prepacked *prepacked, struct const_mat w, struct prepack_list *list);
/* Fills part `part` of `parts` of the panels of all matrices; all parts before the first product. */
void prepack_list_fill(const struct prepack_list *list, int part, int parts);

/* c [m][n] = a [m][k] times the matrix; with `add`, c += … */
void prepacked_product(struct mat c, struct const_mat a, const struct prepacked *prepacked, bool add);

#endif

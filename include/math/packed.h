/* packed: a weight matrix laid out anew for many products with few rows, such as those of a recurrent
 * network's steps.
 *
 * Before each product, OpenBLAS copies the weights into an order that suits its inner loop; with 32 rows that
 * takes a fifth of the time. Here it is done once for all steps: panels of PANEL columns, [k][PANEL] each,
 * that the inner loop reads from beginning to end while a few rows of results stay in registers. One result
 * is always the same sum in the same order, however many rows there are.
 *
 * On processors without AVX2, and in double, products go to mat.h with the weights as they are. */
#ifndef NMT_PACKED_H
#define NMT_PACKED_H

#include "arena.h"
#include "real.h"

#include <stdbool.h>

struct packed {
    int n, k;
    const real *weights; /* as they are */
    int ld;
    bool transposed; /* weights [n][k], else [k][n] */
    real *panels;    /* NULL where they are not used */
};

/* Matrices that are packed together, each thread a part of every one. */
#define PACKS_MOST 256

struct packs {
    struct arena *arena;
    int count;
    struct packed *all[PACKS_MOST];
};

void packs_init(struct packs *packs, struct arena *arena);
/* Part `part` of `parts` of the panels of all matrices; all parts before the first product. */
void packs_fill(const struct packs *packs, int part, int parts);

/* Room, in the arena of `packs`, for c [m][n] = a wᵀ, w [n][k, ldw]; w and `packed` must live as long. */
void packed_init_nt(struct packed *packed, const real *w, int ldw, int n, int k, struct packs *packs);
/* For c [m][n] = a w, w [k][n, ldw]. */
void packed_init_nn(struct packed *packed, const real *w, int ldw, int n, int k, struct packs *packs);
/* c [m][n, ldc] = a [m][k, lda] times the matrix; with `add`, c += … */
void packed_product(real *c, int ldc, const real *a, int lda, const struct packed *packed, int m, bool add);

#endif

/* embedding: rows of a table [vocabulary][width], looked up by token id. */
#ifndef NMT_EMBEDDING_H
#define NMT_EMBEDDING_H

#include "grad_terms.h"
#include "layout.h"
#include "mat.h"
#include "quantised.h"

struct embedding {
    size_t vocabulary, width;
    size_t weight; /* [vocabulary][width] */
};

void embedding_declare(struct embedding *embedding, struct layout *layout, const char *prefix,
                       size_t vocabulary, size_t width);
/* The table of one pass. */
struct embedding_weights {
    const struct embedding *embedding;
    const real *params;
    const struct quantised *quantised; /* NULL: the table is in `params` */
};

/* `quantised`: that of a prepack_list. */
void embedding_weights_init(struct embedding_weights *weights, const struct embedding *embedding,
                            const real *params, const struct quantised_params *quantised);
/* Row i of x [rows][width] = row ids[i] of the table; ids in [0, vocabulary). */
void embedding_forward(struct mat x, const int *ids, const struct embedding_weights *weights);
/* Defers: row ids[i] of the table's gradient += row i of dx. */
void embedding_backward(struct grad_terms *terms, struct const_mat dx, const int *ids,
                        const struct embedding *embedding);

#endif

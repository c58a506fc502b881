/* embedding: rows of a table [vocabulary][width], looked up by token id. */
#ifndef NMT_EMBEDDING_H
#define NMT_EMBEDDING_H

#include "grad_terms.h"
#include "layout.h"
#include "mat.h"

struct embedding {
    size_t vocabulary, width;
    size_t weight;
};

void embedding_declare(struct embedding *embedding, struct layout *layout, const char *prefix,
                       size_t vocabulary, size_t width);
/* x [rows][width] = table rows `ids` [rows], each in [0, vocabulary). */
void embedding_forward(struct mat x, const int *ids, const struct embedding *embedding, const real *params);
/* Defers dx for the table rows' gradients. */
void embedding_backward(struct grad_terms *terms, struct const_mat dx, const int *ids,
                        const struct embedding *embedding);

#endif

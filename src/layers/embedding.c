/* Looks up rows of an embedding table, and defers their gradients. */
#include "embedding.h"

#include "err.h"

#include <string.h>

void embedding_declare(struct embedding *embedding, struct layout *layout, const char *prefix,
                       size_t vocabulary, size_t width)
{
    embedding->vocabulary = vocabulary;
    embedding->width = width;
    embedding->weight = layout_declare(layout, prefix, "weight", vocabulary, width, INIT_EMBEDDING);
}

void embedding_forward(struct mat x, const int *ids, const struct embedding *embedding, const real *params)
{
    const struct const_mat table =
        const_mat_of(params + embedding->weight, embedding->vocabulary, embedding->width);
    ASSERT(x.cols == table.cols);
    for (size_t i = 0; i < x.rows; i++) {
        const size_t id = (size_t)ids[i];
        ASSERT(id < table.rows);
        memcpy(mat_row(x, i), const_mat_row(table, id), table.cols * sizeof *x.data); /* x_i = table[ids_i] */
    }
}

void embedding_backward(struct grad_terms *terms, struct const_mat dx, const int *ids,
                        const struct embedding *embedding)
{
    ASSERT(dx.cols == embedding->width);
    grad_terms_rows(terms, embedding->weight, dx, ids); /* x_i = table[ids_i] */
}

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

void embedding_weights_init(struct embedding_weights *weights, const struct embedding *embedding,
                            const real *params, const struct quantised_params *quantised)
{
    *weights = (struct embedding_weights){
        embedding, params, quantised ? quantised_find(quantised, params + embedding->weight) : NULL};
}

void embedding_forward(struct mat x, const int *ids, const struct embedding_weights *weights)
{
    const struct embedding *embedding = weights->embedding;
    const real *table = weights->params + embedding->weight;
    ASSERT(x.cols == embedding->width);
    for (size_t i = 0; i < x.rows; i++) {
        const size_t id = (size_t)ids[i];
        ASSERT(id < embedding->vocabulary);
        if (weights->quantised) /* x_i = table[ids_i] */
            dequantise_row(mat_row(x, i), weights->quantised, id);
        else
            memcpy(mat_row(x, i), table + id * x.cols, x.cols * sizeof *x.data);
    }
}

void embedding_backward(struct grad_terms *terms, struct const_mat dx, const int *ids,
                        const struct embedding *embedding)
{
    ASSERT(dx.cols == embedding->width);
    grad_terms_rows(terms, embedding->weight, dx, ids); /* x_i = table[ids_i] */
}

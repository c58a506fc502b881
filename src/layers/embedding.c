#include "embedding.h"

#include <assert.h>
#include <string.h>

void embedding_declare(struct embedding *embedding, struct layout *layout, const char *prefix, int vocabulary,
                       int width)
{
    embedding->vocabulary = vocabulary;
    embedding->width = width;
    embedding->weight = layout_declare(layout, prefix, "weight", vocabulary, width, INIT_EMBEDDING);
}

void embedding_forward(real *x, const int *ids, const struct embedding *embedding, const real *params,
                       int rows)
{
    const size_t width = (size_t)embedding->width;
    for (int i = 0; i < rows; i++) {
        assert(ids[i] >= 0 && ids[i] < embedding->vocabulary);
        memcpy(x + (size_t)i * width, params + embedding->weight + (size_t)ids[i] * width, width * sizeof *x);
    }
}

void embedding_backward(struct grad_terms *terms, const real *dx, const int *ids,
                        const struct embedding *embedding, int rows)
{
    grad_terms_rows(terms, embedding->weight, dx, ids, embedding->width, rows); /* x_i = table[ids_i] */
}

#include "embedding.h"

#include <assert.h>
#include <string.h>

void embedding_declare(struct embedding *embedding, struct layout *layout, const char *prefix,
                       size_t vocabulary, size_t width)
{
    embedding->vocabulary = vocabulary;
    embedding->width = width;
    embedding->weight = layout_declare(layout, prefix, "weight", vocabulary, width, INIT_EMBEDDING);
}

void embedding_forward(real *x, const int *ids, const struct embedding *embedding, const real *params,
                       size_t rows)
{
    const size_t width = embedding->width;
    for (size_t i = 0; i < rows; i++) {
        const size_t id = (size_t)ids[i];
        assert(id < embedding->vocabulary);
        memcpy(x + i * width, params + embedding->weight + id * width, width * sizeof *x);
    }
}

void embedding_backward(struct grad_terms *terms, const real *dx, const int *ids,
                        const struct embedding *embedding, size_t rows)
{
    grad_terms_rows(terms, embedding->weight, const_mat_of(dx, rows, embedding->width),
                    ids); /* x_i = table[ids_i] */
}

#include "attention.h"
#include "vecmath.h"

#include <string.h>

struct attention_values attention_context_values(const struct attention_source *at,
                                                 const struct attention *attention)
{
    const int width = attention->width / attention->choice.heads;
    return (struct attention_values){at->values, attention->width, width, width, false};
}

/* The value of head `head` at position j of the sentence of rank b. */
static size_t value_at(const struct attention_values *values, const struct packed_seq *source, size_t j,
                       size_t b, size_t head)
{
    return ((size_t)source->first[j] + b) * (size_t)values->ld + head * (size_t)values->stride;
}

void attention_sum(real *sums, const real *alpha, const struct attention_values *values,
                   const int *source_rank, const struct packed_seq *source, int heads, int rows)
{
    const size_t w = (size_t)values->width, h = (size_t)heads, steps = (size_t)source->steps,
                 out = values->together ? w : h * w;
    memset(sums, 0, (size_t)rows * out * sizeof *sums);
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)source_rank[i], length = (size_t)source->lengths[b];
        for (size_t head = 0; head < h; head++) {
            real *sum = sums + i * out + (values->together ? 0 : head * w);
            const real *weights = alpha + (i * h + head) * steps;
            for (size_t j = 0; j < length; j++)
                if (weights[j] != 0)
                    vec_axpy(sum, weights[j], values->rows + value_at(values, source, j, b, head), w);
        }
    }
}

void attention_sum_backward(real *dalpha, const real *dsums, const struct attention_values *values,
                            const int *source_rank, const struct packed_seq *source, int heads, int rows)
{
    const size_t w = (size_t)values->width, h = (size_t)heads, steps = (size_t)source->steps;
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)source_rank[i], length = (size_t)source->lengths[b];
        for (size_t head = 0; head < h; head++) {
            const real *dsum = dsums + (i * h + head) * w;
            for (size_t j = 0; j < length; j++) /* sum = … + α_j values_j */
                dalpha[(i * h + head) * steps + j] =
                    vec_dot(dsum, values->rows + value_at(values, source, j, b, head), w);
        }
    }
}

void attention_values_backward(real *dvalues, const real *dsums, const real *alpha,
                               const struct attention_values *values, const int *source_rank,
                               const struct packed_seq *source, const struct packed_seq *target, int heads)
{
    const size_t w = (size_t)values->width, h = (size_t)heads, steps = (size_t)source->steps;
    for (int r = 0; r < target->sents; r++) {
        const size_t b = (size_t)source_rank[r], length = (size_t)source->lengths[b];
        for (int t = 0; t < target->lengths[r]; t++) {
            const size_t row = (size_t)target->first[t] + (size_t)r;
            for (size_t head = 0; head < h; head++) {
                const real *dsum = dsums + (row * h + head) * w, *weights = alpha + (row * h + head) * steps;
                for (size_t j = 0; j < length; j++) /* sum = … + α_j values_j */
                    if (weights[j] != 0)
                        vec_axpy(dvalues + value_at(values, source, j, b, head), weights[j], dsum, w);
            }
        }
    }
}

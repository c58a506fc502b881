/* Weighted sums over source positions, such as the contexts c_i = Σ_j α_ij value_j, and their gradients.
 * The weights come from attention.c. */
#include "attention.h"
#include "err.h"
#include "vecmath.h"

struct attention_values attention_context_values(const struct attention_source *source,
                                                 const struct attention *attention)
{
    const size_t heads = attention->choice.heads, width = attention->width / heads;
    return (struct attention_values){source->values, heads, width, width, false};
}

/* The offset of a head's value at position j of the sentence of rank b. */
static size_t value_at(const struct attention_values *values, const struct packed_seq *source, size_t j,
                       size_t b, size_t head)
{
    return (source->first[j] + b) * values->rows.ld + head * values->stride;
}

/* Columns of values that are summed at once: few enough that those of a sentence stay in the cache while all
 * rows that attend to it are summed. */
#define SUM_COLUMNS 256

/* sum += Σ_j α_ij value_j of some columns of a sentence, which begin with its first position; four positions
 * at a time, so that the sum is read and written less often. */
static void add_columns(real *sum, const real *weights, struct const_mat columns,
                        const struct packed_seq *source, size_t length)
{
    real a[4];
    const real *x[4];
    size_t count = 0;
    for (size_t j = 0; j < length; j++) {
        if (weights[j] == 0)
            continue;
        a[count] = weights[j];
        x[count++] = columns.data + source->first[j] * columns.ld;
        if (count == 4) {
            vec_axpy4(sum, a, x, columns.cols);
            count = 0;
        }
    }
    for (size_t i = 0; i < count; i++)
        vec_axpy(sum, a[i], x[i], columns.cols);
}

/* The sums of rows `begin` … end - 1, which attend to the same sentence. */
static void add_sentence(struct mat sums, const real *alpha, const struct attention_values *values,
                         const struct attention_step *step, size_t begin, size_t end)
{
    const struct packed_seq *source = step->source->seq;
    const size_t w = values->width, b = step->source_rank[begin];
    for (size_t head = 0; head < values->heads; head++)
        for (size_t col = 0; col < w; col += SUM_COLUMNS) {
            const struct const_mat columns = const_mat_ld(
                values->rows.data + value_at(values, source, 0, b, head) + col, values->rows.rows,
                w - col < SUM_COLUMNS ? w - col : SUM_COLUMNS, values->rows.ld);
            for (size_t i = begin; i < end; i++)
                add_columns(mat_row(sums, i) + (values->together ? 0 : head * w) + col,
                            alpha + (i * values->heads + head) * source->steps, columns, source,
                            source->lengths[b]);
        }
}

void attention_sum(struct mat sums, const real *alpha, const struct attention_values *values,
                   const struct attention_step *step)
{
    ASSERT(sums.rows == step->rows &&
           sums.cols == (values->together ? values->width : values->heads * values->width));
    mat_clear(sums);
    for (size_t begin = 0, end; begin < step->rows; begin = end) { /* c_i += α_ij value_j */
        end = begin + 1;
        while (end < step->rows && step->source_rank[end] == step->source_rank[begin])
            end++;
        add_sentence(sums, alpha, values, step, begin, end);
    }
}

void attention_sum_backward(real *dalpha, struct const_mat dsums, const struct attention_values *values,
                            const struct attention_step *step)
{
    const struct packed_seq *source = step->source->seq;
    const size_t w = values->width, h = values->heads, steps = source->steps;
    ASSERT(!values->together && dsums.rows == step->rows && dsums.cols == h * w);
    for (size_t i = 0; i < step->rows; i++) {
        const size_t b = step->source_rank[i], length = source->lengths[b];
        for (size_t head = 0; head < h; head++) {
            const real *dsum = const_mat_row(dsums, i) + head * w;
            for (size_t j = 0; j < length; j++) /* c_i += α_ij value_j */
                dalpha[(i * h + head) * steps + j] =
                    vec_dot(dsum, values->rows.data + value_at(values, source, j, b, head), w);
        }
    }
}

void attention_values_backward(struct mat dvalues, struct const_mat dsums, const real *alpha,
                               const struct attention_values *values, const size_t *source_rank,
                               const struct packed_seq *source, const struct packed_seq *target)
{
    const size_t w = values->width, h = values->heads, steps = source->steps;
    ASSERT(!values->together && dsums.rows == target->rows && dsums.cols == h * w);
    ASSERT(dvalues.rows == source->rows && dvalues.ld == values->rows.ld);
    for (size_t r = 0; r < target->sents; r++) {
        const size_t b = source_rank[r], length = source->lengths[b];
        for (size_t t = 0; t < target->lengths[r]; t++) {
            const size_t row = target->first[t] + r;
            for (size_t head = 0; head < h; head++) {
                const real *dsum = const_mat_row(dsums, row) + head * w,
                           *weights = alpha + (row * h + head) * steps;
                for (size_t j = 0; j < length; j++) /* c_i += α_ij value_j */
                    if (weights[j] != 0)
                        vec_axpy(dvalues.data + value_at(values, source, j, b, head), weights[j], dsum, w);
            }
        }
    }
}

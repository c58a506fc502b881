#include "summary.h"

#include "choices.h"
#include "vecmath.h"

#include <string.h>

/* Where the annotation of position j of the sentence of rank b begins. */
static size_t annotation_at(int j, int b, const struct annotations *is, const struct packed_seq *source)
{
    return (size_t)(source->first[j] + b) * (size_t)is->width;
}

/* ---- mean ---- */

static int whole_width(const struct annotations *is)
{
    return is->width;
}

static void mean_forward(real *summary, const real *annotations, const struct annotations *is,
                         const struct packed_seq *source)
{
    const size_t width = (size_t)is->width;
    memset(summary, 0, (size_t)source->sents * width * sizeof *summary);
    for (int b = 0; b < source->sents; b++)
        for (int j = 0; j < source->lengths[b]; j++)
            vec_axpy(summary + (size_t)b * width, (real)1 / (real)source->lengths[b],
                     annotations + annotation_at(j, b, is, source), width);
}

static void mean_backward(real *dannotations, const real *dsummary, const struct annotations *is,
                          const struct packed_seq *source)
{
    const size_t width = (size_t)is->width;
    for (int b = 0; b < source->sents; b++)
        for (int j = 0; j < source->lengths[b]; j++)
            vec_axpy(dannotations + annotation_at(j, b, is, source), (real)1 / (real)source->lengths[b],
                     dsummary + (size_t)b * width, width);
}

static const struct summary summary_mean = {whole_width, mean_forward, mean_backward};

/* ---- states of single positions ---- */

static int states_width(const struct annotations *is)
{
    return is->directions * is->units;
}

/* Where the last state of a direction begins: forwards at the end, backwards at the beginning. */
static size_t last_at(int direction, int b, const struct annotations *is, const struct packed_seq *source)
{
    const int j = direction == 0 ? source->lengths[b] - 1 : 0;
    return annotation_at(j, b, is, source) + (size_t)(direction * is->units);
}

static void last_forward(real *summary, const real *annotations, const struct annotations *is,
                         const struct packed_seq *source)
{
    const size_t units = (size_t)is->units;
    for (int b = 0; b < source->sents; b++)
        for (int d = 0; d < is->directions; d++, summary += units)
            memcpy(summary, annotations + last_at(d, b, is, source), units * sizeof *summary);
}

static void last_backward(real *dannotations, const real *dsummary, const struct annotations *is,
                          const struct packed_seq *source)
{
    const size_t units = (size_t)is->units;
    for (int b = 0; b < source->sents; b++)
        for (int d = 0; d < is->directions; d++, dsummary += units)
            vec_add(dannotations + last_at(d, b, is, source), dsummary, units);
}

static const struct summary summary_last = {states_width, last_forward, last_backward};

static int one_width(const struct annotations *is)
{
    return is->units;
}

static void backward_first_forward(real *summary, const real *annotations, const struct annotations *is,
                                   const struct packed_seq *source)
{
    const size_t units = (size_t)is->units;
    for (int b = 0; b < source->sents; b++)
        memcpy(summary + (size_t)b * units, annotations + last_at(1, b, is, source), units * sizeof *summary);
}

static void backward_first_backward(real *dannotations, const real *dsummary, const struct annotations *is,
                                    const struct packed_seq *source)
{
    const size_t units = (size_t)is->units;
    for (int b = 0; b < source->sents; b++)
        vec_add(dannotations + last_at(1, b, is, source), dsummary + (size_t)b * units, units);
}

static const struct summary summary_backward_first = {one_width, backward_first_forward,
                                                      backward_first_backward};

static int no_width(const struct annotations *is)
{
    (void)is;
    return 0;
}

static const struct summary summary_zero = {no_width, NULL, NULL};

#define ENTRY(constant, name) [constant] = &summary_##name,
const struct summary *const summary_kinds[] = {SUMMARIES(ENTRY)};

/* The kinds of summaries, forward and backward, and their table. decoder_source.c uses the summary. */
#include "summary.h"

#include "choices.h"
#include "vecmath.h"

#include <string.h>

/* The offset of the annotation of position j in the sentence of rank b. */
static size_t annotation_offset(size_t j, size_t b, const struct annotations *shape,
                                const struct packed_seq *source)
{
    return (source->first[j] + b) * shape->width;
}

/* ---- mean ---- */

static size_t whole_width(const struct annotations *shape)
{
    return shape->width;
}

static void mean_forward(real *summary, const real *annotations, const struct annotations *shape,
                         const struct packed_seq *source)
{
    const size_t width = shape->width;
    memset(summary, 0, source->sents * width * sizeof *summary);
    for (size_t b = 0; b < source->sents; b++)
        for (size_t j = 0; j < source->lengths[b]; j++)
            vec_axpy(summary + b * width, (real)1 / (real)source->lengths[b],
                     annotations + annotation_offset(j, b, shape, source), width);
}

static void mean_backward(real *dannotations, const real *dsummary, const struct annotations *shape,
                          const struct packed_seq *source)
{
    const size_t width = shape->width;
    for (size_t b = 0; b < source->sents; b++)
        for (size_t j = 0; j < source->lengths[b]; j++)
            vec_axpy(dannotations + annotation_offset(j, b, shape, source),
                     (real)1 / (real)source->lengths[b], dsummary + b * width, width);
}

static const struct summary summary_mean = {whole_width, mean_forward, mean_backward};

/* ---- states of single positions ---- */

static size_t states_width(const struct annotations *shape)
{
    return shape->directions * shape->units;
}

/* The offset of a direction's last state: forwards at the end, backwards at the beginning. */
static size_t last_state_offset(size_t direction, size_t b, const struct annotations *shape,
                                const struct packed_seq *source)
{
    const size_t j = direction == 0 ? source->lengths[b] - 1 : 0;
    return annotation_offset(j, b, shape, source) + (direction * shape->units);
}

static void last_forward(real *summary, const real *annotations, const struct annotations *shape,
                         const struct packed_seq *source)
{
    const size_t units = shape->units;
    for (size_t b = 0; b < source->sents; b++)
        for (size_t d = 0; d < shape->directions; d++, summary += units)
            memcpy(summary, annotations + last_state_offset(d, b, shape, source), units * sizeof *summary);
}

static void last_backward(real *dannotations, const real *dsummary, const struct annotations *shape,
                          const struct packed_seq *source)
{
    const size_t units = shape->units;
    for (size_t b = 0; b < source->sents; b++)
        for (size_t d = 0; d < shape->directions; d++, dsummary += units)
            vec_add(dannotations + last_state_offset(d, b, shape, source), dsummary, units);
}

static const struct summary summary_last = {states_width, last_forward, last_backward};

static size_t one_width(const struct annotations *shape)
{
    return shape->units;
}

static void backward_first_forward(real *summary, const real *annotations, const struct annotations *shape,
                                   const struct packed_seq *source)
{
    const size_t units = shape->units;
    for (size_t b = 0; b < source->sents; b++)
        memcpy(summary + b * units, annotations + last_state_offset(1, b, shape, source),
               units * sizeof *summary);
}

static void backward_first_backward(real *dannotations, const real *dsummary, const struct annotations *shape,
                                    const struct packed_seq *source)
{
    const size_t units = shape->units;
    for (size_t b = 0; b < source->sents; b++)
        vec_add(dannotations + last_state_offset(1, b, shape, source), dsummary + b * units, units);
}

static const struct summary summary_backward_first = {one_width, backward_first_forward,
                                                      backward_first_backward};

static size_t no_width(const struct annotations *shape)
{
    (void)shape;
    return 0;
}

static const struct summary summary_zero = {no_width, NULL, NULL};

#define ENTRY(constant, name) [constant] = &summary_##name,
const struct summary *const summary_kinds[] = {SUMMARIES(ENTRY)};

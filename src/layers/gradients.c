#include "gradients.h"

#include "err.h"
#include "mat.h"
#include "vecmath.h"

#include <stdint.h>

void gradients_begin(struct gradients *gradients, struct arena *arena)
{
    gradients->arena = arena;
    gradients->count = 0;
}

static struct gradient_term *new_term(struct gradients *gradients)
{
    if (gradients->count == GRADIENTS_MOST_TERMS)
        BUG("more than %d terms of gradients", GRADIENTS_MOST_TERMS);
    return &gradients->terms[gradients->count++];
}

static void add_product(real *at, const struct gradient_term *term, int begin, int end)
{
    mat_tn(at + (size_t)begin * (size_t)term->ld, term->ld, term->dy + begin, term->lddy, term->x, term->ldx,
           end - begin, term->inputs, term->rows, true);
}

void gradients_product(struct gradients *gradients, size_t weight, int ldw, const real *dy, int lddy,
                       const real *x, int ldx, int outputs, int inputs, int rows)
{
    *new_term(gradients) = (struct gradient_term){.add = add_product,
                                                  .offset = weight,
                                                  .ld = ldw,
                                                  .extent = outputs,
                                                  .inputs = inputs,
                                                  .rows = rows,
                                                  .dy = dy,
                                                  .lddy = lddy,
                                                  .x = x,
                                                  .ldx = ldx};
}

static void add_sum(real *at, const struct gradient_term *term, int begin, int end)
{
    vec_add(at + begin, term->dy + begin, (size_t)(end - begin));
}

void gradients_sum(struct gradients *gradients, size_t bias, const real *dy, int width, int rows)
{
    real *sum = ARENA_ZERO(gradients->arena, width, real);
    vec_add_column_sums(sum, dy, width, rows, width);
    *new_term(gradients) = (struct gradient_term){.add = add_sum, .offset = bias, .extent = width, .dy = sum};
}

static void add_rows(real *at, const struct gradient_term *term, int begin, int end)
{
    const size_t width = (size_t)term->ld, first = (size_t)begin;
    for (size_t i = 0; i < (size_t)term->rows; i++)
        vec_add(at + (size_t)term->ids[i] * width + first, term->dy + i * width + first,
                (size_t)(end - begin));
}

void gradients_rows(struct gradients *gradients, size_t table, const real *dx, const int *ids, int width,
                    int rows)
{
    *new_term(gradients) = (struct gradient_term){
        .add = add_rows, .offset = table, .ld = width, .extent = width, .rows = rows, .dy = dx, .ids = ids};
}

void gradients_part(size_t extent, int part, int parts, size_t *begin, size_t *end)
{
    const size_t line = 16, lines = (extent + line - 1) / line;
    *begin = lines * (size_t)part / (size_t)parts * line;
    *end = lines * ((size_t)part + 1) / (size_t)parts * line;
    *end = *end < extent ? *end : extent;
}

void gradients_add(real *block, size_t begin, size_t end, const struct gradients *shards, int shard_count,
                   int part, int parts)
{
    int most = 0;
    for (int s = 0; s < shard_count; s++)
        most = shards[s].count > most ? shards[s].count : most;
    for (int i = 0; i < most; i++)
        for (int s = 0; s < shard_count; s++) {
            const struct gradient_term *term = &shards[s].terms[i];
            size_t first, last;
            if (i >= shards[s].count || term->offset < begin || term->offset >= end)
                continue;
            gradients_part((size_t)term->extent, part, parts, &first, &last);
            if (first < last)
                term->add(block + term->offset, term, (int)first, (int)last);
        }
}

void gradients_add_all(real *block, const struct gradients *gradients)
{
    gradients_add(block, 0, SIZE_MAX, gradients, 1, 0, 1);
}

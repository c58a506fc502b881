#include "grad_terms.h"

#include "err.h"
#include "mat.h"
#include "vecmath.h"

#include <stdint.h>

void grad_terms_begin(struct grad_terms *terms, struct arena *arena)
{
    terms->arena = arena;
    terms->count = 0;
}

static struct grad_term *new_term(struct grad_terms *terms)
{
    if (terms->count == GRAD_TERMS_MOST)
        BUG("more than %d terms of gradients", GRAD_TERMS_MOST);
    return &terms->terms[terms->count++];
}

static void add_product(real *at, const struct grad_term *term, int begin, int end)
{
    mat_tn(at + (size_t)begin * (size_t)term->ld, term->ld, term->dy + begin, term->lddy, term->x, term->ldx,
           end - begin, term->inputs, term->rows, true);
}

void grad_terms_product(struct grad_terms *terms, size_t weight, int ldw, const real *dy, int lddy,
                        const real *x, int ldx, int outputs, int inputs, int rows)
{
    *new_term(terms) = (struct grad_term){.add = add_product,
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

static void add_sum(real *at, const struct grad_term *term, int begin, int end)
{
    vec_add(at + begin, term->dy + begin, (size_t)(end - begin));
}

void grad_terms_sum(struct grad_terms *terms, size_t bias, const real *dy, int width, int rows)
{
    real *sum = ARENA_ZERO(terms->arena, width, real);
    vec_add_column_sums(sum, dy, width, rows, width);
    *new_term(terms) = (struct grad_term){.add = add_sum, .offset = bias, .extent = width, .dy = sum};
}

static void add_rows(real *at, const struct grad_term *term, int begin, int end)
{
    const size_t width = (size_t)term->ld, first = (size_t)begin;
    for (size_t i = 0; i < (size_t)term->rows; i++)
        vec_add(at + (size_t)term->ids[i] * width + first, term->dy + i * width + first,
                (size_t)(end - begin));
}

void grad_terms_rows(struct grad_terms *terms, size_t table, const real *dx, const int *ids, int width,
                     int rows)
{
    *new_term(terms) = (struct grad_term){
        .add = add_rows, .offset = table, .ld = width, .extent = width, .rows = rows, .dy = dx, .ids = ids};
}

void grad_terms_part(size_t extent, int part, int parts, size_t *begin, size_t *end)
{
    const size_t line = 16, lines = (extent + line - 1) / line;
    *begin = lines * (size_t)part / (size_t)parts * line;
    *end = lines * ((size_t)part + 1) / (size_t)parts * line;
    *end = *end < extent ? *end : extent;
}

void grad_terms_add(real *block, size_t begin, size_t end, const struct grad_terms *shards, int shard_count,
                    int part, int parts)
{
    int most = 0;
    for (int s = 0; s < shard_count; s++)
        most = shards[s].count > most ? shards[s].count : most;
    for (int i = 0; i < most; i++)
        for (int s = 0; s < shard_count; s++) {
            const struct grad_term *term = &shards[s].terms[i];
            size_t first, last;
            if (i >= shards[s].count || term->offset < begin || term->offset >= end)
                continue;
            grad_terms_part((size_t)term->extent, part, parts, &first, &last);
            if (first < last)
                term->add(block + term->offset, term, (int)first, (int)last);
        }
}

void grad_terms_add_all(real *block, const struct grad_terms *terms)
{
    grad_terms_add(block, 0, SIZE_MAX, terms, 1, 0, 1);
}

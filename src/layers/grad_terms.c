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

static void add_product(real *at, const struct grad_term *term, size_t begin, size_t end)
{
    mat_tn(at + begin * term->ld, term->ld, term->dy + begin, term->lddy, term->x, term->ldx, end - begin,
           term->inputs, term->rows, true);
}

void grad_terms_product(struct grad_terms *terms, size_t weight, size_t ldw, const real *dy, size_t lddy,
                        const real *x, size_t ldx, size_t outputs, size_t inputs, size_t rows)
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

static void add_sum(real *at, const struct grad_term *term, size_t begin, size_t end)
{
    vec_add(at + begin, term->dy + begin, (end - begin));
}

void grad_terms_sum(struct grad_terms *terms, size_t bias, const real *dy, size_t width, size_t rows)
{
    real *sum = ARENA_ZERO(terms->arena, width, real);
    vec_add_column_sums(sum, dy, width, rows, width);
    *new_term(terms) = (struct grad_term){.add = add_sum, .offset = bias, .extent = width, .dy = sum};
}

static void add_rows(real *at, const struct grad_term *term, size_t begin, size_t end)
{
    const size_t width = term->ld, first = begin;
    for (size_t i = 0; i < term->rows; i++)
        vec_add(at + (size_t)term->ids[i] * width + first, term->dy + i * width + first, end - begin);
}

void grad_terms_rows(struct grad_terms *terms, size_t table, const real *dx, const int *ids, size_t width,
                     size_t rows)
{
    *new_term(terms) = (struct grad_term){
        .add = add_rows, .offset = table, .ld = width, .extent = width, .rows = rows, .dy = dx, .ids = ids};
}

void grad_terms_part(size_t extent, int part, int parts, size_t *begin, size_t *end)
{
    const size_t line = 16, lines = (extent + line - 1) / line;
    *begin = lines * (size_t)part / (size_t)parts * line;
    *end = lines * (size_t)(part + 1) / (size_t)parts * line;
    *end = *end < extent ? *end : extent;
}

void grad_terms_add(real *block, size_t begin, size_t end, const struct grad_terms *shards, int shard_count,
                    int part, int parts)
{
    size_t most = 0;
    for (int s = 0; s < shard_count; s++)
        most = shards[s].count > most ? shards[s].count : most;
    for (size_t i = 0; i < most; i++)
        for (int s = 0; s < shard_count; s++) {
            const struct grad_term *term = &shards[s].terms[i];
            size_t first, last;
            if (i >= shards[s].count || term->offset < begin || term->offset >= end)
                continue;
            grad_terms_part(term->extent, part, parts, &first, &last);
            if (first < last)
                term->add(block + term->offset, term, first, last);
        }
}

void grad_terms_add_all(real *block, const struct grad_terms *terms)
{
    grad_terms_add(block, 0, SIZE_MAX, terms, 1, 0, 1);
}

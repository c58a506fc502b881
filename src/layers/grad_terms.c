/* Lists the terms of weight gradients, and adds them in parts. The layers' backward passes make the terms;
 * the caller decides who adds which part. */
#include "grad_terms.h"

#include "bf16.h"
#include "err.h"
#include "vecmath.h"

#include <stdint.h>

void grad_terms_begin(struct grad_terms *terms, enum product_kind products, struct arena *arena)
{
    terms->arena = arena;
    terms->products = products;
    terms->count = 0;
}

static struct grad_term *new_term(struct grad_terms *terms)
{
    if (terms->count == GRAD_TERMS_MOST)
        BUG("more than %d terms of gradients", GRAD_TERMS_MOST);
    return &terms->terms[terms->count++];
}

/* dW and dy of outputs `begin` … end - 1. */
static struct mat outputs_of(struct const_mat *dy, real *at, const struct grad_term *term, size_t begin,
                             size_t end)
{
    *dy = const_mat_cols(term->dy, begin, end - begin);
    return mat_ld(at + begin * term->ld, dy->cols, term->x.cols, term->ld);
}

static void add_product(real *at, const struct grad_term *term, size_t begin, size_t end)
{
    struct const_mat dy;
    const struct mat dw = outputs_of(&dy, at, term, begin, end);
    mat_tn(dw, dy, term->x, true);
}

static void add_bf16_product(real *at, const struct grad_term *term, size_t begin, size_t end)
{
    struct const_mat dy;
    const struct mat dw = outputs_of(&dy, at, term, begin, end);
    bf16_mat_tn(dw, dy, term->x, true);
}

void grad_terms_product(struct grad_terms *terms, size_t weight, size_t ldw, struct const_mat dy,
                        struct const_mat x)
{
    ASSERT(dy.rows == x.rows);
    *new_term(terms) =
        (struct grad_term){.add = terms->products == PRODUCTS_BFLOAT16 ? add_bf16_product : add_product,
                           .offset = weight,
                           .ld = ldw,
                           .extent = dy.cols,
                           .dy = dy,
                           .x = x};
}

static void add_sum(real *at, const struct grad_term *term, size_t begin, size_t end)
{
    vec_add(at + begin, term->dy.data + begin, end - begin);
}

void grad_terms_sum(struct grad_terms *terms, size_t bias, struct const_mat dy)
{
    real *sum = ARENA_ZERO(terms->arena, dy.cols, real);
    vec_add_column_sums(sum, dy);
    *new_term(terms) = (struct grad_term){
        .add = add_sum, .offset = bias, .extent = dy.cols, .dy = const_mat_of(sum, 1, dy.cols)};
}

static void add_rows(real *at, const struct grad_term *term, size_t begin, size_t end)
{
    for (size_t i = 0; i < term->dy.rows; i++)
        vec_add(at + (size_t)term->ids[i] * term->ld + begin, const_mat_row(term->dy, i) + begin,
                end - begin);
}

void grad_terms_rows(struct grad_terms *terms, size_t table, struct const_mat dx, const int *ids)
{
    *new_term(terms) = (struct grad_term){
        .add = add_rows, .offset = table, .ld = dx.cols, .extent = dx.cols, .dy = dx, .ids = ids};
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

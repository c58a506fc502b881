/* grad_terms: the products that a backward pass leaves to be added to the gradients of the weights.
 *
 * Gradients of activations are computed at once: the next layer below needs them. A weight's gradient is a
 * sum over all rows of all shards of a batch, which nobody needs before the update. So a backward pass only
 * lists its terms (dW += dyᵀ x, db += Σ dy, rows of a table), and grad_terms_add computes them: for all
 * shards, each thread its own part of every tensor. One block of gradients is then enough for any number of
 * threads. What a term points to must stay as it is until it is added. */
#ifndef NMT_GRAD_TERMS_H
#define NMT_GRAD_TERMS_H

#include "arena.h"
#include "mat.h"
#include "real.h"

#include <stddef.h>

#define GRAD_TERMS_MOST 512

struct grad_term {
    void (*add)(real *at, const struct grad_term *term, size_t begin, size_t end);
    size_t offset; /* of the tensor, or of its first column, in the block */
    size_t ld;     /* distance between the tensor's rows */
    size_t extent; /* what is cut into parts: its rows, if it is a product, or else its columns */
    struct const_mat dy, x;
    const int *ids;
};

struct grad_terms {
    struct arena *arena;
    size_t count;
    struct grad_term terms[GRAD_TERMS_MOST];
};

/* Begins anew, with what lives in this arena. */
void grad_terms_begin(struct grad_terms *terms, struct arena *arena);
/* dW [outputs][inputs, ldw] += dyᵀ x; dy [rows][outputs], x [rows][inputs] */
void grad_terms_product(struct grad_terms *terms, size_t weight, size_t ldw, struct const_mat dy,
                        struct const_mat x);
/* db [width] += Σ dy over the rows. The sum is taken at once, while dy is near. */
void grad_terms_sum(struct grad_terms *terms, size_t bias, struct const_mat dy);
/* Row ids[i] of dtable [][width] += row i of dx [rows][width] */
void grad_terms_rows(struct grad_terms *terms, size_t table, struct const_mat dx, const int *ids);

/* Adds part `part` of `parts` of all shards' terms to the block, always in the same order: those of tensors
 * from `begin` to before `end` of the block. All shards have the same terms, or none. */
void grad_terms_add(real *block, size_t begin, size_t end, const struct grad_terms *shards, int shard_count,
                    int part, int parts);
/* To all tensors, alone. */
void grad_terms_add_all(real *block, const struct grad_terms *terms);
/* First and last element of a part of `extent` elements; parts begin on a cache line. */
void grad_terms_part(size_t extent, int part, int parts, size_t *begin, size_t *end);

#endif

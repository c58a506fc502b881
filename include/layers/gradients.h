/* gradients: what backward passes leave behind to become the gradients of the weights.
 *
 * Gradients of activations are computed at once: the next layer below needs them. A weight's gradient is a
 * sum over all rows of all shards of a batch, which nobody needs before the update. So a backward pass only
 * notes its terms (dW += dyᵀ x, db += Σ dy, rows of a table), and gradients_add computes them: for all
 * shards, each thread its own part of every tensor. One block of gradients is then enough for any number of
 * threads. What a term points to must stay as it is until it is added. */
#ifndef NMT_GRADIENTS_H
#define NMT_GRADIENTS_H

#include "arena.h"
#include "real.h"

#include <stddef.h>

#define GRADIENTS_MOST_TERMS 512

struct gradient_term {
    void (*add)(real *at, const struct gradient_term *term, int begin, int end);
    size_t offset; /* of the tensor, or of its first column, in the block */
    int ld;        /* distance between the tensor's rows */
    int extent;    /* what is cut into parts: its rows, if it is a product, or else its columns */
    int inputs, rows;
    const real *dy, *x;
    int lddy, ldx;
    const int *ids;
};

struct gradients {
    struct arena *arena;
    int count;
    struct gradient_term terms[GRADIENTS_MOST_TERMS];
};

/* Begins anew, with what lives in this arena. */
void gradients_begin(struct gradients *gradients, struct arena *arena);
/* dW [outputs][inputs, ldw] += dyᵀ x; dy [rows][outputs, lddy], x [rows][inputs, ldx] */
void gradients_product(struct gradients *gradients, size_t weight, int ldw, const real *dy, int lddy,
                       const real *x, int ldx, int outputs, int inputs, int rows);
/* db [width] += Σ dy; dy [rows][width]. The sum is taken at once, while dy is near. */
void gradients_sum(struct gradients *gradients, size_t bias, const real *dy, int width, int rows);
/* Row ids[i] of dtable [][width] += row i of dx [rows][width] */
void gradients_rows(struct gradients *gradients, size_t table, const real *dx, const int *ids, int width,
                    int rows);

/* Adds part `part` of `parts` of all shards' terms to the block, always in the same order: those of tensors
 * from `begin` to before `end` of the block. All shards have the same terms, or none. */
void gradients_add(real *block, size_t begin, size_t end, const struct gradients *shards, int shard_count,
                   int part, int parts);
/* To all tensors, alone. */
void gradients_add_all(real *block, const struct gradients *gradients);
/* First and last element of a part of `extent` elements; parts begin on a cache line. */
void gradients_part(size_t extent, int part, int parts, size_t *begin, size_t *end);

#endif

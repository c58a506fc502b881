/* grad_terms: the products that a backward pass defers, to be added to the gradients of the weights later.
 *
 * The gradient of an activation is computed at once: the layer below needs it. The gradient of a weight is
 * a sum over all rows of all shards of a batch, and is needed only at the update. So a backward pass lists
 * its terms (dW += dyᵀ x, db += Σ dy, rows of a table), and grad_terms_add computes them for all shards,
 * each thread its own part of every tensor. Any number of threads then share one block of gradients. The
 * data of a term must not change until it is added. */
#ifndef NMT_GRAD_TERMS_H
#define NMT_GRAD_TERMS_H

#include "arena.h"
#include "mat.h"
#include "real.h"

#include <stddef.h>

#define GRAD_TERMS_MOST 640

struct grad_term {
    void (*add)(real *at, const struct grad_term *term, size_t begin, size_t end);
    size_t offset; /* of the tensor, or of its first column, in the block */
    size_t ld;     /* distance between the tensor's rows */
    size_t extent; /* what is divided into parts: the rows of a product, else the columns */
    struct const_mat dy, x;
    const int *ids;
};

struct grad_terms {
    struct arena *arena;
    enum product_kind products;
    size_t count;
    struct grad_term terms[GRAD_TERMS_MOST];
};

/* Empties the list. The sums of grad_terms_sum are allocated in this arena. */
void grad_terms_begin(struct grad_terms *terms, enum product_kind products, struct arena *arena);
/* dW [outputs][inputs, ldw] += dyᵀ x; dy [rows][outputs], x [rows][inputs], both rounded with
 * PRODUCTS_BFLOAT16 */
void grad_terms_product(struct grad_terms *terms, size_t weight, size_t ldw, struct const_mat dy,
                        struct const_mat x);
/* db [width] += Σ dy over the rows. The sum is computed at once, while dy is in the cache. */
void grad_terms_sum(struct grad_terms *terms, size_t bias, struct const_mat dy);
/* Row ids[i] of dtable [][width] += row i of dx [rows][width] */
void grad_terms_rows(struct grad_terms *terms, size_t table, struct const_mat dx, const int *ids);

/* Adds part `part` of `parts` of all shards' terms to the block, always in the same order, for the tensors
 * whose offset is in [begin, end). All shards have the same terms, or none. */
void grad_terms_add(real *block, size_t begin, size_t end, const struct grad_terms *shards, int shard_count,
                    int part, int parts);
/* Adds all terms of one shard, for all tensors. */
void grad_terms_add_all(real *block, const struct grad_terms *terms);
/* Part `part` of `extent` elements is [begin, end); parts begin at multiples of 16. */
void grad_terms_part(size_t extent, int part, int parts, size_t *begin, size_t *end);

#endif

/* unique: the distinct words of a batch.
 *
 * A batch repeats words: of the tokens of 64 short sentences about a third are distinct. What depends on the
 * word alone (its embedding x, products W x) is computed once per word and spread to the word's rows.
 * Backward sums the gradients of a word's rows first; the gradient of W comes from the sums:
 *
 *   y_i = W x_word(i)      dW = Σ_words (Σ_i dy_i) xᵀ      dx_word = Wᵀ Σ_i dy_i */
#ifndef NMT_UNIQUE_H
#define NMT_UNIQUE_H

#include "arena.h"
#include "mat.h"

#include <stdbool.h>

struct unique {
    size_t rows, count;
    int *ids;      /* [count]: the distinct ids, in order of first appearance */
    size_t *index; /* [rows]: the index in `ids` of each row's word */
    size_t vocabulary;
    size_t *seen; /* [vocabulary]: scratch of unique_find, all 0 */
};

/* Allocates memory for the distinct words of at most so many rows. */
void unique_alloc(struct unique *unique, size_t rows, size_t vocabulary, struct arena *arena);
/* Finds the distinct words of ids [rows], each in [0, vocabulary). */
void unique_find(struct unique *unique, const int *ids, size_t rows);
/* Both. */
void unique_init(struct unique *unique, const int *ids, size_t rows, size_t vocabulary, struct arena *arena);
/* y [rows][] = the words' x [count][]; with `add`, y += … */
void unique_spread(struct mat y, struct const_mat x, const struct unique *unique, bool add);
/* dx [count][] = sums of the rows dy [rows][]. */
void unique_gather(struct mat dx, struct const_mat dy, const struct unique *unique);

#endif

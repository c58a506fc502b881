/* dropout: sets each number to 0 with probability `rate` and divides the others by 1 - rate (Srivastava et
 * al. 2014, in its "inverted" form, so that nothing changes at test time).
 *
 * The mask is a function of (key, index) and is not stored. The backward pass of x' = dropout(x) is the
 * same call on the gradient: dx = dropout(dx'). */
#ifndef NMT_DROPOUT_H
#define NMT_DROPOUT_H

#include "mat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dropout {
    double rate;  /* in [0, 1); 0 does nothing */
    uint32_t key; /* different for each update, worker and place */
};

/* x in place, forward and backward; its rows must be contiguous. */
void dropout_apply(struct mat x, const struct dropout *dropout);
/* The same for whole rows of x: a word's embedding is kept or dropped as a whole. */
void dropout_words(struct mat x, const struct dropout *dropout);
/* y = dropout(x), with the same mask in every call with the same key, so that a recurrent state keeps its
 * mask over all steps (Gal and Ghahramani 2016). With `add`, y += … */
void dropout_rows(struct mat y, struct const_mat x, const struct dropout *dropout, bool add);

#endif

/* weights: a model's numbers in memory, as its file has them: the matrices of an int8 file stay int8. */
#ifndef NMT_WEIGHTS_H
#define NMT_WEIGHTS_H

#include "arena.h"
#include "err.h"
#include "layout.h"
#include "quantised.h"
#include "safetensors.h"

struct weights {
    float *values; /* [total of the layout]; of what is `quantised`, only after weights_floats */
    struct quantised_params quantised; /* the matrices that the file has as int8 */
    bool *filled;                      /* has weights_floats been called? */
    void *own;                         /* pages that `values` are in; NULL: they are those of the file */
    size_t own_bytes;
    struct arena arena; /* for all else */
};

/* Checks and takes the weights of a file, which must outlive them and of which only the metadata may be used
 * from then on. They must stay at their address. On failure there is nothing to close. */
int weights_open(struct weights *weights, const struct safetensors *file, const struct layout *layout,
                 struct err *err);
void weights_close(struct weights *weights);
/* All numbers as float32, [total of the layout]. The first call for weights with `quantised` computes them:
 * no other thread may call it meanwhile. */
const float *weights_floats(const struct weights *weights);
/* Sets `quantised` to all matrices as int8: those that are, and what the others are rounded to. Memory for
 * the latter comes from the arena. */
void weights_quantise(struct quantised_params *quantised, const struct weights *weights,
                      const struct layout *layout, struct arena *arena);
/* Frees the memory of a parameter's float32 numbers, which are lost. Those of int8 stay. */
void weights_forget(struct weights *weights, const struct param *param);

#endif

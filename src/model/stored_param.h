/* stored_param: a parameter as a file has it: a tensor of its name and shape, and for int8 a second one,
 * "NAME.scale", with the scale of each row. */
#ifndef NMT_STORED_PARAM_H
#define NMT_STORED_PARAM_H

#include "err.h"
#include "layout.h"
#include "safetensors.h"

/* Of the names of tensors. */
#define STORED_NAME_BYTES (PARAM_MAX_NAME + 16)

struct stored_param {
    const struct tensor *tensor;
    const struct tensor *scale; /* of int8; else NULL. Its data may be unaligned. */
};

/* The name of a parameter's tensor in a block ("": the weights), and that of its scales. */
void stored_param_name(char *name, const char *block, const struct param *param);
void stored_param_scale_name(char *name, const char *block, const struct param *param);
/* Finds the parameter and checks that it has the right shape and finite numbers. */
int stored_param_find(struct stored_param *stored, const struct safetensors *file, const char *block,
                      const struct param *param, struct err *err);
/* Its numbers as float32. */
void stored_param_decode(float *to, const struct stored_param *stored, const struct param *param);

#endif

/* model_file: the weights of a model as a safetensors file, tensors in the order of the layout. */
#ifndef NMT_MODEL_FILE_H
#define NMT_MODEL_FILE_H

#include "err.h"
#include "layout.h"
#include "real.h"
#include "safetensors.h"

/* Raised when old programs can no longer read what this one writes. */
#define MODEL_FORMAT "1"

/* Extra whole-block tensors, such as optimizer moments: named "name/parameter". */
struct model_block {
    const char *name; /* "" for the weights themselves */
    const float *values;
};

/* `metadata`: `pairs` pairs of key and value, beside the format version. */
int model_file_save(const char *path, const struct layout *layout, const struct model_block *blocks,
                    size_t count, const char *const *metadata, size_t pairs, struct err *err);

/* Weights in memory: the file's own bytes where its order is ours, else a copy. */
struct weights {
    struct safetensors file; /* of which only the metadata is of use */
    float *values;
    float *copy; /* NULL where the values are the file's */
};

int weights_open(struct weights *weights, const char *path, const struct layout *layout, struct err *err);
void weights_close(struct weights *weights);
/* Gives the memory of a parameter back; its values are lost. */
void weights_forget(struct weights *weights, const struct param *param);
/* Does the file hold that block, or at least its first tensor? */
bool model_file_has(const struct safetensors *file, const char *block, const struct layout *layout);
/* Checks the version, then copies a named block out of an open file. */
int model_file_read(float *values, const struct safetensors *file, const char *block,
                    const struct layout *layout, struct err *err);

#endif

/* model_file: a model's weights as a safetensors file, with the tensors in the order of the layout. */
#ifndef NMT_MODEL_FILE_H
#define NMT_MODEL_FILE_H

#include "err.h"
#include "layout.h"
#include "precision.h"
#include "quantised.h"
#include "real.h"
#include "safetensors.h"

/* Versions of the format: of files that every program reads, and of those with int8 tensors. */
#define MODEL_FORMAT "1"
#define MODEL_FORMAT_INT8 "2"

/* Further blocks of the same layout, such as optimizer moments; tensors are named "name/parameter". */
struct model_block {
    const char *name; /* "" for the weights themselves */
    const float *values;
};

/* What a file has beside parameters. */
struct model_extras {
    const char *const *metadata; /* `pairs` pairs of key and value, in addition to the format version */
    size_t pairs;
    const struct tensor *tensors; /* [count], after the parameters */
    size_t count;
};

/* Saves the blocks. */
int model_file_save(const char *path, const struct layout *layout, const struct model_block *blocks,
                    size_t count, const struct model_extras *extras, struct err *err);

/* What a packed file holds (model_files.h). */
struct packed_weights {
    const struct layout *layout;
    const float *values;
    const struct quantised_params
        *quantised; /* for int8: all matrices; NULL where only the size is asked for */
    enum precision precision;
    struct model_extras extras;
};

/* Writes a packed file into an open writer, without committing. */
int model_file_pack(struct writer *writer, const struct packed_weights *packed, struct err *err);
/* Its size in bytes. */
size_t model_file_packed_bytes(const struct packed_weights *packed);

/* Checks the version of the format. */
int model_file_check(const struct safetensors *file, struct err *err);
/* Does the file have that block, judging by its first tensor? */
bool model_file_has(const struct safetensors *file, const char *block, const struct layout *layout);
/* Checks the version, then copies a block from an open file, as float32. */
int model_file_read(float *values, const struct safetensors *file, const char *block,
                    const struct layout *layout, struct err *err);

#endif

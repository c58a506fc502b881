/* model_file: a model's weights as a safetensors file, with the tensors in the order of the layout. */
#ifndef NMT_MODEL_FILE_H
#define NMT_MODEL_FILE_H

#include "err.h"
#include "layout.h"
#include "precision.h"
#include "real.h"
#include "safetensors.h"

/* Increased when older programs can no longer read the files. */
#define MODEL_FORMAT "1"

/* Further blocks of the same layout, such as optimizer moments; tensors are named "name/parameter". */
struct model_block {
    const char *name; /* "" for the weights themselves */
    const float *values;
};

/* Saves the blocks. `metadata`: `pairs` pairs of key and value, in addition to the format version. */
int model_file_save(const char *path, const struct layout *layout, const struct model_block *blocks,
                    size_t count, const char *const *metadata, size_t pairs, struct err *err);

/* What a packed file holds (model_files.h). */
struct packed_weights {
    const struct layout *layout;
    const float *values;
    enum precision precision;
    const char *const *metadata; /* `pairs` pairs of key and value, in addition to the format version */
    size_t pairs;
};

/* Writes a packed file into an open writer, without committing. */
int model_file_pack(struct writer *writer, const struct packed_weights *packed, struct err *err);
/* Its size in bytes. */
size_t model_file_packed_bytes(const struct packed_weights *packed);

/* Weights in memory: a file's own bytes if they are in our order, else a copy. */
struct weights {
    float *values;
    float *copy; /* NULL if the values are those of the file */
};

/* Checks and takes the weights of a file, which must outlive them and of which only the metadata may be used
 * from then on. On failure there is nothing to close. */
int weights_open(struct weights *weights, const struct safetensors *file, const struct layout *layout,
                 struct err *err);
void weights_close(struct weights *weights);
/* Frees the memory of a parameter; its values are lost. */
void weights_forget(struct weights *weights, const struct param *param);
/* Does the file have that block, judging by its first tensor? */
bool model_file_has(const struct safetensors *file, const char *block, const struct layout *layout);
/* Checks the version, then copies a block from an open file. */
int model_file_read(float *values, const struct safetensors *file, const char *block,
                    const struct layout *layout, struct err *err);

#endif

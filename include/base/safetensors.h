/* safetensors: the file format for weights: 8 bytes little-endian length, a JSON header, raw tensors.
 *
 * Format: https://github.com/huggingface/safetensors#format. Supported are dtypes F32, F16, I8 and I32
 * (all that this program writes), F64 and I64, and string metadata. The file is read into memory, and
 * everything in it is checked before use: lengths, offsets (in range, no overlap, no hole), shapes, dtypes,
 * and the checksum that this program adds. */
#ifndef NMT_SAFETENSORS_H
#define NMT_SAFETENSORS_H

#include "err.h"
#include "fileio.h"
#include "strmap.h"

#include <stddef.h>
#include <stdint.h>

#define TENSOR_MAX_DIMS 4

enum tensor_type { TENSOR_F32, TENSOR_F16, TENSOR_I8, TENSOR_F64, TENSOR_I32, TENSOR_I64 };

struct tensor {
    char *name;
    enum tensor_type type;
    int dims;
    int64_t shape[TENSOR_MAX_DIMS];
    const void *data;
    size_t bytes;
};

struct safetensors {
    char *path;
    struct file_image image;
    struct tensor *tensors; /* in the order of the file */
    size_t count;
    struct json *header;
};

int safetensors_open(struct safetensors *file, const char *path, struct err *err);
void safetensors_close(struct safetensors *file);
const struct tensor *safetensors_find(const struct safetensors *file, const char *name);
/* The tensor with that name, dtype and shape (-1 matches any dimension), or an error that names the
 * difference. */
const struct tensor *safetensors_expect(const struct safetensors *file, const char *name,
                                        enum tensor_type type, int dims, const int64_t *shape,
                                        struct err *err);
/* The size of all tensors together. */
size_t safetensors_data_bytes(const struct safetensors *file);
/* The metadata string of that key, or NULL. */
const char *safetensors_metadata(const struct safetensors *file, const char *key);

/* What a file holds: its tensors in this order, and `pairs` pairs of key and value. In a sealed file, a
 * second checksum covers all of the header. */
struct safetensors_content {
    const struct tensor *tensors;
    size_t count;
    const char *const *metadata;
    size_t pairs;
    bool sealed;
};

int safetensors_save(const char *path, const struct safetensors_content *content, struct err *err);
/* The same into an open writer, without committing. */
int safetensors_write(struct writer *writer, const struct safetensors_content *content, struct err *err);
/* The size of the file; the tensors' data may be missing. */
size_t safetensors_bytes(const struct safetensors_content *content);
/* Is this a regular file that begins as a safetensors file does? */
bool safetensors_looks_like(const char *path);
/* Was the file sealed? safetensors_open has checked that the header is whole, then. */
bool safetensors_is_sealed(const struct safetensors *file);

#endif

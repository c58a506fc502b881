/* precision: how the numbers of weights are written to a packed file: as they are, or rounded.
 *
 *   float32   as they are
 *   float16   IEEE 754 binary16, rounded to nearest, ties to even; at most 65504; in memory float32 again
 *   int8      matrices: bytes, and a float32 scale for each row (quantised.h); vectors as they are */
#ifndef NMT_PRECISION_H
#define NMT_PRECISION_H

#include "choices.h"
#include "safetensors.h"

#define PRECISION_LIST(ROW)                                                                                  \
    ROW(PRECISION_FLOAT32, float32)                                                                          \
    ROW(PRECISION_FLOAT16, float16)                                                                          \
    ROW(PRECISION_INT8, int8)
enum precision { PRECISION_LIST(CHOICE_CONSTANT) PRECISIONS };

struct precision_kind {
    const char *name;
    enum tensor_type type;
    size_t bytes; /* of a number */
    /* NULL for int8, whose numbers alone are none of the weights: */
    /* Encodes `count` numbers; false if one is beyond the range. The encoded bytes may be unaligned. */
    bool (*encode)(void *to, const float *from, size_t count);
    void (*decode)(float *to, const void *from, size_t count);
    /* Are all encoded numbers finite? */
    bool (*finite)(const void *from, size_t count);
};

extern const struct precision_kind precision_kinds[PRECISIONS];

/* The precision of a tensor; float32 if its dtype is that of none. */
enum precision precision_of(const struct tensor *tensor);

#endif

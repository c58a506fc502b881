/* Holds a model's numbers: those of the file itself if it has them as float32 in our order, else a copy; the
 * matrices of an int8 file stay where they are. */
#include "weights.h"

#include "mem.h"
#include "mem_guard.h"
#include "model_file.h"
#include "stored_param.h"

#include <string.h>

/* ---- opening ---- */

/* If the file has the layout's tensors as float32, contiguously and in order, returns their start, else
 * NULL. */
static float *in_one_piece(const struct stored_param *stored, const struct safetensors *file,
                           const struct layout *layout)
{
    const unsigned char *first = stored[0].tensor->data;
    for (size_t i = 0; i < layout->count; i++)
        if (stored[i].tensor->type != TENSOR_F32 ||
            stored[i].tensor->data != first + layout->params[i].offset * sizeof(float))
            return NULL;
    const size_t begin = (size_t)(first - file->image.data);
    return begin % sizeof(float) == 0 ? (float *)(void *)(file->image.data + begin) : NULL;
}

static void free_own(void *context)
{
    const struct weights *weights = context;
    mem_pages_free(weights->own, weights->own_bytes);
}

/* Beside int8, small pages: those of the matrices are never touched, and take no memory. */
static void allocate_own(struct weights *weights, size_t total)
{
    mem_track(weights, free_own);
    weights->own_bytes = total * sizeof *weights->values;
    weights->own = mem_pages(weights->own_bytes, weights->quantised.count == 0);
    if (!weights->own)
        mem_exhausted(total, sizeof *weights->values);
    weights->values = weights->own;
}

static size_t count_int8(const struct stored_param *stored, const struct layout *layout)
{
    size_t count = 0;
    for (size_t i = 0; i < layout->count; i++)
        count += stored[i].scale != NULL;
    return count;
}

/* Takes the numbers of int8 matrices from the file, and copies their scales. */
static void take_int8(struct weights *weights, const struct stored_param *stored, const struct layout *layout)
{
    const size_t count = count_int8(stored, layout);
    size_t *offsets = ARENA_NEW(&weights->arena, count, size_t), n = 0;
    struct quantised *tensors = ARENA_NEW(&weights->arena, count, struct quantised);
    for (size_t i = 0; i < layout->count; i++)
        if (stored[i].scale) {
            const struct param *param = &layout->params[i];
            float *scales = ARENA_NEW(&weights->arena, param->rows, float);
            memcpy(scales, stored[i].scale->data, param->rows * sizeof *scales);
            tensors[n] = (struct quantised){param->rows, param->cols, stored[i].tensor->data, scales};
            offsets[n++] = param->offset;
        }
    weights->quantised = (struct quantised_params){NULL, count, offsets, tensors};
    weights->filled = ARENA_ZERO(&weights->arena, 1, bool);
}

static void copy_floats(struct weights *weights, const struct stored_param *stored,
                        const struct layout *layout)
{
    allocate_own(weights, layout->total);
    weights->quantised.params = weights->values;
    for (size_t i = 0; i < layout->count; i++) {
        if (stored[i].scale)
            continue;
        stored_param_decode(weights->values + layout->params[i].offset, &stored[i], &layout->params[i]);
        mem_pages_forget(stored[i].tensor->data, stored[i].tensor->bytes);
    }
}

int weights_open(struct weights *weights, const struct safetensors *file, const struct layout *layout,
                 struct err *err)
{
    memset(weights, 0, sizeof *weights);
    arena_init(&weights->arena);
    struct stored_param *stored = ARENA_NEW(&weights->arena, layout->count, struct stored_param);
    int status = model_file_check(file, err);
    for (size_t i = 0; i < layout->count && !status; i++)
        status = stored_param_find(&stored[i], file, "", &layout->params[i], err);
    if (status) {
        arena_release(&weights->arena);
        return -1;
    }
    take_int8(weights, stored, layout);
    weights->values = in_one_piece(stored, file, layout);
    if (!weights->values)
        copy_floats(weights, stored, layout);
    return 0;
}

void weights_close(struct weights *weights)
{
    if (weights->own)
        mem_untrack(weights);
    free_own(weights);
    arena_release(&weights->arena);
    memset(weights, 0, sizeof *weights);
}

/* ---- use ---- */

const float *weights_floats(const struct weights *weights)
{
    const struct quantised_params *quantised = &weights->quantised;
    for (size_t i = 0; i < quantised->count && !*weights->filled; i++) {
        const struct quantised *tensor = &quantised->tensors[i];
        for (size_t row = 0; row < tensor->rows; row++)
            dequantise_row(weights->values + quantised->offsets[i] + row * tensor->cols, tensor, row);
    }
    if (quantised->count)
        *weights->filled = true;
    return weights->values;
}

/* The matrix as int8, with memory for what the file has as another kind. */
static struct quantised quantised_of(const struct weights *weights, const struct param *param,
                                     struct arena *arena)
{
    const struct quantised *ready = quantised_find(&weights->quantised, weights->values + param->offset);
    if (ready)
        return *ready;
    int8_t *values = ARENA_NEW(arena, param_size(param), int8_t);
    float *scales = ARENA_NEW(arena, param->rows, float);
    quantise(values, scales, const_mat_of(weights->values + param->offset, param->rows, param->cols));
    return (struct quantised){param->rows, param->cols, values, scales};
}

void weights_quantise(struct quantised_params *quantised, const struct weights *weights,
                      const struct layout *layout, struct arena *arena)
{
    size_t *offsets = ARENA_NEW(arena, layout->count, size_t), n = 0;
    struct quantised *tensors = ARENA_NEW(arena, layout->count, struct quantised);
    for (size_t i = 0; i < layout->count; i++)
        if (param_is_matrix(&layout->params[i])) {
            tensors[n] = quantised_of(weights, &layout->params[i], arena);
            offsets[n++] = layout->params[i].offset;
        }
    *quantised = (struct quantised_params){weights->values, n, offsets, tensors};
}

void weights_forget(struct weights *weights, const struct param *param)
{
    mem_pages_forget(weights->values + param->offset, param_size(param) * sizeof *weights->values);
}

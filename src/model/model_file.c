/* Saves and loads blocks of parameters as tensors of a safetensors file, with names and checks. The format
 * itself is in safetensors.c, the model directory in model_dir.c. */
#include "model_file.h"

#include "mem.h"

#include <stdio.h>
#include <string.h>

#define FORMAT_KEY "nmt_format"
#define NAME_BYTES (PARAM_MAX_NAME + 16)

static void tensor_name(char *name, const char *block, const struct param *param)
{
    snprintf(name, NAME_BYTES, "%s%s%s", block, *block ? "/" : "", param->name);
}

static struct tensor tensor_of(char *name, const struct param *param, const struct model_block *block)
{
    return (struct tensor){.name = name,
                           .type = TENSOR_F32,
                           .dims = param->cols ? 2 : 1,
                           .shape = {(int64_t)param->rows, (int64_t)param->cols},
                           .data = block->values + param->offset,
                           .bytes = param_size(param) * sizeof(float)};
}

int model_file_save(const char *path, const struct layout *layout, const struct model_block *blocks,
                    size_t count, const char *const *metadata, size_t pairs, struct err *err)
{
    const size_t total = layout->count * count;
    struct tensor *tensors = xcalloc(total, sizeof *tensors);
    char(*names)[NAME_BYTES] = xmalloc(total, sizeof *names);
    for (size_t i = 0; i < total; i++) {
        const struct model_block *block = &blocks[i / layout->count];
        const struct param *param = &layout->params[i % layout->count];
        tensor_name(names[i], block->name, param);
        tensors[i] = tensor_of(names[i], param, block);
    }
    const char **all = xmalloc(2 * pairs + 2, sizeof *all);
    all[0] = FORMAT_KEY;
    all[1] = MODEL_FORMAT;
    for (size_t i = 0; i < 2 * pairs; i++)
        all[2 + i] = metadata[i];
    const struct safetensors_content content = {
        .tensors = tensors, .count = total, .metadata = all, .pairs = pairs + 1};
    const int status = safetensors_save(path, &content, err);
    xfree(all);
    xfree(names);
    xfree(tensors);
    return status;
}

/* A float whose exponent is all ones is infinite or NaN. The data may be unaligned. */
static bool all_finite(const struct tensor *tensor)
{
    const uint32_t exponent = 0x7f800000;
    const unsigned char *data = tensor->data;
    uint32_t bad = 0;
    for (size_t i = 0; i < tensor->bytes; i += sizeof bad) {
        uint32_t bits;
        memcpy(&bits, data + i, sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

/* Finds the tensor; it must have the parameter's shape and finite numbers. */
static const struct tensor *find(const struct safetensors *file, const char *block, const struct param *param,
                                 struct err *err)
{
    char name[NAME_BYTES];
    tensor_name(name, block, param);
    const struct tensor *tensor =
        safetensors_expect(file, name, TENSOR_F32, param->cols ? 2 : 1,
                           (const int64_t[]){(int64_t)param->rows, (int64_t)param->cols}, err);
    if (!tensor || all_finite(tensor))
        return tensor;
    err_set(err, "cannot read '%s': tensor '%s' has an infinity or what is not a number", file->path, name);
    return NULL;
}

static int check_format(const struct safetensors *file, struct err *err)
{
    const char *format = safetensors_metadata(file, FORMAT_KEY);
    if (format && !strcmp(format, MODEL_FORMAT))
        return 0;
    return err_set(err, "cannot read '%s': %s%s, this program reads version %s", file->path,
                   format ? "model format version " : "no model format version", format ? format : "",
                   MODEL_FORMAT);
}

bool model_file_has(const struct safetensors *file, const char *block, const struct layout *layout)
{
    char name[NAME_BYTES];
    tensor_name(name, block, &layout->params[0]);
    return safetensors_find(file, name) != NULL;
}

int model_file_read(float *values, const struct safetensors *file, const char *block,
                    const struct layout *layout, struct err *err)
{
    if (check_format(file, err))
        return -1;
    for (size_t i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        const struct tensor *tensor = find(file, block, param, err);
        if (!tensor)
            return -1;
        memcpy(values + param->offset, tensor->data, tensor->bytes);
    }
    return 0;
}

/* If the file has the layout's tensors contiguously and in order, returns their start, else NULL. */
static float *in_one_piece(const struct safetensors *file, const struct layout *layout)
{
    size_t first = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const struct tensor *tensor = safetensors_find(file, layout->params[i].name);
        const size_t offset = (size_t)((const unsigned char *)tensor->data - file->image.data);
        if (i == 0)
            first = offset;
        if (offset != first + layout->params[i].offset * sizeof(float))
            return NULL;
    }
    return first % sizeof(float) == 0 ? (float *)(void *)(file->image.data + first) : NULL;
}

int weights_open(struct weights *weights, const struct safetensors *file, const struct layout *layout,
                 struct err *err)
{
    memset(weights, 0, sizeof *weights);
    int status = check_format(file, err);
    for (size_t i = 0; i < layout->count && !status; i++)
        status = find(file, "", &layout->params[i], err) ? 0 : -1;
    if (status)
        return -1;
    weights->values = in_one_piece(file, layout);
    if (!weights->values) {
        weights->copy = xmalloc(layout->total, sizeof *weights->copy);
        model_file_read(weights->copy, file, "", layout, err);
        weights->values = weights->copy;
        mem_pages_forget(file->image.data, file->image.bytes);
    }
    return 0;
}

void weights_forget(struct weights *weights, const struct param *param)
{
    mem_pages_forget(weights->values + param->offset, param_size(param) * sizeof *weights->values);
}

void weights_close(struct weights *weights)
{
    xfree(weights->copy);
    memset(weights, 0, sizeof *weights);
}

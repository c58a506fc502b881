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

/* The layout's tensors and their names; `data` holds their numbers one after the other, or is NULL. */
static void make_tensors(struct tensor *tensors, char (*names)[NAME_BYTES], const struct layout *layout,
                         const char *block, enum precision precision, const void *data)
{
    const struct precision_kind *kind = &precision_kinds[precision];
    for (size_t i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        tensor_name(names[i], block, param);
        tensors[i] =
            (struct tensor){.name = names[i],
                            .type = kind->type,
                            .dims = param->cols ? 2 : 1,
                            .shape = {(int64_t)param->rows, (int64_t)param->cols},
                            .data = data ? (const unsigned char *)data + param->offset * kind->bytes : NULL,
                            .bytes = param_size(param) * kind->bytes};
    }
}

/* Metadata with the version of the format before all other. The caller frees it. */
static const char **with_format(const char *const *metadata, size_t pairs)
{
    const char **all = xmalloc(2 * pairs + 2, sizeof *all);
    all[0] = FORMAT_KEY;
    all[1] = MODEL_FORMAT;
    for (size_t i = 0; i < 2 * pairs; i++)
        all[2 + i] = metadata[i];
    return all;
}

int model_file_save(const char *path, const struct layout *layout, const struct model_block *blocks,
                    size_t count, const char *const *metadata, size_t pairs, struct err *err)
{
    const size_t total = layout->count * count;
    struct tensor *tensors = xcalloc(total, sizeof *tensors);
    char(*names)[NAME_BYTES] = xmalloc(total, sizeof *names);
    for (size_t b = 0; b < count; b++)
        make_tensors(tensors + b * layout->count, names + b * layout->count, layout, blocks[b].name,
                     PRECISION_FLOAT32, blocks[b].values);
    const char **all = with_format(metadata, pairs);
    const struct safetensors_content content = {
        .tensors = tensors, .count = total, .metadata = all, .pairs = pairs + 1};
    const int status = safetensors_save(path, &content, err);
    xfree(all);
    xfree(names);
    xfree(tensors);
    return status;
}

/* ---- packed ---- */

/* Encodes the weights into `to`. */
static int encode(unsigned char *to, const struct packed_weights *packed, struct err *err)
{
    const struct precision_kind *kind = &precision_kinds[packed->precision];
    for (size_t i = 0; i < packed->layout->count; i++) {
        const struct param *param = &packed->layout->params[i];
        if (!kind->encode(to + param->offset * kind->bytes, packed->values + param->offset,
                          param_size(param)))
            return err_set(err, "tensor '%s' has a number beyond the range of %s", param->name, kind->name);
    }
    return 0;
}

/* Sets the size of the file, and writes it with these encoded weights if `writer` is not NULL. */
static int write_packed(size_t *bytes, struct writer *writer, const struct packed_weights *packed,
                        const unsigned char *data, struct err *err)
{
    const size_t count = packed->layout->count;
    struct tensor *tensors = xcalloc(count, sizeof *tensors);
    char(*names)[NAME_BYTES] = xmalloc(count, sizeof *names);
    const char **all = with_format(packed->metadata, packed->pairs);
    make_tensors(tensors, names, packed->layout, "", packed->precision, data);
    const struct safetensors_content content = {
        .tensors = tensors, .count = count, .metadata = all, .pairs = packed->pairs + 1, .sealed = true};
    *bytes = safetensors_bytes(&content);
    const int status = writer ? safetensors_write(writer, &content, err) : 0;
    xfree(all);
    xfree(names);
    xfree(tensors);
    return status;
}

int model_file_pack(struct writer *writer, const struct packed_weights *packed, struct err *err)
{
    size_t bytes;
    unsigned char *data = xmalloc(packed->layout->total, precision_kinds[packed->precision].bytes);
    int status = encode(data, packed, err);
    if (status)
        err_set(err, "cannot write '%s': %s", writer->path, err->text);
    else
        status = write_packed(&bytes, writer, packed, data, err);
    xfree(data);
    return status;
}

size_t model_file_packed_bytes(const struct packed_weights *packed)
{
    size_t bytes;
    write_packed(&bytes, NULL, packed, NULL, NULL);
    return bytes;
}

/* ---- reading ---- */

/* Finds the tensor; it must have the parameter's shape and finite numbers. */
static const struct tensor *find(const struct safetensors *file, const char *block, const struct param *param,
                                 struct err *err)
{
    char name[NAME_BYTES];
    tensor_name(name, block, param);
    const struct tensor *any = safetensors_find(file, name);
    const struct precision_kind *kind = &precision_kinds[any ? precision_of(any) : PRECISION_FLOAT32];
    const struct tensor *tensor =
        safetensors_expect(file, name, kind->type, param->cols ? 2 : 1,
                           (const int64_t[]){(int64_t)param->rows, (int64_t)param->cols}, err);
    if (!tensor || kind->finite(tensor->data, param_size(param)))
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
        precision_kinds[precision_of(tensor)].decode(values + param->offset, tensor->data, param_size(param));
    }
    return 0;
}

/* If the file has the layout's tensors as float32, contiguously and in order, returns their start, else
 * NULL. */
static float *in_one_piece(const struct safetensors *file, const struct layout *layout)
{
    size_t first = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const struct tensor *tensor = safetensors_find(file, layout->params[i].name);
        const size_t offset = (size_t)((const unsigned char *)tensor->data - file->image.data);
        if (i == 0)
            first = offset;
        if (tensor->type != TENSOR_F32 || offset != first + layout->params[i].offset * sizeof(float))
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

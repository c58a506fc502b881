/* Saves and loads blocks of parameters as tensors of a safetensors file, with names and checks. The format
 * itself is in safetensors.c, the model directory in model_dir.c. */
#include "model_file.h"

#include "mem.h"
#include "stored_param.h"

#include <string.h>

#define FORMAT_KEY "nmt_format"

/* ---- writing ---- */

/* Tensors to be written. Their data may be missing where only sizes are asked for. */
struct tensors {
    struct tensor *items;
    char (*names)[STORED_NAME_BYTES];
    size_t count;
};

static void tensors_init(struct tensors *tensors, size_t most)
{
    tensors->items = xcalloc(most, sizeof *tensors->items);
    tensors->names = xmalloc(most, sizeof *tensors->names);
    tensors->count = 0;
}

static void tensors_release(struct tensors *tensors)
{
    xfree(tensors->names);
    xfree(tensors->items);
}

/* Appends a parameter's numbers. */
static void add_param(struct tensors *tensors, const char *block, const struct param *param,
                      enum precision precision, const void *data)
{
    const struct precision_kind *kind = &precision_kinds[precision];
    char *name = tensors->names[tensors->count];
    stored_param_name(name, block, param);
    tensors->items[tensors->count++] = (struct tensor){.name = name,
                                                       .type = kind->type,
                                                       .dims = param->cols ? 2 : 1,
                                                       .shape = {(int64_t)param->rows, (int64_t)param->cols},
                                                       .data = data,
                                                       .bytes = param_size(param) * kind->bytes};
}

/* Appends the scales of its rows. */
static void add_scale(struct tensors *tensors, const struct param *param, const float *scales)
{
    char *name = tensors->names[tensors->count];
    stored_param_scale_name(name, "", param);
    tensors->items[tensors->count++] = (struct tensor){.name = name,
                                                       .type = TENSOR_F32,
                                                       .dims = 1,
                                                       .shape = {(int64_t)param->rows},
                                                       .data = scales,
                                                       .bytes = param->rows * sizeof *scales};
}

/* Metadata with the version of the format before all other. The caller frees it. */
static const char **with_format(const char *format, const struct model_extras *extras)
{
    const char **all = xmalloc(2 * extras->pairs + 2, sizeof *all);
    all[0] = FORMAT_KEY;
    all[1] = format;
    for (size_t i = 0; i < 2 * extras->pairs; i++)
        all[2 + i] = extras->metadata[i];
    return all;
}

static void add_extras(struct tensors *tensors, const struct model_extras *extras)
{
    for (size_t i = 0; i < extras->count; i++)
        tensors->items[tensors->count++] = extras->tensors[i];
}

int model_file_save(const char *path, const struct layout *layout, const struct model_block *blocks,
                    size_t count, const struct model_extras *extras, struct err *err)
{
    struct tensors tensors;
    tensors_init(&tensors, layout->count * count + extras->count);
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < layout->count; i++)
            add_param(&tensors, blocks[b].name, &layout->params[i], PRECISION_FLOAT32,
                      blocks[b].values + layout->params[i].offset);
    add_extras(&tensors, extras);
    const char **all = with_format(MODEL_FORMAT, extras);
    const struct safetensors_content content = {
        .tensors = tensors.items, .count = tensors.count, .metadata = all, .pairs = extras->pairs + 1};
    const int status = safetensors_save(path, &content, err);
    xfree(all);
    tensors_release(&tensors);
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

/* Lists the tensors, whose numbers `data` holds one after the other, or which are not needed (NULL). */
static void list_encoded(struct tensors *tensors, const struct packed_weights *packed,
                         const unsigned char *data)
{
    const size_t bytes = precision_kinds[packed->precision].bytes;
    for (size_t i = 0; i < packed->layout->count; i++) {
        const struct param *param = &packed->layout->params[i];
        add_param(tensors, "", param, packed->precision, data ? data + param->offset * bytes : NULL);
    }
}

/* First all that is float32, so that it is aligned, then the matrices. */
static void list_int8(struct tensors *tensors, const struct packed_weights *packed)
{
    const struct layout *layout = packed->layout;
    const struct quantised *next = packed->quantised ? packed->quantised->tensors : NULL;
    for (size_t i = 0; i < layout->count; i++)
        if (!param_is_matrix(&layout->params[i]))
            add_param(tensors, "", &layout->params[i], PRECISION_FLOAT32,
                      packed->values + layout->params[i].offset);
        else
            add_scale(tensors, &layout->params[i], next ? next++->scales : NULL);
    next = packed->quantised ? packed->quantised->tensors : NULL;
    for (size_t i = 0; i < layout->count; i++)
        if (param_is_matrix(&layout->params[i]))
            add_param(tensors, "", &layout->params[i], PRECISION_INT8, next ? next++->values : NULL);
}

/* Sets the size of the file, and writes it with these encoded weights if `writer` is not NULL. */
static int write_packed(size_t *bytes, struct writer *writer, const struct packed_weights *packed,
                        const unsigned char *data, struct err *err)
{
    const bool int8 = packed->precision == PRECISION_INT8;
    struct tensors tensors;
    tensors_init(&tensors, 2 * packed->layout->count + packed->extras.count);
    const char **all = with_format(int8 ? MODEL_FORMAT_INT8 : MODEL_FORMAT, &packed->extras);
    if (int8)
        list_int8(&tensors, packed);
    else
        list_encoded(&tensors, packed, data);
    add_extras(&tensors, &packed->extras);
    const struct safetensors_content content = {.tensors = tensors.items,
                                                .count = tensors.count,
                                                .metadata = all,
                                                .pairs = packed->extras.pairs + 1,
                                                .sealed = true};
    *bytes = safetensors_bytes(&content);
    const int status = writer ? safetensors_write(writer, &content, err) : 0;
    xfree(all);
    tensors_release(&tensors);
    return status;
}

int model_file_pack(struct writer *writer, const struct packed_weights *packed, struct err *err)
{
    size_t bytes;
    if (packed->precision == PRECISION_INT8)
        return write_packed(&bytes, writer, packed, NULL, err);
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

int model_file_check(const struct safetensors *file, struct err *err)
{
    const char *format = safetensors_metadata(file, FORMAT_KEY);
    if (format && (!strcmp(format, MODEL_FORMAT) || !strcmp(format, MODEL_FORMAT_INT8)))
        return 0;
    return err_set(
        err, "cannot read '%s': %s%s, this program reads versions " MODEL_FORMAT " and " MODEL_FORMAT_INT8,
        file->path, format ? "model format version " : "no model format version", format ? format : "");
}

bool model_file_has(const struct safetensors *file, const char *block, const struct layout *layout)
{
    char name[STORED_NAME_BYTES];
    stored_param_name(name, block, &layout->params[0]);
    return safetensors_find(file, name) != NULL;
}

int model_file_read(float *values, const struct safetensors *file, const char *block,
                    const struct layout *layout, struct err *err)
{
    if (model_file_check(file, err))
        return -1;
    for (size_t i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        struct stored_param stored;
        if (stored_param_find(&stored, file, block, param, err))
            return -1;
        stored_param_decode(values + param->offset, &stored, param);
    }
    return 0;
}

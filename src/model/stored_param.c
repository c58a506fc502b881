/* Finds, checks and decodes one parameter of a file. Which ones a model has is known to its layout. */
#include "stored_param.h"

#include "precision.h"
#include "quantised.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define INT8_MOST 127 /* -128 has no counterpart */

void stored_param_name(char *name, const char *block, const struct param *param)
{
    snprintf(name, STORED_NAME_BYTES, "%s%s%s", block, *block ? "/" : "", param->name);
}

void stored_param_scale_name(char *name, const char *block, const struct param *param)
{
    stored_param_name(name, block, param);
    strncat(name, ".scale", STORED_NAME_BYTES - strlen(name) - 1);
}

/* ---- int8 ---- */

static float scale_of(const struct tensor *scale, size_t row)
{
    float value;
    memcpy(&value, (const unsigned char *)scale->data + row * sizeof value, sizeof value);
    return value;
}

static bool bytes_fit(const struct tensor *tensor)
{
    const int8_t *values = tensor->data;
    uint8_t bad = 0;
    for (size_t i = 0; i < tensor->bytes; i++)
        bad |= values[i] < -INT8_MOST;
    return !bad;
}

/* Finds the scales of an int8 tensor, and checks both. */
static int find_scale(struct stored_param *stored, const struct safetensors *file, const char *block,
                      const struct param *param, struct err *err)
{
    char name[STORED_NAME_BYTES];
    stored_param_scale_name(name, block, param);
    stored->scale =
        safetensors_expect(file, name, TENSOR_F32, 1, (const int64_t[]){(int64_t)param->rows}, err);
    if (!stored->scale)
        return -1;
    for (size_t i = 0; i < param->rows; i++) {
        const float scale = scale_of(stored->scale, i);
        if (!(scale >= 0 && scale <= FLT_MAX / INT8_MOST))
            return err_set(
                err, "cannot read '%s': tensor '%s' has a scale that is negative, too large or not a number",
                file->path, name);
    }
    return bytes_fit(stored->tensor) ? 0
                                     : err_set(err, "cannot read '%s': tensor '%s' has a number below -%d",
                                               file->path, stored->tensor->name, INT8_MOST);
}

static void decode_int8(float *to, const struct stored_param *stored, const struct param *param)
{
    const int8_t *values = stored->tensor->data;
    for (size_t i = 0; i < param->rows; i++) {
        const float scale = scale_of(stored->scale, i);
        const struct quantised row = {1, param->cols, values + i * param->cols, &scale};
        dequantise_row(to + i * param->cols, &row, 0);
    }
}

/* ---- any ---- */

int stored_param_find(struct stored_param *stored, const struct safetensors *file, const char *block,
                      const struct param *param, struct err *err)
{
    char name[STORED_NAME_BYTES];
    stored_param_name(name, block, param);
    const struct tensor *any = safetensors_find(file, name);
    enum precision precision = any ? precision_of(any) : PRECISION_FLOAT32;
    if (precision == PRECISION_INT8 && !param_is_matrix(param))
        precision = PRECISION_FLOAT32;
    const struct precision_kind *kind = &precision_kinds[precision];
    *stored = (struct stored_param){
        .tensor = safetensors_expect(file, name, kind->type, param->cols ? 2 : 1,
                                     (const int64_t[]){(int64_t)param->rows, (int64_t)param->cols}, err)};
    if (!stored->tensor)
        return -1;
    if (precision == PRECISION_INT8)
        return find_scale(stored, file, block, param, err);
    return kind->finite(stored->tensor->data, param_size(param))
               ? 0
               : err_set(err, "cannot read '%s': tensor '%s' has an infinity or what is not a number",
                         file->path, name);
}

void stored_param_decode(float *to, const struct stored_param *stored, const struct param *param)
{
    if (stored->scale)
        decode_int8(to, stored, param);
    else
        precision_kinds[precision_of(stored->tensor)].decode(to, stored->tensor->data, param_size(param));
}

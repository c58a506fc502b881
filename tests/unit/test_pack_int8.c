/* Int8 files: what comes back, files that another program has made, and forged ones whose checksums fit. */
#include "check.h"

#include "mem.h"
#include "pack.h"
#include "packed_model.h"

#include <math.h>

static void pack(const struct loaded_model *loaded, enum precision precision)
{
    struct err err;
    const struct pack_options options = {.precision = precision};
    assert_int_equal(pack_write(loaded, &options, packed, &err), 0);
}

static void matrices_come_back(void **state)
{
    (void)state;
    struct err err;
    struct loaded_model back;
    const struct layout *layout = &model.model.layout;
    pack(&model, PRECISION_INT8);
    assert_int_equal(loaded_model_open(&back, packed, &err), 0);
    const struct quantised_params *quantised = &back.weights.quantised;
    const float *floats = weights_floats(&back.weights);
    size_t n = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        const float *numbers = model.weights.values + param->offset;
        if (!param_is_matrix(param)) {
            assert_memory_equal(floats + param->offset, numbers, param_size(param) * sizeof *floats);
            continue;
        }
        const struct quantised *tensor = &quantised->tensors[n];
        int8_t *values = xmalloc(param_size(param), 1);
        float *scales = xmalloc(param->rows, sizeof *scales);
        quantise(values, scales, const_mat_of(numbers, param->rows, param->cols));
        assert_int_equal(quantised->offsets[n++], param->offset);
        assert_memory_equal(tensor->values, values, param_size(param));
        assert_memory_equal(tensor->scales, scales, param->rows * sizeof *scales);
        for (size_t j = 0; j < param_size(param); j++)
            assert_true(floats[param->offset + j] == (float)values[j] * scales[j / param->cols]);
        xfree(scales);
        xfree(values);
    }
    assert_int_equal(n, quantised->count);
    loaded_model_close(&back);
}

/* ---- files that are changed; all checksums fit ---- */

typedef void changer(struct safetensors *file);

/* The first tensor whose name ends so. */
static struct tensor *find(struct safetensors *file, const char *end)
{
    for (size_t i = 0; i < file->count; i++) {
        const size_t length = strlen(file->tensors[i].name);
        if (length >= strlen(end) && !strcmp(file->tensors[i].name + length - strlen(end), end))
            return &file->tensors[i];
    }
    fail_msg("no tensor '%s'", end);
    return NULL;
}

static void set_scale(struct safetensors *file, float scale)
{
    const struct tensor *tensor = find(file, ".scale");
    const size_t at = (size_t)((const unsigned char *)tensor->data - file->image.data) + 4;
    memcpy(file->image.data + at, &scale, sizeof scale);
}

static void scale_nan(struct safetensors *file)
{
    set_scale(file, NAN);
}

static void scale_infinite(struct safetensors *file)
{
    set_scale(file, INFINITY);
}

static void scale_negative(struct safetensors *file)
{
    set_scale(file, -1e-3f);
}

static void scale_too_large(struct safetensors *file)
{
    set_scale(file, 3e38f);
}

static void scale_missing(struct safetensors *file)
{
    *find(file, ".scale")->name = '?';
}

static void scale_of_two_dimensions(struct safetensors *file)
{
    struct tensor *tensor = find(file, ".scale");
    tensor->dims = 2;
    tensor->shape[1] = 1;
}

static void scale_int8(struct safetensors *file)
{
    struct tensor *tensor = find(file, ".scale");
    tensor->type = TENSOR_I8;
    tensor->shape[0] *= 4;
}

static void number_too_low(struct safetensors *file)
{
    const struct tensor *tensor = find(file, ".weight_hh");
    file->image.data[(size_t)((const unsigned char *)tensor->data - file->image.data) + 7] = 0x80;
}

static void matrix_transposed(struct safetensors *file)
{
    struct tensor *tensor = find(file, ".weight_hh");
    const int64_t rows = tensor->shape[0];
    tensor->shape[0] = tensor->shape[1];
    tensor->shape[1] = rows;
}

static void vector_int8(struct safetensors *file)
{
    struct tensor *tensor = find(file, ".bias_hh");
    tensor->type = TENSOR_I8;
    tensor->shape[0] *= 4;
}

static void wrong_tensors_are_refused(void **state)
{
    (void)state;
    static const struct {
        changer *change;
        const char *tensor, *message;
    } cases[] = {
        {scale_nan, ".scale'", "has a scale that is negative, too large or not a number"},
        {scale_infinite, ".scale'", "has a scale that is negative, too large or not a number"},
        {scale_negative, ".scale'", "has a scale that is negative, too large or not a number"},
        {scale_too_large, ".scale'", "has a scale that is negative, too large or not a number"},
        {scale_missing, ".scale'", "no tensor '"},
        {scale_of_two_dimensions, ".scale'", "where the model needs"},
        {scale_int8, ".scale'", "is I8 where F32 is needed"},
        {number_too_low, ".weight_hh'", "has a number below -127"},
        {matrix_transposed, ".weight_hh'", "where the model needs"},
        {vector_int8, ".bias_hh'", "is I8 where F32 is needed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err;
        struct loaded_model loaded;
        pack(&model, PRECISION_INT8);
        rewrite_packed(NULL, NULL, cases[i].change);
        if (!loaded_model_open(&loaded, packed, &err))
            fail_msg("case %zu is not refused", i);
        if (!strstr(err.text, cases[i].message) || !strstr(err.text, cases[i].tensor) ||
            !strstr(err.text, packed))
            fail_msg("'%s' is not '%s'", err.text, cases[i].message);
    }
}

#define FOREIGN_SCALE 0.3f

static void scale_foreign(struct safetensors *file)
{
    set_scale(file, FOREIGN_SCALE);
}

static void reverse(struct safetensors *file)
{
    for (size_t i = 0, j = file->count - 1; i < j; i++, j--) {
        const struct tensor other = file->tensors[i];
        file->tensors[i] = file->tensors[j];
        file->tensors[j] = other;
    }
}

/* Another order, in which scales lie at odd addresses; scales that quantise() would not choose. */
static void files_of_others_are_read(void **state)
{
    (void)state;
    struct err err;
    struct loaded_model first, second;
    pack(&model, PRECISION_INT8);
    rewrite_packed(NULL, NULL, reverse);
    assert_int_equal(loaded_model_open(&first, packed, &err), 0);
    pack(&model, PRECISION_INT8);
    assert_int_equal(loaded_model_open(&second, packed, &err), 0);
    assert_memory_equal(weights_floats(&first.weights), weights_floats(&second.weights),
                        model.model.layout.total * sizeof(float));
    loaded_model_close(&first);
    loaded_model_close(&second);
    /* Packed again, the numbers stay as they are. */
    rewrite_packed(NULL, NULL, scale_foreign);
    assert_int_equal(loaded_model_open(&first, packed, &err), 0);
    pack(&first, PRECISION_INT8);
    assert_int_equal(loaded_model_open(&second, packed, &err), 0);
    assert_true(second.weights.quantised.tensors[0].scales[1] == FOREIGN_SCALE);
    assert_memory_equal(first.weights.quantised.tensors[0].values, second.weights.quantised.tensors[0].values,
                        model.model.layout.params[0].cols);
    loaded_model_close(&first);
    loaded_model_close(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_come_back),
        cmocka_unit_test(wrong_tensors_are_refused),
        cmocka_unit_test(files_of_others_are_read),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}

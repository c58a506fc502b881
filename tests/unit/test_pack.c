/* Packed models: what comes back, forged files whose checksums fit, and weights that float16 cannot hold. */
#include "check.h"

#include "mem.h"
#include "pack.h"
#include "packed_model.h"

#include <sys/stat.h>

static void pack(enum precision precision)
{
    struct err err;
    struct stat info;
    size_t bytes;
    const struct pack_options options = {.precision = precision, .name = "A model", .license = "none\n"};
    assert_int_equal(pack_write(&model, &options, packed, &err), 0);
    assert_int_equal(pack_size(&bytes, &model, &options, &err), 0);
    assert_int_equal(stat(packed, &info), 0);
    assert_int_equal(bytes, info.st_size);
}

static void everything_comes_back(void **state)
{
    (void)state;
    struct err err;
    const size_t total = model.model.layout.total;
    for (int p = 0; p < PRECISION_INT8; p++) { /* int8: test_pack_int8.c */
        struct loaded_model back;
        pack((enum precision)p);
        if (loaded_model_open(&back, packed, &err))
            fail_msg("%s", err.text);
        assert_true(language_pair_same(&back.pair, &model.pair));
        assert_int_equal(back.model.layout.total, total);
        unsigned char *bytes = xmalloc(total, sizeof(float));
        float *values = xmalloc(total, sizeof *values);
        assert_true(precision_kinds[p].encode(bytes, model.weights.values, total));
        precision_kinds[p].decode(values, bytes, total);
        assert_memory_equal(back.weights.values, values, total * sizeof *values);
        assert_string_equal(safetensors_metadata(&back.files.weights, "name"), "A model");
        assert_null(safetensors_metadata(&back.files.weights, "author"));
        xfree(values);
        xfree(bytes);
        loaded_model_close(&back);
    }
}

/* ---- forged files ---- */

static void expect_refused(const char *message)
{
    struct err err;
    struct loaded_model loaded;
    assert_int_equal(loaded_model_open(&loaded, packed, &err), -1);
    if (!strstr(err.text, message) || !strstr(err.text, packed))
        fail_msg("'%s' is not '%s'", err.text, message);
}

static void forged_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text, *message;
    } cases[] = {
        {"config.json", NULL, "it holds no 'config.json'"},
        {"config.json", "{", "packed:config.json': invalid JSON at line 1"},
        {"config.json", "[]", "a config must be a JSON object"},
        {"config.json", "{\"data\": {\"test\": {\"tsv\": \"/etc/passwd\"}}}",
         "key 'data.test.tsv' names a file"},
        {"config.json", "{\"data\": {\"train\": [{}, {\"tsv\": \"x\"}]}}", "key 'data.train' names a file"},
        {"config.json", "{\"model\": {\"attention\": {\"heads\": 3}}}", "cannot use"},
        {"config.json", "{}", "where the model needs"},
        {"joint.bpe", NULL, "it holds no 'joint.bpe'"},
        {"joint.bpe", "a b\nc\n", "packed:joint.bpe': line 2 is not a merge of two symbols"},
        {"joint.bpe", "a b c\n", "line 1 is not a merge of two symbols"},
        {"source.vocab", NULL, "it holds no 'source.vocab'"},
        {"source.vocab", "", "packed:source.vocab': the vocabulary is truncated"},
        {"source.vocab", "<unk> 0\r\n<s> 0\r\n</s> 0\r\n", "line 1 is not a new word and its count"},
        {"target.vocab", "<unk> 0\n<s> 0\n</s> 0\na 1\na 1\n", "line 5 is not a new word and its count"},
        {"target.vocab", "<unk> 0\n<s> 0\n</s> 0\n", "where the model needs"},
        {"nmt_format", "3", "model format version 3, this program reads versions 1 and 2"},
        {"nmt_packed", "2", "packed format version 2, this program reads version 1"},
        {"nmt_packed", NULL, "it is not packed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pack(PRECISION_FLOAT32);
        rewrite_packed(cases[i].key, cases[i].text, NULL);
        expect_refused(cases[i].message);
    }
}

static struct tensor forged;

static void take_forged(struct safetensors *file)
{
    for (size_t i = 0; i < file->count; i++)
        if (!strcmp(file->tensors[i].name, forged.name)) {
            file->tensors[i].type = forged.type;
            file->tensors[i].data = forged.data;
            file->tensors[i].bytes = forged.bytes;
        }
}

static void forge_tensor(struct param *param, enum tensor_type type, const void *data, size_t bytes)
{
    forged = (struct tensor){.name = param->name, .type = type, .data = data, .bytes = bytes};
    rewrite_packed(NULL, NULL, take_forged);
}

static void forged_numbers_are_refused(void **state)
{
    (void)state;
    struct param *first = &model.model.layout.params[0],
                 *last = &model.model.layout.params[model.model.layout.count - 1];
    const size_t count = param_size(first);
    uint16_t *halves = xcalloc(count, sizeof *halves);
    int64_t *whole = xcalloc(count, sizeof *whole);
    struct err err;
    struct loaded_model loaded;
    for (size_t i = 0; i < count; i++)
        halves[i] = 0x3c00; /* 1 */
    pack(PRECISION_FLOAT32);
    forge_tensor(first, TENSOR_F16, halves,
                 count * sizeof *halves); /* each tensor may have its own precision */
    assert_int_equal(loaded_model_open(&loaded, packed, &err), 0);
    assert_true(loaded.weights.values[count - 1] == 1);
    assert_true(loaded.weights.values[count] == model.weights.values[count]);
    loaded_model_close(&loaded);
    pack(PRECISION_FLOAT32);
    assert_true(param_size(last) <= count);
    forge_tensor(last, TENSOR_F16, halves, param_size(last) * sizeof *halves);
    assert_int_equal(loaded_model_open(&loaded, packed, &err), 0);
    assert_true(loaded.weights.values[count] == model.weights.values[count]);
    assert_true(loaded.weights.values[last->offset] == 1);
    loaded_model_close(&loaded);
    const unsigned bad[] = {0x7c00, 0xfc00, 0x7e00, 0x7c01};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halves[count - 1] = (uint16_t)bad[i];
        forge_tensor(first, TENSOR_F16, halves, count * sizeof *halves);
        expect_refused("has an infinity or what is not a number");
    }
    forge_tensor(first, TENSOR_I64, whole, count * sizeof *whole);
    expect_refused("is I64 where F32 is needed");
    pack(PRECISION_FLOAT32);
    forge_tensor(first, TENSOR_F16, halves, count * sizeof *halves - 1);
    expect_refused("bytes where its shape says");
    xfree(halves);
    xfree(whole);
}

static void numbers_beyond_float16_are_refused(void **state)
{
    (void)state;
    struct err err;
    float *value = &model.weights.values[model.model.layout.params[2].offset + 1];
    const float old = *value;
    const struct pack_options half = {.precision = PRECISION_FLOAT16},
                              full = {.precision = PRECISION_FLOAT32};
    char *message = xasprintf("cannot write '%s': tensor '%s' has a number beyond the range of float16",
                              packed, model.model.layout.params[2].name);
    pack(PRECISION_FLOAT16);
    *value = -65520;
    assert_int_equal(pack_write(&model, &half, packed, &err), -1);
    assert_string_equal(err.text, message);
    struct loaded_model loaded; /* the old file is as it was */
    assert_int_equal(loaded_model_open(&loaded, packed, &err), 0);
    loaded_model_close(&loaded);
    assert_int_equal(pack_write(&model, &full, packed, &err), 0);
    *value = 65519;
    assert_int_equal(pack_write(&model, &half, packed, &err), 0);
    *value = old;
    xfree(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(forged_texts_are_refused),
        cmocka_unit_test(forged_numbers_are_refused),
        cmocka_unit_test(numbers_beyond_float16_are_refused),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}

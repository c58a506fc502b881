/* Files of weights: saving and loading, and every kind of invalid file. */
#include "check.h"

#include "safetensors.h"
#include "temporary.h"

#include <unistd.h>

static const float numbers[6] = {1, 2, 3, 4, 5, 6};
static char path[] = "/tmp/nmt-test-safetensors-XXXXXX";

static void write_raw(const char *header, const void *data, size_t bytes)
{
    struct err err;
    struct strbuf file;
    const uint64_t length = strlen(header);
    strbuf_init(&file);
    for (int i = 0; i < 8; i++)
        strbuf_addch(&file, (char)(length >> 8 * i));
    strbuf_adds(&file, header);
    strbuf_add(&file, data, bytes);
    assert_int_equal(file_replace(path, file.text, file.length, &err), 0);
    strbuf_release(&file);
}

static void round_trip(void **state)
{
    (void)state;
    struct err err;
    struct safetensors file;
    const struct tensor tensors[] = {
        {.name = (char *)(uintptr_t) "b",
         .type = TENSOR_F32,
         .dims = 2,
         .shape = {2, 2},
         .data = numbers,
         .bytes = 16},
        {.name = (char *)(uintptr_t) "a",
         .type = TENSOR_F32,
         .dims = 1,
         .shape = {2},
         .data = numbers + 4,
         .bytes = 8},
    };
    const char *const metadata[] = {"key", "value \"quoted\""};
    const struct safetensors_content content = {
        .tensors = tensors, .count = 2, .metadata = metadata, .pairs = 1};
    assert_int_equal(safetensors_save(path, &content, &err), 0);
    assert_int_equal(safetensors_open(&file, path, &err), 0);
    assert_int_equal(file.count, 2);
    assert_string_equal(safetensors_metadata(&file, "key"), "value \"quoted\"");
    assert_null(safetensors_metadata(&file, "other"));
    const struct tensor *b = safetensors_expect(&file, "b", TENSOR_F32, 2, (const int64_t[]){2, -1}, &err);
    assert_non_null(b);
    assert_memory_equal(b->data, numbers, 16);
    assert_int_equal((uintptr_t)b->data % 64, 0);
    assert_null(safetensors_expect(&file, "b", TENSOR_F32, 2, (const int64_t[]){3, 2}, &err));
    assert_non_null(strstr(err.text, "tensor 'b' is 2x2 where the model needs 3x2"));
    assert_null(safetensors_expect(&file, "c", TENSOR_F32, 1, (const int64_t[]){1}, &err));
    assert_non_null(strstr(err.text, "no tensor 'c'"));
    safetensors_close(&file);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        size_t bytes;
        const char *message;
    } cases[] = {
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 4, "beyond the end of the file"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 12, "behind the last tensor"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", 8,
         "8 bytes where its shape says 12"},
        {"{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "unknown dtype"},
        {"{\"a\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[0,7]}}", 7,
         "7 bytes where its shape says 6"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", 8, "invalid shape"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1e15,1e15],\"data_offsets\":[0,8]}}", 8, "invalid shape"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8, "invalid offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}", 8, "invalid offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,9223372036854775807]}}", 8,
         "invalid offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
         "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
         8, "overlaps another one or leaves a hole"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", 8,
         "overlaps another one or leaves a hole"},
        {"{\"a\":7}", 0, "is not an object"},
        {"[]", 0, "not a JSON object"},
        {"{\"a\":", 0, "invalid JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err;
        struct safetensors file;
        write_raw(cases[i].header, numbers, cases[i].bytes);
        assert_int_equal(safetensors_open(&file, path, &err), -1);
        if (!strstr(err.text, cases[i].message))
            fail_msg("case %zu: %s", i, err.text);
    }
}

static void a_header_that_promises_too_much_is_refused(void **state)
{
    (void)state;
    struct err err;
    struct safetensors file;
    const char huge[] = "\xff\xff\xff\xff\xff\xff\xff\x7f{}";
    assert_int_equal(file_replace(path, huge, sizeof huge - 1, &err), 0);
    assert_int_equal(safetensors_open(&file, path, &err), -1);
    assert_non_null(strstr(err.text, "truncated in its header"));
    assert_int_equal(file_replace(path, "abc", 3, &err), 0);
    assert_int_equal(safetensors_open(&file, path, &err), -1);
    assert_int_equal(file_replace(path, "", 0, &err), 0);
    assert_int_equal(safetensors_open(&file, path, &err), -1);
    assert_non_null(strstr(err.text, "empty"));
}

static void what_becomes_of_the_file_does_not_matter(void **state)
{
    (void)state;
    struct err err;
    struct safetensors file;
    write_raw("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", numbers, 8);
    assert_int_equal(safetensors_open(&file, path, &err), 0);
    assert_int_equal(truncate(path, 0), 0);
    assert_memory_equal(file.tensors[0].data, numbers, 8);
    safetensors_close(&file);
}

static int make_file(void **state)
{
    (void)state;
    return temporary_file(path);
}

static int remove_file(void **state)
{
    (void)state;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(a_header_that_promises_too_much_is_refused),
        cmocka_unit_test(what_becomes_of_the_file_does_not_matter),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

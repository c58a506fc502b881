/* The files of a model: a directory and a packed file give the same texts; what is neither is refused. */
#include "check.h"

#include "mem.h"
#include "model_files.h"
#include "temporary.h"

#include <fcntl.h>
#include <sys/stat.h>

static const float numbers[3] = {1, -2, 0.5f};
static const char *const texts[] = {PACKED_KEY,     PACKED_FORMAT,
                                    "config.json",  "{\"seed\": 1}\n",
                                    "source.vocab", "a\r\n\nb \xc3\xa9\nc",
                                    "empty",        "",
                                    "last",         "x"};

static char *in_dir(const char *name)
{
    return path_join(temporary_dir, name);
}

/* Writes a packed file with the first `pairs` texts from `from` on. */
static void pack(const char *path, size_t from, size_t pairs, bool sealed)
{
    struct err err;
    char name[] = "w";
    const struct tensor tensor = {
        .name = name, .type = TENSOR_F32, .dims = 1, .shape = {3}, .data = numbers, .bytes = sizeof numbers};
    const struct safetensors_content content = {
        .tensors = &tensor, .count = 1, .metadata = texts + 2 * from, .pairs = pairs, .sealed = sealed};
    assert_int_equal(safetensors_save(path, &content, &err), 0);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, safetensors_bytes(&content));
}

static void remove_one(const char *name)
{
    char *path = in_dir(name);
    assert_int_equal(remove(path), 0);
    xfree(path);
}

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    (void)err;
    strbuf_addf(context, "%d:%s|", (int)number, line->text);
    return number == 3 ? 7 : 0;
}

static void expect_files(const char *path, bool packed)
{
    struct err err;
    struct model_files files;
    struct strbuf text;
    strbuf_init(&text);
    assert_int_equal(model_files_open(&files, path, &err), 0);
    assert_int_equal(files.packed, packed);
    assert_true(model_files_has(&files, "config.json"));
    assert_true(model_files_has(&files, "empty"));
    assert_false(model_files_has(&files, "joint.bpe"));
    assert_int_equal(model_files_slurp(&text, &files, "config.json", &err), 0);
    assert_string_equal(text.text, texts[3]);
    strbuf_reset(&text);
    assert_int_equal(model_files_each_line(&files, "empty", take_line, &text, &err), 0);
    assert_string_equal(text.text, "");
    assert_int_equal(model_files_each_line(&files, "config.json", take_line, &text, &err), 0);
    assert_int_equal(model_files_each_line(&files, "source.vocab", take_line, &text, &err), 7);
    assert_string_equal(text.text, "1:{\"seed\": 1}|1:a\r|2:|3:b \xc3\xa9|");
    strbuf_reset(&text);
    assert_int_equal(model_files_each_line(&files, "last", take_line, &text, &err), 0);
    assert_string_equal(text.text, "1:x|");
    assert_int_equal(model_files_slurp(&text, &files, "joint.bpe", &err), -1);
    assert_non_null(strstr(err.text, "joint.bpe"));
    assert_int_equal(model_files_each_line(&files, "joint.bpe", take_line, &text, &err), -1);
    const struct safetensors *weights = model_files_weights(&files, &err);
    assert_non_null(weights);
    assert_memory_equal(safetensors_find(weights, "w")->data, numbers, sizeof numbers);
    assert_true(model_files_weights(&files, &err) == weights);
    model_files_close(&files);
    strbuf_release(&text);
}

static void a_directory_and_a_packed_file_give_the_same(void **state)
{
    (void)state;
    struct err err;
    char *packed = in_dir("packed"), *weights = in_dir(MODEL_WEIGHTS);
    const char *dir = temporary_dir;
    pack(packed, 0, 5, true);
    pack(weights, 0, 0, false);
    for (size_t i = 1; i < 5; i++) {
        struct strbuf text = {(char *)(uintptr_t)texts[2 * i + 1], strlen(texts[2 * i + 1]), 0};
        assert_int_equal(model_files_write(&dir, texts[2 * i], &text, &err), 0);
    }
    expect_files(packed, true);
    expect_files(dir, false);
    for (size_t i = 1; i < 5; i++)
        remove_one(texts[2 * i]);
    remove_one("packed");
    remove_one(MODEL_WEIGHTS);
    xfree(packed);
    xfree(weights);
}

static void expect_refused(const char *path, const char *message)
{
    struct err err;
    struct model_files files;
    assert_int_equal(model_files_open(&files, path, &err), -1);
    if (!strstr(err.text, message) || !strstr(err.text, path))
        fail_msg("%s", err.text);
}

static void what_is_no_packed_file_is_refused(void **state)
{
    (void)state;
    char *path = in_dir("file");
    pack(path, 1, 3, true);
    expect_refused(path, "is not packed: give its directory");
    pack(path, 0, 4, false);
    expect_refused(path, "its header has no checksum");
    assert_int_equal(file_replace(path, "text\n", 5, NULL), 0);
    expect_refused(path, "not a safetensors file, or truncated in its header");
    remove_one("file");
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(path, "neither a model directory nor a packed file");
    remove_one("file");
    expect_refused("/dev/null", "neither a model directory nor a packed file");
    xfree(path);
}

static void expect_damage(const char *path, size_t byte, size_t bytes)
{
    struct err err;
    struct model_files files;
    if (!model_files_open(&files, path, &err))
        fail_msg("a change of byte %zu of %zu is not noticed", byte, bytes);
    assert_non_null(strstr(err.text, path));
}

/* No changed byte goes unnoticed, wherever it is, and no missing one. */
static void every_byte_is_checked(void **state)
{
    (void)state;
    struct stat info;
    char *path = in_dir("file");
    pack(path, 0, 4, true);
    const int fd = open(path, O_RDWR);
    assert_int_equal(fstat(fd, &info), 0);
    const size_t bytes = (size_t)info.st_size;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte, changed;
        assert_int_equal(pread(fd, &byte, 1, (off_t)i), 1);
        for (unsigned bit = 1; bit < 256; bit *= 2) {
            changed = (unsigned char)(byte ^ bit);
            assert_int_equal(pwrite(fd, &changed, 1, (off_t)i), 1);
            expect_damage(path, i, bytes);
        }
        assert_int_equal(pwrite(fd, &byte, 1, (off_t)i), 1);
    }
    for (size_t length = bytes; length-- > 0;) {
        assert_int_equal(ftruncate(fd, (off_t)length), 0);
        expect_damage(path, length, bytes);
    }
    close(fd);
    remove_one("file");
    xfree(path);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make_temporary_dir, remove_temporary_dir)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_directory_and_a_packed_file_give_the_same),
        TEST(what_is_no_packed_file_is_refused),
        TEST(every_byte_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* JSON: what the strict parser rejects, with the line, and look-up of members. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "check.h"

#include "json.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void expect_error(const char *text, size_t bytes, const char *message)
{
    struct err err;
    assert_null(json_parse(text, bytes, "f.json", &err));
    assert_string_equal(err.text, message);
}

#define EXPECT_ERROR(literal, message) expect_error("" literal, sizeof literal - 1, message)

static void strictness_names_the_line(void **state)
{
    (void)state;
    EXPECT_ERROR("{\n\"a\": 1\n} x", "cannot parse 'f.json': text after the end of the JSON value at line 3");
    EXPECT_ERROR("{\"a\": 1,\n \"b\": {\"c\": 1,\n\"c\": 2}}",
                 "cannot parse 'f.json': duplicate key 'b.c' at line 3");
    EXPECT_ERROR("{\"a\": [{\"x\": 1},\n{\"x\": 1}, {\"x\": 1,\n\"x\": 2}]}",
                 "cannot parse 'f.json': duplicate key 'a.x' at line 3");
    EXPECT_ERROR("{\"a\\tb\": 1,\n\"c\": 1,\n\"a\\tb\": 2}",
                 "cannot parse 'f.json': duplicate key 'a\tb' at line 3");
    EXPECT_ERROR("{\"a.b\": 1,\n\"a\": {\"b\": 1,\n\"b\": 2}}",
                 "cannot parse 'f.json': duplicate key 'a.b' at line 3");
    EXPECT_ERROR("{\n\n\"a\" 1}", "cannot parse 'f.json': invalid JSON at line 3");
    EXPECT_ERROR("{\"a\":\n\"x\0y\"}", "cannot parse 'f.json': NUL byte at line 2");
    EXPECT_ERROR("{\"a\":\n\"x\\\\\\u0000y\"}", "cannot parse 'f.json': NUL character at line 2");
    EXPECT_ERROR("{\"\\u0000\": 1}", "cannot parse 'f.json': NUL character at line 1");
    EXPECT_ERROR("{\"a\":\n\"x\\uzzzzy\"}", "cannot parse 'f.json': invalid JSON at line 2");
    EXPECT_ERROR("{\"a\":\n\"x\\u00g0y\"}", "cannot parse 'f.json': invalid JSON at line 2");
    EXPECT_ERROR("{\"a\": 1,\n\"b\": 01}", "cannot parse 'f.json': invalid number at line 2");
    EXPECT_ERROR("{\"a\\\"\": \"01\", \"b\":\n[0, -00.5]}",
                 "cannot parse 'f.json': invalid number at line 2");
    EXPECT_ERROR("[1,\n1.]", "cannot parse 'f.json': invalid number at line 2");
    EXPECT_ERROR("[-.5]", "cannot parse 'f.json': invalid number at line 1");
    EXPECT_ERROR("", "cannot parse 'f.json': invalid JSON at line 1");
}

static void strictness_leaves_numbers_and_text(void **state)
{
    (void)state;
    static const char text[] =
        "{\"01\": [0, -0, 10, 0.50, 1e-05, -0.0E+00, 100.001], \"\\\\\": \"a \\\" 01 1.\"}";
    struct err err;
    struct json *value = json_parse(text, strlen(text), "f.json", &err);
    assert_non_null(value);
    json_free(value);
}

/* The byte after the text must not be read. */
static void text_ends_where_it_is_said_to_end(void **state)
{
    (void)state;
    struct err err;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
    static const char *const texts[] = {"{}  ", "{\"a\":1,", "{\"a\"", "[1", "\"a", "tru", ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t bytes = strlen(texts[i]);
        memcpy(memory + page - bytes, texts[i], bytes);
        struct json *value = json_parse(memory + page - bytes, bytes, "f", &err);
        assert_true((value != NULL) == (i == 0));
        json_free(value);
    }
    munmap(memory, 2 * page);
}

static void keys_are_found_by_line(void **state)
{
    (void)state;
    const char text[] = "{\n \"a\": [1, {\"x\": \"}\"}],\n \"b\": {\n  \"c\": true}}";
    assert_int_equal(json_line_of(text, "a", 0), 2);
    assert_int_equal(json_line_of(text, "b", 0), 3);
    assert_int_equal(json_line_of(text, "b.c", 0), 4);
    assert_int_equal(json_line_of(text, "c", 0), 0);
    const char list[] = "{\"a\": [{\"x\": 1},\n{\"y\": 1}, {\"x\": 1,\n\"y\": 1}]}";
    assert_int_equal(json_line_of("\xef\xbb\xbf{\n\"a\": 1}", "a", 0), 2);
    assert_int_equal(json_line_of(list, "a.x", 0), 1);
    assert_int_equal(json_line_of(list, "a.x", 1), 2);
    assert_int_equal(json_line_of(list, "a.y", 1), 3);
    assert_int_equal(json_line_of(list, "a.y", 2), 0);
}

static void keys_are_compared_with_case(void **state)
{
    (void)state;
    struct err err;
    struct json *root = json_parse("{\"Seed\": 1}", 11, "f", &err);
    assert_non_null(root);
    assert_null(json_member(root, "seed"));
    assert_true(json_number(json_member(root, "Seed")) == 1);
    json_free(root);
}

/* A backslash and "u0000" are no NUL. */
static void an_escaped_backslash_is_no_escape(void **state)
{
    (void)state;
    struct err err;
    const char text[] = "[\"\\\\u0000\"]";
    struct json *root = json_parse(text, sizeof text - 1, "f", &err);
    assert_non_null(root);
    assert_string_equal(json_string(json_first(root)), "\\u0000");
    json_free(root);
}

static void expect_line(struct json *object, const char *expected)
{
    struct strbuf out;
    strbuf_init(&out);
    json_add_line(&out, object);
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
}

static void numbers_read_back(void **state)
{
    static const float floats[] = {0.1f, 1.0f / 3, 16777217.0f, 1e-7f, FLT_MAX, FLT_MIN, -0.0f, 3};
    static const double doubles[] = {0.3, 0.1 + 0.2, 1 + DBL_EPSILON, 2147483648.0, DBL_MAX, 7};
    static const char *const keys[] = {"0", "1", "2", "3", "4", "5"};
    struct strbuf out;
    struct err err;
    (void)state;
    strbuf_init(&out);
    struct json *object = json_new_object();
    json_set_floats(object, "floats", floats, 8);
    json_set_number(object, "third", 1.0 / 3);
    for (int i = 0; i < 6; i++)
        json_set_number(object, keys[i], doubles[i]);
    json_set_array(object, "array", doubles, 6);
    json_add_line(&out, object);
    struct json *read = json_parse(out.text, out.length, "line", &err);
    assert_non_null(read);
    const struct json *item = json_first(json_member(read, "floats"));
    for (int i = 0; i < 8; i++, item = json_next(item))
        assert_true((float)json_number(item) == floats[i]);
    assert_true(json_number(json_member(read, "third")) == 1.0 / 3);
    item = json_first(json_member(read, "array"));
    for (int i = 0; i < 6; i++, item = json_next(item)) {
        assert_true(json_number(json_member(read, keys[i])) == doubles[i]);
        assert_true(json_number(item) == doubles[i]);
    }
    assert_non_null(strstr(out.text, "[0.3,0.30000000000000004,1.0000000000000002,2147483648,"));
    assert_non_null(strstr(out.text, "[0.1,0.33333334,16777216,1e-07,"));
    json_free(read);
    strbuf_release(&out);
}

static void numbers_that_json_does_not_have(void **state)
{
    const float floats[] = {1, NAN, -INFINITY, INFINITY};
    (void)state;
    struct json *object = json_new_object();
    json_set_number(object, "number", (double)NAN);
    json_set_floats(object, "floats", floats, 4);
    json_set_null(object, "null");
    expect_line(object, "{\"number\":null,\"floats\":[1,null,null,null],\"null\":null}\n");
}

static void text_is_valid_and_on_one_line(void **state)
{
    (void)state;
    struct json *object = json_new_object();
    json_set_bytes(object, "text", "a\0\xff\n\x1f\"\\\x7f\xc3\xa9", 10);
    expect_line(object, "{\"text\":\"a\xef\xbf\xbd\xef\xbf\xbd\\n\\u001f\\\"\\\\\x7f\xc3\xa9\"}\n");
}

static void lists_of_lists(void **state)
{
    const float weights[] = {0.5f, 0.25f, 0.125f, 1, 0, -1};
    struct links links = {0};
    (void)state;
    links_add(&links, 2, 0, true);
    links_add(&links, 0, 1, true);
    struct json *object = json_new_object();
    json_set_links(object, "alignment", &links);
    json_set_rows(object, "attention", weights, 2, 3);
    json_set_rows(object, "none", weights, 0, 3);
    expect_line(object,
                "{\"alignment\":[[2,0],[0,1]],\"attention\":[[0.5,0.25,0.125],[1,0,-1]],\"none\":[]}\n");
    links_release(&links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strictness_names_the_line),
        cmocka_unit_test(strictness_leaves_numbers_and_text),
        cmocka_unit_test(text_ends_where_it_is_said_to_end),
        cmocka_unit_test(keys_are_found_by_line),
        cmocka_unit_test(keys_are_compared_with_case),
        cmocka_unit_test(an_escaped_backslash_is_no_escape),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(numbers_that_json_does_not_have),
        cmocka_unit_test(text_is_valid_and_on_one_line),
        cmocka_unit_test(lists_of_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Requests: the three kinds of bodies, what is wrong with them, and what becomes of their fields. */
#include "unit/check.h"

#include "mem.h"
#include "request.h"
#include "strbuf.h"

#include <string.h>

static const struct request_limits limits = {3, 100, 5};

static struct json *fields_of(const char *type, const char *query, const char *bytes, struct err *err)
{
    const struct request_body body = {.type = type, .query = query, .bytes = bytes, .count = strlen(bytes)};
    return request_fields(&body, err);
}

/* What a request is refused with; "" if it is not. */
static const char *refusal(const char *type, const char *bytes)
{
    static struct err err;
    struct wishes wishes;
    struct json *fields = fields_of(type, "", bytes, &err);
    struct job *job = fields ? request_job(fields, &limits, &wishes, &err) : NULL;
    if (job)
        err.text[0] = '\0';
    job_free(job);
    if (fields)
        json_free(fields);
    return err.text;
}

static void three_kinds(void **state)
{
    static const char *const bodies[][2] = {
        {"application/json; charset=utf-8",
         "{\"q\":[\"a b\",\"c\"],\"source\":\"en\",\"target\":\"fr\",\"beam\":2}"},
        {"Application/LD+JSON ;profile=x",
         "{\"q\":[\"a b\",\"c\"],\"source\":\"en\",\"target\":\"fr\",\"beam\":2}"},
        {"application/x-www-form-urlencoded", "q=a+b&source=e%6E&target=fr&q=c&beam=2&other=%FF&=&"},
        {"multipart/form-data; boundary=\"x y\"",
         "--x y\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\na b\r\n"
         "--x y\r\ncontent-disposition: form-data; filename=\"name=z\"; name=source\r\nX: y\r\n\r\nen\r\n"
         "--x y\r\nContent-Disposition: form-data; name=\"target\"\r\n\r\nfr\r\n"
         "--x y\r\nContent-Disposition: form-data; name=\"beam\"\r\n\r\n2\r\n"
         "--x y\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\nc\r\n--x y--\r\n"},
        {"multipart/form-data; boundary=x",
         "a preamble --x\r\n--x\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\na b\r\n"
         "--x\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\nc\r\n"
         "--x\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nen\r\n"
         "--x\r\nContent-Disposition: form-data; name=\"target\"\r\n\r\nfr\r\n"
         "--x\r\nContent-Disposition: form-data; name=\"beam\"\r\n\r\n2\r\n--x--"}};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct err err;
        struct wishes wishes;
        struct json *fields = fields_of(bodies[i][0], "", bodies[i][1], &err);
        assert_non_null(fields);
        struct job *job = request_job(fields, &limits, &wishes, &err);
        assert_non_null(job);
        assert_true(wishes.list && !wishes.alternatives);
        assert_int_equal(job->count, 2);
        assert_string_equal(job->texts[0], "a b");
        assert_string_equal(job->texts[1], "c");
        assert_string_equal(job->source, "en");
        assert_string_equal(job->target, "fr");
        assert_int_equal(job->beam, 2);
        assert_int_equal(wishes.characters, 4);
        job_free(job);
        json_free(fields);
    }
}

/* Half a surrogate pair is U+FFFD; a pair, and text that looks like half of one, stay. */
static void half_pairs(void **state)
{
    static const char *const given[][2] = {
        {"cut \\ud83d", "cut \xef\xbf\xbd"},
        {"\\uDE00 cut", "\xef\xbf\xbd cut"},
        {"\\ude00\\ud83d", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\\ud83d\\uD83D\\uDE00", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
        {"\\ud83d\\n\\ude00", "\xef\xbf\xbd\n\xef\xbf\xbd"},
        {"\\ud83d\\ude00\\ue000", "\xf0\x9f\x98\x80\xee\x80\x80"},
        {"\\\\ud83d \\\\\\ud83d", "\\ud83d \\\xef\xbf\xbd"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct err err;
        char *text = xasprintf("{\"q\":\"%s\"}", given[i][0]);
        struct json *fields = fields_of("application/json", "", text, &err);
        assert_non_null(fields);
        assert_string_equal(json_string(json_member(fields, "q")), given[i][1]);
        json_free(fields);
        xfree(text);
    }
}

static void forms(void **state)
{
    struct err err;
    const char *key;
    (void)state;
    struct json *fields =
        fields_of("application/x-www-form-urlencoded", "source=de&q=%", "target=a%0D%0Ab%zz%4", &err);
    assert_non_null(fields);
    assert_string_equal(json_string(json_member(fields, "q")), "%");
    assert_string_equal(json_string(json_member(fields, "target")), "a\nb%zz%4");
    assert_int_equal(request_string(&key, fields, "api_key", &err), 0);
    assert_null(key);
    json_free(fields);
}

static void wrong_bodies(void **state)
{
    static const char *const bodies[][3] = {
        {"application/json", "[", "Invalid JSON format: *"},
        {"application/json", "\"q\"", "Invalid JSON format: a string, not an object"},
        {"application/json", "{\"q\":\"\\ud8\"}", "Invalid JSON format: *"},
        {"application/json", "{\"q\":\"\\ud8zz\"}", "Invalid JSON format: *"},
        {"application/json", "{\"q\":\"\\ud83d\\ud", "Invalid JSON format: *"},
        {"application/json", "{\"q\":\"\xc3\"}", "Invalid request: invalid UTF-8 at byte 7"},
        {"application/x-www-form-urlencoded", "q=a%00", "Invalid request: q has a NUL character"},
        {"application/x-www-form-urlencoded", "q=%C3", "Invalid request: q has invalid UTF-8"},
        {"application/x-www-form-urlencoded", "source=a&source=b",
         "Invalid request: duplicate source parameter"},
        {"multipart/form-data; boundary=x", "", "Invalid request: missing q parameter"},
        {"multipart/form-data; boundary=x", "--x", "Invalid request: the body is no multipart/form-data"},
        {"multipart/form-data; boundary=x", "\r\n--x--", "Invalid request: missing q parameter"},
        {"multipart/form-data; boundary=x", "x--x--", "Invalid request: the body is no multipart/form-data"},
        {"application/x+json-seq", "{}", "Invalid request: the Content-Type is none of *"},
        {"text/x+json", "{}", "Invalid request: the Content-Type is none of *"},
        {"multipart/form-data; boundary=x", "--x\r\n\r\nq\r\n--x--",
         "Invalid request: the body is no multipart/form-data"},
        {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=q\r\n\r\nq",
         "Invalid request: the body is no multipart/form-data"},
        {"multipart/form-data; boundary=", "--x--", "Invalid request: the Content-Type names no boundary"},
        {"text/plain", "q",
         "Invalid request: the Content-Type is none of application/json, "
         "application/x-www-form-urlencoded and multipart/form-data"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const char *wanted = bodies[i][2], *got = refusal(bodies[i][0], bodies[i][1]);
        if (strchr(wanted, '*'))
            assert_memory_equal(got, wanted, strlen(wanted) - 1);
        else
            assert_string_equal(got, wanted);
    }
}

static void encodings(void **state)
{
    static const char *const given[][2] = {
        {"identity", ""},
        {"Identity", ""},
        {"", ""},
        {"gzip", "Invalid request: a body with a Content-Encoding other than identity is not read"},
        {"identity, br", "Invalid request: a body with a Content-Encoding other than identity is not read"}};
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct err err = {.text = ""};
        const struct request_body body = {"application/json", given[i][0], "", "{}", 2};
        struct json *fields = request_fields(&body, &err);
        if (fields)
            json_free(fields);
        assert_string_equal(err.text, given[i][1]);
    }
}

static void depth_and_keys(void **state)
{
    char text[70000] = "{\"q\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[\",\"source\":\"en\",\"target\":\"fr\"";
    (void)state;
    const size_t begin = strlen(text);
    memcpy(text + begin, "}", 2);
    assert_string_equal(refusal("application/json", text), "");
    memset(text + begin, '[', 1000);
    text[begin] = ',';
    assert_string_equal(refusal("application/json", text),
                        "Invalid JSON format: JSON that is more than 16 levels deep");
    size_t at = begin;
    for (int key = 0; key < 5000; key++)
        at += (size_t)snprintf(text + at, sizeof text - at, ",\"%d\":1", key);
    assert_string_equal(refusal("application/json", text),
                        "Invalid JSON format: JSON with more than 4096 keys");
}

static void glossaries(void **state)
{
    static const char *const given[] = {"[[\"a b\",\"c\"],[\"d\",\"e\"]]", "\"a b\\tc\\r\\n\\nd\\te\""};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct err err;
        struct wishes wishes;
        char *text = xasprintf("{\"q\":\"a\",\"source\":\"en\",\"target\":\"fr\",\"glossary\":%s}", given[i]);
        struct json *fields = fields_of("application/json", "", text, &err);
        struct job *job = request_job(fields, &limits, &wishes, &err);
        assert_non_null(job);
        assert_int_equal(job->glossary->count, 2);
        assert_string_equal(job->glossary->entries[0].source, "a b");
        assert_string_equal(job->glossary->entries[0].target, "c");
        job_free(job);
        json_free(fields);
        xfree(text);
    }
}

static void lists_have_a_limit(void **state)
{
    struct strbuf body;
    (void)state;
    assert_string_equal(
        refusal("application/json", "{\"q\":[\"\",\"\",\"\",\"\"],\"source\":\"en\",\"target\":\"fr\"}"),
        "Invalid request: the request has more than 3 texts");
    for (int terms = 1000; terms <= 1001; terms++) {
        strbuf_init(&body);
        strbuf_adds(&body, "q=a&source=en&target=fr&glossary=");
        for (int i = 0; i < terms; i++)
            strbuf_adds(&body, "a%09b%0a");
        assert_string_equal(refusal("application/x-www-form-urlencoded", body.text),
                            terms == 1000 ? "" : "Invalid request: the glossary has more than 1000 terms");
        strbuf_release(&body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_kinds), cmocka_unit_test(half_pairs),
        cmocka_unit_test(forms),       cmocka_unit_test(wrong_bodies),
        cmocka_unit_test(encodings),   cmocka_unit_test(depth_and_keys),
        cmocka_unit_test(glossaries),  cmocka_unit_test(lists_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The comparison of several translations, as a table and as JSON. */
#include "check.h"

#include "compare.h"
#include "json.h"

static const char *const right[] = {"the cat sat on the mat", "there are two dogs here",
                                    "a man rides a red bike"};
static const char *const wrong[] = {"the cat sat on a rug", "two dogs", "a man on a bike"};
#define LINES (sizeof right / sizeof right[0])

static void add_all(struct lines *to, const char *const *texts)
{
    for (size_t i = 0; i < LINES; i++)
        lines_add(to, texts[i], strlen(texts[i]));
}

/* Compares the references themselves, a bad translation, and the references again. */
static void compare(struct strbuf *out, bool json)
{
    struct test_set set = {.reference_count = 1};
    struct compared systems[3] = {{.name = "right"}, {.name = "wrong"}, {.name = "again"}};
    struct metrics empty;
    add_all(&set.references[0], right);
    add_all(&systems[0].text, right);
    add_all(&systems[1].text, wrong);
    add_all(&systems[2].text, right);
    metrics_init(&empty, MTEVAL_13A, false, 1);
    compare_systems(out, systems, 3, &set, &empty, json);
    for (int s = 0; s < 3; s++)
        lines_release(&systems[s].text);
    test_set_release(&set);
}

static void a_row_for_each_system_and_metric(void **state)
{
    struct strbuf out;
    (void)state;
    strbuf_init(&out);
    compare(&out, false);
    assert_non_null(strstr(out.text, "BLEU|nrefs:1|"));
    assert_non_null(
        strstr(out.text, "  right                           100.00  (100.00 ± 0.00)  baseline\n"));
    assert_non_null(strstr(out.text, "  again                           100.00  (100.00 ± 0.00)  p = "));
    const char *at = out.text;
    int rows = 0;
    while ((at = strstr(at, "\n  wrong ")) != NULL) {
        rows++;
        at++;
    }
    assert_int_equal(rows, METRIC_COUNT);
    assert_non_null(strstr(out.text, "* less than 0.05\n"));
    strbuf_release(&out);
}

static double number(const struct json *root, const char *system, const char *metric, const char *key)
{
    const struct json *value = json_member(json_member(json_member(root, system), metric), key);
    assert_non_null(value);
    return json_number(value);
}

static void the_same_as_json(void **state)
{
    struct strbuf out;
    struct err err;
    (void)state;
    strbuf_init(&out);
    compare(&out, true);
    struct json *root = json_parse(out.text, out.length, "table", &err);
    assert_non_null(root);
    assert_true(number(root, "right", "bleu", "score") > 99.99);
    assert_true(number(root, "wrong", "bleu", "score") < 60);
    assert_true(number(root, "wrong", "ter", "score") > 10);
    assert_true(number(root, "wrong", "chrf", "half_width") > 0);
    assert_true(number(root, "wrong", "bleu", "p_value") < 0.2);
    assert_true(number(root, "again", "bleu", "score") == number(root, "right", "bleu", "score"));
    assert_null(json_member(json_member(json_member(root, "right"), "bleu"), "p_value"));
    json_free(root);
    strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_for_each_system_and_metric),
                                       cmocka_unit_test(the_same_as_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

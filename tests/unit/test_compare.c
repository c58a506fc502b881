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
    struct compared systems[3] = {{.name = "right"}, {.name = "wrong"}, {.name = "再び"}};
    struct metrics empty;
    add_all(&set.references[0], right);
    add_all(&systems[0].text, right);
    add_all(&systems[1].text, wrong);
    add_all(&systems[2].text, right);
    metrics_init(&empty, &(struct metric_options){.tokenize = MTEVAL_13A}, 1);
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
    assert_non_null(
        strstr(out.text, "  再び                            100.00  (100.00 ± 0.00)  p = 1.0000\n"));
    const char *at = out.text;
    int rows = 0;
    while ((at = strstr(at, "\n  wrong ")) != NULL) {
        rows++;
        at++;
    }
    assert_int_equal(rows, PLACE_COUNT);
    assert_non_null(strstr(out.text, "* less than 0.05\n"));
    strbuf_release(&out);
}

/* The object of each system, a line each. */
static void parse_systems(struct json *systems[3], const char *text)
{
    struct err err;
    for (int s = 0; s < 3; s++) {
        const size_t bytes = strcspn(text, "\n");
        systems[s] = json_parse(text, bytes, "table", &err);
        assert_non_null(systems[s]);
        text += bytes + 1;
    }
    assert_string_equal(text, "");
}

static double number(const struct json *system, const char *metric, const char *key)
{
    const struct json *value = json_member(json_member(system, metric), key);
    assert_non_null(value);
    return json_number(value);
}

static void the_same_as_json(void **state)
{
    struct strbuf out;
    struct json *systems[3];
    (void)state;
    strbuf_init(&out);
    compare(&out, true);
    parse_systems(systems, out.text);
    const struct json *baseline = systems[0], *bad = systems[1], *again = systems[2];
    assert_string_equal(json_string(json_member(bad, "hypothesis")), "wrong");
    assert_true(number(baseline, "bleu", "score") > 99.99);
    assert_true(number(bad, "bleu", "score") < 60);
    assert_true(number(bad, "ter", "score") > 10);
    assert_true(number(bad, "chrf", "half_width") > 0);
    assert_true(number(bad, "bleu", "p_value") < 0.2);
    assert_true(number(again, "bleu", "score") == number(baseline, "bleu", "score"));
    assert_null(json_member(json_member(baseline, "bleu"), "p_value"));
    for (int m = 0; m < PLACE_COUNT; m++)
        assert_true(number(again, metric_table[m].key, "p_value") == 1);
    for (int s = 0; s < 3; s++)
        json_free(systems[s]);
    strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_for_each_system_and_metric),
                                       cmocka_unit_test(the_same_as_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

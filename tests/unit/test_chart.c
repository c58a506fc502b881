/* Charts: thinning and drawing. */
#include "check.h"

#include "chart.h"

#include <math.h>
#include <string.h>

static void thin_takes_means(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6, 7}, y[] = {1, 3, 5, NAN, 7, 9, NAN};
    double thin_x[7], thin_y[7];
    assert_int_equal(chart_thin(thin_x, thin_y, 3, x, y, 7), 3);
    assert_true(thin_x[0] == 2 && thin_y[0] == 2);
    assert_true(thin_x[1] == 4 && thin_y[1] == 5); /* the NAN is left out */
    assert_true(thin_x[2] == 7 && thin_y[2] == 8);
    assert_int_equal(chart_thin(thin_x, thin_y, 7, x, y, 7), 7);
    assert_true(thin_y[0] == 1 && isnan(thin_y[3]));
    assert_int_equal(chart_thin(thin_x, thin_y, 7, x, y, 0), 0);
}

static void draw(struct strbuf *out, const double *x, const double *y, size_t count, bool logarithmic)
{
    const struct chart_series series = {NULL, x, y, count};
    const struct chart chart = {.title = "a < b",
                                .x_name = "update",
                                .y_name = "loss",
                                .series = &series,
                                .series_count = 1,
                                .logarithmic = logarithmic};
    strbuf_reset(out);
    chart_html(out, &chart);
    assert_non_null(strstr(out->text, "a &lt; b"));
    assert_null(strstr(out->text, "nan"));
    assert_null(strstr(out->text, "inf"));
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void svg_shows_every_finite_point(void **state)
{
    (void)state;
    const double x[] = {1000, 20000, 30000, 40000}, y[] = {2.5, NAN, -1, 1.25};
    struct strbuf out;
    strbuf_init(&out);
    draw(&out, x, y, 4, false);
    assert_int_equal(count_of(out.text, "class=\"point"), 3);
    assert_non_null(strstr(out.text, ">update 40,000: loss 1.25<"));
    assert_non_null(strstr(out.text, ">10,000<")); /* a tick */
    draw(&out, x, y, 4, true);                     /* -1 cannot be shown on a logarithmic scale */
    assert_int_equal(count_of(out.text, "class=\"point"), 2);
    strbuf_release(&out);
}

static void svg_stands_anything(void **state)
{
    (void)state;
    const double x[] = {0, 0, 1e300}, y[] = {0, 1e-300, 1e300}, same[] = {5, 5, 5},
                 huge[] = {1, 1.7e308, -1.7e308};
    struct strbuf out;
    strbuf_init(&out);
    draw(&out, x, y, 0, false);
    draw(&out, x, y, 1, false);
    draw(&out, x, same, 2, false);
    draw(&out, x, y, 3, false);
    draw(&out, x, y, 3, true);
    draw(&out, x, huge, 3, false);
    draw(&out, x, huge, 3, true);
    strbuf_release(&out);
}

/* Logarithmic scales have ticks over any range, and are labelled as logarithmic. */
static void logarithmic_scales_have_ticks(void **state)
{
    (void)state;
    static const double ends[][2] = {{1.3, 1.5},  {1.29, 1.3}, {2, 9},       {0.9, 150},  {1.1, 150},
                                     {1.1, 2000}, {3, 2e5},    {2e-6, 0.9},  {1e-9, 1e9}, {1e-300, 1e300},
                                     {5, 5},      {0.01, 0.3}, {99.9, 100.1}};
    const double x[] = {1, 2};
    struct strbuf out;
    strbuf_init(&out);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        draw(&out, x, ends[i], 2, true);
        const int ticks = count_of(out.text, "class=\"grid\"");
        assert_true(ticks >= 2 + (ends[i][0] < ends[i][1]) && ticks <= 12);
        assert_non_null(strstr(out.text, "a &lt; b, logarithmic scale"));
    }
    draw(&out, x, ends[0], 2, false);
    assert_null(strstr(out.text, "logarithmic"));
    strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_takes_means), cmocka_unit_test(svg_shows_every_finite_point),
        cmocka_unit_test(svg_stands_anything), cmocka_unit_test(logarithmic_scales_have_ticks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

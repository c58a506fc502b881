/* Pictures of attention: for the terminal, as HTML and as SVG. */
#include "check.h"

#include "heatmap.h"
#include "utf8_check.h"

#include <math.h>

/* Everything but ASCII is wide. */
static int columns(const char *text, size_t *bytes)
{
    *bytes = 1;
    while (utf8_continues(text[*bytes]))
        ++*bytes;
    return *bytes > 1 ? 2 : 1;
}

static const struct token_mark marks[] = {{"@@", "goes on"}, {"</s>", "end"}, {NULL, NULL}};
static const struct token_style style = {columns, marks};

/* Two rows and two columns. */
static struct heatmap map_of(const char *const *tokens, const float *weights, int heads)
{
    static char texts[4][16];
    static char *const pointers[4] = {texts[0], texts[1], texts[2], texts[3]};
    for (int i = 0; i < 4; i++)
        snprintf(texts[i], sizeof texts[i], "%s", tokens[i]);
    return (struct heatmap){pointers, pointers + 2, 2, 2, heads, weights, "a < b", "c & d", &style};
}

static void terminal_columns_line_up(void **state)
{
    (void)state;
    const char *const tokens[] = {"ab", "水", "x", "火y"};
    const float weights[] = {0, 1, 0.5f, (float)NAN};
    const struct heatmap map = map_of(tokens, weights, 0);
    struct strbuf out;
    strbuf_init(&out);
    heatmap_text(&out, &map);
    assert_string_equal(out.text, "      火\n   x  y \nab ·· ██\n水 ▒▒ ··\n");
    strbuf_release(&out);
}

static void marks_are_faint(void **state)
{
    (void)state;
    static const struct {
        const char *token, *markup;
    } cases[] = {{"ab@@", "ab<i class=\"mark\">@@</i>"},
                 {"</s>", "<i class=\"mark\">&lt;/s&gt;</i>"},
                 {"@@@", "<i class=\"mark\">@@</i>@"},
                 {"a@@b", "a@@b"},
                 {"", ""}};
    struct strbuf out;
    strbuf_init(&out);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strbuf_reset(&out);
        token_markup(&out, cases[i].token, "i", &style);
        assert_string_equal(out.text, cases[i].markup);
    }
    strbuf_release(&out);
}

static void text_is_escaped(void **state)
{
    (void)state;
    const char *const tokens[] = {"<b>", "\"'", "&", "</s>"};
    const float weights[] = {0, 1, 0.5f, 0.25f};
    const struct heatmap map = map_of(tokens, weights, 0);
    struct strbuf out;
    strbuf_init(&out);
    heatmap_html(&out, &map);
    heatmap_svg(&out, &map);
    assert_null(strstr(out.text, "<b>"));
    assert_null(strstr(out.text, "a < b"));
    assert_null(strstr(out.text, "& "));
    assert_non_null(strstr(out.text, "a &lt; b"));
    strbuf_release(&out);
}

static void each_head_has_a_picture(void **state)
{
    (void)state;
    const char *const tokens[] = {"a", "b", "c", "d"};
    const float weights[12] = {[4] = 1, [11] = 1};
    const struct heatmap map = map_of(tokens, weights, 2);
    struct strbuf out;
    strbuf_init(&out);
    heatmap_text(&out, &map);
    assert_string_equal(out.text, "mean of 2 heads\n  c d\na · ·\nb · ·\n\nhead 1\n  c d\na █ ·\nb · ·\n\n"
                                  "head 2\n  c d\na · ·\nb · █\n");
    strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terminal_columns_line_up),
                                       cmocka_unit_test(marks_are_faint), cmocka_unit_test(text_is_escaped),
                                       cmocka_unit_test(each_head_has_a_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

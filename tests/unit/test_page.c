/* page: roff that says what the text says, whatever characters it begins with, and filled lines of plain
 * text. */
#include "check.h"

#include "page.h"

#include <string.h>

typedef void add_function(struct page *page, const char *text, size_t bytes);

static void assert_part(const char *expected, bool roff, add_function *add, const char *text)
{
    struct strbuf out;
    struct page page;
    strbuf_init(&out);
    if (roff)
        page_init_roff(&page, &out);
    else
        page_init_plain(&page, &out, 20);
    page.begins = true;
    add(&page, text, strlen(text));
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
}

static void roff_escapes(void **state)
{
    (void)state;
    assert_part("a\\-b \\e \\(aqx\\(aq \\(ha \\(ti\n", true, page_paragraph, "a-b \\ 'x' ^ ~");
    assert_part("\\&.hidden .TH\n", true, page_paragraph, ".hidden .TH");
    assert_part("\\(aqquoted\n", true, page_paragraph, "'quoted");
    assert_part("\\[u2026] \\[u1F600] \"x\"\n", true, page_paragraph, "… 😀 \"x\"");
    assert_part("\\fB\\-\\-set\\fR \\fIKEY\\fR=\\fIVALUE\\fR\n", true, page_paragraph,
                "`--set` *KEY*=*VALUE*");
    assert_part("\\fB*.bpe\\fR\n", true, page_paragraph, "`*.bpe`");
    assert_part(".RS 4\n.EX\n\\&.x \\(ga*\\(ga\n\n  y\n.EE\n.RE\n", true, page_lines, ".x `*`\n\n  y");
    assert_part(".SH SEE ALSO\n", true, page_heading, "See also");
}

/* A line never begins with a point, wherever it is broken. */
static void roff_breaks(void **state)
{
    char text[400] = "";
    struct strbuf out;
    struct page page;
    (void)state;
    for (int i = 0; i < 60; i++)
        strcat(text, ".b é ");
    strbuf_init(&out);
    page_init_roff(&page, &out);
    page.begins = true;
    page_paragraph(&page, text, strlen(text));
    assert_null(strstr(out.text, "\n."));
    assert_true(out.text[0] == '\\');
    for (const char *line = out.text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") < 80);
    strbuf_release(&out);
}

static void plain_lines_are_filled(void **state)
{
    (void)state;
    assert_part("       one two three\n", false, page_paragraph, "one two\nthree");
    assert_part("       one two\n       three!\n", false, page_paragraph, "one two\nthree!");
    assert_part("       a-b\n       averyverylongword\n       c\n", false, page_paragraph,
                "a-b averyverylongword c");
    /* wide characters take two columns each */
    assert_part("       日本語 日本\n       日本\n", false, page_paragraph, "日本語 日本 日本");
    assert_part("       --set KEY\n", false, page_paragraph, "`--set` *KEY*");
    assert_part("           $(x) `y`\n\n           z\n", false, page_lines, "$(x) `y`\n\nz");
    assert_part("", false, page_markdown, "# title\n\n<!-- not run -->\n");
}

static void items(void **state)
{
    struct strbuf out;
    struct page page;
    (void)state;
    strbuf_init(&out);
    page_init_plain(&page, &out, 40);
    page_markdown(&page, "## List\n\n- `a`: first\n- `longer term`: second: more\n  of it\n\nEnd.\n", 65);
    assert_string_equal(out.text,
                        "LIST\n       a      first\n\n       longer term\n              second: more of it\n"
                        "\n       End.\n");
    strbuf_reset(&out);
    page_init_roff(&page, &out);
    page_markdown(&page, "## List\n\n- `a`: first\n\nEnd.\n```sh\nx\n```\n## More\n", 48);
    assert_string_equal(out.text, ".SH LIST\n.TP\n\\fBa\\fR\nfirst\n.PP\nEnd.\n.PP\n.RS 4\n.EX\nx\n.EE\n.RE\n"
                                  ".SH MORE\n");
    strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roff_escapes),
        cmocka_unit_test(roff_breaks),
        cmocka_unit_test(plain_lines_are_filled),
        cmocka_unit_test(items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

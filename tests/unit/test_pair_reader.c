/* The reader of pairs: two files or a TSV, counts, and invalid text. */
#include "check.h"

#include "fileio.h"
#include "pair_reader.h"
#include "temporary.h"

#include <unistd.h>

static char paths[SIDES][32] = {"/tmp/nmt-source-XXXXXX", "/tmp/nmt-target-XXXXXX"};

static int make_paths(void **state)
{
    (void)state;
    for (int side = 0; side < SIDES; side++) {
        if (temporary_file(paths[side]))
            return -1;
    }
    return 0;
}

static int remove_paths(void **state)
{
    (void)state;
    return unlink(paths[SOURCE]) | unlink(paths[TARGET]);
}

static struct pair_files two_files(const char *source, const char *target)
{
    struct err err;
    assert_int_equal(file_replace(paths[SOURCE], source, strlen(source), &err), 0);
    assert_int_equal(file_replace(paths[TARGET], target, strlen(target), &err), 0);
    return (struct pair_files){paths[SOURCE], paths[TARGET], NULL};
}

static struct pair_files tsv(const char *text)
{
    struct err err;
    assert_int_equal(file_replace(paths[SOURCE], text, strlen(text), &err), 0);
    return (struct pair_files){NULL, NULL, paths[SOURCE]};
}

/* Reads to the end; collects "source|target" of each usable pair, one a line. */
static int read_all(struct strbuf *all, struct pair_counts *counts, const struct pair_files *files,
                    enum invalid_action action, struct err *err)
{
    struct pair_reader reader;
    int status;
    strbuf_init(all);
    assert_int_equal(pair_reader_open(&reader, files, action, err), 0);
    while ((status = pair_reader_next(&reader, err)) > 0)
        strbuf_addf(all, "%lld %s|%s\n", (long long)reader.number, reader.line[SOURCE].text,
                    reader.line[TARGET].text);
    *counts = reader.counts;
    pair_reader_close(&reader);
    return status;
}

static void expect_pairs(const struct pair_files files, enum invalid_action action, const char *expected,
                         struct pair_counts expected_counts)
{
    struct strbuf all;
    struct pair_counts counts;
    struct err err;
    assert_int_equal(read_all(&all, &counts, &files, action, &err), 0);
    assert_string_equal(all.text, expected);
    assert_memory_equal(&counts, &expected_counts, sizeof counts);
    strbuf_release(&all);
}

static void expect_error(const struct pair_files files, const char *message)
{
    struct strbuf all;
    struct pair_counts counts;
    struct err err;
    assert_int_equal(read_all(&all, &counts, &files, INVALID_STOP, &err), -1);
    assert_non_null(strstr(err.text, message));
    strbuf_release(&all);
}

static void two_files_are_read_in_step(void **state)
{
    (void)state;
    expect_pairs(two_files("\xef\xbb\xbf"
                           "a\r\nb\n \nd\n",
                           "A\nB\nC\n\n"),
                 INVALID_STOP, "1 a|A\n2 b|B\n",
                 (struct pair_counts){.pairs = 4, .empty = 2, .crlf = 1, .boms = 1});
}

/* Nothing; blanks of one and two bytes; a letter; one of two bytes; one after a blank. */
static void lines_of_blanks_are_empty(void **state)
{
    (void)state;
    expect_pairs(two_files("\n \xc2\x85\t\na\né\n x\nb\n", "a\nb\nc\nd\ne\n \n"), INVALID_STOP,
                 "3 a|c\n4 é|d\n5  x|e\n", (struct pair_counts){.pairs = 6, .empty = 3});
    /* no-break and ideographic blanks, as cells of tables hold */
    expect_pairs(two_files("\xc2\xa0\n\xe3\x80\x80\na\n", "a\nb\nc\n"), INVALID_STOP, "3 a|c\n",
                 (struct pair_counts){.pairs = 3, .empty = 2});
}

static void a_tsv_has_one_tab_a_line(void **state)
{
    (void)state;
    expect_pairs(tsv("a\tA\nb c\tB\n"), INVALID_STOP, "1 a|A\n2 b c|B\n", (struct pair_counts){.pairs = 2});
    expect_error(tsv("a\tA\nb\n"), "line 2 has no tab where there must be one");
    expect_error(tsv("a\tA\tB\n"), "line 1 has a second tab where there must be one");
    expect_error(tsv("\"a\n"), "this looks like a spreadsheet's quotes");
}

static void both_counts_are_named_where_they_differ(void **state)
{
    (void)state;
    expect_error(two_files("a\nb\nc\n", "A\n"), "has 3 lines but");
    expect_error(two_files("a\n", "A\nB\n"), "has 1 line but");
}

static void invalid_text_stops_or_is_skipped_or_repaired(void **state)
{
    (void)state;
    static const char source[] = "a\nb\xff\nc\n", target[] = "A\nB\nC\xc3\n";
    expect_error(two_files(source, target), "invalid UTF-8 at line 2, byte 2");
    expect_error(two_files("a\n", "A\xc3\n"), "invalid UTF-8 at line 1, byte 2");
    expect_pairs(two_files(source, target), INVALID_SKIP, "1 a|A\n",
                 (struct pair_counts){.pairs = 3, .invalid = 2});
    expect_pairs(two_files(source, target), INVALID_REPLACE, "1 a|A\n2 b\xef\xbf\xbd|B\n3 c|C\xef\xbf\xbd\n",
                 (struct pair_counts){.pairs = 3, .invalid = 2});
}

static void utf_16_is_named(void **state)
{
    (void)state;
    expect_error(two_files("\xff\xfe"
                           "a\n",
                           "A\n"),
                 "this looks like UTF-16: iconv -f UTF-16 -t UTF-8 makes it fit");
    expect_error(two_files("a\n", "\xfe\xff"
                                  "A\n"),
                 "this looks like UTF-16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_files_are_read_in_step),
        cmocka_unit_test(lines_of_blanks_are_empty),
        cmocka_unit_test(a_tsv_has_one_tab_a_line),
        cmocka_unit_test(both_counts_are_named_where_they_differ),
        cmocka_unit_test(invalid_text_stops_or_is_skipped_or_repaired),
        cmocka_unit_test(utf_16_is_named),
    };
    return cmocka_run_group_tests(tests, make_paths, remove_paths);
}

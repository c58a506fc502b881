/* Line windows: all lines of a stream in order, no waiting while lines are available, errors only after
 * the lines before them. */
#include "check.h"

#include "line_window.h"
#include "temporary.h"

#include <unistd.h>

static char path[] = "/tmp/nmt-window-XXXXXX", prefix_path[] = "/tmp/nmt-window-XXXXXX";

static int make_paths(void **state)
{
    char *const paths[] = {path, prefix_path};
    (void)state;
    for (int i = 0; i < 2; i++) {
        if (temporary_file(paths[i]))
            return -1;
    }
    return 0;
}

static int remove_paths(void **state)
{
    (void)state;
    return unlink(path) | unlink(prefix_path);
}

/* Writes "line 0", "line 1" and so on. */
static void write_lines(const char *to, int count)
{
    FILE *file = fopen(to, "w");
    assert_non_null(file);
    for (int i = 0; i < count; i++)
        fprintf(file, "line %d\n", i);
    fclose(file);
}

static void expect_lines_from(const struct lines *lines, long first)
{
    for (size_t i = 0; i < lines->count; i++) {
        char expected[32];
        const int bytes = snprintf(expected, sizeof expected, "line %ld", first + (long)i);
        assert_string_equal(lines->text[i], expected);
        assert_int_equal(lines->bytes[i], bytes);
    }
}

static void a_long_file_is_read_window_by_window(void **state)
{
    (void)state;
    struct line_window window;
    struct reader reader, prefixes;
    struct err err;
    long all = 0;
    write_lines(path, 2 * WINDOW_LINES + 5);
    write_lines(prefix_path, 2 * WINDOW_LINES + 5);
    assert_int_equal(reader_open(&reader, path, &err), 0);
    assert_int_equal(reader_open(&prefixes, prefix_path, &err), 0);
    line_window_init(&window, true, 0, &RANKS_ALONE);
    int status, windows = 0;
    do {
        status = line_window_read(&window, &reader, &prefixes, &RANKS_ALONE, &err);
        assert_true(status >= 0);
        assert_int_equal(window.first, all);
        assert_true(window.lines.count <= WINDOW_LINES);
        assert_int_equal(window.prefixes.count, window.lines.count);
        expect_lines_from(&window.lines, all);
        expect_lines_from(&window.prefixes, all);
        all += (long)window.lines.count;
        windows++;
    } while (status);
    assert_int_equal(all, 2 * WINDOW_LINES + 5);
    assert_true(windows >= 3);
    line_window_release(&window);
    reader_close(&reader);
    reader_close(&prefixes);
}

/* Checks the error for 10 lines with `count` prefixes: it comes after the lines that have one. */
static void expect_misfit(int count, const char *message)
{
    struct line_window window;
    struct reader reader, prefixes;
    struct err err;
    write_lines(path, 10);
    write_lines(prefix_path, count);
    assert_int_equal(reader_open(&reader, path, &err), 0);
    assert_int_equal(reader_open(&prefixes, prefix_path, &err), 0);
    line_window_init(&window, true, 0, &RANKS_ALONE);
    int status, lines = 0;
    while ((status = line_window_read(&window, &reader, &prefixes, &RANKS_ALONE, &err)) > 0) {
        assert_int_equal(window.prefixes.count, window.lines.count);
        lines += (int)window.lines.count;
    }
    assert_int_equal(status, -1);
    assert_int_equal(lines, count < 10 ? count : 10);
    assert_non_null(strstr(err.text, message));
    line_window_release(&window);
    reader_close(&reader);
    reader_close(&prefixes);
}

static void prefixes_are_as_many_as_lines(void **state)
{
    (void)state;
    expect_misfit(9, "has only 9 lines, fewer than the text to translate");
    expect_misfit(1, "has only 1 line, fewer");
    expect_misfit(0, "has only 0 lines, fewer");
    expect_misfit(11, "has more than the 10 lines of the text to translate");
}

static void lines_that_are_there_are_not_kept_waiting(void **state)
{
    (void)state;
    struct line_window window;
    struct reader reader;
    struct err err;
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "line 0\nline 1\n", 14), 14);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(reader_open(&reader, name, &err), 0);
    line_window_init(&window, false, 0, &RANKS_ALONE);
    assert_int_equal(line_window_read(&window, &reader, NULL, &RANKS_ALONE, &err), 1);
    assert_int_equal(window.lines.count, 2);
    assert_int_equal(window.prefixes.count, 0);
    expect_lines_from(&window.lines, 0);
    assert_int_equal(write(ends[1], "line 2\n", 7), 7);
    assert_int_equal(line_window_read(&window, &reader, NULL, &RANKS_ALONE, &err), 1);
    assert_int_equal(window.first, 2);
    assert_int_equal(window.lines.count, 1);
    expect_lines_from(&window.lines, 2);
    close(ends[1]);
    assert_int_equal(line_window_read(&window, &reader, NULL, &RANKS_ALONE, &err), 0);
    assert_int_equal(window.lines.count, 0);
    line_window_release(&window);
    reader_close(&reader);
    close(ends[0]);
}

/* With a truncated gzip file, the first lines come before the error. */
static void an_error_waits_for_the_lines_before_it(void **state)
{
    (void)state;
    static const unsigned char cut[] = {/* "line 0
         * line 1
         * ", stored: 14 bytes, of a file that should continue */
                                        0x1f, 0x8b, 8,   0,    0,    0,   0,   0,   0,   3,
                                        0,    14,   0,   0xf1, 0xff, 'l', 'i', 'n', 'e', ' ',
                                        '0',  '\n', 'l', 'i',  'n',  'e', ' ', '1', '\n'};
    struct line_window window;
    struct reader reader;
    struct err err;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(cut, 1, sizeof cut, file), sizeof cut);
    fclose(file);
    assert_int_equal(reader_open(&reader, path, &err), 0);
    line_window_init(&window, false, 0, &RANKS_ALONE);
    assert_int_equal(line_window_read(&window, &reader, NULL, &RANKS_ALONE, &err), 1);
    assert_int_equal(window.lines.count, 2);
    expect_lines_from(&window.lines, 0);
    assert_int_equal(line_window_read(&window, &reader, NULL, &RANKS_ALONE, &err), -1);
    assert_non_null(strstr(err.text, path));
    line_window_release(&window);
    reader_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_file_is_read_window_by_window),
        cmocka_unit_test(prefixes_are_as_many_as_lines),
        cmocka_unit_test(lines_that_are_there_are_not_kept_waiting),
        cmocka_unit_test(an_error_waits_for_the_lines_before_it),
    };
    return cmocka_run_group_tests(tests, make_paths, remove_paths);
}

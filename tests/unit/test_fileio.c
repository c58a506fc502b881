/* Files: lines of plain and compressed text, atomic replacement, and paths. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "check.h"

#include "fileio.h"
#include "folder.h"
#include "mem.h"
#include "temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static char *write_file(const char *name, const char *text, size_t bytes)
{
    struct err err;
    char *path = path_join(temporary_dir, name);
    assert_int_equal(file_replace(path, text, bytes, &err), 0);
    return path;
}

static char *write_gz(const char *name, const char *text, size_t bytes)
{
    char *path = path_join(temporary_dir, name);
    gzFile gz = gzopen(path, "wb");
    assert_int_equal(gzwrite(gz, text, (unsigned)bytes), (int)bytes);
    gzclose(gz);
    return path;
}

static void expect_lines(const char *path, const char *const *lines, struct reader *reader)
{
    struct err err;
    struct strbuf line;
    strbuf_init(&line);
    assert_int_equal(reader_open(reader, path, &err), 0);
    for (; *lines; lines++) {
        assert_int_equal(reader_line(reader, &line, &err), 1);
        assert_string_equal(line.text, *lines);
    }
    assert_int_equal(reader_line(reader, &line, &err), 0);
    strbuf_release(&line);
}

static void only_newline_ends_a_line(void **state)
{
    (void)state;
    struct reader reader;
    const char text[] = "\xef\xbb\xbf"
                        "a\xe2\x80\xa8"
                        "b\r\nc\f\xc2\x85"
                        "d\n\ne";
    char *path = write_file("lines", text, sizeof text - 1);
    const char *const lines[] = {"a\xe2\x80\xa8"
                                 "b",
                                 "c\f\xc2\x85"
                                 "d",
                                 "", "e", NULL};
    expect_lines(path, lines, &reader);
    assert_true(reader.bom);
    assert_int_equal(reader.crlf, 1);
    assert_int_equal(reader.line, 4);
    reader_close(&reader);
    free(path);
}

static void gz_is_read_as_it_is(void **state)
{
    (void)state;
    struct reader reader;
    char *path = write_gz("lines.gz", "one\ntwo\n", 8);
    const char *const lines[] = {"one", "two", NULL};
    expect_lines(path, lines, &reader);
    reader_close(&reader);
    free(path);
}

/* What is compressed twice is opened once, as where it comes from a pipe. */
static void gz_in_gz_is_bytes(void **state)
{
    (void)state;
    char inner[] = "\x1f\x8b inner\nlast\n";
    char *path = write_gz("twice.gz", inner, sizeof inner - 1);
    const char *const lines[] = {"\x1f\x8b inner", "last", NULL};
    struct reader reader;
    expect_lines(path, lines, &reader);
    reader_close(&reader);
    free(path);
}

static void long_lines_cross_buffers(void **state)
{
    (void)state;
    const size_t bytes = 300000;
    char *text = xmalloc(bytes + 3, 1);
    memset(text, 'x', bytes);
    memcpy(text + bytes, "\ny\n", 3);
    char *plain = write_file("long", text, bytes + 3), *gz = write_gz("long.gz", text, bytes + 3);
    text[bytes] = '\0';
    const char *const lines[] = {text, "y", NULL};
    struct reader reader;
    expect_lines(plain, lines, &reader);
    reader_close(&reader);
    expect_lines(gz, lines, &reader);
    reader_close(&reader);
    free(plain);
    free(gz);
    free(text);
}

static void truncated_gz_is_an_error(void **state)
{
    (void)state;
    struct err err;
    struct reader reader;
    struct strbuf line;
    char text[5000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i * i % 23);
    char *path = write_gz("cut.gz", text, sizeof text);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size / 2), 0);
    strbuf_init(&line);
    assert_int_equal(reader_open(&reader, path, &err), 0);
    assert_int_equal(reader_line(&reader, &line, &err), -1);
    assert_non_null(strstr(err.text, "truncated"));
    reader_close(&reader);
    strbuf_release(&line);
    free(path);
}

static void padding_behind_gz_is_nothing(void **state)
{
    (void)state;
    struct reader reader;
    char *path = write_gz("padded.gz", "one\ntwo\n", 8), *more = write_gz("more.gz", "three\n", 6);
    FILE *file = fopen(path, "ab");
    for (int i = 0; i < 100000; i++)
        fputc(0, file);
    struct strbuf member;
    struct err err;
    strbuf_init(&member);
    assert_int_equal(file_slurp(&member, more, &err), 0);
    fwrite(member.text, 1, member.length, file);
    fputc(0, file);
    fclose(file);
    const char *const lines[] = {"one", "two", "three", NULL};
    expect_lines(path, lines, &reader);
    reader_close(&reader);
    strbuf_release(&member);
    free(path);
    free(more);
}

static void missing_and_directory_are_named(void **state)
{
    (void)state;
    struct err err;
    struct reader reader;
    assert_int_equal(reader_open(&reader, "/nonexistent/file", &err), -1);
    assert_string_equal(err.text, "cannot open '/nonexistent/file': No such file or directory");
    assert_int_equal(reader_open(&reader, "/tmp", &err), -1);
    assert_string_equal(err.text, "cannot read '/tmp': Is a directory");
}

static void an_aborted_write_leaves_the_old_file(void **state)
{
    (void)state;
    struct err err;
    struct writer writer;
    struct strbuf text;
    char *path = write_file("kept", "old", 3);
    assert_int_equal(writer_open(&writer, path, &err), 0);
    assert_int_equal(writer_write(&writer, "new", 3, &err), 0);
    writer_abort(&writer);
    strbuf_init(&text);
    assert_int_equal(file_slurp(&text, path, &err), 0);
    assert_string_equal(text.text, "old");
    strbuf_release(&text);
    free(path);
}

static bool is_there(const char *dir, const char *name)
{
    char *path = path_join(dir, name);
    struct stat info;
    const bool there = !lstat(path, &info);
    free(path);
    return there;
}

static void only_temporaries_of_the_gone_are_removed(void **state)
{
    (void)state;
    struct err err;
    const pid_t gone = fork();
    if (gone == 0)
        _exit(0);
    assert_int_equal(waitpid(gone, NULL, 0), gone);
    char names[][64] = {"", "", "", "nmt-x-000000001.tmp", "nmt-1.tmp", "update-1.tmp"};
    const bool kept[] = {false, true, false, true, true, true};
    snprintf(names[0], sizeof names[0], "nmt-%ld-000000001.tmp", (long)gone);
    snprintf(names[1], sizeof names[1], "nmt-%ld-000000001.tmp", (long)getppid());
    snprintf(names[2], sizeof names[2], "nmt-%ld-000000001.tmp", (long)getpid());
    for (int i = 0; i < 6; i++) {
        char *path = path_join(temporary_dir, names[i]);
        assert_int_equal(file_replace(path, "x", 1, &err), 0);
        free(path);
    }
    temporaries_remove(temporary_dir);
    for (int i = 0; i < 6; i++)
        assert_int_equal(is_there(temporary_dir, names[i]), kept[i]);
    temporaries_remove("/nonexistent");
}

static void count_temporary(void *context, const char *name)
{
    const size_t length = strlen(name);
    *(int *)context += length > 4 && !strcmp(name + length - 4, ".tmp");
}

static void an_output_that_is_never_ended_leaves_nothing(void **state)
{
    (void)state;
    struct err err;
    struct writer writer;
    char *dir = path_join(temporary_dir, "outputs"), *path = path_join(dir, "page");
    const char *const texts[] = {"first", "second"};
    assert_int_equal(dir_make(dir, &err), 0);
    const int nameless = open(dir, O_TMPFILE | O_RDWR, 0600);
    if (nameless >= 0)
        close(nameless);
    for (int i = 0; i < 2; i++) { /* a new file, and one that is replaced */
        const pid_t writing = fork();
        int left = 0;
        if (writing == 0) {
            writer_open_output(&writer, path, &err);
            writer_write(&writer, "half", 4, &err);
            sink_flush(&writer.sink);
            kill(getpid(), SIGKILL);
        }
        assert_int_equal(waitpid(writing, NULL, 0), writing);
        assert_int_equal(folder_each(dir, count_temporary, &left, &err), 0);
        assert_int_equal(left, nameless < 0);
        assert_int_equal(is_there(dir, "page"), i == 1);
        temporaries_remove(dir);
        assert_int_equal(file_output(path, texts[i], strlen(texts[i]), &err), 0);
        left = 0;
        assert_int_equal(folder_each(dir, count_temporary, &left, &err), 0);
        assert_int_equal(left, 0);
        struct strbuf text;
        strbuf_init(&text);
        assert_int_equal(file_slurp(&text, path, &err), 0);
        assert_string_equal(text.text, texts[i]);
        strbuf_release(&text);
    }
    double bytes;
    assert_int_equal(folder_remove(dir, &bytes, &err), 0);
    free(path);
    free(dir);
}

static void paths_join_and_split(void **state)
{
    (void)state;
    const char *const cases[][3] = {{"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"", "b", "b"}, {"a", "/b", "/b"}};
    for (size_t i = 0; i < 4; i++) {
        char *joined = path_join(cases[i][0], cases[i][1]);
        assert_string_equal(joined, cases[i][2]);
        free(joined);
    }
    char *absent = path_absolute("/tmp/../tmp/nmt-no-such/thing");
    assert_string_equal(absent, "/tmp/nmt-no-such/thing");
    free(absent);
    const char *const absolute[][2] = {{"/tmp/nmt-no/", "/tmp/nmt-no"},
                                       {"/tmp/nmt-no/such/../thing", "/tmp/nmt-no/thing"},
                                       {"/tmp/nmt-no/./a//b/.", "/tmp/nmt-no/a/b"},
                                       {"/../..", "/"},
                                       {"/tmp/nmt-no/../../nmt-no", "/nmt-no"}};
    for (size_t i = 0; i < 5; i++) {
        char *path = path_absolute(absolute[i][0]);
        assert_string_equal(path, absolute[i][1]);
        free(path);
    }
    const char *const parents[][2] = {{"a/b", "a"}, {"a", "."}, {"/a", "/"}, {"/", "/"}, {"a//b", "a"}};
    for (size_t i = 0; i < 5; i++) {
        char *dir = path_dir(parents[i][0]);
        assert_string_equal(dir, parents[i][1]);
        free(dir);
    }
}

static void paths_are_seen_from_a_directory(void **state)
{
    (void)state;
    const char *const cases[][3] = {{"/home/me/data/a", "/home/me/models", "../data/a"},
                                    {"/home/me/a", "/home/me", "a"},
                                    {"/home/me", "/home/me/models/mine/", "../.."},
                                    {"/home/me", "/home/me", "."},
                                    {"/home/you/a", "/home/yours", "../you/a"},
                                    {"/home/yours/a", "/home/you", "../yours/a"},
                                    {"/data/a", "/home/me", "/data/a"},
                                    {"/home", "/", "/home"},
                                    {"-", "/home/me", "-"},
                                    {"/home/me/a", "models", "/home/me/a"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *relative = path_relative(cases[i][0], cases[i][1]);
        assert_string_equal(relative, cases[i][2]);
        free(relative);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_newline_ends_a_line),
        cmocka_unit_test(gz_is_read_as_it_is),
        cmocka_unit_test(gz_in_gz_is_bytes),
        cmocka_unit_test(long_lines_cross_buffers),
        cmocka_unit_test(truncated_gz_is_an_error),
        cmocka_unit_test(padding_behind_gz_is_nothing),
        cmocka_unit_test(only_temporaries_of_the_gone_are_removed),
        cmocka_unit_test(an_output_that_is_never_ended_leaves_nothing),
        cmocka_unit_test(missing_and_directory_are_named),
        cmocka_unit_test(an_aborted_write_leaves_the_old_file),
        cmocka_unit_test(paths_join_and_split),
        cmocka_unit_test(paths_are_seen_from_a_directory),
    };
    return cmocka_run_group_tests(tests, make_temporary_dir, clear_temporary_dir);
}

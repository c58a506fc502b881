/* Pairs out of files: which lines are empty. Encodings, unequal numbers of lines and compressed files are tested
 * with the commands. */
#include "check.h"

#include "pair_reader.h"

#include <unistd.h>

static char source[] = "/tmp/nmt-source-XXXXXX", target[] = "/tmp/nmt-target-XXXXXX";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int set_up(void **state)
{
    (void)state;
    return close(mkstemp(source)) || close(mkstemp(target));
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(source) || unlink(target);
}

static void lines_of_blanks_are_empty(void **state)
{
    (void)state;
    struct err err;
    struct pair_reader reader;
    const struct pair_files files = {source, target, NULL};
    /* nothing, blanks of one and two bytes, a letter, one of two bytes, one behind a blank */
    write_file(source, "\n \xc2\x85\t\na\né\n x\nb\n");
    write_file(target, "a\nb\nc\nd\ne\n \n");
    assert_int_equal(pair_reader_open(&reader, &files, INVALID_STOP, &err), 0);
    const char *const kept[][SIDES] = {{"a", "c"}, {"é", "d"}, {" x", "e"}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pair_reader_next(&reader, &err), 1);
        for (int side = 0; side < SIDES; side++)
            assert_string_equal(reader.line[side].text, kept[i][side]);
    }
    assert_int_equal(pair_reader_next(&reader, &err), 0);
    assert_int_equal(reader.counts.pairs, 6);
    assert_int_equal(reader.counts.empty, 3);
    pair_reader_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_blanks_are_empty),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

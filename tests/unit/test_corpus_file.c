/* Corpora of ids on the disk: written blocks can be read again, and damage is detected. */
#include "check.h"

#include "corpus_file.h"
#include "temporary.h"

#include <unistd.h>

#define PAIRS 9000 /* more than two blocks */

static char path[64];

static int make_path(void **state)
{
    (void)state;
    strcpy(path, "/tmp/nmt-corpus-XXXXXX");
    return temporary_file(path);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

/* Makes pair i: its lengths, ids and links are functions of i. */
static void make_pair(struct corpus_pair *pair, int ids[12], struct link *link, int i)
{
    for (int k = 0; k < 12; k++)
        ids[k] = i + k;
    *link = (struct link){i, i + 1, true};
    *pair = (struct corpus_pair){ids, ids + 6, link, i % 6, (i + 2) % 6, i % 2};
}

static void write_file(void)
{
    struct corpus_writer writer;
    struct err err;
    const struct file_stamp stamps[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    assert_int_equal(corpus_writer_open(&writer, path, &err), 0);
    for (int i = 0; i < PAIRS; i++) {
        struct corpus_pair pair;
        struct link link;
        int ids[12];
        make_pair(&pair, ids, &link, i);
        assert_int_equal(corpus_writer_add(&writer, &pair, i >= 5000, &err), 0);
    }
    writer.end.settings = 99;
    assert_int_equal(corpus_writer_commit(&writer, stamps, 2, &err), 0);
}

static int expect_pair(void *context, const struct corpus_pair *pair, struct err *err)
{
    (void)err;
    struct corpus_pair expected;
    struct link link;
    int *next = context, ids[12];
    make_pair(&expected, ids, &link, (*next)++);
    assert_int_equal(pair->source_count, expected.source_count);
    assert_int_equal(pair->target_count, expected.target_count);
    assert_int_equal(pair->link_count, expected.link_count);
    assert_memory_equal(pair->source, expected.source, (size_t)pair->source_count * sizeof(int));
    assert_memory_equal(pair->target, expected.target, (size_t)pair->target_count * sizeof(int));
    if (pair->link_count)
        assert_memory_equal(pair->links, &link, sizeof link);
    return 0;
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    struct corpus_file file;
    struct err err;
    int next = 0;
    write_file();
    assert_int_equal(corpus_file_open(&file, path, &err), 0);
    assert_int_equal(file.end.settings, 99);
    assert_int_equal(file.end.stamps, 2);
    assert_int_equal(file.stamps[1].checksum, 8);
    assert_int_equal(file.end.totals.pairs, PAIRS);
    assert_int_equal(file.end.totals.longest[0], 6);
    assert_int_equal(file.end.totals.longest[1], 7);
    uint64_t tokens = 0;
    for (uint64_t b = 0; b < file.end.blocks; b++) {
        assert_int_equal(file.blocks[b].first, next);
        assert_int_equal(file.blocks[b].corpus, next >= 5000); /* no block mixes two corpora */
        assert_int_equal(corpus_file_read(&file, b, expect_pair, &next, &err), 0);
        tokens += file.blocks[b].tokens;
    }
    assert_int_equal(next, PAIRS);
    assert_true(file.end.blocks >= 3);
    assert_int_equal(tokens, file.end.totals.tokens);
    corpus_file_close(&file);
}

static int count_pair(void *context, const struct corpus_pair *pair, struct err *err)
{
    (void)pair;
    (void)err;
    ++*(int *)context;
    return 0;
}

/* Changing any byte, or truncating anywhere, gives an error and never other numbers. */
static void damage_is_noticed(void **state)
{
    (void)state;
    FILE *file = fopen(path, "r+b");
    struct err err;
    fseek(file, 0, SEEK_END);
    const long bytes = ftell(file);
    for (long at = 0; at < bytes; at += at + 1000 < bytes ? 997 : 1) {
        struct corpus_file corpus;
        fseek(file, at, SEEK_SET);
        const int before = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(before ^ 16, file);
        fflush(file);
        int status = corpus_file_open(&corpus, path, &err);
        if (!status) {
            int count = 0;
            for (uint64_t b = 0; b < corpus.end.blocks && !status; b++)
                status = corpus_file_read(&corpus, b, count_pair, &count, &err);
            corpus_file_close(&corpus);
        }
        assert_int_equal(status, -1);
        assert_non_null(strstr(err.text, "the file is damaged"));
        fseek(file, at, SEEK_SET);
        fputc(before, file);
        fflush(file);
    }
    fclose(file);
    for (long cut = bytes - 1; cut >= 0; cut -= cut > bytes - 300 ? 1 : 9973) {
        struct corpus_file corpus;
        assert_int_equal(truncate(path, cut), 0);
        assert_int_equal(corpus_file_open(&corpus, path, &err), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}

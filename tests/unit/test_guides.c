/* Guides: reading word links, and mapping them to subwords. */
#include "check.h"

#include "fileio.h"
#include "guides.h"
#include "temporary.h"

#include <unistd.h>

static char path[] = "/tmp/nmt-guides-XXXXXX";

static int make_file(void **state)
{
    struct err err;
    static const char text[] = "0-0 1?1 2-1\n\n1-0 0-2\n5-0\n";
    (void)state;
    return temporary_file(path) ? -1 : file_replace(path, text, strlen(text), &err);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void sure_links_are_read_within_the_sentences(void **state)
{
    (void)state;
    struct guide_reader reader;
    struct links links = {0};
    struct err err;
    assert_int_equal(guide_reader_open(&reader, path, &err), 0);
    assert_int_equal(guide_reader_next(&reader, &links, 1, 3, 2, 0, &err), 0);
    assert_int_equal(links.count, 2); /* without the possible link */
    assert_true(links.items[1].source == 2 && links.items[1].target == 1);
    /* The empty line is skipped; a tag shifts source positions. */
    assert_int_equal(guide_reader_next(&reader, &links, 3, 2, 3, 1, &err), 0);
    assert_int_equal(links.count, 2);
    assert_true(links.items[0].source == 2 && links.items[0].target == 0);
    assert_true(links.items[1].source == 1 && links.items[1].target == 2);
    assert_int_equal(guide_reader_next(&reader, &links, 4, 5, 1, 1, &err), -1);
    assert_non_null(strstr(err.text, "line 4: link 5-0, but the sentences have 5 and 1 words"));
    assert_int_equal(guide_reader_next(&reader, &links, 5, 9, 9, 0, &err), -1);
    assert_non_null(strstr(err.text, "has only 4 lines"));
    guide_reader_close(&reader);
    links_release(&links);
}

static void more_lines_than_pairs_are_an_error(void **state)
{
    (void)state;
    struct guide_reader reader;
    struct err err;
    for (int64_t lines = 3; lines <= 4; lines++) {
        assert_int_equal(guide_reader_open(&reader, path, &err), 0);
        assert_int_equal(guide_reader_end(&reader, lines, &err), lines == 3 ? -1 : 0);
        guide_reader_close(&reader);
    }
}

static void every_subword_has_the_links_of_its_word(void **state)
{
    (void)state;
    struct corpus corpus;
    /* Words 0 and 1 on both sides, each side in three tokens. */
    const int ids[] = {5, 6, 7}, source_word_of[] = {0, 0, 1}, target_word_of[] = {0, 1, 1};
    const struct link of_words[] = {{0, 1, 1}, {1, 0, 1}, {0, 1, 1}};
    const struct corpus_pair pair = {ids, ids, of_words, 3, 3, 3};
    size_t count;
    corpus_init(&corpus);
    assert_true(corpus_add_ids(&corpus, ids, 3, ids, 3, 10));
    guides_apply(&corpus, &pair, source_word_of, target_word_of);
    const struct link *links = corpus_links(&corpus, 0, &count);
    const struct link expected[] = {{2, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0, 2, 1}, {1, 2, 1}};
    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++)
        assert_true(links[i].source == expected[i].source && links[i].target == expected[i].target);
    corpus_release(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sure_links_are_read_within_the_sentences),
        cmocka_unit_test(more_lines_than_pairs_are_an_error),
        cmocka_unit_test(every_subword_has_the_links_of_its_word),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

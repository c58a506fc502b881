/* Validation sets: raw lines of all pairs, ids of those that can be scored; lists of lines. */
#include "check.h"

#include "fileio.h"
#include "temporary.h"
#include "valid_set.h"
#include "word_counts.h"

#include <unistd.h>

static char path[] = "/tmp/nmt-valid-XXXXXX";

static int make_path(void **state)
{
    (void)state;
    return temporary_file(path);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_text(const char *text)
{
    struct err err;
    assert_int_equal(file_replace(path, text, strlen(text), &err), 0);
}

/* Vocabularies of whole words "a" and "b", split at white space. */
static void make_pair(struct language_pair *pair, struct config *config)
{
    struct err err;
    struct word_counts counts;
    config_init(config);
    assert_int_equal(config_set(config, "text.subword=word", &err), 0);
    assert_int_equal(config_set(config, "text.tokenizer=whitespace", &err), 0);
    language_pair_init(pair, config);
    word_counts_init(&counts);
    word_counts_add(&counts, "a b", 3, 1);
    for (int side = 0; side < SIDES; side++)
        vocab_build(&pair->vocab[side], &counts.words, counts.counts, 0, 1);
    word_counts_release(&counts);
}

static void pairs_are_kept_as_ids_and_as_they_were(void **state)
{
    (void)state;
    struct valid_set set = {.raw = {{.count = 0}}};
    struct language_pair pair;
    struct config config;
    struct err err;
    struct config_pairs files = {.tsv = path};
    size_t count;
    make_pair(&pair, &config);
    struct strbuf text;
    strbuf_init(&text);
    strbuf_adds(&text, "a  b c\tb\n\ta\n");
    for (int i = 0; i <= SCORED_MOST_TOKENS; i++) /* one token too many */
        strbuf_adds(&text, "a ");
    strbuf_adds(&text, "\ta\n");
    write_text(text.text);
    assert_int_equal(valid_set_load(&set, &pair, &files, &err), 0);
    for (int side = 0; side < SIDES; side++)
        assert_int_equal(set.raw[side].count, 2); /* without the pair with an empty side */
    assert_int_equal(set.numbers[0], 1);
    assert_int_equal(set.numbers[1], 3);
    assert_string_equal(set.raw[SOURCE].text[0], "a  b c");
    assert_int_equal(set.raw[SOURCE].bytes[0], 6);
    assert_string_equal(set.raw[TARGET].text[1], "a");
    assert_int_equal(set.corpus.pairs, 1);
    assert_int_equal(set.corpus.too_long, 1);
    const int *ids = corpus_source(&set.corpus, 0, &count);
    const struct vocab *vocab = &pair.vocab[SOURCE];
    assert_int_equal(count, 4);
    assert_int_equal(ids[0], vocab_id(vocab, "a", 1));
    assert_int_equal(ids[1], vocab_id(vocab, "b", 1));
    assert_int_equal(ids[2], VOCAB_UNKNOWN);
    assert_int_equal(ids[3], VOCAB_END);
    ids = corpus_target(&set.corpus, 0, &count);
    assert_int_equal(count, 3);
    assert_int_equal(ids[0], VOCAB_BEGIN);
    assert_int_equal(ids[1], vocab_id(&pair.vocab[TARGET], "b", 1));
    strbuf_release(&text);
    valid_set_release(&set);
    language_pair_release(&pair);
    config_release(&config);
}

static void without_a_pair_it_is_an_error(void **state)
{
    (void)state;
    struct valid_set set = {.raw = {{.count = 0}}};
    struct language_pair pair;
    struct config config;
    struct err err;
    struct config_pairs files = {.tsv = path};
    make_pair(&pair, &config);
    write_text("a\t \n");
    assert_int_equal(valid_set_load(&set, &pair, &files, &err), -1);
    assert_non_null(strstr(err.text, "no sentence pairs"));
    valid_set_release(&set);
    language_pair_release(&pair);
    config_release(&config);
}

static void a_file_of_lines_is_read_as_it_is(void **state)
{
    (void)state;
    struct lines lines = {.count = 0};
    struct err err;
    write_text("one\n\n two ");
    assert_int_equal(lines_load(&lines, path, &err), 0);
    assert_int_equal(lines.count, 3);
    assert_string_equal(lines.text[0], "one");
    assert_int_equal(lines.bytes[1], 0);
    assert_string_equal(lines.text[2], " two ");
    lines_reset(&lines);
    assert_int_equal(lines.count, 0);
    lines_add(&lines, "a\0b", 3);
    assert_int_equal(lines.bytes[0], 3);
    assert_memory_equal(lines.text[0], "a\0b", 4);
    lines_release(&lines);
    write_text("one\ntw\xffo\n");
    assert_int_equal(lines_load(&lines, path, &err), -1);
    assert_non_null(strstr(err.text, "invalid UTF-8 at line 2, byte 3"));
    assert_int_equal(lines.count, 0);
    assert_int_equal(expect_lines("x", 1, "y", 1, &err), 0);
    assert_int_equal(expect_lines("x", 1, "y", 2, &err), -1);
    assert_string_equal(err.text, "'x' has 1 line but 'y' has 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_kept_as_ids_and_as_they_were),
        cmocka_unit_test(without_a_pair_it_is_an_error),
        cmocka_unit_test(a_file_of_lines_is_read_as_it_is),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}

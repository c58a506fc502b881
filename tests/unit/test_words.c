/* Words of a corpus: counted by side, and spooled to the disk in bounded memory. */
#include "check.h"

#include "words.h"

static void set(struct pair_words *pair, const char *source, const char *target)
{
    const char *texts[SIDES] = {source, target};
    for (int side = 0; side < SIDES; side++) {
        strbuf_reset(&pair->side[side]);
        strbuf_adds(&pair->side[side], texts[side]);
    }
}

static void a_spool_gives_back_what_it_got(void **state)
{
    (void)state;
    struct word_spool spool;
    struct pair_words pair;
    struct err err;
    char text[64];
    pair_words_init(&pair);
    assert_int_equal(word_spool_open(&spool, "/tmp", &err), 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "word%d of %d", i, i * i);
        set(&pair, text, i % 3 ? text + 4 : "");
        pair.links.count = 0;
        if (i % 2)
            links_add(&pair.links, i, i + 1, true);
        pair.corpus = i / 500;
        assert_int_equal(word_spool_add(&spool, &pair, &err), 0);
    }
    assert_int_equal(word_spool_rewind(&spool, &err), 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(word_spool_next(&spool, &pair, &err), 1);
        snprintf(text, sizeof text, "word%d of %d", i, i * i);
        assert_string_equal(pair.side[SOURCE].text, text);
        assert_string_equal(pair.side[TARGET].text, i % 3 ? text + 4 : "");
        assert_int_equal(pair.links.count, i % 2);
        if (i % 2)
            assert_int_equal(pair.links.items[0].target, i + 1);
        assert_int_equal(pair.corpus, i / 500);
    }
    assert_int_equal(word_spool_next(&spool, &pair, &err), 0);
    word_spool_close(&spool);
    pair_words_release(&pair);
}

static int64_t times(const struct word_tables *tables, int side, const char *word)
{
    const struct word_table *table = tables->side[side];
    const int number = strmap_find(&table->words, word, strlen(word));
    return number < 0 ? -1 : table->counts[side][number];
}

static void sides_are_counted_apart_in_one_table_or_two(void **state)
{
    (void)state;
    for (int joint = 0; joint < 2; joint++) {
        struct word_tables tables;
        struct pair_words pair;
        pair_words_init(&pair);
        word_tables_init(&tables, joint);
        set(&pair, "a b a", "b  c");
        word_tables_add(&tables, &pair);
        word_tables_add(&tables, &pair);
        assert_int_equal(times(&tables, SOURCE, "a"), 4);
        assert_int_equal(times(&tables, SOURCE, "b"), 2);
        assert_int_equal(times(&tables, TARGET, "b"), 2);
        assert_int_equal(times(&tables, TARGET, "c"), 2);
        assert_int_equal(times(&tables, TARGET, "a"), joint ? 0 : -1);
        assert_ptr_equal(tables.side[TARGET], &tables.own[joint ? SOURCE : TARGET]);
        word_tables_release(&tables);
        pair_words_release(&pair);
    }
}

static void a_word_without_end_is_not_counted(void **state)
{
    (void)state;
    struct word_tables tables;
    struct pair_words pair;
    char word[2050];
    memset(word, 'x', sizeof word - 1);
    word[2049] = '\0';
    pair_words_init(&pair);
    word_tables_init(&tables, false);
    set(&pair, word, word + 1);
    word_tables_add(&tables, &pair);
    assert_int_equal(times(&tables, SOURCE, word), -1);
    assert_int_equal(times(&tables, TARGET, word + 1), 1);
    word_tables_release(&tables);
    pair_words_release(&pair);
}

/* The table stays small with any number of words, and keeps the frequent ones. */
static void memory_is_bounded(void **state)
{
    (void)state;
    struct word_tables tables;
    struct pair_words pair;
    char text[64];
    pair_words_init(&pair);
    word_tables_init(&tables, false);
    for (int i = 0; i < 2500000; i++) {
        snprintf(text, sizeof text, "%d often%d", i, i % 1000);
        set(&pair, text, "");
        word_tables_add(&tables, &pair);
        assert_true(tables.own[SOURCE].words.count <= ((size_t)1 << 20) + 2);
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "often%d", i);
        assert_int_equal(times(&tables, SOURCE, text), 2500);
    }
    word_tables_release(&tables);
    pair_words_release(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spool_gives_back_what_it_got),
        cmocka_unit_test(sides_are_counted_apart_in_one_table_or_two),
        cmocka_unit_test(a_word_without_end_is_not_counted),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* BPE: dropout of merges, and text that contains markers of the file format. Equality with subword-nmt is
 * tested in golden/test_text.c. */
#include "check.h"

#include "bpe.h"

#include <string.h>

/* Learns merges that make "lower" and "newest" whole words. */
static void learn(struct bpe *bpe)
{
    static const char *const words[] = {"lower", "newest"};
    static const int64_t counts[] = {5, 6};
    struct strmap map;
    strmap_init(&map);
    for (int i = 0; i < 2; i++)
        strmap_intern(&map, words[i], strlen(words[i]));
    bpe_init(bpe);
    bpe_learn(bpe, &map, counts, 100);
    strmap_release(&map);
}

static int pieces_of(struct strbuf *pieces, const struct bpe *bpe, const char *word,
                     struct bpe_dropout *dropout)
{
    strbuf_reset(pieces);
    bpe_apply(pieces, bpe, word, strlen(word), dropout);
    int count = 1;
    for (size_t i = 0; i < pieces->length; i++)
        count += pieces->text[i] == ' ';
    return count;
}

static void dropout_breaks_words_and_loses_nothing(void **state)
{
    (void)state;
    struct bpe bpe;
    struct strbuf pieces, word;
    struct bpe_dropout dropout = {.rate = 0.3};
    int whole = 0;
    learn(&bpe);
    strbuf_init(&pieces);
    strbuf_init(&word);
    rng_init(&dropout.rng, 1, RNG_TEST, 0, 0);
    assert_int_equal(pieces_of(&pieces, &bpe, "newest", NULL), 1);
    for (int i = 0; i < 1000; i++) {
        whole += pieces_of(&pieces, &bpe, "newest", &dropout) == 1;
        strbuf_reset(&word);
        bpe_join(&word, pieces.text, pieces.length);
        assert_string_equal(word.text, "newest");
    }
    assert_true(whole >= 100 && whole <= 900);
    strbuf_release(&pieces);
    strbuf_release(&word);
    bpe_release(&bpe);
}

static void dropout_of_all_merges_leaves_characters(void **state)
{
    (void)state;
    struct bpe bpe;
    struct strbuf pieces;
    struct bpe_dropout all = {.rate = 1}, none = {.rate = 0};
    learn(&bpe);
    strbuf_init(&pieces);
    rng_init(&all.rng, 1, RNG_TEST, 0, 0);
    rng_init(&none.rng, 1, RNG_TEST, 0, 0);
    assert_int_equal(pieces_of(&pieces, &bpe, "lower", &all), 5);
    assert_string_equal(pieces.text, "l@@ o@@ w@@ e@@ r");
    assert_int_equal(pieces_of(&pieces, &bpe, "lower", &none), 1);
    strbuf_release(&pieces);
    bpe_release(&bpe);
}

/* The end-of-word marker may also occur in the text. */
static void a_letter_is_not_split_like_text_of_its_name(void **state)
{
    (void)state;
    static const char *const merges[][2] = {
        {"a", "<"}, {"a<", "/"}, {"a</", "w"}, {"a</w", ">"}, {"l", "a</w>"}};
    struct bpe bpe;
    struct strbuf pieces;
    bpe_init(&bpe);
    strbuf_init(&pieces);
    for (size_t i = 0; i < sizeof merges / sizeof merges[0]; i++)
        bpe_add_merge(&bpe, merges[i][0], strlen(merges[i][0]), merges[i][1], strlen(merges[i][1]));
    strmap_intern(&bpe.allowed, "x", 1);
    pieces_of(&pieces, &bpe, "gala", NULL);
    assert_string_equal(pieces.text, "g@@ a@@ l@@ a");
    strbuf_release(&pieces);
    bpe_release(&bpe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dropout_breaks_words_and_loses_nothing),
        cmocka_unit_test(dropout_of_all_merges_leaves_characters),
        cmocka_unit_test(a_letter_is_not_split_like_text_of_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

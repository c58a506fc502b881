/* Terms of a glossary: which forms of its translations a search may write. */
#include "check.h"

#include "terms.h"
#include "word_counts.h"

/* The forms of "Linux" in a target vocabulary of words. */
static void expect_forms(const char *words, bool alone, bool touching)
{
    struct language_pair pair = {.joint_bpe = false};
    struct glossary glossary = {.count = 0};
    struct terms terms;
    struct word_counts counts;
    word_counts_init(&counts);
    word_counts_add(&counts, words, strlen(words), 1);
    for (int side = 0; side < SIDES; side++) {
        vocab_init(&pair.vocab[side]);
        vocab_build(&pair.vocab[side], &counts.words, counts.counts, 0, 1);
        pair.tokenizer[side] =
            (struct tokenizer){.kind = TOKENIZE_SCRIPT, .form = UTF8_NFC, .vocab = &pair.vocab[side]};
    }
    assert_true(glossary_add(&glossary, "system", strlen("system"), "Linux"));
    terms_init(&terms, &glossary, &pair);
    for (int form = 0; form < TERM_FORMS; form++)
        assert_int_equal(terms.entries[0].forms[0][form].count, form ? touching : alone);
    terms_release(&terms);
    glossary_release(&glossary);
    for (int side = 0; side < SIDES; side++)
        vocab_release(&pair.vocab[side]);
    word_counts_release(&counts);
}

/* Elsewhere, "￭Linux" would become one word with its neighbour, as "LinuxLinux". */
static void terms_touch_text_without_blanks_alone(void **state)
{
    (void)state;
    expect_forms("Linux ￭Linux Linux￭ ￭Linux￭ le chien est un chat et la vache qui rit aime 本", true, false);
    expect_forms("Linux ￭Linux Linux￭ ￭Linux￭ 日 本 は の", true, true);
    expect_forms("日 本 は の", false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_touch_text_without_blanks_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

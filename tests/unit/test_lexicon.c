/* Translation probabilities of a text that is small enough to compute them by hand. */
#include "lexicon.h"

#include "check.h"

#include <math.h>

enum { DAS, HAUS, BUCH, EIN, THE = 0, HOUSE, BOOK, A, WORDS = 4 };

/* "das Haus, das Buch, ein Buch" (Koehn 2010, Statistical Machine Translation, figure 4.4). */
static void add_text(struct lexicon *lexicon)
{
    static int pairs[3][2][2] = {
        {{DAS, HAUS}, {THE, HOUSE}}, {{DAS, BUCH}, {THE, BOOK}}, {{EIN, BUCH}, {A, BOOK}}};
    for (int i = 0; i < 3; i++)
        lexicon_add(lexicon, &(struct word_numbers){pairs[i][SOURCE], 2},
                    &(struct word_numbers){pairs[i][TARGET], 2});
}

static double probability(const struct lexicon *lexicon, int source, int target)
{
    for (size_t i = 0; i <= lexicon->mask; i++)
        if (lexicon->entries[i].source == source && lexicon->entries[i].target == target)
            return (double)lexicon->entries[i].probability;
    return -1;
}

static void expect(const struct lexicon *lexicon, int source, int target, double expected)
{
    assert_true(fabs(probability(lexicon, source, target) - expected) < 1e-6);
}

/* Four rounds of expectation maximisation in fractions, from equal probabilities. */
static void probabilities_are_those_of_model_1(void **state)
{
    struct lexicon lexicon;
    (void)state;
    lexicon_init(&lexicon, 0);
    add_text(&lexicon);
    lexicon_fit(&lexicon, WORDS);
    expect(&lexicon, DAS, THE, 0.8344395716);
    expect(&lexicon, DAS, HOUSE, 0.0903951967);
    expect(&lexicon, DAS, BOOK, 0.0751652318);
    expect(&lexicon, HAUS, HOUSE, 0.7244788210);
    expect(&lexicon, HAUS, THE, 0.2755211790);
    expect(&lexicon, BUCH, BOOK, 0.8344395716);
    expect(&lexicon, EIN, A, 0.7244788210);
    expect(&lexicon, EIN, BOOK, 0.2755211790);
    expect(&lexicon, EIN, THE, -1);
    lexicon_release(&lexicon);
}

static void a_preference_for_the_diagonal_breaks_ties(void **state)
{
    static int source[] = {0, 1}, target[] = {2, 3};
    const struct word_numbers from = {source, 2}, to = {target, 2};
    (void)state;
    for (int diagonal = 0; diagonal <= 4; diagonal += 4) {
        struct lexicon lexicon;
        lexicon_init(&lexicon, diagonal);
        lexicon_add(&lexicon, &from, &to);
        lexicon_fit(&lexicon, 2);
        if (diagonal)
            assert_true(probability(&lexicon, 0, 2) > 0.99 && probability(&lexicon, 1, 3) > 0.99);
        else
            expect(&lexicon, 0, 2, 0.5);
        lexicon_release(&lexicon);
    }
}

/* Of the three pairs, the first and the third remain. */
static void a_thinned_sample_has_every_second_pair(void **state)
{
    struct lexicon lexicon;
    (void)state;
    lexicon_init(&lexicon, 0);
    add_text(&lexicon);
    lexicon_thin(&lexicon);
    assert_int_equal(lexicon.count, 8);
    lexicon_fit(&lexicon, WORDS);
    expect(&lexicon, DAS, THE, 0.5);
    expect(&lexicon, DAS, BOOK, -1);
    expect(&lexicon, BUCH, A, 0.5);
    lexicon_release(&lexicon);
}

/* However few words a long text has, its sample is bounded. */
static void a_long_text_fills_the_sample(void **state)
{
    static int words[LEXICON_MOST_WORDS] = {0};
    const struct word_numbers source = {words, 1}, target = {words, LEXICON_MOST_WORDS};
    struct lexicon lexicon;
    (void)state;
    lexicon_init(&lexicon, 0);
    for (int i = 0; i < 350000 && !lexicon_full(&lexicon); i++)
        lexicon_add(&lexicon, &source, &target);
    assert_true(lexicon_full(&lexicon));
    assert_int_equal(lexicon.count, 1);
    lexicon_thin(&lexicon);
    assert_false(lexicon_full(&lexicon));
    lexicon_release(&lexicon);
}

/* Unknown words have no probabilities, and a long sentence is left out. */
static void odd_sentences_are_harmless(void **state)
{
    static int many[LEXICON_MOST_WORDS + 1] = {0}, few[] = {-1, 1, -1};
    const struct word_numbers empty = {NULL, 0}, some = {few, 3}, longest = {many, LEXICON_MOST_WORDS},
                              longer = {many, LEXICON_MOST_WORDS + 1};
    struct lexicon lexicon;
    (void)state;
    lexicon_init(&lexicon, 0);
    lexicon_add(&lexicon, &empty, &some);
    lexicon_add(&lexicon, &empty, &empty);
    lexicon_add(&lexicon, &longer, &some);
    assert_int_equal(lexicon.count, 0);
    lexicon_add(&lexicon, &longest, &some);
    lexicon_fit(&lexicon, 1);
    assert_int_equal(lexicon.count, 1);
    expect(&lexicon, 0, 1, 1);
    lexicon_release(&lexicon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_those_of_model_1),
        cmocka_unit_test(a_preference_for_the_diagonal_breaks_ties),
        cmocka_unit_test(a_thinned_sample_has_every_second_pair),
        cmocka_unit_test(a_long_text_fills_the_sample),
        cmocka_unit_test(odd_sentences_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

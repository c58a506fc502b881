/* Placeholder examples: where they are put into the words of training pairs. */
#include "check.h"

#include "placeholder_examples.h"

#define TAG "tofr"

/* Makes an example of a pair; the lexicon knows no words. */
static void make(struct pair_words *pair, const char *source, const char *target, bool tagged, bool reversed,
                 uint64_t seed)
{
    struct word_tables tables;
    struct lexicon lexicon = {.tables = &tables, .reversed = reversed};
    struct rng rng;
    word_tables_init(&tables, false);
    pair_words_init(pair);
    strbuf_adds(&pair->side[SOURCE], source);
    strbuf_adds(&pair->side[TARGET], target);
    rng_init(&rng, seed, RNG_PLACEHOLDERS, 0, 0);
    placeholder_examples_add(pair, tagged, &lexicon, &rng);
    word_tables_release(&tables);
}

/* Counts, of many examples, those that begin with placeholders, in the source behind `prefix`. */
static int begun(bool tagged, const char *prefix, int *kept)
{
    int count = 0;
    *kept = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct pair_words pair;
        make(&pair, TAG " the red wall ￭.", "le mur " TAG " ￭.", tagged, false, seed);
        const char *source = pair.side[SOURCE].text;
        const bool keeps = !strncmp(source, prefix, strlen(prefix));
        *kept += keeps;
        count +=
            keeps && !strncmp(source + strlen(prefix), "｟", 3) && !strncmp(pair.side[TARGET].text, "｟", 3);
        pair_words_release(&pair);
    }
    return count;
}

static void the_tag_stays_in_front(void **state)
{
    int kept;
    (void)state;
    assert_true(begun(true, TAG " ", &kept) > 20);
    assert_int_equal(kept, 2000);
}

/* Text from right to left: what comes first in the source is last in the words of the target. */
static void in_a_reversed_target_they_come_last(void **state)
{
    const char *const end = "｠", *const stop = "￭. ｟";
    int last = 0, stops = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct pair_words pair;
        make(&pair, "the red wall ￭.", "￭. rouge mur le", false, true, seed);
        const struct strbuf *source = &pair.side[SOURCE], *target = &pair.side[TARGET];
        const bool ends = !strcmp(target->text + target->length - strlen(end), end);
        assert_true(ends == !strncmp(source->text, "｟", 3));
        assert_true(!strncmp(target->text, "￭.", 4));
        last += ends;
        stops += !strncmp(target->text, stop, strlen(stop)) && strstr(source->text, "｠ ￭.");
        pair_words_release(&pair);
    }
    assert_true(last > 20);
    assert_true(stops > 20);
}

/* In text without blanks, a word of another script is the same with its marks, and a full stop has none. */
static void text_without_blanks_has_places(void **state)
{
    int replaced = 0, stops = 0, kept = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct pair_words pair;
        make(&pair, "GNU is here ￭.", "就 ￭GNU￭ 吧 。", false, false, seed);
        const char *target = pair.side[TARGET].text;
        assert_null(strstr(target, "。 ｟"));
        replaced += strstr(target, "就 ｟") && !strstr(target, "GNU");
        stops += strstr(target, "吧 ｟") && strstr(target, "｠ 。");
        kept += strstr(target, "就 ￭GNU￭ 吧") != NULL;
        pair_words_release(&pair);
    }
    assert_true(replaced > 20);
    assert_true(stops > 20);
    assert_true(kept > 20);
}

/* A particle that touches a placeholder is no sign. */
static void a_particle_stays_beside_its_placeholder(void **state)
{
    int last = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct pair_words pair;
        make(&pair, "｟1：%d｠ files", "파일 ｟1：%d｠ ￭개", false, false, seed);
        assert_non_null(strstr(pair.side[TARGET].text, "｠ ￭개"));
        last += strstr(pair.side[TARGET].text, "￭개 ｟") != NULL;
        assert_null(strstr(pair.side[TARGET].text, "파일 ｟1｠ ｟"));
        assert_null(strstr(pair.side[TARGET].text, "파일 ｟2｠ ｟"));
        pair_words_release(&pair);
    }
    assert_true(last > 20);
}

static void without_a_tag_they_may_come_first(void **state)
{
    int kept;
    (void)state;
    assert_true(begun(false, "", &kept) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tag_stays_in_front),
        cmocka_unit_test(without_a_tag_they_may_come_first),
        cmocka_unit_test(text_without_blanks_has_places),
        cmocka_unit_test(a_particle_stays_beside_its_placeholder),
        cmocka_unit_test(in_a_reversed_target_they_come_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

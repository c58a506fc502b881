/* Tags of a sentence in its translation, by the attention between words. */
#include "check.h"

#include "mem.h"
#include "tag_places.h"

static const struct tokenizer tokenizers[SIDES] = {
    {.kind = TOKENIZE_UNICODE, .protect = {.kinds = PATTERN_SET(PATTERN_UNSEEN)}},
    {.kind = TOKENIZE_UNICODE, .protect = {.kinds = PATTERN_SET(PATTERN_UNSEEN)}}};

/* A translation whose words look at those source words: links [words], "-" at the end mark. */
static void set_translation(struct translation *t, const char *source, const char *target, const char *links)
{
    memset(t, 0, sizeof *t);
    t->text = xstrdup(target);
    t->subwords = xstrdup(target);
    t->source = xstrdup(source);
    t->length = word_count(target, strlen(target)) + 1;
    t->source_length = word_count(source, strlen(source)) + 1;
    t->token_begin = xcalloc((size_t)t->length, sizeof *t->token_begin);
    for (size_t at = 0, i = 1; target[at]; at++)
        if (target[at] == ' ')
            t->token_begin[i++] = at + 1;
    t->token_begin[t->length - 1] = strlen(target) + 1;
    if (!links)
        return;
    t->alpha = xcalloc((size_t)t->length * (size_t)t->source_length, sizeof *t->alpha);
    for (int i = 0; i < t->length; i++) {
        const int link = i + 1 == t->length || links[i] == '-' ? t->source_length - 1 : links[i] - '0';
        t->alpha[i * t->source_length + link] = 1;
    }
}

static void expect_places(const struct inline_tag *tags, size_t count, const char *source,
                          struct translation *t, const struct span *expected)
{
    struct span places[8];
    tags_place(places, tags, count, source, t, tokenizers);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(places[i].begin, expected[i].begin);
        assert_int_equal(places[i].end, expected[i].end);
    }
}

static void expect(const struct inline_tag *tags, size_t count, const char *source, const char *target,
                   const char *links, const struct span *expected)
{
    struct translation *best = xcalloc(1, sizeof *best);
    struct translations all = {best, 1};
    set_translation(best, source, target, links);
    expect_places(tags, count, source, best, expected);
    translations_release(&all);
}

static void a_pair_follows_its_words(void **state)
{
    static const struct inline_tag red = {.text = {2, 5}, .parent = -1};
    (void)state;
    expect(&red, 1, "a red car", "une voiture rouge", "021", (struct span[]){{12, 17}});
    expect(&red, 1, "a red car", "une rouge rouge voiture", "0112", (struct span[]){{4, 15}});
    expect(&red, 1, "a red car", "une x rouge y rouge", "02121",
           (struct span[]){{6, 11}});                                           /* the first of equals */
    expect(&red, 1, "a red car", "une voiture", "02", (struct span[]){{4, 4}}); /* before its next word */
    expect(&red, 1, "a red car", "une « rouge » .", "01111", (struct span[]){{7, 12}}); /* without signs */
    expect(&red, 1, "a red car", "A red car", "012", (struct span[]){{2, 5}});
    expect(&red, 1, "a red car", "a red car", "210", (struct span[]){{2, 5}}); /* it is the source */
    expect(&red, 1, "a red car", "", NULL, (struct span[]){{0, 0}});
    static const struct inline_tag name = {.text = {2, 9}, .parent = -1};
    expect(&name, 1, "I Herbert see", "il voit Herbert", "111", (struct span[]){{8, 15}}); /* as it is */
    static const struct inline_tag with_blank = {.text = {2, 10}, .parent = -1};
    expect(&with_blank, 1, "I Herbert see", "il voit Herbert", "111", (struct span[]){{8, 15}});
}

static void pairs_stay_within_each_other(void **state)
{
    /* <0>a <1>b</1> <2>c</2></0> <3>d</3> */
    static const struct inline_tag tags[] = {{.text = {0, 5}, .parent = -1},
                                             {.text = {2, 3}, .parent = 0},
                                             {.text = {4, 5}, .parent = 0},
                                             {.text = {6, 7}, .parent = -1}};
    (void)state;
    expect(tags, 4, "a b c d", "D C B A", "3210", (struct span[]){{2, 7}, {4, 5}, {2, 3}, {0, 1}});
    expect(tags, 4, "a b c d", "B D A C", "1302", (struct span[]){{4, 7}, {6, 6}, {6, 7}, {2, 3}});
    expect(tags, 4, "a b c d", "W X Y Z", NULL, (struct span[]){{0, 5}, {2, 3}, {4, 5}, {6, 7}});
}

static void single_tags_stand_before_the_next_word(void **state)
{
    static const struct inline_tag tags[] = {{.text = {0, 0}, .parent = -1},
                                             {.text = {2, 5}, .parent = -1},
                                             {.text = {4, 4}, .parent = 1},
                                             {.text = {6, 6}, .parent = -1},
                                             {.text = {7, 7}, .parent = -1}};
    (void)state;
    expect(tags, 5, "a b c d", "D A C B", "3021", (struct span[]){{0, 0}, {4, 7}, {4, 4}, {0, 0}, {7, 7}});
}

static void open_ends_reach_the_ends_of_the_sentence(void **state)
{
    static const struct inline_tag tags[] = {{.text = {0, 3}, .parent = -1, .from_start = true},
                                             {.text = {6, 7}, .parent = -1, .to_end = true}};
    (void)state;
    expect(tags, 2, "a b c d", "X B A C D Y", "-1023-", (struct span[]){{0, 5}, {8, 11}});
    /* What is kept stands between the second one and the end: it may not begin before the first one ends. */
    static const struct inline_tag three[] = {{.text = {0, 3}, .parent = -1, .from_start = true},
                                              {.text = {4, 5}, .parent = -1, .kept = true},
                                              {.text = {6, 7}, .parent = -1, .to_end = true}};
    expect(three, 3, "a b c d", "D c A B", "3201", (struct span[]){{4, 7}, {2, 3}, {7, 7}});
    expect(three + 1, 2, "a b c d", "D c A B", "3201", (struct span[]){{2, 3}, {0, 1}});
    expect(three, 3, "a b c d", "A D c B", "0321", (struct span[]){{0, 1}, {4, 5}, {2, 3}});
}

static void what_is_kept_is_found_as_it_is(void **state)
{
    static const struct inline_tag tags[] = {{.text = {2, 7}, .parent = -1, .kept = true},
                                             {.text = {10, 15}, .parent = -1, .kept = true}};
    (void)state;
    expect(tags, 2, "a <x1/> b <x2/> c", "A <x2/> B <x1/>", "0123", (struct span[]){{10, 15}, {2, 7}});
    expect(tags, 2, "a <x1/> b <x2/> c", "A B C", "024", (struct span[]){{2, 2}, {4, 4}});
}

static void what_is_kept_is_over_no_word(void **state)
{
    static const struct inline_tag tag = {.text = {2, 7}, .parent = -1, .kept = true};
    (void)state;
    expect(&tag, 1, "a <x1/> b", "A B C", "012", (struct span[]){{4, 4}});
}

/* A pair takes it in, although attention does not, or is around it alone if it is far. */
static void a_pair_is_around_what_is_kept_in_it(void **state)
{
    static const struct inline_tag tags[] = {{.text = {0, 9}, .parent = -1},
                                             {.text = {4, 9}, .parent = 0, .kept = true},
                                             {.text = {10, 13}, .parent = -1}};
    (void)state;
    expect(tags, 3, "the <x1/> and", "and <x1/> the", "2-0", (struct span[]){{4, 13}, {4, 9}, {0, 3}});
    expect(tags, 3, "the <x1/> and", "the and or <x1/>", "022-",
           (struct span[]){{11, 16}, {11, 16}, {4, 10}});
    expect(tags, 3, "the <x1/> and", "the and <x1/>", "02-", (struct span[]){{8, 13}, {8, 13}, {4, 7}});
}

static void single_tags_stay_at_the_ends_of_their_pair(void **state)
{
    static const struct inline_tag tags[] = {
        {.text = {2, 5}, .parent = -1}, {.text = {2, 2}, .parent = 0}, {.text = {5, 5}, .parent = 0}};
    (void)state;
    expect(tags, 3, "a b c d", "C B A D", "2103", (struct span[]){{0, 3}, {0, 0}, {3, 3}});
}

/* A tag that touches the word before it stays behind it, also one that touches a comma. */
static void a_mark_stays_behind_its_word(void **state)
{
    static const struct inline_tag tag = {.text = {3, 3}, .parent = -1};
    (void)state;
    expect(&tag, 1, "a b c", "C B A", "210", (struct span[]){{4, 4}});
}

/* Of a word that the translation has as it is. */
static void a_tag_may_be_within_a_word(void **state)
{
    static const struct inline_tag tag = {.text = {4, 5}, .parent = -1};
    (void)state;
    expect(&tag, 1, "a 106 b", "B 106 A", "210", (struct span[]){{4, 5}});
    expect(&tag, 1, "a 106 b", "B 107 A", "210", (struct span[]){{2, 5}});
    static const struct inline_tag nested[] = {{.text = {4, 5}, .parent = -1}, {.text = {4, 5}, .parent = 0}};
    expect(nested, 2, "a 106 b", "B 106 A", "210", (struct span[]){{4, 5}, {4, 5}});
    static const struct inline_tag twice[] = {{.text = {4, 5}, .parent = -1}, {.text = {8, 9}, .parent = -1}};
    static const struct inline_tag blank = {.text = {4, 6}, .parent = -1};
    expect(&blank, 1, "a 106 b", "B 106 A", "210", (struct span[]){{4, 5}});
    static const struct inline_tag in_blank[] = {{.text = {4, 6}, .parent = -1},
                                                 {.text = {6, 6}, .parent = 0}};
    expect(in_blank, 2, "a 106 b", "B 106 A", "210", (struct span[]){{4, 5}, {5, 5}});
    static const struct inline_tag singles[] = {{.text = {3, 3}, .parent = -1},
                                                {.text = {4, 4}, .parent = -1}};
    expect(singles, 2, "a 106 b", "B 106 A", "210", (struct span[]){{3, 3}, {4, 4}});
    expect(twice, 2, "a 106 106 b", "B 106 106 A", "3220", (struct span[]){{4, 5}, {8, 9}});
}

/* Where no blanks part words, an opening bracket touches the word before it. */
static void a_single_tag_is_before_an_opening_bracket(void **state)
{
    static const struct inline_tag tag = {.text = {2, 2}, .parent = -1};
    struct translation *best = xcalloc(1, sizeof *best);
    struct translations all = {best, 1};
    (void)state;
    set_translation(best, "a ( b )", "甲 （ 乙 ）", "0123");
    xfree(best->text);
    best->text = xstrdup("甲（乙）");
    expect_places(&tag, 1, "a (b)", best, (const struct span[]){{3, 3}});
    translations_release(&all);
}

static void pairs_are_around_words_not_signs_alone(void **state)
{
    static const struct inline_tag tag = {.text = {2, 5}, .parent = -1};
    struct translation *best = xcalloc(1, sizeof *best);
    struct translations all = {best, 1};
    (void)state;
    set_translation(best, "a b .", "A B .", "002");
    best->alpha[best->source_length] = 0.7f;
    best->alpha[best->source_length + 1] = 0.3f;
    expect_places(&tag, 1, "a b .", best, (const struct span[]){{2, 3}});
    best->alpha[best->source_length + 1] = 0.04f;
    best->alpha[2 * best->source_length + 2] = 0.04f;
    expect_places(&tag, 1, "a b .", best, (const struct span[]){{2, 3}});
    translations_release(&all);
}

/* Names in a row are protected as one string, whose words may have tags of their own. */
static void words_of_a_string_have_their_own_tags(void **state)
{
    static const struct inline_tag tags[] = {{.text = {6, 9}, .parent = -1},
                                             {.text = {10, 13}, .parent = -1}};
    static const struct inline_tag both = {.text = {6, 13}, .parent = -1};
    struct translation *best = xcalloc(1, sizeof *best);
    struct translations all = {best, 1};
    (void)state;
    set_translation(best, "I see ｟1：Xyv％0020Qrs｠", "｟1：Xyv％0020Qrs｠ je vois", "201");
    xfree(best->text);
    best->text = xstrdup("Xyv Qrs je vois");
    expect_places(tags, 2, "I see Xyv Qrs", best, (struct span[]){{0, 3}, {4, 7}});
    expect_places(tags + 1, 1, "I see Xyv Qrs", best, (struct span[]){{4, 7}});
    expect_places(&both, 1, "I see Xyv Qrs", best, (struct span[]){{0, 7}});
    translations_release(&all);
}

static void words_without_attention_stand_where_they_stood(void **state)
{
    static const struct inline_tag tags[] = {{.text = {2, 3}, .parent = -1}, {.text = {6, 6}, .parent = -1}};
    (void)state;
    expect(tags, 2, "a b c d", "AA BB CC DD", NULL, (struct span[]){{3, 5}, {9, 9}});
}

/* A translation without tokens has the source's characters, but for its digits. */
static void tags_of_a_copy_keep_their_places(void **state)
{
    static const struct inline_tag tags[] = {{.text = {6, 11}, .parent = -1}, {.text = {8, 8}, .parent = 0}};
    char text[] = "20: 24";
    const struct translation copy = {.text = text};
    struct span places[2];
    (void)state;
    tags_place(places, tags, 2, "२०: २४", &copy, tokenizers);
    assert_int_equal(places[0].begin, 2);
    assert_int_equal(places[0].end, 5);
    assert_int_equal(places[1].begin, 4);
    assert_int_equal(places[1].end, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_follows_its_words),
        cmocka_unit_test(pairs_stay_within_each_other),
        cmocka_unit_test(single_tags_stand_before_the_next_word),
        cmocka_unit_test(open_ends_reach_the_ends_of_the_sentence),
        cmocka_unit_test(what_is_kept_is_found_as_it_is),
        cmocka_unit_test(what_is_kept_is_over_no_word),
        cmocka_unit_test(a_pair_is_around_what_is_kept_in_it),
        cmocka_unit_test(single_tags_stay_at_the_ends_of_their_pair),
        cmocka_unit_test(a_mark_stays_behind_its_word),
        cmocka_unit_test(a_tag_may_be_within_a_word),
        cmocka_unit_test(a_single_tag_is_before_an_opening_bracket),
        cmocka_unit_test(pairs_are_around_words_not_signs_alone),
        cmocka_unit_test(words_of_a_string_have_their_own_tags),
        cmocka_unit_test(words_without_attention_stand_where_they_stood),
        cmocka_unit_test(tags_of_a_copy_keep_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

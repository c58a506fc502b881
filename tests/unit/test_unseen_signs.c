/* Signs and numbers that the network never saw: those of strings that a pair has in common, what they take
 * along, what is copied and what else they are read as. */
#include "check.h"

#include "patterns.h"
#include "word_list.h"

#define ALL ((1u << PATTERN_UNSEEN) * 2 - 1)

/* Learns from pairs, each of them so many times. */
static void learn_pairs(struct seen_words *seen, const char *const (*pairs)[2], int count, int times,
                        unsigned kinds)
{
    struct word_counts counts;
    struct strbuf line;
    word_counts_init(&counts);
    strbuf_init(&line);
    for (int i = 0; i < count * times; i++) {
        const char *const *text = pairs[i % count];
        seen_words_observe(&line, text, (const size_t[2]){strlen(text[0]), strlen(text[1])}, kinds);
        seen_words_count(&counts, &line);
    }
    seen_words_init(seen);
    seen_words_learn(seen, &counts);
    strbuf_release(&line);
    word_counts_release(&counts);
}

static void learn(struct seen_words *seen, unsigned kinds)
{
    static const char *const pairs[][2] = {{"see https://x.org/a: the dog & cat_1 at 12:30 here",
                                            "voir https://x.org/a: le chien & cat à 12h30"},
                                           {"the dog &amp; the cat", "le chien &amp; le chat"}};
    learn_pairs(seen, pairs, 2, 3, kinds);
}

static bool has(const struct seen_words *seen, const char *word)
{
    return strmap_find(&seen->words, word, strlen(word)) >= 0;
}

static void strings_in_common_show_no_words(void **state)
{
    struct seen_words seen;
    (void)state;
    learn(&seen, ALL);
    assert_true(has(&seen, "dog") && has(&seen, "see") && has(&seen, "&"));
    assert_true(has(&seen, ":")); /* of the time, which the translation has in another form */
    assert_false(has(&seen, "https") || has(&seen, "org") || has(&seen, "/") || has(&seen, "amp"));
    seen_words_release(&seen);
    learn(&seen, PATTERN_SET(PATTERN_URL));
    assert_true(has(&seen, "amp"));
    assert_false(has(&seen, "https"));
    seen_words_release(&seen);
    learn(&seen, 0);
    assert_true(has(&seen, "https") && has(&seen, "amp"));
    seen_words_release(&seen);
}

/* A word behind "\n" is not glued to the letter, whether the translation has the escape or not, nor
 * one behind a variable. */
static void words_behind_escapes_are_seen(void **state)
{
    static const char *const pairs[][2] = {
        {"It was saved.\\nDo you want:\\topen %1$ssize, Xyvo?", "Gemt.\\nVil du:\\tåbne %1$sstr.? \\nXyvo"},
        {"One.\\nTwo", "Ena. Dva"}};
    struct seen_words seen;
    (void)state;
    learn_pairs(&seen, pairs, 2, 1, ALL);
    assert_true(has(&seen, "do") && has(&seen, "open") && has(&seen, "two") && has(&seen, "size"));
    assert_false(has(&seen, "ndo") || has(&seen, "topen") || has(&seen, "ntwo") || has(&seen, "ssize"));
    assert_false(has(&seen, "xyvo"));
    seen_words_release(&seen);
}

/* '[' and ']' around each string. */
static void expect_strings(const struct seen_words *seen, const char *text, const char *expected)
{
    const struct patterns patterns = {.kinds = ALL, .seen = seen};
    struct pattern_string string;
    struct strbuf found;
    strbuf_init(&found);
    for (size_t at = 0; patterns_next(&string, text, strlen(text), &at, &patterns);)
        strbuf_addf(&found, "[%.*s]", (int)(string.span.end - string.span.begin), text + string.span.begin);
    assert_string_equal(found.text, expected);
    strbuf_release(&found);
}

/* It begins a sentence where a stop is in front of the escape. */
static void words_behind_escapes_are_unseen(void **state)
{
    static const char *const cases[][2] = {{"a. b Zyg", "[Zyg]"},
                                           {"a\\nZyg b", "[\\n][Zyg]"},
                                           {"a.\\nZyg b", "[\\n]"},
                                           {"a.\\nZyg b\\tQwe", "[\\n][\\t][Qwe]"},
                                           {"a.\\nA", "[\\n]"}};
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "a\0b\0.\0\\\0n\0t\0Z\0y\0g\0Q\0w\0e\0A\0");
    seen.copied = SHAPE_SET(SHAPE_CAPITAL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_strings(&seen, cases[i][0], cases[i][1]);
    seen_words_release(&seen);
}

static void numbers_take_signs_that_touch_them(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "a\0b\0.\0"
                     "1\0"
                     "2\0"
                     "3\0"
                     "4\0"
                     "5\0"
                     "0\0:\0");
    expect_strings(&seen, "a 100% b 12:30–14:45.", "[100%][12:30–14:45]");
    expect_strings(&seen, "a 100 % b 1234–b 100%%%", "[100][%][1234–][100%%%]");
    add_words(&seen, "%\0–\0");
    expect_strings(&seen, "a 100% b 12:30–14:45.", "[100][12:30][14:45]");
    seen_words_release(&seen);
}

static void signs_in_front_of_words_are_of_them(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "see\0and\0und\0hello\0-\0.\0,\0*\0(\0)\0\"\0:\0…\0–\0");
    seen_words_add(&seen, "abcdefghijklmnopqrstuvwxyzZDH", 29);
    seen.copied = ~0u;
    expect_strings(&seen,
                   "-Zyg, -Hello - Hello ...und …und ...zyg -und --und – zyg: - zyg see.zyg zyg-zyg *zyg",
                   "[Zyg][zyg][zyg][zyg][see.zyg][zyg-zyg *zyg]");
    expect_strings(&seen, "see --zyg-dog, -zyg (*.zyg) \".zyg\" --zyg=dog and *.ZYG. .zyg",
                   "[--zyg-dog][-zyg][*.zyg][.zyg][--zyg=dog][*.ZYG][.zyg]");
    expect_strings(&seen, ".", "");
    seen_words_release(&seen);
}

static void brackets_stay_around_what_they_hold(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "a\0b\0.\0"
                     "1\0"
                     "2\0");
    expect_strings(&seen, "a (https://x.org/y) b (me@x.org) a (2.1.2)",
                   "[(https://x.org/y)][(me@x.org)][(2.1.2)]");
    expect_strings(&seen, "a (see https://x.org) b", "[(see][https://x.org)]");
    add_words(&seen, "(\0)\0");
    expect_strings(&seen, "a (https://x.org/y) b", "[https://x.org/y]");
    seen_words_release(&seen);
}

static void strings_that_translations_change_are_none(void **state)
{
    static const char *const pairs[][2] = {{"at 8:15 on 2019-03-13, 1.2.3", "à 8 h 15 le 13/03/2019, 1.2.3"},
                                           {"see https://x.org/en or 2024", "voir https://x.org/fr ou 2024"}};
    struct seen_words seen;
    (void)state;
    learn_pairs(&seen, pairs, 2, 19, ALL);
    assert_int_equal(seen.but, EXCEPTION_SET(BUT_DATES)); /* of URLs there are too few */
    assert_int_equal(seen_words_copied_kinds(&seen, ALL), ALL & ~PATTERN_SET(PATTERN_DATE));
    seen_words_release(&seen);
    learn_pairs(&seen, pairs, 2, 20, ALL);
    assert_int_equal(seen.but, EXCEPTION_SET(BUT_DATES) | EXCEPTION_SET(BUT_URLS));
    seen_words_release(&seen);
}

static void mentions_that_translations_change_are_none(void **state)
{
    static const char *const pairs[][2] = {{"#Come back to me", "#Reviens vers moi"}};
    struct seen_words seen;
    (void)state;
    learn_pairs(&seen, pairs, 1, 4, ALL); /* too few to tell */
    assert_int_equal(seen_words_copied_kinds(&seen, ALL), ALL);
    seen_words_release(&seen);
    learn_pairs(&seen, pairs, 1, 5, ALL);
    assert_int_equal(seen_words_copied_kinds(&seen, ALL), ALL & ~PATTERN_SET(PATTERN_MENTION));
    seen_words_release(&seen);
}

/* Of a kind with few strings, all are changed. */
static void few_strings_tell_if_none_is_copied(void **state)
{
    static const char *const pairs[][2] = {{"saa 9:30 alasiri", "at 3:30"}, {"saa 8:15", "at 8:15"}};
    struct seen_words seen;
    (void)state;
    learn_pairs(&seen, pairs, 1, 4, ALL);
    assert_false(seen.but & EXCEPTION_SET(BUT_DATES));
    seen_words_release(&seen);
    learn_pairs(&seen, pairs, 1, 5, ALL);
    assert_true(seen.but & EXCEPTION_SET(BUT_DATES));
    seen_words_release(&seen);
    learn_pairs(&seen, pairs, 2, 9, ALL);
    assert_false(seen.but & EXCEPTION_SET(BUT_DATES));
    seen_words_release(&seen);
}

static void an_iso_date_is_no_other_number(void **state)
{
    const struct patterns patterns = {.kinds = PATTERN_SET(PATTERN_NUMBER)};
    struct pattern_string string;
    size_t at = 0;
    (void)state;
    assert_false(patterns_next(&string, "2019-03-13", 10, &at, &patterns));
    at = 0;
    assert_true(patterns_next(&string, "555-123-4567", 12, &at, &patterns));
    at = 0;
    assert_false(patterns_next(&string, "1939-1945-ben", 13, &at, &patterns)); /* years */
}

static void unseen_numbers_are_copied(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "page\0and\0.\0,\0"
                     "12\0"
                     "17\0-\0/\0:\0"
                     "0\0"
                     "7\0");
    seen.copied = SHAPE_SET(SHAPE_NUMBER);
    expect_strings(&seen, "page 17 and 77, and-70 and 71-page", "[77][70][71]");
    expect_strings(&seen, "12.70 and 12,70 and 7/70/71 and 77:7 and 77 700", ""); /* are not whole */
    expect_strings(&seen, "page 70 Zyg and Zyg 70", "[70][Zyg][Zyg 70]");
    seen.copied = 0;
    expect_strings(&seen, "page 77", "");
    seen_words_release(&seen);
}

/* Few words of the text are ordinals, but hardly any of them is a copy. */
static void ordinals_are_not_copied(void **state)
{
    char texts[40][2][512];
    const char *pairs[40][2];
    struct seen_words seen;
    (void)state;
    for (int i = 0; i < 40; i++) {
        snprintf(texts[i][0], sizeof texts[i][0], "%dth%0400d", 30 + i, 0);
        snprintf(texts[i][1], sizeof texts[i][1], "%d.", 30 + i);
        for (char *byte = strstr(texts[i][0], "th") + 2; *byte; byte++)
            *byte = "ab "[(byte - texts[i][0]) % 3];
        pairs[i][0] = texts[i][0];
        pairs[i][1] = texts[i][1];
    }
    learn_pairs(&seen, (const char *const(*)[2])pairs, 40, 1, ALL);
    assert_true(seen.copied & SHAPE_SET(SHAPE_LOWER));
    assert_false(seen.copied & SHAPE_SET(SHAPE_DIGITS));
    seen_words_release(&seen);
    learn_pairs(&seen, (const char *const(*)[2])pairs, 10, 1, ALL); /* too few to tell */
    assert_true(seen.copied & SHAPE_SET(SHAPE_DIGITS));
    seen_words_release(&seen);
}

/* Rare numbers stand for unseen ones. */
static void numbers_are_copied_where_most_are(void **state)
{
    char texts[40][2][32];
    const char *pairs[40][2];
    struct seen_words seen;
    (void)state;
    for (int changed = 0; changed < 2; changed++) {
        for (int i = 0; i < 40; i++) {
            snprintf(texts[i][0], sizeof texts[i][0], "page %d", 30 + i);
            snprintf(texts[i][1], sizeof texts[i][1], "s. %d", changed ? 90 - i : 30 + i);
            pairs[i][0] = texts[i][0];
            pairs[i][1] = texts[i][1];
        }
        learn_pairs(&seen, (const char *const(*)[2])pairs, 40, 1, ALL);
        assert_int_equal(!(seen.copied & SHAPE_SET(SHAPE_NUMBER)), changed);
        assert_int_equal(has(&seen, "42"), changed);
        seen_words_release(&seen);
    }
}

static void ethiopic_word_spaces_are_blanks_or_stops(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "ሰው\0።\0");
    expect_read(&seen, "ሰው 3፡30", "ሰው 3፡30");
    expect_read(&seen, "ሰው፡ሰው፡፡ ሰው፡፡፡ሰው፡፡፡፡", "ሰው ሰው። ሰው። ሰው።።");
    add_words(&seen, "፡\0");
    expect_read(&seen, "ሰው፡ሰው፡፡", "ሰው፡ሰው፡፡");
    seen_words_release(&seen);
}

/* Behind a word, an apostrophe may end it, or a quotation. */
static void apostrophes_end_words(void **state)
{
    (void)state;
    struct seen_words seen;
    seen_words_init(&seen);
    add_words(&seen, "ta'\0po\0'\0");
    expect_read(&seen, "ta’ Peter, sa´ 5’ po’", "ta' Peter, sa' 5’ po'");
    expect_read(&seen, "‘po ta’ po", "‘po ta’ po");
    expect_read(&seen, "’po ta’ po’", "'po ta’ po’");
    expect_read(&seen, "ta’ ‘po’ po ’", "ta' ‘po’ po ’");
    seen_words_release(&seen);
}

/* How frequent a letter apostrophe and a sign are decides, as they were counted. */
static void counts_tell_which_apostrophe_is_usual(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"don't do", "non"},       {"he don't", "non"},
                                           {"can't don", "non"},      {"donʼt t", "non"},
                                           {"oʻzbek ʻtil", "usbeco"}, {"o zbek 'ʻtil", "usbeco"}};
    struct seen_words seen;
    learn_pairs(&seen, pairs, 4, 1, ALL);
    expect_read(&seen, "don't don’t", "don't don't");
    seen_words_release(&seen);
    learn_pairs(&seen, pairs + 3, 3, 1, ALL);
    expect_read(&seen, "o'zbek", "oʻzbek");
    seen_words_release(&seen);
}

/* Quotes become those of the training text, which open or close by what is around them. */
static void quotes_stand_for_each_other(void **state)
{
    (void)state;
    static const struct {
        const char *words, *text, *read;
    } cases[] = {
        {"a\0“\0”\0", "\"Għaliex?\" staqsiet \"Ella\".", "“Għaliex?” staqsiet “Ella”."},
        {"a\0«\0»\0", "„Nein!“, sagt »er«. “A, b” (\"Oui\").", "«Nein!», sagt »er«. «A, b» («Oui»)."},
        {"a\0“\0”\0", "»Nein!«, sagt „er”. «A, b» (\"Oui\").", "“Nein!”, sagt “er”. “A, b” (“Oui”)."},
        {"a\0«\0»\0", "“Ndaikuaái”, heʼi \"Juan?\".", "«Ndaikuaái», heʼi «Juan?»."},
        {"a\0„\0“\0”\0", "\"A\", «b»", "„A“, „b“"},
        {"a\0“\0”\0„\0", "\"A\", «b»", "“A”, “b”"},
        {"a\0“\0”\0", "« Oui », (« Non ! ») ! \" Oui \", b?\" a", "“ Oui ”, (“ Non ! ”) ! “ Oui ”, b?” a"},
        {"a\0”\0", "\"A\", “b”", "”A”, ”b”"},
        {"a\0\"\0", "“A”, « b », 「東京」", "\"A\", \" b \", \"東京\""},
        {"a\0“\0”\0", "他说\"東京\"。« oui » \"مەن\"دېدى l-\"Ella\"",
         "他说“東京”。“ oui ” “مەن”دېدى l-“Ella”"},
        {"a\0“\0”\0", "a 19\" a", "a 19\" a"},
        {"a\0“\0”\0", "צה\"ל a", "צה\"ל a"},
        {"a\0“\0", "\"A\" «b»", "\"A\" «b»"},
        {"؟\0،\0؛\0ا\0", "ا? ا, ا; 1,000", "ا؟ ا، ا؛ 1,000"},
        {"?\0,\0;\0a\0", "a؟ a، a؛", "a? a, a;"},
        {"?\0؟\0,\0a\0", "a؟ a? a; a,", "a؟ a? a; a,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen_words seen;
        seen_words_init(&seen);
        add_words(&seen, cases[i].words);
        expect_read(&seen, cases[i].text, cases[i].read);
        seen_words_release(&seen);
    }
}

/* Many have no key for the palochka. */
static void what_is_typed_for_a_palochka_is_one(void **state)
{
    (void)state;
    static const char *const typed = "цIа цІа ц1а цӏа Iаж 1аж маI ма1 гIалгIа 1й кв1 I XI А-I";
    struct seen_words seen;
    seen_words_init(&seen);
    add_words(&seen, "ц\0");
    expect_read(&seen, typed, typed);
    add_words(&seen, "Ӏ\0ӏаж\0маӏ\0");
    expect_read(&seen, typed, "цӀа цӀа цӀа цӀа Ӏаж Ӏаж маӀ маӀ гӀалгӀа 1й кв1 I XI А-I");
    expect_read(&seen, "цӀа", "цӀа");
    seen.copied = SHAPE_SET(SHAPE_DIGITS) | SHAPES_USUALLY_COPIED;
    expect_strings(&seen, "1аж МАI", "");
    add_words(&seen, "цiа\0");
    expect_read(&seen, "цIа цIам", "цIа цӀам"); /* the training has it so */
    seen_words_add(&seen, "ӏ", strlen("ӏ"));
    expect_read(&seen, "цӏа ц1а цӀа", "цӏа цӏа цӀа");
    seen_words_release(&seen);
    seen_words_init(&seen);
    add_words(&seen, "цӏа\0");
    expect_read(&seen, "цIам Ӏам", "цӏам ӏам");
    seen_words_release(&seen);
}

/* A quarter of a megabyte of signs that belong to the one before them. */
static void the_time_of_invisible_signs_is_linear(void **state)
{
    (void)state;
    struct seen_words seen;
    struct pattern_string string;
    struct strbuf text;
    size_t at = 0;
    seen_words_init(&seen);
    add_words(&seen, "a\0");
    strbuf_init(&text);
    strbuf_adds(&text, "a");
    while (text.length < 250000)
        strbuf_adds(&text, "\xe2\x80\x8b");
    const struct patterns patterns = {.kinds = PATTERN_SET(PATTERN_UNSEEN), .seen = &seen};
    assert_false(patterns_next(&string, text.text, text.length, &at, &patterns));
    seen_words_add(&seen, "\u200b", strlen("\u200b"));
    seen_words_add(&seen, "\u02bc", strlen("\u02bc"));
    for (const char *unit = "a\u00ad\0\u200c\0\u00ad\0\u200c\u200b\0a´\u200c\0"; *unit;
         unit += strlen(unit) + 1) {
        strbuf_reset(&text);
        strbuf_adds(&text, "a");
        while (text.length < 250000)
            strbuf_adds(&text, unit);
        at = 0;
        patterns_next(&string, text.text, text.length, &at, &patterns);
    }
    strbuf_release(&text);
    seen_words_release(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_in_common_show_no_words),
        cmocka_unit_test(words_behind_escapes_are_seen),
        cmocka_unit_test(words_behind_escapes_are_unseen),
        cmocka_unit_test(numbers_take_signs_that_touch_them),
        cmocka_unit_test(signs_in_front_of_words_are_of_them),
        cmocka_unit_test(brackets_stay_around_what_they_hold),
        cmocka_unit_test(strings_that_translations_change_are_none),
        cmocka_unit_test(mentions_that_translations_change_are_none),
        cmocka_unit_test(few_strings_tell_if_none_is_copied),
        cmocka_unit_test(an_iso_date_is_no_other_number),
        cmocka_unit_test(unseen_numbers_are_copied),
        cmocka_unit_test(ordinals_are_not_copied),
        cmocka_unit_test(numbers_are_copied_where_most_are),
        cmocka_unit_test(ethiopic_word_spaces_are_blanks_or_stops),
        cmocka_unit_test(apostrophes_end_words),
        cmocka_unit_test(counts_tell_which_apostrophe_is_usual),
        cmocka_unit_test(quotes_stand_for_each_other),
        cmocka_unit_test(what_is_typed_for_a_palochka_is_one),
        cmocka_unit_test(the_time_of_invisible_signs_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Signs that stand for each other, where they may not: those of other languages and of code. */
#include "check.h"

#include "word_list.h"

struct reading {
    const char *words, *text, *read;
};

static void expect_readings(const struct reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct seen_words seen;
        seen_words_init(&seen);
        add_words(&seen, readings[i].words);
        expect_read(&seen, readings[i].text, readings[i].read);
        seen_words_release(&seen);
    }
}

#define EXPECT_READINGS(readings) expect_readings(readings, sizeof(readings) / sizeof(readings)[0])

/* The signs of a training come in the order of their frequency, in front of its words. */
static void a_rare_palochka_is_of_other_texts(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"А\0К\0І\0Ӏ\0цӀа\0", "Іванченко ВІДПУСТКА ВIД Т1Х", "Іванченко ВІДПУСТКА ВIД Т1Х"},
        {"А\0К\0Т\0ӏ\0цӏа\0", "Т1Х цIам", "Т1Х цIам"},
        {"Ӏ\0А\0К\0Т\0", "Т1Х цIам цІам", "ТӀХ цӀам цӀам"},
        {"А\0ӏ\0К\0Т\0", "цIам", "цӏам"},
        {"Ӏ\0А\0К\0ӏ\0", "цIам", "цӀам"},
    };
    EXPECT_READINGS(readings);
}

static void arabic_signs_stand_where_text_ends(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"؟\0،\0؛\0ا\0", "http://x.org/a?b=1,2;c &amp;a f(a,b) 1,000",
         "http://x.org/a?b=1,2;c &amp;a f(a,b) 1,000"},
        {"؟\0،\0؛\0ا\0", "ا? (ا?) ا,\" «ا?» ا?! ا?? ا;", "ا؟ (ا؟) ا،\" «ا؟» ا؟! ا؟؟ ا؛"},
        {"ی\0ک\0", "ي\u064aك", "ییک"},
        {"ی\0", "\u064a\u0654\u064a\u0650", "\u064a\u0654\u06cc"}, /* the first one is ئ */
    };
    EXPECT_READINGS(readings);
}

/* The sign “ is one of two pairs, in which it opens or closes. */
static void a_quote_of_two_pairs_is_told_by_its_place(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"a\0„\0“\0", "“Wort” („Wort“) („“) “… nein!”, „Nein!“, a",
         "„Wort“ („Wort“) („“) „… nein!“, „Nein!“, a"},
        {"a\0“\0”\0", "„word“, („No!“) a", "“word”, (“No!”) a"},
        {"a\0“\0”\0", "“A “b” c” (“d”) —“… e” 5“", "“A “b” c” (“d”) —“… e” 5“"},
        {"a\0„\0“\0”\0", "“A” „b“ „c”", "“A” „b“ „c”"},
        {"a\0«\0»\0„\0“\0", "“A” „b“", "«A» „b“"},
        {"a\0“\0", "“A” „b“", "“A” „b“"},
    };
    EXPECT_READINGS(readings);
}

static void primes_and_quotations_end_no_words(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"ta'\0", "f′(x) of x′, a`, ta’ taʼ ta＇ `code`", "f′(x) of x′, a`, ta' ta' ta' `code`"},
        {"ta'\0", "‚Wort’ ta’ a‚ ta’", "‚Wort’ ta’ a‚ ta’"},
        {"ta'\0", "a‚ ta’", "a‚ ta'"},
    };
    EXPECT_READINGS(readings);
}

static void signs_of_ascii_and_of_scripts_stand_for_each_other(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"？\0，\0。\0：\0（\0）\0好\0", "你好,他说:你好? (好) x.org/a?b 12:30 1,000 Word, 好.",
         "你好，他说：你好？ （好） x.org/a?b 12:30 1,000 Word， 好。"},
        {"?\0,\0:\0(\0)\0好\0说\0", "你好，他说：你好？（好）", "你好,他说:你好?(好)"},
        {"?\0,\0.\0\"\0a\0", "a: 你好，好！ 「にちは。」 नमस्ते। “да”",
         "a: 你好，好！ \"にちは。\" नमस्ते। \"да\""}, /* of foreign text */
        {"（\0）\0好\0", "((((((((好))))))))", "（（（（（（（（好））））））））"},
        {".\0中\0", "我们在中国。", "我们在中国。"},
        {"?\0ا\0", "اً؟", "ا?"},
        {".\0आ\0", "आ\u095b।", "आ\u095b."},
        {":\0մ\0", "ԵՄ։", "ԵՄ:"},
        {"（\0）\0好\0", "(好好好好好好好好好好好好好好好好好好好好好)",
         "（好好好好好好好好好好好好好好好好好好好好好）"},
        {"（\0）\0好\0", "(好好好好好好好好好好好好好好好好好好好好好好)",
         "（好好好好好好好好好好好好好好好好好好好好好好）"},
        {"（\0）\0。\0好\0", "好 (Ctrl+O). :) 1) 好 (a(b) 好) 好.jpg (A 好).",
         "好 (Ctrl+O). :) 1) 好 （a(b) 好） 好.jpg （A 好）。"},
        {"、\0。\0好\0", "好，好,好．1,000", "好、好、好。1,000"},
        {"。\0好\0", "x.y v1.2 Word. a. b", "x.y v1.2 Word. a. b"},
        {"।\0क\0", "क. क| a|b 1.2 क.क|", "क। क। a|b 1.2 क.क।"},
        {"।\0क\0", "Home | About", "Home | About"},
        {"।\0क\0", "Home | About | क.", "Home | About | क।"},
        {"।\0क\0", "क | क |", "क । क ।"},
        {"।\0क\0", "\"क | क |\" ", "\"क । क ।\" "},
        {".\0क\0", "क। क॥", "क. क॥"},
        {"։\0ա\0", "ա: ա. 12:30", "ա։ ա։ 12:30"},
        {"։\0:\0ա\0", "ա: ա.", "ա: ա։"},
        {"—\0-\0да\0", "– да – ― да-да 1990–2000", "— да — — да-да 1990–2000"},
        {"-\0да\0", "– да — да—да 10–12", "– да — да—да 10–12"},
        {"、\0。\0・\0好\0", "好､好･好｡", "好、好・好。"},
        {"·\0가\0", "가ㆍ나", "가·나"},
        {";\0α\0", "α? «α?» x? a?b α?β", "α; «α;» x? a?b α?β"},
        {"?\0α\0", "α; x; &amp;α; α;β", "α? x; &amp;α? α;β"},
        {"։\0ա\0", "ա? x? ա?ա", "ա։ x? ա?ա"},
    };
    EXPECT_READINGS(readings);
}

static void single_digits_are_those_of_the_training(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"٧\0ا\0", "ا 7 ا ۷, ७ ا7", "ا ٧ ا ٧, ٧ ا٧"},
        {"٧\0ا\0", "77 ۷۷ 7.7 7:70 ا 8 3", "77 ۷۷ 7.7 7:70 ا 8 3"}, /* more than one, and unseen ones */
        {"7\0a\0", "７ a٧", "7 a7"},
        {"7\0"
         "٧\0a\0",
         "٧ 7", "٧ 7"},
    };
    EXPECT_READINGS(readings);
}

/* The letter apostrophe stands where the word was seen with it, unless that is rare and its parts were seen.
 * */
static void rare_letters_stand_for_no_apostrophes(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"'\0ʼ\0don\0t\0donʼt\0", "don't don’t donʼt", "don't don't donʼt"},
        {"ʻ\0'\0o\0zbek\0oʻzbek\0", "o'zbek o’zbek 'o'", "oʻzbek oʻzbek 'o'"},
        {"'\0ʼ\0об\0обʼєкт\0п\0ять\0пʼять\0", "об'єкт п'ять П’ЯТЬ", "обʼєкт п'ять П'ЯТЬ"},
    };
    EXPECT_READINGS(readings);
}

static void letters_h_of_arabic_script_are_those_of_the_language(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"ھ\0ە\0ا\0", "ه\u200cا هاه ہ", "ه\u200cا ھاھ ہ"}, /* Kurdish, of which spelling.h reads the first */
        {"ہ\0ھ\0ا\0", "هاھ", "ہاھ"},                       /* Urdu */
        {"ه\0ا\0", "ہاھ ه\u200cا", "هاه ها"},
    };
    EXPECT_READINGS(readings);
}

static void joiners_that_spell_letters_are_read(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"ە\0ا\0", "ه\u200cا\u200cا", "ه\u200cاا"},
        {"ه\0ا\0", "ه\u200cا", "ها"},
        {"ർ\0അ\0", "ര\u0d4d\u200dഅ\u200d", "ര\u0d4d\u200dഅ"},
    };
    EXPECT_READINGS(readings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rare_palochka_is_of_other_texts),
        cmocka_unit_test(arabic_signs_stand_where_text_ends),
        cmocka_unit_test(a_quote_of_two_pairs_is_told_by_its_place),
        cmocka_unit_test(primes_and_quotations_end_no_words),
        cmocka_unit_test(signs_of_ascii_and_of_scripts_stand_for_each_other),
        cmocka_unit_test(single_digits_are_those_of_the_training),
        cmocka_unit_test(rare_letters_stand_for_no_apostrophes),
        cmocka_unit_test(letters_h_of_arabic_script_are_those_of_the_language),
        cmocka_unit_test(joiners_that_spell_letters_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Where sentences go on behind quotes, as it is learned. */
#include "sentence_cases.h"

/* Behind "…?", a capital tells where sentences begin; without capitals, the training text does. */
static void quoted_speech_is_learned(void **state)
{
    static const char *const texts[] = {
        "„სად არის მეფე?“ კითხულობს ნინო.", "„მოდი!“ ამბობს მეფე.", "მეფე მოვიდა.",
        "„ვინ არის?“ კითხულობს მეფე.",      "ნინო კითხულობს.",      NULL};
    static const char *const statements[] = {"“我不知道。”王明说。", "“你好。”陈静说。", "“好的。”王明说。",
                                             "王明来了。", NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.speech, 1);
    expect_case(&splitter, "„სად არის ნინო?“ კითხულობს მეფე. |ნინო მოვიდა.");
    expect_case(&splitter, "„ნინო მოვიდა.“ |მეფე მოვიდა.");
    expect_case(&splitter, "\"सीता आता है।\" |मोहन शहर जाता है।");
    splitter_release(&splitter);
    learn(&splitter, texts + 2);
    assert_int_equal(splitter.speech, 0);
    expect_case(&splitter, "„სად არის ნინო?“ |კითხულობს მეფე.");
    splitter_release(&splitter);
    learn(&splitter, statements);
    expect_case(&splitter, "“我很好。”陈静说。|王明来了。");
    splitter_release(&splitter);
}

/* Sentences in quotes are speech if something follows them in their lines, as it does behind few others. */
static void quotations_that_end_no_lines_are_speech(void **state)
{
    static const char *const texts[] = {"«نمی‌دانم.» علی گفت.",
                                        "«آمدم.» مریم گفت.",
                                        "«رفت.» علی گفت.",
                                        "«خوب است.» مریم گفت.",
                                        "«نه.» علی گفت.",
                                        "علی رفت. مریم آمد.",
                                        "علی گفت: «نمی‌دانم.»",
                                        "مریم کتاب را خواند.",
                                        "مریم آمد.",
                                        "علی خانه را دید.",
                                        "علی کتاب را خواند.",
                                        "مریم خانه را دید.",
                                        "کتاب خوب است.",
                                        "خانه خوب است.",
                                        NULL};
    static const char *const questions[] = {"「なぜ？」ジョンは聞いた。",
                                            "「誰？」彼は聞いた。",
                                            "「何？」彼は聞いた。",
                                            "「いつ？」彼は聞いた。",
                                            "彼は来た。猫は寝た。",
                                            "彼は「誰？」と聞いた。",
                                            "猫は寝た。",
                                            "彼は来た。",
                                            "彼は寝た。",
                                            "猫は来た。",
                                            "本だ。",
                                            NULL};
    static const char *const cases[] = {"«کتاب.» مریم گفت. |علی رفت.", "مریم گفت: «آمدم.» |علی رفت.",
                                        "“کتاب.” مریم گفت.", "«کتاب؟» |مریم گفت.", NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.quotations, 2);
    assert_int_equal(splitter.speech, SPEECH_NEVER);
    expect_cases(&splitter, cases);
    splitter_release(&splitter);
    learn(&splitter, texts + 5); /* without these sentences */
    assert_int_equal(splitter.quotations, 0);
    expect_case(&splitter, "«کتاب.» |مریم گفت. |علی رفت.");
    splitter_release(&splitter);
    learn(&splitter, questions);
    assert_int_equal(splitter.quotations, 1);
    expect_case(&splitter, "「どこ？」彼女は聞いた。|猫は寝た。|「行く。」");
    splitter_release(&splitter);
}

/* Of several sentences in a line, words that begin lines tell those that follow a question from speech. */
static void quoted_speech_among_sentences_is_learned(void **state)
{
    static const char *const texts[] = {"„სად არის?“ კითხულობს ნინო.", "„ვინ არის?“ კითხულობს მეფე.",
                                        "„მოდი!“ ამბობს მეფე.",        "მეფე მოვიდა. ის წავიდა.",
                                        "ის მოვიდა. მეფე წავიდა.",     "ის სახლშია. ის არის.",
                                        "ის მოვიდა. ის არის.",         NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.speech, SPEECH_UNLESS_STARTER);
    expect_case(&splitter, "„სად არის?“ კითხულობს მეფე. |„სად არის?“ |ის მოვიდა.");
    expect_case(&splitter, "«نېمىشقا؟» دەپ سورىدى ئالىم. |ئات بار.");
    splitter_release(&splitter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quoted_speech_is_learned),
        cmocka_unit_test(quotations_that_end_no_lines_are_speech),
        cmocka_unit_test(quoted_speech_among_sentences_is_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

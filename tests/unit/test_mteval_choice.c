/* Which tokenizer BLEU gets for texts of several scripts; the sentences are article 1 of the Universal
 * Declaration of Human Rights, or parts of it. */
#include "check.h"

#include "mem.h"
#include "mteval_choice.h"

static void expect_choice(const char *text, enum mteval_kind kind)
{
    char *texts[] = {xstrdup(text)};
    const size_t bytes[] = {strlen(text)};
    const enum mteval_kind found = mteval_choose_for(texts, bytes, 1);
    xfree(texts[0]);
    if (found != kind)
        fail_msg("another choice than %d for %s", kind, text);
}

static void by_script(void **state)
{
    (void)state;
    expect_choice("All human beings are born free and equal in dignity and rights.", MTEVAL_13A);
    expect_choice("Все люди рождаются свободными и равными в своем достоинстве и правах.", MTEVAL_13A);
    expect_choice("모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.", MTEVAL_13A);
    expect_choice("人人生而自由，在尊严和权利上一律平等。", MTEVAL_ZH);
    expect_choice("すべての人間は、生まれながらにして自由であり、", MTEVAL_CHAR);
    expect_choice("เราทุกคนเกิดมาอย่างอิสระ", MTEVAL_CHAR);
    expect_choice("མི་རིགས་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་", MTEVAL_CHAR);
    expect_choice("មនុស្សទាំងអស់កើតមកមានសេរីភាព", MTEVAL_CHAR);
    expect_choice("ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ", MTEVAL_CHAR);
    expect_choice("လူတိုင်းသည် တူညီ လွတ်လပ်သော", MTEVAL_CHAR);
    expect_choice("", MTEVAL_13A);
    expect_choice("12 : 34 …", MTEVAL_13A);
}

static void by_the_script_of_most_letters(void **state)
{
    (void)state;
    expect_choice("The word 自由 is freedom in Chinese", MTEVAL_13A);
    expect_choice("使用 LibreOffice Writer 打开文档，然后选择一种格式", MTEVAL_ZH);
    expect_choice(
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。「の」",
        MTEVAL_ZH);
    expect_choice("人間の自由", MTEVAL_CHAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_script),
        cmocka_unit_test(by_the_script_of_most_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

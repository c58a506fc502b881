/* Tokenizers: how text is split, and that joining restores it. */
#include "check.h"

#include "rng.h"
#include "tokenize.h"
#include "utf8.h"

static void expect(enum tokenize_kind kind, const char *text, const char *words)
{
    struct strbuf out, back;
    strbuf_init(&out);
    strbuf_init(&back);
    tokenize(&out, text, strlen(text), kind);
    assert_string_equal(out.text, words);
    detokenize(&back, out.text, out.length, kind);
    assert_string_equal(back.text, text);
    strbuf_release(&out);
    strbuf_release(&back);
}

static void words_by_category(void **state)
{
    (void)state;
    expect(TOKENIZE_UNICODE, "l'été (2 fois).", "l ￭'￭ été (￭ 2 fois ￭) ￭.");
    expect(TOKENIZE_UNICODE, "3.14 B2B", "3 ￭.￭ 14 B ￭2￭ B");
    expect(TOKENIZE_UNICODE, "« Où ? »", "« Où ? »");
    expect(TOKENIZE_UNICODE, "a\xc2\xa0: b", "a ￭\xc2\xa0 ￭: b");
    expect(TOKENIZE_UNICODE, "￭ ％ ▁x", "％FFED ％FF05 ％2581￭ x");
    expect(TOKENIZE_UNICODE, "％FFED", "％FF05￭ FFED");
    expect(TOKENIZE_UNICODE, "", "");
}

static void words_by_script(void **state)
{
    (void)state;
    expect(TOKENIZE_SCRIPT, "l'été (2 fois).", "l ￭'￭ été (￭ 2 fois ￭) ￭.");
    expect(TOKENIZE_SCRIPT, "東京タワーは 高い。", "東 京 タワー は ▁ 高 い 。");
    expect(TOKENIZE_SCRIPT, "Linuxの3日、 “100％”", "Linux￭ の ￭3￭ 日 、 “￭ 100 ￭％FF05 ￭”");
    expect(TOKENIZE_SCRIPT, "ประเทศไทย", "ประ เทศ ไทย");
    expect(TOKENIZE_SCRIPT, "བོད་སྐད།", "བོད ་ སྐད །");
    expect(TOKENIZE_SCRIPT, "か\xe3\x82\x99き", "か\xe3\x82\x99き"); /* combining voiced mark */
    expect(TOKENIZE_SCRIPT, "啊 \xe3\x82\x99啊", "啊 \xe3\x82\x99￭ 啊");
    expect(TOKENIZE_SCRIPT, "あいうえおかきくけこさしすせそたちつ", "あいうえおかきくけこさしすせそた ちつ");
    expect(TOKENIZE_SCRIPT, "", "");
}

/* The names of languages, and of some their word for people and rights, in forty scripts. */
static void scripts_keep_their_text(void **state)
{
    (void)state;
    static const char *const samples[] = {"All people are born free.",
                                          "Все люди рождаются свободными.",
                                          "Όλοι οι άνθρωποι είναι ελεύθεροι.",
                                          "Բոլոր մարդիկ ազատ են։",
                                          "ყველა ადამიანი თავისუფალია.",
                                          "כל בני האדם חופשיים.",
                                          "كل الناس أحرار، أليس كذلك؟",
                                          "ܠܫܢܐ ܣܘܪܝܝܐ",
                                          "ދިވެހި ބަސް",
                                          "ߒߞߏ ߞߊ߲",
                                          "सभी मनुष्य स्वतन्त्र हैं।",
                                          "সব মানুষ স্বাধীন।",
                                          "ਸਾਰੇ ਮਨੁੱਖ ਆਜ਼ਾਦ ਹਨ।",
                                          "બધા માણસો સ્વતંત્ર છે.",
                                          "ସମସ୍ତ ମଣିଷ ସ୍ୱାଧୀନ।",
                                          "எல்லா மனிதரும் சுதந்திரமானவர்.",
                                          "మానవులందరూ స్వతంత్రులు.",
                                          "ಎಲ್ಲ ಮಾನವರೂ ಸ್ವತಂತ್ರರು.",
                                          "എല്ലാ മനുഷ്യരും സ്വതന്ത്രരാണ്.",
                                          "සියලු මිනිසුන් නිදහස්ය.",
                                          "มนุษย์ทุกคนเกิดมามีอิสระ 3 ข้อ",
                                          "ມະນຸດທຸກຄົນມີອິດສະລະ",
                                          "མི་ཐམས་ཅད་རང་དབང་ཅན་ཡིན།",
                                          "လူတိုင်း လွတ်လပ်သည်။",
                                          "មនុស្សទាំងអស់\xe2\x80\x8bមានសេរីភាព។",
                                          "모든 사람은 자유롭다.",
                                          "すべての人は自由である。",
                                          "人人生而自由，不是吗？",
                                          "ㄓㄨˋ ㄧㄣ",
                                          "የሰው ልጅ ሁሉ ነፃ ነው።",
                                          "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
                                          "ᐃᓄᒃᑎᑐᑦ",
                                          "ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ",
                                          "ⵜⴰⵎⴰⵣⵉⵖⵜ",
                                          "ꦧꦱꦗꦮ",
                                          "ᬩᬲᬩᬮᬶ",
                                          "ꆈꌠꉙ",
                                          "ᥖᥭᥰᥖᥬᥳ",
                                          "ᱥᱟᱱᱛᱟᱲᱤ",
                                          "ꯃꯩꯇꯩꯂꯣꯟ",
                                          "𞤆𞤵𞤤𞤢𞤪",
                                          "ᎠᏂ abc 日本 ไทย ខ្មែរ"};
    assert_true(sizeof samples / sizeof samples[0] >= 40);
    struct strbuf words, back;
    strbuf_init(&words);
    strbuf_init(&back);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        for (enum tokenize_kind kind = TOKENIZE_SCRIPT; kind <= TOKENIZE_CHAR; kind++) {
            strbuf_reset(&words);
            strbuf_reset(&back);
            tokenize(&words, samples[i], strlen(samples[i]), kind);
            detokenize(&back, words.text, words.length, kind);
            assert_string_equal(back.text, samples[i]);
        }
    }
    strbuf_release(&words);
    strbuf_release(&back);
}

static void characters(void **state)
{
    (void)state;
    expect(TOKENIZE_CHAR, "né à", "n é ▁ à");
    expect(TOKENIZE_CHAR, "▁", "％2581");
}

static void blanks_are_folded(void **state)
{
    (void)state;
    struct strbuf out, back;
    strbuf_init(&out);
    strbuf_init(&back);
    tokenize(&out, " \ta  b\x0c\xe2\x80\xa8 c ", 12, TOKENIZE_UNICODE);
    detokenize(&back, out.text, out.length, TOKENIZE_UNICODE);
    assert_string_equal(back.text, "a b c");
    strbuf_release(&out);
    strbuf_release(&back);
}

/* Random text of troublesome characters, with single blanks between words only. */
static void make_text(struct strbuf *text, struct rng *rng)
{
    static const int32_t codes[] = {'a',    'B',    '1',    '.',    '@',    '\'',   '-',     ' ',
                                    0xe9,   0x301,  0xffed, 0xff05, 0x2581, 0x4e00, 0x1f600, 0xa0,
                                    0x200d, 0x5d0,  0x661,  '<',    '%',    0x1,    0xfeff,  0x10ffff,
                                    0x3042, 0x30a2, 0x30fc, 0x3002, 0x3000, 0x3099, 0xe40,   0xe01,
                                    0xe49,  0x200b, 0xfe00, 0x3007, 0xff11, 0xff21, 0xf0b,   0x20000};
    const int length = (int)rng_below(rng, 30);
    for (int i = 0; i < length; i++) {
        const int32_t code = codes[rng_below(rng, sizeof codes / sizeof codes[0])];
        if (code != ' ' || (text->length && text->text[text->length - 1] != ' '))
            utf8_append(text, code);
    }
    while (text->length && text->text[text->length - 1] == ' ')
        strbuf_truncate(text, text->length - 1);
}

static void nothing_is_lost(void **state)
{
    (void)state;
    struct strbuf text, words, back;
    struct rng rng;
    strbuf_init(&text);
    strbuf_init(&words);
    strbuf_init(&back);
    rng_init(&rng, 11, RNG_TEST, 0, 0);
    for (int i = 0; i < 60000; i++) {
        static const enum tokenize_kind kinds[] = {TOKENIZE_SCRIPT, TOKENIZE_UNICODE, TOKENIZE_CHAR};
        const enum tokenize_kind kind = kinds[i % 3];
        strbuf_reset(&text);
        strbuf_reset(&words);
        strbuf_reset(&back);
        make_text(&text, &rng);
        tokenize(&words, text.text, text.length, kind);
        detokenize(&back, words.text, words.length, kind);
        assert_string_equal(back.text, text.text);
    }
    strbuf_release(&text);
    strbuf_release(&words);
    strbuf_release(&back);
}

static void expect_text(enum tokenize_kind kind, const char *words, const char *text)
{
    struct strbuf out;
    strbuf_init(&out);
    detokenize(&out, words, strlen(words), kind);
    assert_string_equal(out.text, text);
    strbuf_release(&out);
}

/* A model may produce words that no text has. */
static void marks_that_were_not_in_the_text_are_not_printed(void **state)
{
    (void)state;
    expect_text(TOKENIZE_UNICODE, "ab￭, c", "ab, c");
    expect_text(TOKENIZE_UNICODE, "￭￭, a￭￭ b￭￭c ￭", ", abc");
    expect_text(TOKENIZE_UNICODE, "a ％FF￭ED ％FFED￭x", "a ％FFED ￭x");
    expect_text(TOKENIZE_SCRIPT, "高▁い ▁ ▁ ▁ 山 a ▁ ￭b", "高 い 山 ab");
    expect_text(TOKENIZE_CHAR, "a▁b ％2581▁", "a b▁ ");
}

/* In any order of words, as many marks come out as were escaped. */
static void words_in_any_order_print_no_mark(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a", "￭", "￭￭", "￭,", "(￭", "％FFED", "é", "％", "FFED", " ", " "};
    struct strbuf words, text;
    struct rng rng;
    strbuf_init(&words);
    strbuf_init(&text);
    rng_init(&rng, 12, RNG_TEST, 0, 0);
    for (int i = 0; i < 20000; i++) {
        int marks = 0, escapes = 0;
        strbuf_reset(&words);
        strbuf_reset(&text);
        for (int k = (int)rng_below(&rng, 12); k > 0; k--)
            strbuf_adds(&words, pieces[rng_below(&rng, sizeof pieces / sizeof pieces[0])]);
        for (const char *at = words.text; (at = strstr(at, "％FFED")); at++)
            escapes++;
        detokenize(&text, words.text, words.length, TOKENIZE_UNICODE);
        for (const char *at = text.text; (at = strstr(at, "￭")); at++)
            marks++;
        assert_int_equal(marks, escapes);
    }
    strbuf_release(&words);
    strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_by_category),
        cmocka_unit_test(words_by_script),
        cmocka_unit_test(scripts_keep_their_text),
        cmocka_unit_test(characters),
        cmocka_unit_test(blanks_are_folded),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(marks_that_were_not_in_the_text_are_not_printed),
        cmocka_unit_test(words_in_any_order_print_no_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

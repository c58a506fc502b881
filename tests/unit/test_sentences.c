/* Sentences of lines by rules and by what is learned. */
#include "check.h"

#include "sentence_cases.h"

#include <stdlib.h>
#include <time.h>

static void by_rules_alone(void **state)
{
    static const char *const cases[] = {
        "Where are my keys? |She sings. |He is reading a book.", "One sentence.", "no stop at all",
        "Really?! |Yes!!! |Wait... |What?",
        /* quotes and brackets that close belong to the sentence before */
        "\"Come here.\" |She left.", "He said: \"Come here!\" |Then she left.",
        "“Come here.” |‘Go.’ |She left. |(He did, too.) |So did I.", "« Viens ici ! » |Elle est partie.",
        "„Komm her.“ |Sie ging. |»Komm!« |Er kam.", "He said \" Come here . \" |She left .",
        "See <b>this.</b> |And that.", "I love it! 😀 |See you.",
        /* a small letter, a comma or another stop goes on */
        "\"Really?\" she asked.", "He came, saw, etc. and left.", "Yahoo! is a company.",
        "What . . . ? |Nothing.", "So… |It is you. |But… he left.", "The iPod died. |iPhones live.",
        /* numbers */
        "It is 3.5 km. |Version 2.0.1 is out.", "1. Open the box. |2. Close it.", "a. Open it.",
        "In 1990. |Then 2000.", "No. 5 is alive.", "It costs $5.99. |That is 1,000.50 more.",
        /* initials and dotted words */
        "J. S. Bach lived here.", "I don't. |Mary does.", "Non c'è. |Maria è uscita.",
        "Ele comprou-a. |Maria ficou.", "Це моя сім'я. |Олена вчиться.", "He met J.-P. Sartre.",
        "Dit is goed. |'n Man kom in.", "Ik slaap. |’s Morgens werk ik.", "He left 'n all. 'n so on.",
        "e.g. Bach, i.e. Johann, lived in the U.S. Army.", "Mr. Smith met Dr. Jones. |They talked.",
        "It is on disk No. 5. |Insert it.", "Press OK. |1. Open it. |2. Close it.",
        "1. Open it. |Press OK. |2. Close it.", "1. Press Yes. |2. Press No. |3. Close it.",
        "Steps: 1. |Turn it on. |2. Wait.", "Er ist da. |5. Mai ist gut.",
        "Klicken Sie auf OK. |2. Schließen.",
        "Ve a la p\x61\xcc\x81g. 5 y n\x75\xcc\x81m. 6.", /* with marks of their own */
        "Véase pág. 5 y art. 6.", "Смотри стр. 12 и гл. 3.", "Той е мъж. |Тя е жена.", "Str. 5, бр. 5 људи.",
        "II. Introduction", "World War II. |The end.",
        /* with marks of direction */
        "\u200eMr. Smith met \u200fDr\u200e. Jones.\u200e |They talked.",
        /* dates with a year in front */
        "2024. január 1-jén lép hatályba.", "A törvény 2024. 05. 12-én lép.",
        "이 법은 2024. 5. 12.부터 시행한다.", "It was in 2024. |5 people came.",
        "It is 5%. |20 people came for 3 €. |5 left.", "He was born in 1990. |2.5 million live there.",
        /* Markdown, footnotes */
        "**Note.** |Open it. |__Note.__ |~~No.~~ |Yes.", "Note.[1] |So it is.[3][4] |It was.² |Then.",
        "Note.[^1] |So it is.[^my-näme] |Then.", "See [^1] and go.",
        /* escapes */
        "Saved.\\n|Close it. |Saved. \\n", "保存しました。\\n", "Contact:\\nDr. Meier is there.",
        "Hinweis\\nz.B. Meier kam.", "Run .\\NVIDIA\\setup.exe now. |See ..\\NEWS.txt. |It is $\\theta$.",
        "It is done. |\\textbf{This} is not.", "See fig. \\ref{a} and eq. \\ref{b}.",
        "It is a domain. |\\var{keyfile} is a file.",
        /* addresses, file names */
        "See www.example.com. |It is at http://a.example/b.c?d=e.f now.",
        "Open config.json. |Use .NET or a.b.c here.", "It is in src/lib/x.h. |Where is it?",
        "Edit ~/a.sh. |Read ../include/X.h. |Run it.", "Vedi n°. 5, C#. 5, №. 5.",
        "NATO/U.N. Troops met at 9 a.m./p.m. Eastern time.",
        /* white space */
        "Leading.  |Two blanks.\t|A tab.\n|Line.\r\n|End.", "a heading\n\n|the text",
        "no-break.\xc2\xa0|Space.\xe3\x80\x80|Wide.",
        /* text without any capital */
        "where are my keys? |she sings. |he is reading a book.", "Where are my keys? she sings.", NULL};
    struct splitter splitter;
    (void)state;
    splitter_init(&splitter);
    /* outer blanks are in no sentence */
    expect_cases(&splitter, cases + 0);
    splitter_release(&splitter);
}

static void in_many_scripts(void **state)
{
    static const char *const cases[] = {
        "Où sont mes clés ? |Elle chante. |Il lit.",       /* Latin */
        "¿Dónde están? |¡Aquí! |Él canta.",                /* with opening marks */
        "Где мои ключи? |Она поёт. |А. С. Пушкин читает.", /* Cyrillic */
        "Πού είναι; |Τραγουδά. |Διαβάζει.",                /* Greek, whose ; asks */
        "Τι είναι το Linux; |Το «σπίτι»; |Είναι 5; |Όχι.", "We use α and x; It is so.",
        "Η Μαρία &amp; Γιώργος είναι εδώ.", "Επιλέξτε Αρχείο -&gt; Άνοιγμα.",
        "Որտե՞ղ են։ |Նա երգում է։ |Նա կարդում է։",                      /* Armenian */
        "სად არის? |ის მღერის. |ის კითხულობს.",                         /* Georgian, without capitals */
        "איפה המפתחות? |היא שרה. |הוא קורא.",                           /* Hebrew */
        "أين مفاتيحي؟ |هي تغني. |هو يقرأ كتابا.",                       /* Arabic */
        "چابیاں کہاں ہیں؟ |وہ گاتی ہے۔ |وہ پڑھتا ہے۔",                  /* Urdu */
        "चाबियाँ कहाँ हैं? |वह गाती है। |वह पढ़ता है॥ |राम।|सीता।",            /* Devanagari */
        "চাবি কোথায়? |সে গান গায়। |সে পড়ে।",                            /* Bengali */
        "ਚਾਬੀਆਂ ਕਿੱਥੇ ਹਨ? |ਉਹ ਗਾਉਂਦੀ ਹੈ। |ਉਹ ਪੜ੍ਹਦਾ ਹੈ।",                      /* Gurmukhi */
        "சாவி எங்கே? |அவள் பாடுகிறாள். |அவன் படிக்கிறான்.",                   /* Tamil */
        "తాళాలు ఎక్కడ? |ఆమె పాడుతుంది. |అతను చదువుతున్నాడు.",                   /* Telugu */
        "钥匙在哪里？|她唱歌。|他说：“好。”|他看书。|价格是３．５元。", /* Han */
        "他走了。|“再见！”|“‘好。’”|他说：“好。”", "《你好，李焕英！》是电影。|输入“？”查看。|按“。”键。",
        "Ｊ．Ｓ．巴赫是作曲家。|他走了。", "１．打开。", "他走了．|我也走了．", "使用 pdf．|然后打开．",
        "Er sagte: „Er rief ‚Komm.‘“ |Sie kam.", "Er rief: „Halt!“[1] |Dann ging er.",
        "你好!|我很好。|真的吗?",                                                   /* with ASCII marks */
        "鍵はどこ？|彼女は歌う。|「行く。」と彼は言った。|「はい。」|終わり｡|次。", /* kana */
        "「行く。」って言った。|「はい。」が聞こえた。", "「行く。」\u304b\u3099聞こえた。",
        "え……まさか行ったの！？|「前の…」または「次の…」を押す。|そう…。|はい。", "そう！？|いや。",
        "水は冷たい。[1]|はじめに読む。|（例を参照。）|では次です。",
        "「そうか。」|はい、わかりました。|「行こう。」|でも彼は来た。|「えっ？」|にゃあ。",
        "열쇠가 어디 있나요? |그녀는 노래한다. |그는 읽는다.", /* Hangul */
        "Նա երգում է: |Նա կարդում է:",                         /* Armenian, with a colon */
        "Տեղադրեք LibreOffice: |Հետո էջ 5: |Նա «տուն»: |Նա.", "Use it: Then go.",
        "ቁልፎቼ የት ናቸው፧ |ትዘፍናለች። |ያነባል።",        /* Ethiopic */
        "ሰላም ነው፡፡ |ደህና ነኝ፡፡", "ሰላም፡ነው፡፡ |ደህና", /* with two signs */
        "ሰላም ነው:: |ደህና ነኝ::", "LibreOffice ነው:: |ደህና::", "Use std:: Then go.",
        /* what is quoted is said by someone */
        "သူက “လာမယ်။” လို့ ပြောတယ်။ |သူ။", "“நான் வருவேன்.” என்று அவன் கூறினான். |“நான்.” |அவன்.", "«እመጣለሁ።» አለ። |ሰላም።",
        "“갈게.” 하고 말했다. |“갈게.” |그는 갔다.", "“갈게.” \u1112\u1161\u1100\u1169 말했다.",
        "“అవును.” అని. |“అవును.” |అనిల్ వచ్చాడు.", "ሄደ። |አለ።", "តើកូនសោនៅឯណា? |នាងច្រៀង។ |គាត់អាន៕", /* Khmer */
        "ផ្លែឈើ។ល។ |នាង",
        /* initials and letters of lists */
        "د. أحمد طبيب.", "أ. افتح الملف. |ب. احفظ الملف.", "এ. পি. জে. আবদুল কালাম এলেন।", "א. ב. יהושע כתב.",
        "வ வா. |நான்.", "वह घर में है. |मैं भी हूँ. |वह गया था. |राम यहाँ है. |सीता.", "طوله 570 م. |وكان.",
        "এ. পি. জে. কালাম. |তিনি.", "प. पू. राम आए. |सीता.", "எ. கலாம் வந்தார். |அவர் படித்தார்.",
        "കെ. ആർ. നാരായണൻ വന്നു. |അവൻ പോയി.", "ഇ. എം. എസ്. നമ്പൂതിരിപ്പാട് ആണ്. |എം. എൻ. വിജയൻ.",
        "இன்று எஸ். ராமன் வந்தார். |அவர்.", "आज एस. जयशंकर आए. |वह.", "તે અહીં છે. |એસ. રામ ગયા.",
        "वह घर में है. |एस. राम आए.", "എൻ. പോയി എന്ന്. |അവൻ പോയി.", "ඩබ්ලිව්. පෙරේරා ආවා. |ඩී. එස්. සේනානායක.",
        "டபிள்யூ. ராமன் வந்தார். |அவர்.",
        /* before a number */
        "केवल रु. 500 दिए। |वह पृ. ५ देखे।", "ಬೆಲೆ ರೂ. 500 ಆಗಿದೆ. |5 ಜನ.", "വില രൂ. 500 ആണ്. |അവൻ പോയി.",
        "අද රු. 500 දුන්නා. |5 දෙනෙක්.", "ಬೆಲೆ 500 ರೂ. |5 ಜನ ಬಂದರು.", "তিনি বলেন আর. |তারপর গেলেন.",
        "उसने 500 रु. |वह गया।", "나는 네. |그는 예.", "원고는 2024. 5. 12. 피고에게 돈을 주었다. |그는 갔다.",
        "2024. 5. 28. London에서 만났다.", "2024. 5. 28. Tom Sawyer가 갔다.", "2024. 5. 28. |London.",
        "2024. 5. 12. \u1109\u1165\u110b\u116e\u11af에 갔다.", /* not in NFC */
        "वह घर में है. |5 लोग आए.", "اضغط OK. |١. افتح.", "ຂ້ອຍ ບໍ່ ມາ. |ລາວ ຢູ່ ເຮືອນ.", "ราคา 100 บาท. |สินค้าหมด.",
        "డబ్ల్యూ.హెచ్.ఓ. నివేదిక", "എച്ച്.ഡി. ദേവഗൗഡ", "ის მოვა.წავა. |მე ვარ.", "そうです.はい. |彼は。",
        "집에 갔어요.나는. |그는.", "క్రీ.శ. 1947లో", "5 कि.ग्रा. आटा",
        "ราคา 5 กก. ต่อกล่อง เวลา 09.00 น. ที่ห้อง 301", "ດຣ. ສົມສັກ ໂທ. 021", "เขาไปแล้วเมื่อวาน. |Then",
        "Նա ասաց. «Ես կգամ»։ |Հետո.", "Օրինակ․ Ա դասարան։", "นาย ก. มา", "သူမသီချင်းဆိုသည်။ |သူစာဖတ်သည်။",
        "ပန်းသီး၊ လိမ္မော်သီး စားသည်။",        /* Burmese */
        "ᠴᠢ ᠬᠠᠮᠢᠭ᠎ᠠ᠃ |ᠲᠡᠷᠡ ᠳᠠᠭᠤᠯᠠᠨ᠎ᠠ᠃", /* Mongolian */
        "ܐܝܟܐ܂ |ܗܝ ܙܡܪܐ܂",              /* Syriac */
        "ߡߌ߹ |ߊ߬ ߘߐ߲߬߹",                   /* N'Ko */
        "เธอร้องเพลง เขาอ่านหนังสือ",       /* Thai, which has no stops */
        NULL};
    struct splitter splitter;
    (void)state;
    splitter_init(&splitter);
    expect_cases(&splitter, cases);
    splitter_release(&splitter);
}

/* ---- learning ---- */

static const char *const german[] = {"Der Mann wohnt seit ca. zehn Jahren hier.",
                                     "Das sind ca. Hundert Leute, die dort stehen.",
                                     "Die Frau kommt am 3. Januar an.",
                                     "Am 5. Juni, dem Fest, singt die Gruppe.",
                                     "Es war das 4. Mal, dass der Mann kam.",
                                     "Der Hut ist rot, und der Hut ist alt.",
                                     "Die Katze sieht den Hut, und die Katze schläft.",
                                     "Das Haus, das alte, ist leer.",
                                     "Der Hund schläft, weil der Tag warm ist.",
                                     "Die Kinder rufen, weil die Sonne scheint.",
                                     "Das Kind, das kleine, lacht.",
                                     "Das Kind trinkt Dr Pepper, den Vol Pepper.",
                                     NULL};

static void abbreviations_ordinals_and_starters_are_learned(void **state)
{
    static const char *const cases[] = {"Das sind ca. Zwei Drittel. |Der Mann geht.",
                                        "Er kam am 1. Mai. |Die Frau kam am 2. |Der Mann kam nicht.",
                                        "Er trägt einen Hut. |3 Leute stehen da.",
                                        "Das Kind sieht Dr. Müller. |Es sieht den Vol. 2.",
                                        "Er ist II. Sieger.",
                                        "Am 12.5. 2020 kam er. |Der Mann geht.",
                                        "Am 12.05.1990. |3 Leute kamen um 19.30. |20 Leute gingen.",
                                        "Siehe Art. 5. |Der Mann geht.",
                                        "1. Der Mann geht. |Er sieht ein Eis. |2. Der Hut ist rot.",
                                        "Das Eis wiegt 5 kg. |2. Der Hut ist rot.",
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, german);
    assert_true(strmap_find(&splitter.abbreviations, "ca", 2) >= 0);
    assert_int_equal(splitter.abbreviations.count, 1);
    assert_true(strmap_find(&splitter.starters, "der", 3) >= 0);
    assert_true(strmap_find(&splitter.starters, "mann", 4) < 0);
    assert_true(strmap_find(&splitter.ordinary, "hut", 3) >= 0);
    assert_true(strmap_find(&splitter.ordinary, "dr", 2) < 0);
    assert_int_equal(splitter.ordinals, 1);
    assert_int_equal(splitter.lowercase, 0);
    assert_int_equal(splitter.lines, 12);
    assert_int_equal(splitter.single_lines, 12);
    assert_true(splitter_is_single(&splitter));
    expect_cases(&splitter, cases);
    splitter_release(&splitter);
}

static void text_in_small_letters_is_learned(void **state)
{
    static const char *const texts[] = {"where are my keys ?", "she sings .", "Paris is large .", NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.lowercase, 1);
    expect_case(&splitter, "in Paris . |he sings .");
    splitter_release(&splitter);
}

/* Without capitals, the words that begin lines, and the verbs that end them, tell where sentences end. */
static void text_without_capitals_is_learned(void **state)
{
    static const char *const texts[] = {"나는 학교에 갔다. 그는 집에 있다.",
                                        "그는 약 5 시에 갔다.",
                                        "그는 책을 읽는다.",
                                        "그는 학교에 있다.",
                                        "나는 밥을 먹었다.",
                                        "나는 책을 읽었다.",
                                        "나는 집에 갔다. 오늘 그는 왔다.",
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.lowercase, 1);
    assert_int_equal(splitter.abbreviations.count, 0);
    assert_true(strmap_find(&splitter.starters, "그는", strlen("그는")) >= 0);
    expect_case(&splitter, "나는 학교에 갔다. |그는 집에 있다. |오늘 나는 왔다.");
    splitter_release(&splitter);
}

/* What was learned is found in text that is in another normal form. */
static void accents_may_be_characters_of_their_own(void **state)
{
    static const char *const texts[] = {"Še vedno čaka dež.",
                                        "Še ni prišel.",
                                        "Še ne.",
                                        "On še ni prišel.",
                                        "Ko še ni prišel, še čaka.",
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_true(strmap_find(&splitter.starters, "še", strlen("še")) >= 0);
    expect_case(&splitter, "Stal je v točki A. |S\u030ce ni prišel.");
    splitter_release(&splitter);
}

/* A short word that ends lines is not tied to the number behind it. */
static void short_words_that_end_lines_are_ordinary(void **state)
{
    static const char *const texts[] = {"Bilbo handitu zen.", "Jon hasi zen.", "Ane hil zen.", "Nahi du.",
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    expect_case(&splitter, "Gasteiz handitu zen. |12ko udan, art. 5ean.");
    splitter_release(&splitter);
}

/* But a unit that ends lines may be an abbreviation elsewhere. */
static void units_that_end_lines_may_be_tied_to_numbers(void **state)
{
    static const char *const texts[] = {"Noch 3 Min.", "Dauer: 5 Min.", "Es sind 2 Min.", "In 10 Min.", NULL};
    static const char *const cases[] = {"Der Name muss min. 3 Zeichen haben.",
                                        "\u05d4\u05d5\u05d0 5 \u200ekg. |\u05d0\u05d6 \u05d4\u05dc\u05da.",
                                        "제. 5장을 본다.", "\u110c\u1166. 5장을 본다.", /* in NFD */
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.ordinary.count, 0);
    expect_cases(&splitter, cases);
    splitter_release(&splitter);
}

/* Numbers alone are no words. */
static void numbers_that_end_lines_are_not_learned(void **state)
{
    static const char *const texts[] = {"It is 7.2.", "It was 7.2.", "Now 7.2.", "Then 7.2.", NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.ordinary.count, 0);
    splitter_release(&splitter);
}

/* A word that ends lines is no abbreviation, although what follows it within lines are names: but "Inc." is.
 * */
static void words_that_end_lines_are_no_abbreviations(void **state)
{
    static const char *const cases[] = {"Karl left on 6 May. |Olga left on 7 May.",
                                        "It costs $3. |Karl left.",
                                        "Olga met Fry Inc. Karl left.",
                                        "Olga left in May. |Where is Karl?",
                                        "Olga met Fry Inc. |Where is Karl?",
                                        NULL};
    struct splitter splitter;
    const char *texts[64];
    size_t count = 0;
    (void)state;
    for (int i = 0; i < 10; i++) {
        texts[count++] = "Where is Karl now?";
        texts[count++] = "So Olga left on 6 May.";
        texts[count++] = "It costs $3.";
    }
    for (int i = 0; i < 5; i++) {
        texts[count++] = "Olga left on 6 May. Karl met Olga.";
        texts[count++] = "It costs $3. Olga met Fry Inc. and Karl.";
        texts[count++] = "Karl met Fry Inc.";
    }
    texts[count] = NULL;
    learn(&splitter, texts);
    assert_true(strmap_find(&splitter.abbreviations, "inc", 3) >= 0);
    assert_int_equal(splitter.abbreviations.count, 1);
    assert_true(strmap_find(&splitter.starters, "where", 5) >= 0);
    assert_true(strmap_find(&splitter.starters, "karl", 4) < 0);
    expect_cases(&splitter, cases);
    splitter_release(&splitter);
}

/* What follows a title is a name, although it begins lines, as a speaker's does. */
static void names_of_speakers_begin_no_sentences(void **state)
{
    static const char *const cases[] = {"I saw Gen. Tanaka there.", "I saw Mr. Meier there.",
                                        "He met Fry Inc. |Where is it?",
                                        "I saw Mr. Smith there. |Where is it?", NULL};
    struct splitter splitter;
    const char *texts[64];
    size_t count = 0;
    (void)state;
    for (int i = 0; i < 12; i++) {
        texts[count++] = i % 2 ? "Tanaka: yes, it is so." : "“Tanaka”: yes, it is so.";
        texts[count++] = "Meier left.";
        texts[count++] = "Where is it?";
    }
    for (int i = 0; i < 5; i++) {
        texts[count++] = "I saw Gen. Tanaka there.";
        texts[count++] = "I saw Mr. Meier there.";
        texts[count++] = "He met Fry Inc. and left.";
    }
    texts[count++] = "The box weighs 5 kg. Where is it?";
    texts[count] = NULL;
    learn(&splitter, texts);
    assert_true(strmap_find(&splitter.starters, "where", 5) >= 0);
    assert_true(strmap_find(&splitter.starters, "tanaka", 6) < 0);
    assert_true(strmap_find(&splitter.starters, "meier", 5) < 0);
    expect_cases(&splitter, cases);
    splitter_release(&splitter);
}

/* Names begin sentences there, too. */
static void titles_without_capitals_are_learned(void **state)
{
    static const char *const texts[] = {"திரு. ராமன் வந்தார்.",
                                        "திரு. ராமன் போனார்.",
                                        "திரு. கமலா வந்தார்.",
                                        "திரு. கமலா போனார்.",
                                        "ராமன் வீடு வந்தார்.",
                                        "ராமன் மதுரை வந்தார்.",
                                        "ராமன் சென்னை போனார்.",
                                        "கமலா வீடு போனார்.",
                                        "கமலா மதுரை போனார்.",
                                        "திரு. கமலா கேட்டார்.",
                                        "கமலா சென்னை புதிய வீடு வந்தார்.",
                                        "திரு. ராமன் கேட்டார்.",
                                        "திரு. ராமன் இருந்தார்.",
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_true(strmap_find(&splitter.starters, "ராமன்", strlen("ராமன்")) >= 0);
    assert_int_equal(splitter.titles.count, 1);
    expect_case(&splitter, "ராமன் வந்தார். |திரு. ராமன் போனார். |கமலா வந்தார்.");
    splitter_release(&splitter);
}

/* With several sentences a line, a verb may end none of the lines by chance. */
static void verbs_within_lines_are_no_titles(void **state)
{
    static const char *const texts[] = {"나는 집에 갔다. 그는 책을 읽었다.",
                                        "그는 밥을 먹었다. 나는 집에 있다.",
                                        "그는 집에 갔다. 나는 밥을 먹었다.",
                                        "나는 책을 읽었다. 그는 집에 있다.",
                                        "나는 학교에 갔다. 그는 밥을 먹었다.",
                                        "그는 책을 읽었다. 나는 학교에 있다.",
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.titles.count, 0);
    expect_case(&splitter, "나는 학교에 갔다. |그는 집에 있다.");
    splitter_release(&splitter);
}

/* Urdu is often written without blanks behind its stops, and abbreviations have such stops, too. */
static void no_blank_is_needed_before_a_known_beginning(void **state)
{
    static const char *const texts[] = {"وہ گھر گیا۔",
                                        "وہ سکول گیا۔",
                                        "آپ کوشش کریں۔",
                                        "آپ گھر جائیں۔",
                                        "وہ کتاب پڑھتا ہے۔",
                                        "آپ کتاب پڑھیں۔",
                                        NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    expect_case(&splitter, "گھر گیا۔|وہ کتاب پڑھتا ہے۔|آپ جائیں۔ |گھر");
    expect_case(&splitter, "گھر گیا؟|وہ کتاب");
    expect_case(&splitter, "وہ بی۔اے ہے۔");
    expect_case(&splitter, "گھر گیا۔۔۔وہ کتاب");
    splitter_release(&splitter);
}

/* Keyboards of Indic scripts write a danda so. */
static void a_bar_is_a_danda(void **state)
{
    static const char *const cases[][2] = {{"यह किताब है | वह कलम है |", "यह किताब है | |वह कलम है |"},
                                           {"আমি যাই| সে যায়|", "আমি যাই| |সে যায়|"},
                                           {"a | b | c |", "a | b | c |"},
                                           {"|", "|"},
                                           {"होम | समाचार | खेल", "होम | समाचार | खेल"},
                                           {"| नाम | शहर |", "| नाम | शहर |"},
                                           {"यह|वह", "यह|वह"}};
    struct splitter splitter;
    (void)state;
    splitter_init(&splitter);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *found = split(&splitter, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(found, cases[i][1]);
        xfree(found);
    }
    splitter_release(&splitter);
}

static void paragraphs_are_no_sentences(void **state)
{
    static const char *const texts[] = {"One. Two.", "Three. Four. Five.", "", "Six.", NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, texts);
    assert_int_equal(splitter.lines, 3);
    assert_int_equal(splitter.single_lines, 1);
    assert_false(splitter_is_single(&splitter));
    splitter_release(&splitter);
}

static void nothing_is_learned_from_nothing(void **state)
{
    static const char *const none[] = {NULL}, *const blank[] = {"", " ", ".", "...", NULL};
    struct splitter splitter;
    (void)state;
    learn(&splitter, none);
    expect_case(&splitter, "One. |Two.");
    splitter_release(&splitter);
    learn(&splitter, blank);
    expect_case(&splitter, "One. |Two.");
    splitter_release(&splitter);
}

/* ---- nasty lines ---- */

/* The seconds that a line of `bytes` bytes of a repeated text takes, with a letter on each side. */
static double seconds_of(const struct splitter *splitter, const char *unit, size_t bytes)
{
    struct spans sentences = {.count = 0};
    struct strbuf text;
    strbuf_init(&text);
    strbuf_adds(&text, "a");
    while (text.length < bytes)
        strbuf_adds(&text, unit);
    strbuf_adds(&text, "a");
    const clock_t began = clock();
    sentences_find(&sentences, splitter, text.text, text.length);
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    spans_release(&sentences);
    strbuf_release(&text);
    return seconds;
}

static void a_long_line_takes_no_more_than_its_length(void **state)
{
    static const char *const units[] = {".",    ". ",    "a",   "a.",    "a. ",   "\" ",     ".\" ",
                                        ". ( ", ") . ",  "。",  "！",    "a。「", "...... ", ".) ) ) ",
                                        "\n ",  "</b .", "1. ", "A. A ", "— . ",  "😀. ",     " "};
    struct splitter splitter;
    (void)state;
    splitter_init(&splitter);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const double seconds = seconds_of(&splitter, units[i], 1 << 20);
        if (seconds > 5)
            fail_msg("1 MiB of '%s' takes %.1f s", units[i], seconds);
    }
}

static void lines_without_words_are_one_sentence_or_none(void **state)
{
    static const char *const cases[] = {"", "...", "? ! ?", "。。", "\" . \"", "( . ) ( . )", NULL};
    struct splitter splitter;
    (void)state;
    splitter_init(&splitter);
    expect_cases(&splitter, cases);
    for (int code = 1; code < 0x30000; code += code < 0x3000 ? 1 : 7) {
        struct strbuf text;
        if (code >= 0xd800 && code < 0xe000)
            continue;
        strbuf_init(&text);
        strbuf_adds(&text, "A. ");
        utf8_append(&text, code);
        strbuf_adds(&text, "B");
        utf8_append(&text, code);
        xfree(split(&splitter, text.text, text.length)); /* which checks the spans */
        strbuf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_rules_alone),
        cmocka_unit_test(in_many_scripts),
        cmocka_unit_test(abbreviations_ordinals_and_starters_are_learned),
        cmocka_unit_test(text_in_small_letters_is_learned),
        cmocka_unit_test(text_without_capitals_is_learned),
        cmocka_unit_test(accents_may_be_characters_of_their_own),
        cmocka_unit_test(short_words_that_end_lines_are_ordinary),
        cmocka_unit_test(units_that_end_lines_may_be_tied_to_numbers),
        cmocka_unit_test(numbers_that_end_lines_are_not_learned),
        cmocka_unit_test(words_that_end_lines_are_no_abbreviations),
        cmocka_unit_test(names_of_speakers_begin_no_sentences),
        cmocka_unit_test(titles_without_capitals_are_learned),
        cmocka_unit_test(verbs_within_lines_are_no_titles),
        cmocka_unit_test(no_blank_is_needed_before_a_known_beginning),
        cmocka_unit_test(a_bar_is_a_danda),
        cmocka_unit_test(paragraphs_are_no_sentences),
        cmocka_unit_test(nothing_is_learned_from_nothing),
        cmocka_unit_test(a_long_line_takes_no_more_than_its_length),
        cmocka_unit_test(lines_without_words_are_one_sentence_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The usual case of words: what is learned, what text is otherwise, and the file. */
#include "check.h"

#include "temporary_model.h"
#include "truecaser.h"
#include "word_list.h"

static const char *const lines[] = {"The old man lives in Paris.",
                                    "A man from Paris uses USB and NASA tools.",
                                    "Old Paris is here. Is it?",
                                    "Tools are in the NASA house.",
                                    "THE MAN SAYS NO.",
                                    "We saw the man, and it is good."};

static void learn(struct truecaser *truecaser)
{
    size_t bytes[sizeof lines / sizeof lines[0]];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        bytes[i] = strlen(lines[i]);
    truecaser_init(truecaser);
    truecaser_learn(truecaser, CASING_COMMON, lines, bytes, sizeof lines / sizeof lines[0]);
}

static void usual_forms_are_learned(void **state)
{
    (void)state;
    struct truecaser truecaser;
    struct strbuf text;
    learn(&truecaser);
    strbuf_init(&text);
    truecaser_print(&text, &truecaser);
    assert_string_equal(text.text, "capital\nParis\nUSB\nNASA\n");
    strbuf_release(&text);
    truecaser_release(&truecaser);
}

static void text_gets_its_usual_case(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"THE OLD MAN LIVES IN PARIS.", "The old man lives in Paris."},
        {"  WE USE USB! IT'S ÉLAN; 3 NASA-TOOLS", "  We use USB! It's élan; 3 NASA-tools"},
        {"\"paris\" IS...GOOD", "\"Paris\" is...good"},
        {"SEE HTTP://PARIS.ORG/OLD OR <B>PARIS</B>. %S NASA-MAN@IS.ORG",
         "See HTTP://PARIS.ORG/OLD or <B>Paris</B>. %S NASA-MAN@IS.ORG"},
        {"ʻĀINA HAWAIʻI", "ʻĀina hawaiʻi"}, /* the ʻokina is a letter */
        {"PARIS 日本 ПАРИЖ", "Paris 日本 париж"},
        {"ՄԱՐԴ։ ՄԱՐԴ", "Մարդ։ Մարդ"}, /* an Armenian stop */
        {"3 MEN. 2. OLD MEN", "3 men. 2. Old men"},
        {"3) MEN. 2.1 OLD MEN", "3) Men. 2.1 Old men"},
        {"%s: MEN", "%s: Men"},
        {"IT IS OLD. 3 MEN. [3] &quot;MEN&quot;", "It is old. 3 men. [3] &quot;Men&quot;"},
        {"%s MEN", "%s men"},
        {"<b>MEN</b>", "<b>Men</b>"},
        {"", ""},
        {" ¿? ", " ¿? "}};
    struct truecaser truecaser;
    struct strbuf text;
    learn(&truecaser);
    strbuf_init(&text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strbuf_reset(&text);
        truecaser_apply(&text, &truecaser, NULL, false, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(text.text, cases[i][1]);
    }
    strbuf_release(&text);
    truecaser_release(&truecaser);
}

/* Beside a script without capitals, they are usual. */
static void lines_of_scripts_without_case_are_learned(void **state)
{
    static const char *const text[] = {"그는 KBS 를 봅니다", "오늘 KBS 뉴스", "BBC NEWS"};
    const size_t bytes[] = {strlen(text[0]), strlen(text[1]), strlen(text[2])};
    struct truecaser truecaser;
    struct strbuf printed;
    (void)state;
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, CASING_COMMON, text, bytes, 3);
    strbuf_init(&printed);
    truecaser_print(&printed, &truecaser);
    assert_string_equal(printed.text, "small\nKBS\n");
    strbuf_release(&printed);
    truecaser_release(&truecaser);
}

/* Turkish has two letters i. */
static void the_casing_of_a_language_is_learned(void **state)
{
    static const char *const text[] = {"Kapıyı aç.", "Bugün Irak ve İzmir uzak.", "Bu Linux, Irak değil."};
    const size_t bytes[] = {strlen(text[0]), strlen(text[1]), strlen(text[2])};
    static const char *const capitals = "KAPIYI AÇIN, İLERİ! IRAK İZMİR";
    struct truecaser truecaser;
    struct strbuf result;
    (void)state;
    strbuf_init(&result);
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, casing_of_language("tr-TR"), text, bytes, 3);
    truecaser_print(&result, &truecaser);
    assert_string_equal(result.text, "capital turkic\nIrak\nİzmir\nLinux\n");
    strbuf_reset(&result);
    assert_int_equal(truecaser_case(&truecaser, NULL, capitals, strlen(capitals)), CASE_UPPER);
    truecaser_apply(&result, &truecaser, NULL, false, capitals, strlen(capitals));
    assert_string_equal(result.text, "Kapıyı açın, ileri! Irak İzmir");
    strbuf_reset(&result);
    truecaser_apply(&result, &truecaser, NULL, false, "İYİ", strlen("İYİ"));
    assert_string_equal(result.text, "İyi");
    strbuf_reset(&result);
    truecaser_apply(&result, &truecaser, NULL, false, "BU LINUX MI", strlen("BU LINUX MI"));
    assert_string_equal(result.text, "Bu Linux mı"); /* a foreign word */
    static const char *const foreign = "IZGARADA BU WIFI IŞIK LINUX";
    struct seen_words seen;
    seen_words_init(&seen);
    add_words(&seen, "wifi\0ırak\0izgarada\0");
    strbuf_reset(&result);
    truecaser_apply(&result, &truecaser, &seen, false, foreign, strlen(foreign));
    assert_string_equal(result.text, "Izgarada bu wifi ışık Linux");
    seen_words_release(&seen);
    strbuf_release(&result);
    truecaser_release(&truecaser);
}

/* Greek capitals have no accents. */
static void accents_are_put_back(void **state)
{
    static const char *const text[] = {"Αυτό είναι το μεγάλο σπίτι.", "Εδώ είναι η Αθήνα, το ρολόι."};
    const size_t bytes[] = {strlen(text[0]), strlen(text[1])};
    static const char *const titled = "Ζωή Ή Η Ξαφνικά", *const first =
                                                             "ΣΠΙΤΙ ΕΙΝΑΙ. ΑΘΗΝΑ. ΡΟΛΟΪ ΡΟΛΟΪ ΡΟΛΟΙ";
    static const char *const capitals = "ΤΟ ΣΠΙΤΙ ΕΙΝΑΙ ΜΕΓΑΛΟ: ΑΘΗΝΑ";
    struct truecaser truecaser;
    struct strbuf result;
    (void)state;
    strbuf_init(&result);
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, casing_of_language("el"), text, bytes, 2);
    assert_int_equal(truecaser_case(&truecaser, NULL, capitals, strlen(capitals)), CASE_UPPER);
    assert_int_equal(truecaser_case(&truecaser, NULL, text[0], bytes[0]), CASE_USUAL);
    truecaser_apply(&result, &truecaser, NULL, false, capitals, strlen(capitals));
    assert_string_equal(result.text, "Το σπίτι είναι μεγάλο: Αθήνα");
    strbuf_reset(&result);
    truecaser_apply(&result, &truecaser, NULL, false, titled, strlen(titled));
    assert_string_equal(result.text, "Ζωή ή η ξαφνικά"); /* what has accents keeps them */
    strbuf_reset(&result);
    truecaser_apply(&result, &truecaser, NULL, false, first, strlen(first));
    assert_string_equal(result.text, "Σπίτι είναι. Αθήνα. Ρολόι ρολόι ρολόι");
    strbuf_release(&result);
    truecaser_release(&truecaser);
}

/* Armenian capitals have two letters for a small one. */
static void armenian_letters_are_put_back(void **state)
{
    static const char *const text[] = {"Ես ասում եմ բարև, և Երևանը մեծ է։"};
    const size_t bytes[] = {strlen(text[0])};
    static const char *const capitals = "ԵՎ ԲԱՐԵՎ ԵՐԵՎԱՆԸ ԵՎ ՏԵՎ";
    struct truecaser truecaser;
    struct strbuf result;
    (void)state;
    strbuf_init(&result);
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, casing_of_language("hy"), text, bytes, 1);
    truecaser_apply(&result, &truecaser, NULL, false, capitals, strlen(capitals));
    assert_string_equal(result.text, "Եվ բարև Երևանը և տեվ");
    strbuf_release(&result);
    truecaser_release(&truecaser);
}

/* Words whose accents are characters of their own. */
static void text_may_be_decomposed(void **state)
{
    static const char *const text[] = {"Bugün I\u0307zmir gu\u0308zel."};
    const size_t bytes[] = {strlen(text[0])};
    static const char *const capitals = "I\u0307YI\u0307 I\u0307ZMI\u0307R";
    struct truecaser truecaser;
    struct strbuf result;
    (void)state;
    strbuf_init(&result);
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, CASING_TURKIC, text, bytes, 1);
    truecaser_print(&result, &truecaser);
    assert_string_equal(result.text, "capital turkic\nİzmir\n");
    strbuf_reset(&result);
    assert_int_equal(truecaser_case(&truecaser, NULL, capitals, strlen(capitals)), CASE_UPPER);
    truecaser_apply(&result, &truecaser, NULL, false, capitals, strlen(capitals));
    assert_string_equal(result.text, "İyi İzmir");
    strbuf_release(&result);
    truecaser_release(&truecaser);
}

/* German capitals have SS for the letter that has no capital of its own. */
static void sharp_s_is_put_back(void **state)
{
    static const char *const text[] = {"Die Straße ist groß.", "Er sah die Straße, die Masse und das Maß.",
                                       "Das ist Masse."};
    const size_t bytes[] = {strlen(text[0]), strlen(text[1]), strlen(text[2])};
    static const char *const capitals = "DIE GROSSE STRASSE: GROSS, MASSE, MASS, WASSER",
                             *const titled = "Die Strasse, gross";
    struct truecaser truecaser;
    struct seen_words seen;
    struct strbuf result;
    (void)state;
    strbuf_init(&result);
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, casing_of_language("de"), text, bytes, 3);
    seen_words_init(&seen);
    add_words(&seen, "groß\0straße\0masse\0maß\0");
    truecaser_apply(&result, &truecaser, &seen, false, capitals, strlen(capitals));
    assert_string_equal(result.text, "Die grosse Straße: groß, Masse, Maß, wasser");
    strbuf_reset(&result);
    truecaser_apply(&result, &truecaser, &seen, true, titled, strlen(titled));
    assert_string_equal(result.text, "Die Strasse, gross"); /* as another spelling */
    seen_words_release(&seen);
    strbuf_release(&result);
    truecaser_release(&truecaser);
}

/* Ordinary Cherokee letters are capitals to Unicode. */
static void a_script_of_capitals_is_left_alone(void **state)
{
    static const char *const text = "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ";
    struct truecaser truecaser;
    (void)state;
    learn(&truecaser);
    assert_int_equal(truecaser_case(&truecaser, NULL, text, strlen(text)), CASE_USUAL);
    truecaser_release(&truecaser);
}

static void unusual_case_is_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum text_case is;
    } cases[] = {{"THE OLD MAN", CASE_UPPER},
                 {"STOP!", CASE_UPPER},
                 {"NASA USB", CASE_USUAL},
                 {"The old man lives in Paris.", CASE_USUAL},
                 {"the old man", CASE_USUAL},
                 {"The Old Man Lives in Paris", CASE_TITLE},
                 {"Old Man", CASE_USUAL},
                 {"The Old Man Lives always in Paris", CASE_USUAL},
                 {"The Old Man's Well-known Tools", CASE_TITLE},
                 {"L’alçada The Old Man", CASE_TITLE},
                 {"He re-opened The Old Man", CASE_USUAL},
                 {"The Old Man's-cap-band", CASE_TITLE},
                 {"The NASA in Paris Is Old and Good", CASE_TITLE},
                 {"NASA tools in Paris, USB", CASE_USUAL},
                 {"123 !", CASE_USUAL},
                 {"日本", CASE_USUAL},
                 {"请安装USB驱动程序。", CASE_USUAL},
                 {"XBOX를 연결", CASE_USUAL},
                 {"הורד את XYZ", CASE_USUAL},
                 {"ჩართეთ XYZ", CASE_USUAL},
                 {"STOP ᵉ ª", CASE_UPPER},
                 {"HAWAIʻI", CASE_UPPER},
                 {"ʻĀINA ʼN MAN", CASE_UPPER},
                 {"DIT IS ’N MAN", CASE_UPPER},
                 {"AN tSÚIL, THE MAN", CASE_UPPER}, /* Irish */
                 {"pARIS NASA", CASE_UPPER},        /* "Paris" is known */
                 {"pAris USB", CASE_USUAL},
                 {"iOS", CASE_USUAL},
                 {"NASA, mRNA, 5 kW", CASE_USUAL},
                 {"iOS is a man", CASE_USUAL},
                 {"THE pH", CASE_USUAL},
                 {"", CASE_USUAL}};
    struct truecaser truecaser;
    learn(&truecaser);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(truecaser_case(&truecaser, NULL, cases[i].text, strlen(cases[i].text)), cases[i].is);
    truecaser_release(&truecaser);
}

/* Where words are short, small ones tell a sentence with names from a title. */
static void words_of_a_language_may_be_short(void **state)
{
    enum { LINES = 250 };
    static const char *const names = "Chị Mai và anh Sơn đi chợ", *const title = "Chị Mai Và Anh Sơn";
    const char *text[LINES];
    size_t bytes[LINES];
    struct truecaser truecaser;
    struct strbuf printed;
    (void)state;
    for (int i = 0; i < LINES; i++) {
        text[i] = "Anh ấy nói: hoa mai và sơn là của chị.";
        bytes[i] = strlen(text[i]);
    }
    for (size_t count = 50; count <= LINES; count += LINES - 50) {
        truecaser_init(&truecaser);
        truecaser_learn(&truecaser, CASING_COMMON, text, bytes, count);
        strbuf_init(&printed);
        truecaser_print(&printed, &truecaser);
        assert_string_equal(printed.text,
                            count == LINES ? "capital brief\n" : "capital\n"); /* 50 say little */
        assert_int_equal(truecaser_case(&truecaser, NULL, names, strlen(names)),
                         count == LINES ? CASE_USUAL : CASE_TITLE);
        assert_int_equal(truecaser_case(&truecaser, NULL, title, strlen(title)), CASE_TITLE);
        strbuf_release(&printed);
        truecaser_release(&truecaser);
    }
    for (int i = 0; i < LINES; i++) {
        text[i] = "Ordinary languages also have longer words.";
        bytes[i] = strlen(text[i]);
    }
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, CASING_COMMON, text, bytes, LINES);
    assert_false(truecaser.brief);
    truecaser_release(&truecaser);
}

/* A model that was trained on many titles reads them as they are. */
static void titles_may_be_usual(void **state)
{
    enum { LINES = 11000, MANY = 110 };
    static const char *const title = "The Old Man Lives Here", *const capitals = "THE OLD MAN LIVES HERE";
    (void)state;
    for (int titles = MANY - 1; titles <= MANY; titles++) {
        static const char *text[LINES];
        static size_t bytes[LINES];
        struct truecaser truecaser;
        struct strbuf printed;
        for (int i = 0; i < LINES; i++) {
            text[i] = i < titles ? title : "There the old man lives in houses nearby, quietly.";
            bytes[i] = strlen(text[i]);
        }
        truecaser_init(&truecaser);
        truecaser_learn(&truecaser, CASING_COMMON, text, bytes, LINES);
        strbuf_init(&printed);
        truecaser_print(&printed, &truecaser);
        const bool many = titles == MANY;
        assert_string_equal(printed.text, many ? "capital titles\nHere\n" : "capital\nHere\n");
        assert_int_equal(truecaser_case(&truecaser, NULL, title, strlen(title)),
                         many ? CASE_USUAL : CASE_TITLE);
        assert_int_equal(truecaser_case(&truecaser, NULL, capitals, strlen(capitals)), CASE_UPPER);
        strbuf_release(&printed);
        truecaser_release(&truecaser);
        /* of few lines, even a quarter are few */
        truecaser_init(&truecaser);
        truecaser_learn(&truecaser, CASING_COMMON, text + MANY - 99, bytes + MANY - 99, 400);
        assert_false(truecaser.titles);
        truecaser_release(&truecaser);
    }
}

static void capitals_may_be_all_that_is_usual(void **state)
{
    static const char *const text[] = {"THE OLD MAN", "A MAN LIVES HERE.", "A man lives here.", "1990"};
    const size_t bytes[] = {strlen(text[0]), strlen(text[1]), strlen(text[2]), strlen(text[3])};
    struct truecaser truecaser;
    (void)state;
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, CASING_COMMON, text, bytes, 4);
    assert_false(truecaser.learned);
    truecaser_learn(&truecaser, CASING_COMMON, text + 1, bytes + 1, 3);
    assert_true(truecaser.learned);
    truecaser_release(&truecaser);
}

/* Of words, names are copied that the lines do not have. */
static void learn_seen(struct seen_words *seen)
{
    struct word_counts counts;
    struct strbuf observed;
    word_counts_init(&counts);
    strbuf_init(&observed);
    for (size_t i = 0; i < 3 * sizeof lines / sizeof lines[0]; i++) { /* what is there once is rare */
        const char *line = lines[i / 3];
        seen_words_observe(&observed, (const char *const[2]){line, line},
                           (const size_t[2]){strlen(line), strlen(line)}, 0);
        seen_words_count(&counts, &observed);
    }
    seen_words_init(seen);
    seen_words_learn(seen, &counts);
    strbuf_release(&observed);
    word_counts_release(&counts);
}

static void unseen_names_stay_in_titles(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum text_case is;
        const char *usual;
    } cases[] = {
        {"Tools (SVN,CVS, Git, Bazaar and Darcs)", CASE_USUAL, "Tools (SVN,CVS, Git, Bazaar and Darcs)"},
        {"Zbigniew Is in The Old House", CASE_TITLE, "Zbigniew is in the old house"},
        {"The Man. Zbigniew Saw The Old House", CASE_TITLE, "The man. Zbigniew saw the old house"},
        {"The Old LaTeXila-House of ZQRT Is Here", CASE_TITLE, "The old LaTeXila-House of ZQRT is here"},
        {"THE MAN NAMED ZQRT", CASE_UPPER, "The man NAMED ZQRT"}};
    struct truecaser truecaser;
    struct seen_words seen;
    struct strbuf text;
    learn(&truecaser);
    learn_seen(&seen);
    strbuf_init(&text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t bytes = strlen(cases[i].text);
        assert_int_equal(truecaser_case(&truecaser, &seen, cases[i].text, bytes), cases[i].is);
        strbuf_reset(&text);
        truecaser_apply(&text, &truecaser, &seen, true, cases[i].text, bytes);
        assert_string_equal(text.text, cases[i].usual);
    }
    strbuf_release(&text);
    seen_words_release(&seen);
    truecaser_release(&truecaser);
}

/* Writes `text` as a model's file and loads it. */
static int load(struct truecaser *truecaser, const char *text, struct err *err)
{
    struct model_files files;
    open_temporary_model(&files, "source.truecase", text);
    truecaser_init(truecaser);
    const int status = truecaser_load(truecaser, &files, "source.truecase", err);
    close_temporary_model(&files, "source.truecase");
    return status;
}

static void the_file_comes_back(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * CASINGS; i++) {
        const enum casing casing = (enum casing)(i / 4);
        struct truecaser learned, loaded;
        struct strbuf text, again;
        struct err err;
        learn(&learned);
        learned.casing = casing;
        learned.brief = i % 2;
        learned.titles = i / 2 % 2;
        strbuf_init(&text);
        strbuf_init(&again);
        truecaser_print(&text, &learned);
        assert_int_equal(load(&loaded, text.text, &err), 0);
        truecaser_print(&again, &loaded);
        assert_string_equal(again.text, text.text);
        assert_int_equal(loaded.casing, casing);
        assert_int_equal(loaded.brief, learned.brief);
        assert_int_equal(loaded.titles, learned.titles);
        strbuf_release(&again);
        strbuf_release(&text);
        truecaser_release(&loaded);
        truecaser_release(&learned);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "the file is empty"},
        {"Paris\n", "line 1 is neither 'capital' nor 'small'"},
        {"small latin\n", "line 1 is neither 'capital' nor 'small'"},
        {"smaller\n", "line 1 is neither 'capital' nor 'small'"},
        {"small titles brief\n", "line 1 is neither 'capital' nor 'small'"},
        {"small brief turkic\n", "line 1 is neither 'capital' nor 'small'"},
        {"small turkic greek\n", "line 1 is neither 'capital' nor 'small'"},
        {"small\nParis\nPARIS\n", "the word of line 3 is there already"},
        {"capital\na\xff\n", "line 2 is not text"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct truecaser truecaser;
        struct err err;
        assert_int_equal(load(&truecaser, cases[i][0], &err), -1);
        if (!strstr(err.text, cases[i][1]))
            fail_msg("'%s' is not in '%s'", cases[i][1], err.text);
    }
}

/* A word of lines in capitals alone is usual so; one that other lines have, even in front, is not. */
static void words_of_capitals_alone_are_usual(void **state)
{
    (void)state;
    static const char *const different[] = {
        "OK", "%d KB", "EXIT NOW", "Exit the house.", "SO IST DIE STRASSE", "In der Straße ist es so"};
    static const struct {
        const char *text;
        enum text_case written;
        const char *usual;
    } cases[] = {{"OK", CASE_USUAL, "OK"},       {"%d KB", CASE_USUAL, "%d KB"},
                 {"EXIT", CASE_UPPER, "Exit"},   {"EXIT NOW", CASE_UPPER, "Exit NOW"},
                 {"NEVER", CASE_UPPER, "Never"}, {"DIE STRASSE", CASE_UPPER, "DIE Straße"}};
    struct truecaser truecaser;
    const char *text[16]; /* most are not in capitals */
    size_t bytes[16];
    for (int i = 0; i < 16; i++) {
        text[i] = different[i < 12 ? i % 6 : 3];
        bytes[i] = strlen(text[i]);
    }
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, CASING_COMMON, text, bytes, 16);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strbuf usual;
        strbuf_init(&usual);
        assert_int_equal(truecaser_case(&truecaser, NULL, cases[i].text, strlen(cases[i].text)),
                         cases[i].written);
        truecaser_apply(&usual, &truecaser, NULL, false, cases[i].text, strlen(cases[i].text));
        assert_string_equal(usual.text, cases[i].usual);
        strbuf_release(&usual);
    }
    truecaser_release(&truecaser);
}

/* In Turkish capitals, "I" is that of "ı", but not in names of other languages. */
static void foreign_capitals_have_small_letters_elsewhere(void **state)
{
    (void)state;
    static const char *const text[] = {"Bu Microsoft ürünü", "Bir Microsoft ürünü", "MICROSOFT", "MICROSOFT",
                                       "Bu iyi"};
    size_t bytes[5];
    struct truecaser truecaser;
    for (int i = 0; i < 5; i++)
        bytes[i] = strlen(text[i]);
    truecaser_init(&truecaser);
    truecaser_learn(&truecaser, CASING_TURKIC, text, bytes, 5);
    assert_int_equal(truecaser_case(&truecaser, NULL, text[2], bytes[2]), CASE_UPPER);
    truecaser_release(&truecaser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_forms_are_learned),
        cmocka_unit_test(text_gets_its_usual_case),
        cmocka_unit_test(lines_of_scripts_without_case_are_learned),
        cmocka_unit_test(the_casing_of_a_language_is_learned),
        cmocka_unit_test(accents_are_put_back),
        cmocka_unit_test(a_script_of_capitals_is_left_alone),
        cmocka_unit_test(unusual_case_is_noticed),
        cmocka_unit_test(sharp_s_is_put_back),
        cmocka_unit_test(words_of_a_language_may_be_short),
        cmocka_unit_test(titles_may_be_usual),
        cmocka_unit_test(capitals_may_be_all_that_is_usual),
        cmocka_unit_test(armenian_letters_are_put_back),
        cmocka_unit_test(text_may_be_decomposed),
        cmocka_unit_test(unseen_names_stay_in_titles),
        cmocka_unit_test(the_file_comes_back),
        cmocka_unit_test(foreign_capitals_have_small_letters_elsewhere),
        cmocka_unit_test(words_of_capitals_alone_are_usual),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_temporary_dir, remove_temporary_dir);
}

/* Words that a training saw: what is learned from pairs, which words are unseen then, and the file. */
#include "check.h"

#include "protect.h"
#include "temporary_model.h"
#include "word_list.h"

static const struct {
    const char *source, *target;
    int times;
} pairs[] = {
    {"The dog sees Smith, a man of Xyvo (2 €).", "Le chien voit Smith, un homme de Xyvo (2 €).", 1},
    {"A man, a dog, an old iPod's box: (A) B, C : D Q X Y Z, just any zoo-back/or_and.",
     "Un homme, un chien, un vieux baladeur.", 3},
    {"Smith is old. Smith sees the dog.", "Smith est vieux. Smith voit le chien.", 2},
};

static void learn(struct seen_words *seen)
{
    struct word_counts counts;
    struct strbuf line;
    word_counts_init(&counts);
    strbuf_init(&line);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (int k = 0; k < pairs[i].times; k++) {
            const char *const text[2] = {pairs[i].source, pairs[i].target};
            seen_words_observe(&line, text, (const size_t[2]){strlen(text[0]), strlen(text[1])}, 0);
            seen_words_count(&counts, &line);
        }
    seen_words_init(seen);
    seen_words_learn(seen, &counts);
    strbuf_release(&line);
    word_counts_release(&counts);
}

static bool has(const struct seen_words *seen, const char *word)
{
    return strmap_find(&seen->words, word, strlen(word)) >= 0;
}

static void rare_copies_do_not_count_as_seen(void **state)
{
    (void)state;
    struct seen_words seen;
    learn(&seen);
    assert_int_equal(seen.copied, SHAPES_USUALLY_COPIED); /* of rare words are too few */
    assert_true(has(&seen, "the") && has(&seen, "ipod") && has(&seen, "smith") && has(&seen, "€"));
    assert_false(has(&seen, "xyvo"));
    seen_words_release(&seen);
}

/* What is protected in a text, each string in brackets. */
static void expect(const struct seen_words *seen, const char *text, const char *marked)
{
    const struct protect protect = {.kinds = PROTECTED & ~PATTERN_SET(PATTERN_VARIABLE), .seen = seen};
    struct protection protection;
    struct strbuf out;
    size_t at = 0;
    strbuf_init(&out);
    protect_source(&protection, &protect, text, strlen(text));
    for (int i = 0; i < protection.count; i++) {
        const struct span *span = &protection.items[i].span;
        strbuf_add(&out, text + at, span->begin - at);
        strbuf_addch(&out, '[');
        strbuf_add(&out, text + span->begin, span->end - span->begin);
        strbuf_addch(&out, ']');
        at = span->end;
    }
    strbuf_adds(&out, text + at);
    assert_string_equal(out.text, marked);
    strbuf_release(&out);
}

static void names_and_other_scripts_are_unseen(void **state)
{
    (void)state;
    struct seen_words seen;
    static const char *const cases[][2] = {
        {"a dog of Xyvo, Smith's iPod", "a dog of [Xyvo], Smith's iPod"},
        {"the Zygmunt Smith-Qwertz is old", "the [Zygmunt Smith-Qwertz] is old"},
        {"Zygmunt sees Zygmunt. Zygmunt is", "Zygmunt sees [Zygmunt]. Zygmunt is"},
        {"Zygmunt Qwertz sees", "[Zygmunt Qwertz] sees"},
        {"Zygmunt Smith sees", "Zygmunt Smith sees"},
        {"a Zygmunt.is dog/Zyg_a and/or old.Zyg", "a [Zygmunt.is dog/Zyg_a] and/or old.[Zyg]"},
        {"§ 2 a ⟨x⟩, Zygmunt 2, a Zyg 2nd", "[§ 2] a [⟨x⟩], [Zygmunt 2], a [Zyg] 2nd"},
        {"it’s “Zyg”", "it’s [“Zyg”]"},
        {"a cat, LOL, a McCat, b2", "a cat, [LOL], a [McCat], b2"},
        {"see Αθήνα, 東京タワー and (Љ)", "see [Αθήνα], [東京タワー] and ([Љ])"},
        {"The Dog {is} old™", "The Dog [{]is[}] old[™]"},
        {"a Zygmunt http://zyg.munt Zygmunt", "a [Zygmunt] [http://zyg.munt] [Zygmunt]"},
        {"a { Zyg : Zygmunt }, Zyg (Zyg, Zyg) Zyg - is",
         "a [{ Zyg : Zygmunt }], [Zyg] ([Zyg], [Zyg]) [Zyg] - is"},
        {"a Zygmunt  Zygmunt\tZygmunt", "a [Zygmunt]  [Zygmunt]\t[Zygmunt]"},
        {"A-Z-Q-Q-Q-Xyvo is-Xyvo", "A-Z-Q-Q-Q-[Xyvo] is-[Xyvo]"},
        {"a A'Zyg of D’Zyg, a d'Zyg, a A'dog, a A'zyg", "a [A'Zyg] of [D’Zyg], a d'[Zyg], a A'dog, a A'zyg"},
        {"O'Zyg sees. D'Zyg sees", "[O'Zyg] sees. D'[Zyg] sees"},
        {"a Zygmunt Љ, a Ame\xcc\x81lie", "a [Zygmunt Љ], a [Ame\xcc\x81lie]"},
        {"a Zyg=me@x.org a&nbsp;Zyg, ₹500 a Zyg.a.a.a.a",
         "a [Zyg=][me@x.org] a[&nbsp;][Zyg], [₹500] a [Zyg.a.a.a.a]"},
        {"a\u00a0dog, a\u200b \u00ad\ue000", "a\u00a0dog, a\u200b \u00ad[\ue000]"},
        {"the Yo‘ldoshev, a Kuz'menko, Zyg's, Zyg'dog",
         "the [Yo‘ldoshev], a [Kuz'menko], [Zyg]'s, [Zyg]'dog"},
        {"", ""},
    };
    learn(&seen);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(&seen, cases[i][0], cases[i][1]);
    seen_words_release(&seen);
    expect(&seen, "a Zygmunt Љ", "a Zygmunt Љ");
}

/* Particles of scripts without capitals touch foreign words. */
static void particles_are_not_copied(void **state)
{
    (void)state;
    struct seen_words seen;
    learn(&seen);
    add_words(&seen, "는\0에게\0나는\0");
    expect(&seen, "나는 Zbigniew에게 iPod는", "나는 [Zbigniew]에게 iPod는");
    seen_words_release(&seen);
}

/* Of signs that mean the same, training has seen one. */
static void signs_stand_for_each_other(void **state)
{
    (void)state;
    struct seen_words seen;
    learn(&seen);
    expect_read(&seen, "it’s itʼs a‘t ‘a’ ’ ’n", "it's it's a't ‘a’ ’ 'n");
    expect_read(&seen, "a\u00a0dog\u202f! do\u00adg\u200b \u200ea \ue000 \u0301",
                "a dog ! dog a \ue000 \u0301");
    expect(&seen, "itʼs a’t, a do\u00adg of Zyg\u00admunt", "itʼs a’t, a do\u00adg of [Zyg\u00admunt]");
    seen_words_add(&seen, "\u00a0", strlen("\u00a0"));
    seen_words_add(&seen, "’", strlen("’"));
    expect_read(&seen, "it’s a\u00a0dog", "it’s a\u00a0dog");
    seen_words_release(&seen);
    seen_words_init(&seen);
    add_words(&seen, "oʻzbek\0tili\0ʻaʻole\0O\0r\0");
    seen.copied = SHAPE_SET(SHAPE_LOWER);
    expect_read(&seen, "o'zbek o‘zbek 'tili' ‘A‘ole", "oʻzbek oʻzbek 'tili' ʻAʻole");
    expect(&seen, "o‘zbek tili", "o‘zbek tili");
    expect(&seen, "O'zbek tiri", "O'zbek [tiri]");
    add_words(&seen, "maʼno\0'\0a\0"); /* each word with its own one */
    expect_read(&seen, "o'zbek o’zbek O‘zbek ma'no maʻno a'a 'a'",
                "oʻzbek oʻzbek Oʻzbek maʼno maʼno a'a 'a'");
    seen_words_release(&seen);
    seen_words_init(&seen);
    add_words(&seen, "mbaꞌe\0"); /* Guarani */
    seen.copied = SHAPE_SET(SHAPE_LOWER);
    expect_read(&seen, "mba'e mbaʼe MBA’E", "mbaꞌe mbaꞌe MBAꞌE");
    seen_words_release(&seen);
    seen_words_init(&seen);
    expect_read(&seen, "it’s a\u00a0dog", "it’s a\u00a0dog");
}

/* Letters with two codes, and vowel signs that most texts leave out. */
static void letters_stand_for_each_other(void **state)
{
    (void)state;
    struct seen_words seen;
    seen_words_init(&seen);
    add_words(&seen, "și\0țara\0کتاب\0این\0هذا\0جميل\0രാമന്\0.\0-\0צה\0ל\0\"\0");
    expect_read(&seen, "צה\u05f4ל\u05beצה ל\u05f3 și\u2011ți\u2010 \u2013", "צה\"ל-צה ל\u05f3 și-ți- \u2013");
    seen.copied = SHAPES_USUALLY_COPIED;
    expect_read(&seen, "\u015fi \u0163ara", "\u0219i \u021bara");
    expect(&seen, "\u015fi \u0163ara", "\u015fi \u0163ara");
    expect_read(&seen, "\u0643تاب ا\u06ccن", "\u06a9تاب ا\u06ccن"); /* both kinds of ye are seen */
    expect(&seen, "هَذَا جَمِيلٌ.", "هَذَا جَمِيلٌ.");
    expect_read(&seen, "هَذَا جـمِيلٌ.", "هذا جميل.");
    expect(&seen, "هَذَّا.", "هَذَّا.");
    expect(&seen, "രാമഩ്\u200d രാമന്\u200d", "[രാമഩ്\u200d] രാമന്\u200d"); /* with the joiner */
    seen_words_release(&seen);
    seen_words_init(&seen);
    add_words(&seen, "хӑна\0ҫын\0əl\0aɣrum\0"); /* Chuvash, Azerbaijani, Kabyle */
    expect_read(&seen, "хăна çын Ça \u01ddl әl ә aγrum γ", "хӑна ҫын Ça əl əl ә aɣrum γ");
    seen_words_release(&seen);
}

static void expect_lower(const struct seen_words *seen, const char *text, const char *lower)
{
    struct strbuf out;
    strbuf_init(&out);
    seen_words_respell(&out, seen, text, strlen(text));
    assert_string_equal(out.text, lower);
    strbuf_release(&out);
}

/* A capital may be new where its small letter is not. */
static void new_capitals_are_read_as_small_letters(void **state)
{
    (void)state;
    struct seen_words seen;
    learn(&seen);
    add_words(&seen, "être\0fenêtre\0à\0");
    expect(&seen, "Être: a FENÊTRE À Êtra", "Être: a FENÊTRE À [Êtra]");
    expect_lower(&seen, "Être: a FENÊTRE's À HE A ÊTRE", "être: a fenêtre's à he A être");
    expect_lower(&seen, "", "");
    expect(&seen, "İstanbul", "[İstanbul]");
    add_words(&seen, "istanbul\0hâkimiyet\0ı\0");
    expect(&seen, "A man, a İstanbul", "A man, a [İstanbul]"); /* one letter has no small letter by itself */
    seen_words_add(&seen, "İ", strlen("İ"));
    expect(&seen, "A man, a İstanbul", "A man, a İstanbul");
    expect_lower(&seen, "HÂKİMİYET", "hâkimiyet");
    add_words(&seen, "ĉi\0");
    expect_lower(&seen, "Cxi Ĉi CXI", "ĉi ĉi ĉi");
    seen_words_add(&seen, "Ê", strlen("Ê"));
    expect_lower(&seen, "Être", "Être");
    seen_words_release(&seen);
    seen_words_init(&seen);
    expect_lower(&seen, "Être", "Être");
}

/* A question mark stands within an Armenian word. */
static void armenian_marks_belong_to_their_word(void **state)
{
    (void)state;
    struct seen_words seen;
    seen_words_init(&seen);
    add_words(&seen, "դու\0երևանում\0ես\0Դ\0Ե\0Ա\0մ\0տ\0");
    seen.copied = SHAPES_USUALLY_COPIED;
    expect(&seen, "Դու Երևանո՞ւմ ես", "Դու Երևանո՞ւմ ես");
    expect(&seen, "Դու Ամստերդամո՞ւմ ես", "Դու [Ամստերդամո՞ւմ] ես");
    static const char *const marks[2] = {"« ՞՞ » ՞", "x"};
    struct strbuf line;
    strbuf_init(&line);
    seen_words_observe(&line, marks, (const size_t[2]){strlen(marks[0]), 1}, 0);
    assert_null(strstr(line.text, "- ")); /* no word without letters */
    strbuf_release(&line);
    seen_words_release(&seen);
}

/* In Turkish, the lower case of "I" is "ı", that of "İ" is "i". */
static void dotted_and_dotless_letters_are_the_same_word(void **state)
{
    (void)state;
    struct seen_words seen;
    learn(&seen);
    add_words(&seen, "indirmek\0ısı\0I\0İ\0");
    expect(&seen, "A man, a İndirmek, Isı", "A man, a İndirmek, Isı");
    seen_words_release(&seen);
    learn(&seen);
    add_words(&seen, "isi\0İ\0");
    expect(&seen, "A man, a İsi", "A man, a [İsi]"); /* no Turkish */
    seen_words_release(&seen);
}

/* Words that are frequent at the end of a text with more words than there is room for. */
static void later_words_find_room(void **state)
{
    (void)state;
    static const char *const late[2] = {"een Štěpán lateword", "x"};
    struct seen_words seen;
    struct word_counts counts;
    struct strbuf source, line;
    word_counts_init(&counts);
    strbuf_init(&source);
    strbuf_init(&line);
    for (int i = 0; i < 11000; i++) {
        strbuf_reset(&source);
        for (int k = 0; k < 100; k++)
            strbuf_addf(&source, "w%c%c%c%c%c ", 'a' + i % 25, 'a' + i / 25 % 25, 'a' + i / 625, 'a' + k / 10,
                        'a' + k % 10);
        const char *const text[2] = {source.text, "x"};
        seen_words_observe(&line, text, (const size_t[2]){source.length, 1}, 0);
        seen_words_count(&counts, &line);
    }
    for (int i = 0; i < 3; i++) {
        seen_words_observe(&line, late, (const size_t[2]){strlen(late[0]), 1}, 0);
        seen_words_count(&counts, &line);
    }
    assert_true(counts.words.count <= (size_t)1 << 20);
    seen_words_init(&seen);
    seen_words_learn(&seen, &counts);
    assert_true(has(&seen, "lateword"));
    assert_true(strmap_find(&seen.characters, "ě", strlen("ě")) >= 0);
    seen_words_release(&seen);
    strbuf_release(&line);
    strbuf_release(&source);
    word_counts_release(&counts);
}

static void observe(struct word_counts *counts, const char *source, const char *target)
{
    const char *const text[2] = {source, target};
    struct strbuf line;
    strbuf_init(&line);
    seen_words_observe(&line, text, (const size_t[2]){strlen(source), strlen(target)}, 0);
    seen_words_count(counts, &line);
    strbuf_release(&line);
}

static void the_share_of_copies_decides_of_a_shape(void **state)
{
    (void)state;
    struct seen_words seen;
    struct word_counts counts;
    word_counts_init(&counts);
    for (int i = 0; i < 30; i++) {
        char source[64], target[64];
        snprintf(source, sizeof source, "x low%c%c Cap%c%c", 'a' + i, 'a' + i, 'a' + i, 'a' + i);
        snprintf(target, sizeof target, "y low%c%c %s", 'a' + i, i % 3 ? 'a' + i : 'z', "kap");
        observe(&counts, source, target);
    }
    seen_words_init(&seen);
    seen_words_learn(&seen, &counts);
    assert_int_equal(seen.copied, SHAPE_SET(SHAPE_LOWER) | SHAPE_SET(SHAPE_UPPER) | SHAPE_SET(SHAPE_MIXED) |
                                      SHAPE_SET(SHAPE_NUMBER));
    assert_true(has(&seen, "lowaa") && !has(&seen, "lowbb") && has(&seen, "capaa"));
    seen_words_release(&seen);
    for (int i = 0; i < 1000; i++)
        observe(&counts, "xx yy zz", "x");
    seen_words_learn(&seen, &counts); /* now few words of a text would be wrong copies */
    assert_int_equal(seen.copied, SHAPE_SET(SHAPE_HYPHEN) - 1);
    seen_words_release(&seen);
    word_counts_release(&counts);
}

/* A few wrong copies at the beginning of sentences are too many where such words are translated elsewhere. */
static void first_words_are_like_small_ones(void **state)
{
    (void)state;
    for (int copied = 0; copied < 2; copied++) {
        struct seen_words seen;
        struct word_counts counts;
        word_counts_init(&counts);
        for (char c = 'a'; c <= 'z'; c++) {
            char source[64];
            snprintf(source, sizeof source, "Fir%cst lo%cw lo%cv lo%cu", c, c, c, c);
            observe(&counts, source, copied ? source : "y");
        }
        for (int i = 0; i < 1000; i++)
            observe(&counts, "xx yy zz", "x");
        seen_words_init(&seen);
        seen_words_learn(&seen, &counts);
        assert_int_equal(seen.copied & (SHAPE_SET(SHAPE_LOWER) | SHAPE_SET(SHAPE_FIRST)),
                         copied ? SHAPE_SET(SHAPE_LOWER) | SHAPE_SET(SHAPE_FIRST) : 0);
        assert_true(seen.copied & SHAPE_SET(SHAPE_CAPITAL));
        seen_words_release(&seen);
        word_counts_release(&counts);
    }
}

/* Where most rare nouns are compounds, which are translated, the others decide. */
static void compounds_do_not_stand_for_names(void **state)
{
    (void)state;
    struct seen_words seen;
    struct word_counts counts;
    word_counts_init(&counts);
    for (int c = 'a'; c <= 'z'; c++) {
        char source[64], target[64];
        snprintf(source, sizeof source, "die stone%c tree%c", c, c);
        observe(&counts, source, "the");
        observe(&counts, source, "the");
        snprintf(source, sizeof source, "die Stone%cstree%c Stone%ctree%cen Nam%c%c", c, c, c, c, c, c);
        snprintf(target, sizeof target, "the tree Nam%c%c", c, c);
        observe(&counts, source, target);
    }
    seen_words_init(&seen);
    seen_words_learn(&seen, &counts);
    assert_true(seen.copied & SHAPE_SET(SHAPE_CAPITAL));
    assert_int_equal(seen.but, EXCEPTION_SET(BUT_COMPOUNDS));
    assert_true(has(&seen, "stonebstreeb") && !has(&seen, "nambb"));
    expect(&seen, "die Namqr die Stoneatreeb", "die [Namqr] die Stoneatreeb");
    expect(&seen, "die Stonea-Namqr", "die [Stonea-Namqr]");
    seen_words_release(&seen);
    word_counts_release(&counts);
}

/* Learns from 30 pairs of Cyrillic text, in which each word but one is rare. */
static void learn_cyrillic(struct seen_words *seen, const char *target)
{
    struct word_counts counts;
    word_counts_init(&counts);
    for (int i = 0; i < 30; i++) {
        static const char letters[] = "абвгдежзийклмнопрстуфхцчшщьэюя";
        char source[64];
        snprintf(source, sizeof source, "мир, Ж%.2sк мир", letters + 2 * i);
        observe(&counts, source, target ? target : source);
    }
    seen_words_init(seen);
    seen_words_learn(seen, &counts);
    word_counts_release(&counts);
}

/* In a translation of another script, no word of the source's is right. */
static void words_of_the_sources_script_are_left_out(void **state)
{
    (void)state;
    struct seen_words seen;
    learn_cyrillic(&seen, "world");
    assert_int_equal(seen.but, EXCEPTION_SET(BUT_NONLATIN));
    expect(&seen, "мир Жиражк, мир Linuxoid, мир Љубе", "мир Жиражк, мир [Linuxoid], мир [Љубе]");
    assert_true(has(&seen, "жак"));
    seen_words_release(&seen);
    learn_cyrillic(&seen, NULL);
    assert_int_equal(seen.but, 0);
    expect(&seen, "мир Жиражк, мир Linuxoid", "мир [Жиражк], мир [Linuxoid]");
    seen_words_release(&seen);
}

/* How many strings of a text are protected after training on 20 pairs with it, of which some copy it. */
static int protected_of(enum pattern_kind kind, const char *text, const char *translation, int copies)
{
    struct seen_words seen;
    struct word_counts counts;
    struct protection protection;
    word_counts_init(&counts);
    for (int i = 0; i < 20; i++)
        observe(&counts, text, i < copies ? text : translation);
    seen_words_init(&seen);
    seen_words_learn(&seen, &counts);
    const struct protect protect = {.kinds = PATTERN_SET(kind), .seen = &seen};
    protect_source(&protection, &protect, text, strlen(text));
    word_counts_release(&counts);
    seen_words_release(&seen);
    return protection.count;
}

static void the_share_of_copies_decides_of_quantities(void **state)
{
    (void)state;
    assert_int_equal(protected_of(PATTERN_QUANTITY, "it is 5 kg", "это 5 кг", 10), 1);
    assert_int_equal(protected_of(PATTERN_QUANTITY, "it is 5 kg", "это 5 кг", 9), 0);
    assert_int_equal(protected_of(PATTERN_VARIABLE, "%5 arttı", "up 5%", 10), 1);
    assert_int_equal(protected_of(PATTERN_VARIABLE, "%5 arttı", "up 5%", 9), 0);
    assert_int_equal(protected_of(PATTERN_VARIABLE, "%s arttı", "up", 0), 1);
}

/* A text has more words than are counted: when they have just been forgotten, that most are copies, or none,
 * is not. */
static void forgotten_words_count(void **state)
{
    (void)state;
    for (int copies = 0; copies < 2; copies++) {
        struct seen_words seen;
        struct word_counts counts;
        size_t before = 0;
        word_counts_init(&counts);
        for (int i = 0; counts.words.count >= before; i++) {
            char source[676 * 6 + 1];
            before = counts.words.count;
            for (int k = 0; k < 676; k++)
                snprintf(source + 6 * k, 7, "%c%c%c%c%c ", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676,
                         'a' + k % 26, 'a' + k / 26);
            observe(&counts, source, copies ? source : "x");
        }
        assert_true(counts.words.count < 1000);
        observe(&counts, "aq bq cq dq eq fq gq hq iq jq kq lq mq nq oq pq rq sq tq uq vq wq yq zq", "x");
        seen_words_init(&seen);
        seen_words_learn(&seen, &counts);
        assert_int_equal(!!(seen.copied & SHAPE_SET(SHAPE_LOWER)), copies);
        seen_words_release(&seen);
        word_counts_release(&counts);
    }
}

/* Learns from 30 pairs with a rare word before a hyphen, of which some hold it in the translation, too. */
static void learn_pairs(struct seen_words *seen, int copies)
{
    struct word_counts counts;
    struct strbuf line;
    word_counts_init(&counts);
    strbuf_init(&line);
    for (int i = 0; i < 30; i++) {
        char source[64], target[64];
        snprintf(source, sizeof source, "the q%c%c-get, is here", 'a' + i % 26, 'a' + i / 26);
        snprintf(target, sizeof target, "%s", source);
        if (i >= copies)
            *strchr(target, '-') = ' ';
        const char *const text[2] = {source, target};
        seen_words_observe(&line, text, (const size_t[2]){strlen(source), strlen(target)}, 0);
        seen_words_count(&counts, &line);
    }
    seen_words_init(seen);
    seen_words_learn(seen, &counts);
    strbuf_release(&line);
    word_counts_release(&counts);
}

static void the_share_of_copies_decides_of_hyphens(void **state)
{
    (void)state;
    struct seen_words seen;
    learn_pairs(&seen, 15);
    expect(&seen, "the zyg-get-here is Zyg-Get, is-get", "the [zyg-get-here] is [Zyg-Get], is-get");
    seen_words_release(&seen);
    learn_pairs(&seen, 14);
    expect(&seen, "the zyg-get-here is Zyg-Get, is-get", "the [zyg]-get-here is [Zyg-Get], is-get");
    seen_words_release(&seen);
}

/* In a pair, what is unseen in the source is replaced where the target holds it as often, as a word. */
static void pairs_hold_unseen_words(void **state)
{
    (void)state;
    struct seen_words seen;
    struct protection sides[2];
    learn(&seen);
    const struct protect protect = {.kinds = PATTERN_SET(PATTERN_UNSEEN), .seen = &seen};
    const char *const cases[][2] = {
        {"a Xyvo Qux, a Zyg", "(un Zyg de l'Xyvo Qux)"}, {"a Zyg", "Zygs"}, {"a Zyg", "Zyg Zyg"}};
    const int counts[] = {2, 0, 0};
    for (int i = 0; i < 3; i++) {
        protect_pair(sides, &protect, cases[i], (const size_t[2]){strlen(cases[i][0]), strlen(cases[i][1])});
        assert_int_equal(sides[0].count, counts[i]);
        assert_int_equal(sides[1].count, counts[i]);
        if (i == 0)
            assert_true(sides[1].items[0].number == 2 && sides[1].items[0].span.begin == 4);
    }
    seen_words_release(&seen);
}

/* Writes `text` as a model's file and loads it. */
static int load(struct seen_words *seen, const char *text, struct err *err)
{
    struct model_files files;
    open_temporary_model(&files, "source.words", text);
    seen_words_init(seen);
    const int status = seen_words_load(seen, &files, "source.words", err);
    close_temporary_model(&files, "source.words");
    return status;
}

static void the_file_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct seen_words learned, loaded, other;
    struct strbuf text;
    struct err err;
    learn(&learned);
    strbuf_init(&text);
    seen_words_print(&text, &learned);
    if (load(&loaded, text.text, &err))
        fail_msg("%s", err.text);
    assert_true(seen_words_same(&learned, &loaded));
    assert_int_equal(load(&other, "-\na\n", &err), 0);
    assert_true(other.copied == 0 && !other.but);
    assert_false(seen_words_same(&other, &loaded));
    seen_words_release(&other);
    assert_int_equal(load(&other, "lower capital but-compounds\na\n", &err), 0);
    assert_true(other.copied == (SHAPE_SET(SHAPE_LOWER) | SHAPE_SET(SHAPE_CAPITAL)) &&
                other.but == EXCEPTION_SET(BUT_COMPOUNDS));
    strbuf_reset(&text);
    seen_words_print(&text, &other);
    assert_string_equal(text.text, "lower capital but-compounds\na\n");
    strbuf_release(&text);
    seen_words_release(&learned);
    seen_words_release(&loaded);
    seen_words_release(&other);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "the file is empty"},
        {"capital big\na\n", "line 1 is neither '-' nor some of lower|first|"},
        {"capital\na\n\n", "line 3 is not a word"},
        {"capital\na\xff\n", "line 2 is not a word"},
        {"-\na\nb\na\n", "the word of line 4 is there already"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct seen_words seen;
        struct err err;
        assert_int_equal(load(&seen, cases[i][0], &err), -1);
        assert_non_null(strstr(err.text, cases[i][1]));
        assert_int_equal(seen.words.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_copies_do_not_count_as_seen),
        cmocka_unit_test(names_and_other_scripts_are_unseen),
        cmocka_unit_test(dotted_and_dotless_letters_are_the_same_word),
        cmocka_unit_test(particles_are_not_copied),
        cmocka_unit_test(signs_stand_for_each_other),
        cmocka_unit_test(armenian_marks_belong_to_their_word),
        cmocka_unit_test(later_words_find_room),
        cmocka_unit_test(the_share_of_copies_decides_of_a_shape),
        cmocka_unit_test(first_words_are_like_small_ones),
        cmocka_unit_test(the_share_of_copies_decides_of_hyphens),
        cmocka_unit_test(compounds_do_not_stand_for_names),
        cmocka_unit_test(words_of_the_sources_script_are_left_out),
        cmocka_unit_test(the_share_of_copies_decides_of_quantities),
        cmocka_unit_test(letters_stand_for_each_other),
        cmocka_unit_test(new_capitals_are_read_as_small_letters),
        cmocka_unit_test(forgotten_words_count),
        cmocka_unit_test(pairs_hold_unseen_words),
        cmocka_unit_test(the_file_is_read_as_it_was_written),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_temporary_dir, remove_temporary_dir);
}

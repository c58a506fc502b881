/* Shortlists: learned from a small text, written and read again, and refused where a file has wrong ones. */
#include "shortlist.h"

#include "check.h"
#include "mem.h"
#include "temporary.h"
#include "word_counts.h"

/* So many words are in every list; the target vocabulary has them behind its letters. */
enum { FREQUENT = 100, LETTERS = 8, WORDS = VOCAB_SPECIALS + LETTERS + FREQUENT };

static struct config config;
static struct language_pair pair;
static char *source_path, *target_path, *model_path;
static char begin_name[] = "shortlist.begin", words_name[] = "shortlist.words", other_name[] = "other";

/* Appends a word to the vocabulary. */
static void learn_word(struct vocab *vocab, const char *word)
{
    struct word_counts counts;
    word_counts_init(&counts);
    word_counts_add(&counts, word, strlen(word), 1);
    vocab_build(vocab, &counts.words, counts.counts, 0, 1);
    word_counts_release(&counts);
}

static void learn_words(void)
{
    char word[8] = "";
    for (int i = 0; i < LETTERS; i++) {
        word[0] = "abcdefgx"[i];
        learn_word(&pair.vocab[SOURCE], word);
        word[0] = "ABCDEFGx"[i];
        learn_word(&pair.vocab[TARGET], word);
    }
    for (int i = 0; i < FREQUENT; i++) {
        snprintf(word, sizeof word, "f%d", i);
        learn_word(&pair.vocab[TARGET], word);
    }
}

static int set_up(void **state)
{
    static const char *const settings[] = {"text.subword=word", "text.protect=false",
                                           "text.tokenizer=whitespace"};
    struct err err;
    config_init(&config);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (config_set(&config, settings[i], &err))
            return -1;
    language_pair_init(&pair, &config);
    learn_words();
    if (make_temporary_dir(state))
        return -1;
    source_path = xasprintf("%s/source", temporary_dir);
    target_path = xasprintf("%s/target", temporary_dir);
    model_path = xasprintf("%s/model", temporary_dir);
    return 0;
}

static int tear_down(void **state)
{
    remove(source_path);
    remove(target_path);
    remove(model_path);
    xfree(source_path);
    xfree(target_path);
    xfree(model_path);
    language_pair_release(&pair);
    config_release(&config);
    return remove_temporary_dir(state);
}

/* ---- learning ---- */

static void write_file(const char *path, const char *begin, const char *end)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(begin, file) >= 0 && fputs(end, file) >= 0 && fclose(file) == 0);
}

static int learn(struct shortlist *shortlist, struct err *err)
{
    const struct pair_files files = {source_path, target_path, NULL};
    return shortlist_learn(shortlist, &pair, &config, &files, err);
}

/* Learns from pairs of letters, beside g, with which all frequent words come fifty times. */
static void learn_letters(struct shortlist *shortlist, const char *source, const char *target)
{
    struct strbuf from, to;
    struct err err;
    strbuf_init(&from);
    strbuf_init(&to);
    for (int line = 0; line < 100; line++) {
        strbuf_adds(&from, "g\n");
        for (int i = 0; i < FREQUENT / 2; i++)
            strbuf_addf(&to, "f%d%s", i + line % 2 * FREQUENT / 2, i == FREQUENT / 2 - 1 ? "\n" : " ");
    }
    write_file(source_path, from.text, source);
    write_file(target_path, to.text, target);
    assert_int_equal(learn(shortlist, &err), 0);
    strbuf_release(&from);
    strbuf_release(&to);
}

/* The letters for a sentence of letters. */
static void expect_letters(const struct shortlist *shortlist, const char *source, const char *expected)
{
    int ids[LETTERS];
    size_t count = 0, frequent = 0;
    word_bits set[(WORDS + WORD_BITS - 1) / WORD_BITS] = {0};
    char letters[LETTERS + 1] = "";
    for (const char *c = source; *c; c++)
        ids[count++] = vocab_id(pair.tokenizer[SOURCE].vocab, c, 1);
    shortlist_add(set, shortlist, ids, count);
    for (int id = 0; id < WORDS; id++) {
        const char *word = vocab_word(pair.tokenizer[TARGET].vocab, id);
        if (!(set[id / WORD_BITS] >> id % WORD_BITS & 1))
            continue;
        frequent += word[0] == 'f';
        if (word[0] != 'f')
            strncat(letters, word, 1);
    }
    assert_string_equal(letters, expected);
    assert_int_equal(frequent, FREQUENT);
}

static void words_that_come_together_are_listed(void **state)
{
    struct shortlist shortlist;
    (void)state;
    learn_letters(&shortlist, "a b\na c\nd\ne\nx a\n", "A B\nC A\nD\nE F\nA B\n");
    assert_int_equal(shortlist.source_words, VOCAB_SPECIALS + LETTERS);
    assert_int_equal(shortlist.target_words, WORDS);
    expect_letters(&shortlist, "", "");
    expect_letters(&shortlist, "a", "ABC");
    expect_letters(&shortlist, "b", "AB");
    expect_letters(&shortlist, "d", "D");
    expect_letters(&shortlist, "de", "DEF");
    expect_letters(&shortlist, "f", ""); /* not seen */
    expect_letters(&shortlist, "g", "");
    expect_letters(&shortlist, "x", "ABx"); /* and itself */
    shortlist_release(&shortlist);
}

/* Forty pairs say that a is A, and forty that b is B. */
static void improbable_words_are_not_listed(void **state)
{
    struct shortlist shortlist;
    struct strbuf source, target;
    (void)state;
    strbuf_init(&source);
    strbuf_init(&target);
    for (int i = 0; i < 40; i++) {
        strbuf_adds(&source, "a\nb\n");
        strbuf_adds(&target, "A\nB\n");
    }
    strbuf_adds(&source, "a b\n");
    strbuf_adds(&target, "A B\n");
    learn_letters(&shortlist, source.text, target.text);
    expect_letters(&shortlist, "a", "A");
    expect_letters(&shortlist, "ab", "AB");
    shortlist_release(&shortlist);
    strbuf_release(&source);
    strbuf_release(&target);
}

static void a_text_that_teaches_nothing_is_refused(void **state)
{
    static const struct {
        const char *source, *target, *message;
    } cases[] = {
        {"", "", "cannot learn a shortlist: the text has no pairs of up to 100 tokens"},
        {"\n \n", "A\nB\n", "cannot learn a shortlist: the text has no pairs of up to 100 tokens"},
        {"a\n", "A\nB\n", "has 1 line but"},
        {"a\xff\n", "A\n", "invalid UTF-8 at line 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shortlist shortlist;
        struct err err;
        write_file(source_path, cases[i].source, "");
        write_file(target_path, cases[i].target, "");
        assert_int_equal(learn(&shortlist, &err), -1);
        assert_non_null(strstr(err.text, cases[i].message));
    }
}

/* ---- files ---- */

static void write_tensors(const struct tensor *tensors, size_t count)
{
    struct err err;
    const struct safetensors_content content = {.tensors = tensors, .count = count};
    assert_int_equal(safetensors_save(model_path, &content, &err), 0);
}

/* As shortlist_load; the file is gone afterwards. */
static int load(struct shortlist *shortlist, struct err *err)
{
    struct safetensors file;
    assert_int_equal(safetensors_open(&file, model_path, err), 0);
    const int status = shortlist_load(shortlist, &file, &pair, err);
    safetensors_close(&file);
    return status;
}

static void a_file_gives_back_what_it_was_given(void **state)
{
    struct shortlist shortlist, back;
    struct tensor tensors[SHORTLIST_TENSORS];
    struct err err;
    (void)state;
    learn_letters(&shortlist, "a b\nc\n", "A G\nC D\n");
    assert_int_equal(shortlist_tensors(tensors, &shortlist), SHORTLIST_TENSORS);
    write_tensors(tensors, SHORTLIST_TENSORS);
    assert_int_equal(load(&back, &err), 0);
    expect_letters(&back, "ac", "ACDG");
    assert_true(shortlist_mean(&back) > 0 && shortlist_mean(&back) < 2);
    assert_memory_equal(back.begin, shortlist.begin, (back.source_words + 2) * sizeof *back.begin);
    assert_memory_equal(back.words, shortlist.words, (size_t)back.begin[back.source_words + 1]);
    shortlist_release(&shortlist);
    shortlist_release(&back);
}

static void most_files_have_none(void **state)
{
    const struct tensor other = {other_name, TENSOR_I8, 1, {1}, "", 1};
    struct shortlist none = {.begin = NULL};
    struct tensor tensors[SHORTLIST_TENSORS];
    struct err err;
    (void)state;
    assert_int_equal(shortlist_tensors(tensors, &none), 0);
    write_tensors(&other, 1);
    assert_int_equal(load(&none, &err), 0);
    assert_null(none.begin);
}

enum { LISTS = VOCAB_SPECIALS + LETTERS + 1 };

/* The lists are `words` [bytes] for all sentences, and none for each source word, if `begin` (may be NULL)
 * does not say otherwise. */
static void expect_refused(const char *words, size_t bytes, const int32_t *begin, const char *message)
{
    int32_t places[LISTS + 1] = {0};
    struct shortlist shortlist;
    struct err err;
    for (size_t i = 1; i <= LISTS; i++)
        places[i] = (int32_t)bytes;
    const struct tensor tensors[] = {
        {begin_name, TENSOR_I32, 1, {LISTS + 1}, begin ? begin : places, sizeof places},
        {words_name, TENSOR_I8, 1, {(int64_t)bytes}, words, bytes}};
    write_tensors(tensors, 2);
    const int status = load(&shortlist, &err);
    if (!message) {
        assert_int_equal(status, 0);
        shortlist_release(&shortlist);
        return;
    }
    assert_int_equal(status, -1);
    if (!strstr(err.text, message))
        fail_msg("'%s' where '%s' is expected", err.text, message);
}

static void wrong_lists_are_refused(void **state)
{
    static const char wrong[] = "'shortlist.words' has a list that is no ascending list of words",
                      parts[] = "'shortlist.begin' does not divide 'shortlist.words'";
    (void)state;
    expect_refused("\x6f", 1, NULL, NULL); /* the last word: 110 */
    expect_refused("\x70", 1, NULL, wrong);
    expect_refused("\x6f\x01", 2, NULL, wrong);
    expect_refused("\x01\x00", 2, NULL, wrong);
    expect_refused("\x01\x80", 2, NULL, wrong);
    expect_refused("\x80\x80\x80\x80\x80\x01", 6, NULL, wrong);
    expect_refused("\xff\xff\xff\xff\x7f", 5, NULL, wrong);
    expect_refused("\x81\x80\x80\x80\x00", 5, NULL, NULL);
    expect_refused("", 0, NULL, NULL);
    int32_t begin[LISTS + 1] = {0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    expect_refused("\x01\x01", 2, begin, NULL);
    begin[3] = 1;
    expect_refused("\x01\x01", 2, begin, parts);
    begin[3] = 3;
    expect_refused("\x01\x01", 2, begin, parts);
    begin[3] = -1;
    expect_refused("\x01\x01", 2, begin, parts);
    begin[3] = 2;
    begin[0] = 1;
    expect_refused("\x01\x01", 2, begin, parts);
    begin[0] = 0;
    begin[LISTS] = 1;
    expect_refused("\x01\x01", 2, begin, parts);
}

static void wrong_tensors_are_refused(void **state)
{
    static const int32_t begin[LISTS + 2] = {0};
    const struct {
        struct tensor tensors[2];
        const char *message;
    } cases[] = {
        {{{begin_name, TENSOR_I32, 1, {LISTS + 2}, begin, sizeof begin},
          {words_name, TENSOR_I8, 1, {0}, "", 0}},
         "where the model needs"},
        {{{begin_name, TENSOR_F32, 1, {LISTS + 1}, begin, 4 * (LISTS + 1)},
          {words_name, TENSOR_I8, 1, {0}, "", 0}},
         "is F32 where I32 is needed"},
        {{{begin_name, TENSOR_I32, 1, {LISTS + 1}, begin, 4 * (LISTS + 1)},
          {words_name, TENSOR_I8, 2, {0, 0}, "", 0}},
         "'shortlist.words' is 0x0 where the model needs N"},
        {{{begin_name, TENSOR_I32, 1, {LISTS + 1}, begin, 4 * (LISTS + 1)},
          {other_name, TENSOR_I8, 1, {0}, "", 0}},
         "no tensor 'shortlist.words'"},
        {{{other_name, TENSOR_I32, 1, {LISTS + 1}, begin, 4 * (LISTS + 1)},
          {words_name, TENSOR_I8, 1, {0}, "", 0}},
         "no tensor 'shortlist.begin'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shortlist shortlist;
        struct err err;
        write_tensors(cases[i].tensors, 2);
        assert_int_equal(load(&shortlist, &err), -1);
        if (!strstr(err.text, cases[i].message))
            fail_msg("'%s' where '%s' is expected", err.text, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_come_together_are_listed),
        cmocka_unit_test(improbable_words_are_not_listed),
        cmocka_unit_test(a_text_that_teaches_nothing_is_refused),
        cmocka_unit_test(a_file_gives_back_what_it_was_given),
        cmocka_unit_test(most_files_have_none),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(wrong_tensors_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

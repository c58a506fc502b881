/* The file of what is learned of sentences. */
#include "check.h"

#include "mem.h"
#include "splitter.h"
#include "temporary_model.h"

static const char *const lines[] = {
    "Der Mann wohnt seit ca. zehn Jahren hier.", "Die Frau kommt am 3. Januar an.",
    "Am 5. Juni, dem Fest, singt die Gruppe.", "Es war das 4. Mal, dass der Mann kam."};
#define LINES ((int)(sizeof lines / sizeof lines[0]))

static int load(struct splitter *splitter, const char *text, struct err *err)
{
    struct model_files files;
    open_temporary_model(&files, "source.sentences", text);
    splitter_init(splitter);
    const int status = splitter_load(splitter, &files, "source.sentences", err);
    close_temporary_model(&files, "source.sentences");
    return status;
}

static void what_is_learned_comes_back_from_its_file(void **state)
{
    struct err err;
    struct splitter learned, loaded;
    struct strbuf first, second;
    size_t bytes[LINES];
    (void)state;
    for (int i = 0; i < LINES; i++)
        bytes[i] = strlen(lines[i]);
    strbuf_init(&first);
    strbuf_init(&second);
    splitter_init(&learned);
    splitter_learn(&learned, lines, bytes, LINES);
    learned.longest = 17;
    splitter_print(&first, &learned);
    assert_int_equal(load(&loaded, first.text, &err), 0);
    assert_true(loaded.learned);
    assert_int_equal(loaded.longest, 17);
    splitter_print(&second, &loaded);
    assert_string_equal(first.text, second.text);
    splitter_release(&learned);
    splitter_release(&loaded);
    strbuf_release(&first);
    strbuf_release(&second);
}

static void a_damaged_file_is_an_error(void **state)
{
    static const char *const texts[] = {"lines\n",
                                        "lines x\n",
                                        "lines -1\n",
                                        "lines 1 \n",
                                        "longest 9999999\n",
                                        "ordinals 2\n",
                                        "quotations 4\n",
                                        "unknown 1\n",
                                        "abbreviation \n",
                                        "starter \xff\n",
                                        "lines 9999999999999999999\n",
                                        "lines +5\n",
                                        "lines  5\n",
                                        "single 3\n"};
    struct err err;
    struct splitter splitter;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char *text = xasprintf("single 3\n%s", texts[i]);
        assert_int_equal(load(&splitter, text, &err), -1);
        xfree(text);
        assert_non_null(strstr(err.text, "source.sentences': line 2 is not a key and its value"));
        assert_false(splitter.learned);
    }
    assert_int_equal(load(&splitter, "", &err), -1);
    assert_non_null(strstr(err.text, "source.sentences': it has no 'lines'"));
    assert_int_equal(load(&splitter, "lines 3\nsingle 3\nordinals 0\nlowercase 0\nstarter a\n", &err), -1);
    assert_non_null(strstr(err.text, "source.sentences': it has no 'longest'"));
}

static void a_file_without_what_is_new_is_read(void **state)
{
    struct err err;
    struct splitter splitter;
    (void)state;
    assert_int_equal(load(&splitter, "lines 3\nsingle 2\nlongest 9\nordinals 0\nlowercase 1\n", &err), 0);
    assert_int_equal(splitter.single_lines, 2);
    assert_int_equal(splitter.speech, SPEECH_NEVER);
    assert_int_equal(splitter.quotations, 0);
    splitter_release(&splitter);
}

/* Words of older files may be in no normal form: a letter with a nukta as one character. */
static void words_of_a_file_are_normalised(void **state)
{
    struct err err;
    struct splitter splitter;
    (void)state;
    assert_int_equal(load(&splitter,
                          "lines 3\nsingle 2\nlongest 9\nordinals 0\nlowercase 1\n"
                          "starter \u0932\u095c\u0915\u093e\n",
                          &err),
                     0);
    assert_int_equal(splitter.starters.count, 1);
    assert_string_equal(strmap_text(&splitter.starters, 0), "\u0932\u0921\u093c\u0915\u093e");
    splitter_release(&splitter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_learned_comes_back_from_its_file),
        cmocka_unit_test(a_damaged_file_is_an_error),
        cmocka_unit_test(a_file_without_what_is_new_is_read),
        cmocka_unit_test(words_of_a_file_are_normalised),
    };
    return cmocka_run_group_tests(tests, make_temporary_dir, remove_temporary_dir);
}

/* Language pairs: their files and the content. */
#include "check.h"

#include "fileio.h"
#include "language_pair.h"
#include "mem.h"
#include "temporary.h"
#include "word_counts.h"

#include <unistd.h>

static const char *const all[] = {"joint.bpe",        "source.bpe",      "target.bpe",   "joint.subwords",
                                  "source.subwords",  "target.subwords", "source.vocab", "target.vocab",
                                  "source.sentences", "source.truecase", "source.words", "target.forms",
                                  "source.ngrams",    "target.ngrams"};

static void make_or_remove(const char *name, bool make)
{
    char *path = path_join(temporary_dir, name);
    if (make) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
    } else {
        unlink(path);
    }
    free(path);
}

static void every_file_of_words_is_listed(void **state)
{
    (void)state;
    const char *names[LANGUAGE_PAIR_MOST_FILES + 1];
    language_pair_files(names, temporary_dir);
    assert_null(names[0]);
    for (int i = 0; i < LANGUAGE_PAIR_MOST_FILES; i++) {
        make_or_remove(all[i], true);
        language_pair_files(names, temporary_dir);
        assert_string_equal(names[0], all[i]);
        assert_null(names[1]);
        make_or_remove(all[i], false);
    }
    make_or_remove("model.safetensors", true);
    make_or_remove("target.vocab", true);
    make_or_remove("joint.bpe", true);
    language_pair_files(names, temporary_dir);
    assert_string_equal(names[0], "joint.bpe");
    assert_string_equal(names[1], "target.vocab");
    assert_null(names[2]);
    make_or_remove("model.safetensors", false);
    make_or_remove("target.vocab", false);
    make_or_remove("joint.bpe", false);
}

static void make_pair(struct language_pair *pair, const struct config *config, const char *first,
                      const char *allowed)
{
    struct err err;
    struct word_counts counts;
    language_pair_init(pair, config);
    word_counts_init(&counts);
    word_counts_add(&counts, "ab@@ c a@@ b@@ c", 16, 3);
    for (int side = 0; side < SIDES; side++) {
        bpe_add_merge(&pair->bpe[side], first, 1, "b", 1);
        bpe_add_merge(&pair->bpe[side], "ab", 2, "c</w>", 5);
        strmap_intern(&pair->bpe[side].allowed, "ab@@", 4);
        strmap_intern(&pair->bpe[side].allowed, allowed, strlen(allowed));
        vocab_build(&pair->vocab[side], &counts.words, counts.counts, 0, 1);
    }
    word_counts_release(&counts);
    if (language_pair_save(pair, temporary_dir, &err))
        fail_msg("%s", err.text);
}

static void words_come_back_from_their_files(void **state)
{
    (void)state;
    struct err err;
    struct config config;
    for (int joint = 0; joint < 2; joint++) {
        struct language_pair saved, others[2], loaded;
        struct model_files files;
        assert_int_equal(model_files_open(&files, temporary_dir, &err), 0);
        config_init(&config);
        assert_int_equal(config_set(&config, joint ? "text.joint=true" : "text.joint=false", &err), 0);
        assert_int_equal(config_set(&config, "text.vocabulary_threshold=2", &err), 0);
        make_pair(&others[0], &config, "a", "b");
        make_pair(&others[1], &config, "x", "c");
        make_pair(&saved, &config, "a", "c");
        assert_int_equal(language_pair_load(&loaded, &config, &files, &err), 0);
        assert_true(language_pair_same(&saved, &loaded));
        for (int i = 0; i < 2; i++) {
            assert_false(language_pair_same(&others[i], &loaded));
            language_pair_release(&others[i]);
        }
        language_pair_release(&saved);
        language_pair_release(&loaded);
        config_release(&config);
        model_files_close(&files);
        for (int i = 0; i < LANGUAGE_PAIR_MOST_FILES; i++)
            make_or_remove(all[i], false);
    }
}

static void a_difference_is_named(void **state)
{
    (void)state;
    struct err err;
    struct config plain, other;
    struct language_pair pairs[2];
    static const char *const settings[][2] = {{"text.tokenizer=char", "text.tokenizer"},
                                              {"text.normalize=none", "text.normalize"},
                                              {"text.reverse_target=true", "text.reverse_target"},
                                              {"text.lowercase=true", "text.lowercase"},
                                              {"text.protect=false", "text.protect"},
                                              {"text.subword=word", NULL}};
    config_init(&plain);
    language_pair_init(&pairs[0], &plain);
    assert_null(language_pair_difference(&pairs[0], &pairs[0]));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        config_init(&other);
        assert_int_equal(config_set(&other, settings[i][0], &err), 0);
        language_pair_init(&pairs[1], &other);
        char *named = settings[i][1] ? xasprintf("it has another '%s'", settings[i][1])
                                     : xstrdup("it sees text in other words");
        assert_string_equal(language_pair_difference(&pairs[0], &pairs[1]), named);
        xfree(named);
        language_pair_release(&pairs[1]);
        config_release(&other);
    }
    language_pair_release(&pairs[0]);
    config_release(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_file_of_words_is_listed, make_temporary_dir,
                                        remove_temporary_dir),
        cmocka_unit_test_setup_teardown(words_come_back_from_their_files, make_temporary_dir,
                                        remove_temporary_dir),
        cmocka_unit_test(a_difference_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

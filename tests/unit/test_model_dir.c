/* Model directories: which files are there, and which directory is meant. */
#include "check.h"

#include "fileio.h"
#include "model_dir.h"

#include <unistd.h>

static char dir[64];

static int make_dir(void **state)
{
    (void)state;
    strcpy(dir, "/tmp/nmt-model-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    (void)state;
    return rmdir(dir);
}

static const char *const all[] = {"joint.bpe",       "source.bpe",      "target.bpe",   "joint.subwords",
                                  "source.subwords", "target.subwords", "source.vocab", "target.vocab"};

static void make_or_remove(const char *name, bool make)
{
    char *path = path_join(dir, name);
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
    language_pair_files(names, dir);
    assert_null(names[0]);
    for (int i = 0; i < LANGUAGE_PAIR_MOST_FILES; i++) {
        make_or_remove(all[i], true);
        language_pair_files(names, dir);
        assert_string_equal(names[0], all[i]);
        assert_null(names[1]);
        make_or_remove(all[i], false);
    }
    make_or_remove("model.safetensors", true);
    make_or_remove("target.vocab", true);
    make_or_remove("joint.bpe", true);
    language_pair_files(names, dir);
    assert_string_equal(names[0], "joint.bpe");
    assert_string_equal(names[1], "target.vocab");
    assert_null(names[2]);
    make_or_remove("model.safetensors", false);
    make_or_remove("target.vocab", false);
    make_or_remove("joint.bpe", false);
}

static void the_given_directory_comes_first(void **state)
{
    (void)state;
    struct err err;
    setenv("NMT_MODEL", "/of/environment", 1);
    char *chosen = model_dir_choose("given", &err);
    assert_string_equal(chosen, "given");
    free(chosen);
    chosen = model_dir_choose(NULL, &err);
    assert_string_equal(chosen, "/of/environment");
    free(chosen);
    setenv("NMT_MODEL", "", 1);
    assert_int_equal(chdir(dir), 0); /* no models there */
    assert_null(model_dir_choose(NULL, &err));
    assert_int_equal(chdir("/"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_file_of_words_is_listed, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(the_given_directory_comes_first, make_dir, remove_dir),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

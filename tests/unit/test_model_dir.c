/* Model directories: the choice of one. */
#include "check.h"

#include "model_dir.h"
#include "temporary.h"

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
    assert_int_equal(chdir(temporary_dir), 0); /* a directory without models */
    assert_null(model_dir_choose(NULL, &err));
    assert_int_equal(chdir("/"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_given_directory_comes_first, make_temporary_dir,
                                        remove_temporary_dir),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

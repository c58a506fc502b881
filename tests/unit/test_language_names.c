/* Names of languages, with and without variants. */
#include "check.h"

#include "language_names.h"

static void tags_have_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"en", "English"},
                                           {"FR", "French"},
                                           {"pt-BR", "Portuguese (Brazil)"},
                                           {"zh-hans", "Chinese (Simplified)"},
                                           {"zh-Hant-TW", "Chinese (Traditional, Taiwan)"},
                                           {"es-419", "Spanish (419)"},
                                           {"nb", "Norwegian Bokmål"},
                                           {"hsb", "Upper Sorbian"},
                                           {"arz", "Egyptian Arabic"},
                                           {"qaa", "qaa"},
                                           {"qaa-BR", "qaa-BR"}};
    struct strbuf name;
    strbuf_init(&name);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strbuf_reset(&name);
        language_name_append(&name, cases[i][0]);
        assert_string_equal(name.text, cases[i][1]);
    }
    strbuf_release(&name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tags_have_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

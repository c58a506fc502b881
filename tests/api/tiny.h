/* tiny: what the tests of the library begin with: the model of twenty pairs that knows them by heart. They
 * see include/nmt.h alone. $NMT_TINY_MODEL, if it is set, is the path of another form of this model. */
#ifndef NMT_TEST_TINY_H
#define NMT_TEST_TINY_H

#include "tiny_text.h"

#include <nmt.h>

struct tiny {
    char path[4096];
    struct nmt_model *model;
    struct nmt_translator *translator;
    char *text[2][LINES]; /* sources and targets */
    const char *const *sources, *const *targets;
};

static inline struct nmt_translator *tiny_translator(struct nmt_model *model)
{
    char error[NMT_ERROR_BYTES] = "";
    struct nmt_translator *translator = nmt_translator_new(model, error, sizeof error);
    assert_string_equal(error, "");
    assert_non_null(translator);
    return translator;
}

/* A test begins with a translator of its own. */
static inline int tiny_set_up(void **state)
{
    char error[NMT_ERROR_BYTES] = "";
    struct tiny *tiny = calloc(1, sizeof *tiny);
    const char *other = getenv("NMT_TINY_MODEL");
    snprintf(tiny->path, sizeof tiny->path, "%s%s", other ? other : getenv("NMT_TINY"),
             other ? "" : "/models/tiny");
    tiny_read(tiny->text[0], "train.en");
    tiny_read(tiny->text[1], "train.fr");
    tiny->sources = (const char *const *)tiny->text[0];
    tiny->targets = (const char *const *)tiny->text[1];
    tiny->model = nmt_open(tiny->path, error, sizeof error);
    assert_string_equal(error, "");
    tiny->translator = tiny_translator(tiny->model);
    *state = tiny;
    return 0;
}

static inline int tiny_tear_down(void **state)
{
    struct tiny *tiny = *state;
    nmt_translator_free(tiny->translator);
    nmt_close(tiny->model);
    for (int i = 0; i < LINES; i++) {
        free(tiny->text[0][i]);
        free(tiny->text[1][i]);
    }
    free(tiny);
    return 0;
}

#define TINY_TEST(test) cmocka_unit_test_setup_teardown(test, tiny_set_up, tiny_tear_down)

static inline void set(const struct tiny *tiny, const char *option, const char *value)
{
    if (nmt_set(tiny->translator, option, value))
        fail_msg("%s=%s: %s", option, value, nmt_error(tiny->translator));
}

static inline struct nmt_result *expect_result(struct nmt_translator *translator, struct nmt_result *result)
{
    assert_string_equal(nmt_error(translator), "");
    assert_int_equal(nmt_error_code(translator), NMT_NO_ERROR);
    assert_non_null(result);
    return result;
}

/* The caller frees the results of these. */
static inline struct nmt_result *translate(struct nmt_translator *translator, const char *const *lines,
                                           size_t count)
{
    return expect_result(translator, nmt_translate(translator, lines, count));
}

static inline void expect_failure(const struct nmt_translator *translator, enum nmt_error_code code,
                                  const char *text)
{
    assert_string_equal(nmt_error(translator), text);
    assert_int_equal(nmt_error_code(translator), code);
}

#endif

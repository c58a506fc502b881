/* Config files: error messages, --set, printing, changes between two configs, and the lists of choices. */
#include "check.h"

#include "config.h"
#include "fileio.h"
#include "mem.h"
#include "temporary.h"

static char path[] = "/tmp/nmt-test-config-XXXXXX";

static int load(struct config *config, const char *text, struct err *err)
{
    assert_int_equal(file_replace(path, text, strlen(text), err), 0);
    config_release(config);
    config_init(config);
    return config_load(config, path, err);
}

static void expect_error(const char *text, const char *message)
{
    struct config config;
    struct err err;
    config_init(&config);
    assert_int_equal(load(&config, text, &err), -1);
    if (!strstr(err.text, message))
        fail_msg("'%s' is not in '%s'", message, err.text);
    config_release(&config);
}

static void errors_name_key_line_and_cure(void **state)
{
    (void)state;
    expect_error("{\n\"model\": {\n\"atention\": {}}}",
                 "unknown key 'model.atention' at line 3; did you mean 'model.attention'?");
    expect_error("{\"sed\": 1}", "unknown key 'sed' at line 1; did you mean 'seed'?");
    expect_error("{\"$schema\": 1}", "config key '$schema' at line 1 must be a string, not a number");
    expect_error("{\"data\": {\"$schema\": \"x\"}}", "unknown key 'data.$schema' at line 1");
    expect_error("{\"training\": {\"learning_rat\": 1}}", "did you mean 'training.learning_rate'?");
    expect_error("{\n\"model\": {\"embedding\": \"x\"}}",
                 "config key 'model.embedding' at line 2 must be a whole number or auto, not 'x'");
    expect_error("{\"model\": {\"embedding\": []}}", "must be a whole number or auto, not an array");
    expect_error("{\"model\": {\"encoder\":\n{\"lexical\": \"yes\"}}}",
                 "config key 'model.encoder.lexical' at line 2 must be true, false or auto, not 'yes'");
    expect_error("{\"model\": {\"layer_norm\": \"auto\"}}", "must be true or false, not a string");
    expect_error("{\"data\": {\"max_length\": \"auto\"}}", "must be a whole number, not a string");
    expect_error("{\"model\": {\"embedding\": 2.5}}", "must be a whole number or auto, not 2.5");
    expect_error("{\"model\": {\"embedding\": 1234567.5}}", "or auto, not 1234567.5");
    expect_error("{\"training\": {\"learning_rate\": 1234567}}", "is 1234567, out of range");
    expect_error("{\"model\": {\"embedding\": 0}}",
                 "config key 'model.embedding' at line 1 is 0, out of range 1 to 8192");
    expect_error("{\"model\": {\"tie\": \"some\"}}", "is 'some' where one of auto|none|target|all is needed");
    expect_error("{\"model\": 3}", "config key 'model' at line 1 must be an object, not a number");
    expect_error("{\"model\": {\"dropout\": {\"state\": 1}}}", "is 1, out of range 0 to 0.95");
    expect_error("{\"data\": {\"train\": [{\"tsv\": \"a\"},\n{},\n{\"tsv\": 3}]}}",
                 "config key 'data.train.tsv' at line 3 must be a string, not a number");
    expect_error("{\"data\": {\"train\": [{\"tsv\": \"a\"},\n{\"tvs\": \"b\"}]}}",
                 "unknown key 'data.train.tvs' at line 2; did you mean 'data.train.tsv'?");
    expect_error("{\"data\": {\n\"source_language\": \"en_US\"}}",
                 "config key 'data.source_language' at line 2 is 'en_US' where a language is needed");
    expect_error("{\"text\": {\n\"protect\": [\"url\", \"urls\"]}}",
                 "config key 'text.protect' at line 2 has 'urls' where one of url|email|");
    expect_error("{\"text\": {\"protect\": [1]}}",
                 "'text.protect' at line 1 must be true, false or a list of names, not a list of a number");
    expect_error("{\"text\": {\"protect\": \"url\"}}",
                 "must be true, false or a list of names, not a string");
    expect_error("[1]", "a config must be a JSON object, not an array");
    expect_error("{} {}", "text after the end");
    expect_error("{\"seed\": 1, \"seed\": 2}", "duplicate key 'seed'");
}

/* A set is printed by its names, whatever it was set with, and read back. */
static void sets_of_names(void **state)
{
    (void)state;
    static const struct {
        const char *json, *text, *printed;
    } cases[] = {{"false", "false", "\"protect\":\tfalse"},
                 {"[]", "false", "\"protect\":\tfalse"},
                 {"[\"markup\", \"url\", \"url\"]", "url,markup", "\"protect\":\t[\"url\", \"markup\"]"},
                 {"true", NULL, "\"protect\":\t[\"url\", "}};
    struct config config, again;
    struct err err;
    config_init(&config);
    config_init(&again);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strbuf text;
        strbuf_init(&text);
        strbuf_addf(&text, "{\"text\": {\"protect\": %s}}", cases[i].json);
        assert_int_equal(load(&config, text.text, &err), 0);
        strbuf_reset(&text);
        config_print(&config, &text);
        assert_non_null(strstr(text.text, cases[i].printed));
        assert_int_equal(load(&again, text.text, &err), 0);
        assert_int_equal(again.text.protect, config.text.protect);
        char *value = config_get(&config, "text.protect", &err);
        if (cases[i].text)
            assert_string_equal(value, cases[i].text);
        else
            assert_int_equal(config.text.protect, PROTECTED);
        char *assignment = xasprintf("text.protect=%s", value);
        assert_int_equal(config_set(&again, assignment, &err), 0);
        assert_int_equal(again.text.protect, config.text.protect);
        xfree(assignment);
        xfree(value);
        strbuf_release(&text);
    }
    config_release(&again);
    config_release(&config);
}

static void expect_got(const struct config *config, const char *key, const char *expected)
{
    struct err err;
    char *value = config_get(config, key, &err);
    assert_non_null(value);
    assert_string_equal(value, expected);
    free(value);
}

static void a_value_is_got_as_it_is_set(void **state)
{
    static const char *const set[][2] = {{"seed", "12"},
                                         {"training.learning_rate", "0.25"},
                                         {"decoding.sample", "true"},
                                         {"model.tie", "all"},
                                         {"decoding.tag", "<x>"},
                                         {"data.train.source", "/a \"b\""}};
    struct config config;
    struct err err;
    (void)state;
    config_init(&config);
    expect_got(&config, "decoding.tag", "");
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        char assignment[64];
        snprintf(assignment, sizeof assignment, "%s=%s", set[i][0], set[i][1]);
        assert_int_equal(config_set(&config, assignment, &err), 0);
        expect_got(&config, set[i][0], set[i][1]);
    }
    assert_int_equal(config_set(&config, "decoding.tag=", &err), 0);
    expect_got(&config, "decoding.tag", "");
    assert_int_equal(config_set(&config, "data.train.tag=", &err), -1);
    assert_null(config_get(&config, "sed", &err));
    assert_string_equal(err.text, "unknown key 'sed'; did you mean 'seed'?");
    assert_null(config_get(&config, "model", &err));
    config_release(&config);
}

static void what_is_printed_loads_again(void **state)
{
    (void)state;
    struct config config;
    struct err err;
    struct strbuf once, twice;
    strbuf_init(&once);
    strbuf_init(&twice);
    config_init(&config);
    assert_int_equal(
        load(&config,
             "{\"seed\": 999999999999999, \"model_dir\": \"m\", \"training\": {\"learning_rate\": 0.0003}}",
             &err),
        0);
    config_print(&config, &once);
    assert_int_equal(load(&config, once.text, &err), 0);
    config_print(&config, &twice);
    assert_string_equal(once.text, twice.text);
    assert_true(config.seed == 999999999999999);
    assert_string_equal(config.model_dir, "/tmp/m");
    strbuf_release(&once);
    strbuf_release(&twice);
    config_release(&config);
}

static void set_overrides(void **state)
{
    (void)state;
    struct config config;
    struct err err;
    config_init(&config);
    assert_int_equal(config_set(&config, "training.max_epochs=3", &err), 0);
    assert_int_equal(config.training.max_epochs, 3);
    assert_int_equal(config_set(&config, "text.lowercase=true", &err), 0);
    assert_true(config.text.lowercase);
    assert_int_equal(config_set(&config, "training.max_epochs=three", &err), -1);
    assert_string_equal(err.text,
                        "config key 'training.max_epochs' must be a whole number or auto, not 'three'");
    assert_int_equal(config_set(&config, "training.max_epochs=\r1", &err), -1);
    assert_string_equal(err.text,
                        "config key 'training.max_epochs' must be a whole number or auto, not '\r1'");
    assert_int_equal(config_set(&config, "training.max_epochs", &err), -1);
    assert_int_equal(config_set(&config, "training.max_epoch=1", &err), -1);
    assert_string_equal(err.text, "unknown key 'training.max_epoch'; did you mean 'training.max_epochs'?");
    assert_int_equal(config_set(&config, "training={}", &err), -1);
    assert_string_equal(err.text, "config key 'training' is an object: set the keys in it, one by one");
    config_release(&config);
}

static void whole_configs_are_checked(void **state)
{
    (void)state;
    struct config config;
    struct err err;
    config_init(&config);
    assert_int_equal(config_check(&config, &err), -1);
    assert_string_equal(err.text, "config key 'model_dir' is missing");
    assert_int_equal(config_set(&config, "model_dir=m", &err), 0);
    assert_int_equal(config_set(&config, "data.train.source=a", &err), 0);
    assert_int_equal(config_check(&config, &err), -1);
    assert_string_equal(err.text, "config key 'data.train' has 'source' but no 'target'");
    assert_int_equal(config_set(&config, "data.train.target=b", &err), 0);
    assert_int_equal(config_check(&config, &err), 0);
    assert_int_equal(config_set(&config, "training.batch_tokens=1000", &err), 0);
    assert_int_equal(config_check(&config, &err), 0);
    assert_int_equal(config_set(&config, "training.batch_sentences=100", &err), 0);
    assert_int_equal(config_check(&config, &err), -1);
    assert_string_equal(err.text, "exactly one of 'training.batch_sentences' and 'training.batch_tokens' "
                                  "must be above 0");
    config_release(&config);
}

/* Only the words of another model may have a tag that no corpus has. */
static void a_tag_is_one_of_the_words(void **state)
{
    (void)state;
    struct config config;
    struct err err;
    config_init(&config);
    assert_int_equal(config_check_tag(&config, &err), 0);
    assert_int_equal(config_set(&config, "decoding.tag=<x>", &err), 0);
    assert_int_equal(config_check_tag(&config, &err), -1);
    assert_int_equal(config_set(&config, "training.init_from=m", &err), 0);
    assert_int_equal(config_check_tag(&config, &err), 0);
    assert_int_equal(config_set(&config, "text.merges=100", &err), 0); /* words are learned anew */
    assert_int_equal(config_check_tag(&config, &err), -1);
    assert_string_equal(err.text, "config key 'decoding.tag' is '<x>', which no corpus of 'data.train' has");
    assert_int_equal(config_set(&config, "data.train.tag=<x>", &err), 0);
    assert_int_equal(config_check_tag(&config, &err), 0);
    config_release(&config);
}

static void changes_are_told(void **state)
{
    (void)state;
    struct config before, now;
    struct err err;
    struct strbuf changes;
    strbuf_init(&changes);
    config_init(&before);
    config_init(&now);
    config_print_changes(&now, &before, &changes);
    assert_string_equal(changes.text ? changes.text : "", "");
    assert_int_equal(config_check_resume(&now, &before, &err), 0);
    assert_int_equal(config_set(&now, "training.learning_rate=0.0001", &err), 0);
    assert_int_equal(config_set(&now, "data.train.tag=<new>", &err), 0);
    assert_int_equal(config_set(&now, "model.dropout.state=0.5", &err), 0);
    config_print_changes(&now, &before, &changes);
    assert_string_equal(changes.text, "\n  data.train.tag: \"<new>\", was not given"
                                      "\n  model.dropout.state: 0.5, was \"auto\""
                                      "\n  training.learning_rate: 0.0001, was \"auto\"");
    assert_int_equal(config_check_resume(&now, &before, &err), 0);
    assert_int_equal(config_set(&now, "model.attention.temperature=1.0000001", &err), 0);
    assert_int_equal(config_check_resume(&now, &before, &err), -1);
    assert_non_null(strstr(err.text, "'model.attention.temperature' is 1.0000001, was 1 when"));
    strbuf_release(&changes);
    config_release(&before);
    config_release(&now);
}

static void expect_packed(const char *text, const char *begin)
{
    struct config config;
    struct err err;
    struct strbuf packed, again;
    strbuf_init(&packed);
    strbuf_init(&again);
    config_init(&config);
    assert_int_equal(load(&config, text, &err), 0);
    config_print_packed(&config, &packed);
    assert_int_equal(strncmp(packed.text, begin, strlen(begin)), 0);
    assert_non_null(strstr(packed.text, "\"training\":\t{\n\t\t\"tokenize\":\t\"auto\"\n\t}"));
    assert_null(strstr(packed.text, "/"));
    assert_non_null(strstr(packed.text, "\"embedding\":\t7,"));
    assert_int_equal(load(&config, packed.text, &err), 0);
    assert_null(config_names_file(&config));
    config_print_packed(&config, &again);
    assert_string_equal(again.text, packed.text);
    strbuf_release(&packed);
    strbuf_release(&again);
    config_release(&config);
}

/* Languages, tags and what makes the network; no path, of the training only how it was scored. */
static void a_packed_file_keeps_what_translates(void **state)
{
    (void)state;
    expect_packed(
        "{\"model_dir\": \"m\", \"seed\": 3, \"model\": {\"embedding\": 7},"
        "\"data\": {\"source_language\": \"en\", \"target_language\": \"pt-BR\","
        "\"train\": {\"source\": \"a\", \"target\": \"b\"}, \"test\": {\"tsv\": \"c\"}}}",
        "{\n\t\"data\":\t{\n\t\t\"source_language\":\t\"en\",\n\t\t\"target_language\":\t\"pt-BR\"\n\t},"
        "\n\t\"text\":");
    expect_packed("{\"model\": {\"embedding\": 7}, \"training\": {\"init_from\": \"x\"}}", "{\n\t\"text\":");
    expect_packed("{\"model\": {\"embedding\": 7}, \"data\": {\"train\": [{\"tsv\": \"a\"},"
                  "{\"tsv\": \"b\", \"tag\": \"<b>\"}]}}",
                  "{\n\t\"text\":");
}

static void keys_that_name_files_are_found(void **state)
{
    (void)state;
    static const char *const keys[] = {"model_dir", "data.test.tsv", "training.init_from",
                                       "data.train.source"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct config config;
        struct err err;
        char assignment[64];
        snprintf(assignment, sizeof assignment, "%s=x", keys[i]);
        config_init(&config);
        assert_null(config_names_file(&config));
        assert_int_equal(config_set(&config, assignment, &err), 0);
        assert_string_equal(config_names_file(&config), keys[i]);
        config_release(&config);
    }
}

/* Writes and reads one choice of a key. */
static void expect_choice(const char *key, unsigned value, const char *name)
{
    assert_string_equal(config_choice(key, value).name, name);
}

#define EXPECT_ROW(constant, name) expect_choice(key, constant, #name);
#define EXPECT_LIST(path, list)                                                                              \
    do {                                                                                                     \
        const char *key = path;                                                                              \
        list(EXPECT_ROW)                                                                                     \
    } while (0)

static void names_are_those_of_the_lists(void **state)
{
    (void)state;
    EXPECT_LIST("data.on_invalid", INVALID_ACTIONS);
    EXPECT_LIST("text.tokenizer", TOKENIZERS);
    EXPECT_LIST("text.normalize", UTF8_FORMS);
    EXPECT_LIST("text.subword", SUBWORDS);
    EXPECT_LIST("model.tie", TIES);
    EXPECT_LIST("model.encoder.cell", CELLS);
    EXPECT_LIST("model.decoder.cell", CELLS);
    EXPECT_LIST("model.decoder.init", SUMMARIES);
    EXPECT_LIST("model.attention.score", SCORES);
    EXPECT_LIST("model.attention.kind", ATTENTION_KINDS);
    EXPECT_LIST("model.attention.scope", SCOPES);
    EXPECT_LIST("model.attention.normalizer", NORMALIZERS);
    EXPECT_LIST("model.attention.coverage", COVERAGES);
    EXPECT_LIST("model.attention.feed", FEEDS);
    EXPECT_LIST("training.optimizer", OPTIMIZERS);
    EXPECT_LIST("training.schedule", SCHEDULES);
    EXPECT_LIST("training.metric", METRICS);
    EXPECT_LIST("training.tokenize", BLEU_TOKENIZERS_OR_AUTO);
    EXPECT_LIST("training.exchange", EXCHANGES);
    EXPECT_LIST("training.on_divergence", DIVERGENCE_ACTIONS);
    EXPECT_LIST("decoding.normalization", LENGTH_NORMALIZATIONS);
}

static int make_file(void **state)
{
    (void)state;
    return temporary_file(path);
}

static int remove_file(void **state)
{
    (void)state;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_key_line_and_cure),
        cmocka_unit_test(sets_of_names),
        cmocka_unit_test(a_value_is_got_as_it_is_set),
        cmocka_unit_test(what_is_printed_loads_again),
        cmocka_unit_test(set_overrides),
        cmocka_unit_test(whole_configs_are_checked),
        cmocka_unit_test(a_tag_is_one_of_the_words),
        cmocka_unit_test(changes_are_told),
        cmocka_unit_test(a_packed_file_keeps_what_translates),
        cmocka_unit_test(keys_that_name_files_are_found),
        cmocka_unit_test(names_are_those_of_the_lists),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

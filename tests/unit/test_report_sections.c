/* The sections of a report, from made-up histories and results. */
#include "check.h"

#include "mem.h"
#include "report_sections.h"

#include <math.h>

static char english[] = "the cat", dog[] = "le chien", cat[] = "le chat", odd[] = "le <chat>",
            reason[] = "max_epochs";
static struct history_sample samples[4][1] = {
    {{3, english, dog, cat}},
    {{3, english, dog, cat}},
    {{3, english, cat, cat}},
    {{3, english, odd, cat}},
};
static struct history_validation validations[4] = {
    {10, 90, 1.9, 1, 10, 1, samples[0], 1, 0},
    {20, 80, 1.8, 2, 20, 1, samples[1], 1, 0},
    {30, 70, 1.7, 30.25, 40, 1, samples[2], 1, 0},
    {40, 60, 1.6, 4, 30, 1, samples[3], 1, 0},
};
static struct history_update updates[3] = {
    {10, 1, 5, 148, 0.001, 2, 1000, 3000, 6},
    {20, 1, 4, 54, 0.001, 1, 1000, 1000, 12},
    {40, 2, 3, 20, 0.001, 1, 1000, 2000, 180},
};
static struct history history = {.updates = updates,
                                 .update_count = 3,
                                 .validations = validations,
                                 .validation_count = 4,
                                 .parameters = 1500000,
                                 .pairs = 1,
                                 .threads = 2,
                                 .rollbacks = 1,
                                 .stop_reason = reason};

static int set_up(void **state)
{
    static struct strbuf page;
    strbuf_init(&page);
    *state = &page;
    return 0;
}

static int tear_down(void **state)
{
    strbuf_release(*state);
    return 0;
}

static void expect(const struct strbuf *page, const char *text)
{
    if (!strstr(page->text, text))
        fail_msg("no '%s' in '%s'", text, page->text);
}

static void expect_not(const struct strbuf *page, const char *text)
{
    if (strstr(page->text, text))
        fail_msg("'%s' in '%s'", text, page->text);
}

static void facts_of_a_training(void **state)
{
    struct strbuf *page = *state;
    struct config config;
    config_init(&config);
    config.model_dir = strdup("models/a&b");
    report_add_facts(page, &config, &history);
    expect(page, "models/a&amp;b");
    expect(page, "1.50 million parameters, 1 sentence pair<");
    expect(
        page,
        "40 updates, 2 epochs, 3.0 minutes, stopped: max_epochs, went back to an older checkpoint 1 time<");
    expect(page,
           "2 threads, a processor of unknown kind, OpenBLAS kernel unknown, nmt of an unknown version");
    config_release(&config);
}

static void a_training_that_has_not_begun(void **state)
{
    struct strbuf *page = *state;
    const struct history empty = {.update_count = 0};
    struct config config;
    config_init(&config);
    config.model_dir = strdup("new");
    report_add_facts(page, &config, &empty);
    expect(page, "network");
    expect_not(page, "million parameters");
    strbuf_reset(page);
    report_add_curves(page, &empty);
    expect_not(page, "<svg");
    strbuf_reset(page);
    report_add_samples(page, &empty);
    assert_int_equal(page->length, 0);
    config_release(&config);
}

/* Consecutive validations with the same translation are one row. */
static void samples_by_the_updates_that_said_so(void **state)
{
    struct strbuf *page = *state;
    report_add_samples(page, &history);
    expect(page, "Line 3 of the validation set");
    expect(page, "update 10 to 20</th><td dir=\"auto\">le chien<");
    expect(page, "update 30</th><td dir=\"auto\">le chat<");
    expect(page, "update 40</th><td dir=\"auto\">le &lt;chat&gt;<");
    expect(page, "reference</th><td dir=\"auto\">le chat<");
}

static void curves_and_all_validations(void **state)
{
    struct strbuf *page = *state;
    report_add_curves(page, &history);
    expect(page, "Training loss, nats per token");
    expect(page, "Validation perplexity");
    expect(page, "Target tokens per second");
    expect(page, "<td class=\"number\">30</td><td class=\"number\">70.000</td><td class=\"number\">30.25</td>"
                 "<td class=\"number\">40.00</td>");
    expect_not(page, "means of some"); /* few updates are drawn one by one */
}

/* ---- results on a test set ---- */

static const char *const source[] = {"a", "a b", "a b c d e", "a b c d e f g", "a b c d e f g h"};
static const char *const reference[] = {"u", "u v", "u v w x y", "u v w x y z q", "u v w x y z q r"};
#define LINES (sizeof source / sizeof source[0])

/* Makes results of a model that translates every line right but the last, or no line. */
static void set_tested(struct tested_model *tested, const struct test_set *set, struct loaded_model *loaded,
                       char *dir, bool good)
{
    memset(tested, 0, sizeof *tested);
    loaded->files.path = dir;
    tested->loaded = loaded;
    tested->name = xstrdup(path_base(dir));
    tested->history = &history;
    tested->error_rate = (double)NAN;
    tested->perplexity = good ? (struct perplexity){2, 1.25} : (struct perplexity){20, 2.5};
    tested->translated.seconds = 0.5;
    for (size_t i = 0; i < LINES; i++) {
        const char *text = good && i + 1 < LINES ? reference[i] : "n o";
        lines_add(&tested->translated.lines, text, strlen(text));
    }
    metrics_init(&tested->metrics, &(struct metric_options){.tokenize = MTEVAL_13A}, 1);
    test_set_score(&tested->metrics, set, &tested->translated.lines);
}

static void make_set(struct test_set *set)
{
    *set = (struct test_set){.reference_count = 1};
    for (size_t i = 0; i < LINES; i++) {
        lines_add(&set->source, source[i], strlen(source[i]));
        lines_add(&set->references[0], reference[i], strlen(reference[i]));
    }
}

static void release_all(struct test_set *set, struct tested_model *tested, int count)
{
    for (int i = 0; i < count; i++)
        tested_model_release(&tested[i]);
    test_set_release(set);
}

static void scores_have_the_columns_that_are_known(void **state)
{
    struct strbuf *page = *state;
    static struct loaded_model loaded[2];
    char good[] = "models/good", bad[] = "models/bad";
    struct test_set set;
    struct tested_model tested[2];
    make_set(&set);
    set_tested(&tested[0], &set, &loaded[0], good, true);
    set_tested(&tested[1], &set, &loaded[1], bad, false);
    tested[1].perplexity = (struct perplexity){(double)NAN, (double)NAN};
    report_add_scores(page, tested, 2);
    expect(page, "<th class=\"number\">perplexity</th>");
    expect_not(page, "alignment error");
    expect(page, "2.000</td>");
    expect(page, "<td class=\"number\">–</td>");
    expect(page, ">good</th>");
    expect(page, "<td class=\"number\">2000</td><td class=\"number\">3.0</td><td class=\"number\">10</td>");
    expect(page, "5 sentences.<br>\nBLEU|nrefs:1|");
    release_all(&set, tested, 2);
}

static void groups_by_length_have_their_own_bleu(void **state)
{
    struct strbuf *page = *state;
    static struct loaded_model loaded;
    char good[] = "models/good";
    struct test_set set;
    struct tested_model tested;
    make_set(&set);
    set_tested(&tested, &set, &loaded, good, true);
    report_add_lengths(page, &tested, 1, &set);
    expect(page, "<tr><td>3–5</td><td class=\"number\">1</td><td class=\"number\">100.00</td></tr>");
    expect(page, "<tr><td>8</td><td class=\"number\">1</td><td class=\"number\">0.00</td></tr>");
    expect(page, "BLEU by source length");
    release_all(&set, &tested, 1);
}

static void validations_of_several_models(void **state)
{
    struct strbuf *page = *state;
    static struct loaded_model loaded[2];
    char good[] = "models/good", bad[] = "models/bad";
    struct test_set set;
    struct tested_model tested[2];
    make_set(&set);
    set_tested(&tested[0], &set, &loaded[0], good, true);
    set_tested(&tested[1], &set, &loaded[1], bad, false);
    report_add_validations(page, tested, 2);
    expect(page, "Validation BLEU");
    expect(page, "good");
    expect(page, "bad");
    release_all(&set, tested, 2);
}

#define SECTION(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SECTION(facts_of_a_training),
        SECTION(a_training_that_has_not_begun),
        SECTION(samples_by_the_updates_that_said_so),
        SECTION(curves_and_all_validations),
        SECTION(scores_have_the_columns_that_are_known),
        SECTION(groups_by_length_have_their_own_bleu),
        SECTION(validations_of_several_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

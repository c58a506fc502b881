/* Scores several translations of a test set and their differences, as a table or as JSON Lines. The metrics
 * and the bootstrap are in eval. */
#include "compare.h"

#include "json.h"
#include "mem.h"
#include "significance.h"
#include "token_style.h"
#include "utf8.h"
#include "utf8_check.h"

#include <string.h>

#define SIGNIFICANT 0.05
#define NAME_COLUMNS 30

/* One system's result in one metric. */
struct figure {
    double score;
    struct interval interval;
    double p_value; /* against the first system */
};

/* A system's counts for each sentence, and its scores on the bootstrap samples. */
struct scored {
    struct metrics *sentences; /* [lines] */
    struct metrics all;
    struct bootstrap bootstrap;
    struct figure figures[PLACE_COUNT];
};

static void compute_figures(struct scored *scored, const struct scored *baseline)
{
    for (int m = 0; m < PLACE_COUNT; m++) {
        struct figure *figure = &scored->figures[m];
        figure->score = metric_table[m].score(&scored->all);
        figure->interval = bootstrap_interval(scored->bootstrap.scores[m]);
        figure->p_value = bootstrap_p_value(scored->bootstrap.scores[m], baseline->bootstrap.scores[m],
                                            figure->score - baseline->figures[m].score);
    }
}

static void add_name(struct strbuf *out, const char *name)
{
    const struct token_style style = {.columns = utf8_columns};
    struct strbuf shown;
    strbuf_init(&shown);
    utf8_repair(&shown, name, strlen(name));
    utf8_hide_controls(shown.text, "");
    const int blanks = NAME_COLUMNS - token_columns(shown.text, &style);
    strbuf_addf(out, "  %s%*s", shown.text, blanks > 0 ? blanks : 0, "");
    strbuf_release(&shown);
}

static void add_text(struct strbuf *out, const struct compared *systems, const struct scored *scored,
                     int count)
{
    struct strbuf signature;
    strbuf_init(&signature);
    for (int m = 0; m < PLACE_COUNT; m++) {
        strbuf_reset(&signature);
        metric_signature(&signature, (enum metric_place)m, &scored[0].all, true, SIGNATURE_VERSION);
        strbuf_addf(out, "%s|%s\n", metric_table[m].name(&scored[0].all), signature.text);
        for (int s = 0; s < count; s++) {
            const struct figure *f = &scored[s].figures[m];
            add_name(out, systems[s].name);
            strbuf_addf(out, " %7.2f  (%.2f ± %.2f)", f->score, f->interval.mean, f->interval.half_width);
            if (s == 0)
                strbuf_adds(out, "  baseline\n");
            else
                strbuf_addf(out, "  p = %.4f%s\n", f->p_value, f->p_value < SIGNIFICANT ? " *" : "");
        }
    }
    strbuf_addf(
        out,
        "%d samples of the sentences: mean ± half of the 95 %% interval; p: chance of such a difference from "
        "the baseline\nbetween equally good systems, * less than %g\n",
        BOOTSTRAP_SAMPLES, SIGNIFICANT);
    strbuf_release(&signature);
}

static void add_json(struct strbuf *out, const struct compared *systems, const struct scored *scored,
                     int count)
{
    for (int s = 0; s < count; s++) {
        struct json *system = json_new_object();
        json_set_string(system, "hypothesis", systems[s].name);
        json_set_number(system, "sentences", (double)systems[s].text.count);
        for (int m = 0; m < PLACE_COUNT; m++) {
            struct json *metric =
                metric_set_json(system, (enum metric_place)m, &scored[s].all, true, SIGNATURE_VERSION);
            const struct figure *f = &scored[s].figures[m];
            interval_set_json(metric, &f->interval);
            if (s > 0)
                json_set_number(metric, "p_value", f->p_value);
        }
        json_add_line(out, system);
    }
}

void compare_systems(struct strbuf *out, const struct compared *systems, int count,
                     const struct test_set *set, const struct metrics *empty, bool json)
{
    struct scored *scored = xcalloc((size_t)count, sizeof *scored);
    for (int s = 0; s < count; s++) {
        scored[s].all = *empty;
        scored[s].sentences = test_set_score_each(&scored[s].all, set, &systems[s].text);
        bootstrap_draw(&scored[s].bootstrap, scored[s].sentences, systems[s].text.count, empty);
        compute_figures(&scored[s], &scored[0]);
    }
    (json ? add_json : add_text)(out, systems, scored, count);
    for (int s = 0; s < count; s++)
        xfree(scored[s].sentences);
    xfree(scored);
}

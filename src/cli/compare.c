#include "compare.h"

#include "json.h"
#include "mem.h"
#include "output.h"
#include "significance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGNIFICANT 0.05

/* Of one system in one metric. */
struct figure {
    double score;
    struct interval interval;
    double p_value; /* against the first system */
};

/* What one system's sentences count, and the scores of samples of them. */
struct scored {
    struct metrics *sentences; /* [lines] */
    struct metrics all;
    struct bootstrap bootstrap;
    struct figure figures[METRIC_COUNT];
};

static void count_sentences(struct scored *scored, const struct lines *text, const struct lines *references,
                            int reference_count, const struct metrics *empty)
{
    const char **of_line = xcalloc((size_t)reference_count, sizeof *of_line);
    scored->sentences = xcalloc(text->count, sizeof *scored->sentences);
    scored->all = *empty;
    for (size_t i = 0; i < text->count; i++) {
        for (int r = 0; r < reference_count; r++)
            of_line[r] = references[r].text[i];
        scored->sentences[i] = *empty;
        metrics_add(&scored->sentences[i], text->text[i], of_line);
        metrics_sum(&scored->all, &scored->sentences[i]);
    }
    free(of_line);
}

static void compute_figures(struct scored *scored, const struct scored *baseline)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct figure *figure = &scored->figures[m];
        figure->score = metric_table[m].score(&scored->all);
        figure->interval = bootstrap_interval(scored->bootstrap.scores[m]);
        figure->p_value = bootstrap_p_value(scored->bootstrap.scores[m], baseline->bootstrap.scores[m],
                                            figure->score - baseline->figures[m].score);
    }
}

static void print_text(const struct compared *systems, const struct scored *scored, int count)
{
    struct strbuf signature;
    strbuf_init(&signature);
    for (int m = 0; m < METRIC_COUNT; m++) {
        strbuf_reset(&signature);
        metric_table[m].signature(&scored[0].all, "nmt-" NMT_VERSION, &signature);
        output_addf("%s|%s\n", metric_table[m].name, signature.text);
        for (int s = 0; s < count; s++) {
            const struct figure *f = &scored[s].figures[m];
            output_addf("  %-30s %7.2f  (%.2f ± %.2f)", systems[s].name, f->score, f->interval.mean,
                        f->interval.half_width);
            if (s == 0)
                output_addf("  baseline\n");
            else
                output_addf("  p = %.4f%s\n", f->p_value, f->p_value < SIGNIFICANT ? " *" : "");
        }
    }
    output_addf(
        "%d samples of the sentences: mean ± half of the 95 %% interval; p: chance of such a difference from "
        "the baseline\nbetween equally good systems, * less than %g\n",
        BOOTSTRAP_SAMPLES, SIGNIFICANT);
    strbuf_release(&signature);
}

static void print_json(const struct compared *systems, const struct scored *scored, int count)
{
    struct strbuf text;
    struct json *root = json_new_object();
    strbuf_init(&text);
    for (int s = 0; s < count; s++) {
        struct json *system = json_set_object(root, systems[s].name);
        for (int m = 0; m < METRIC_COUNT; m++) {
            struct json *metric = json_set_object(system, metric_table[m].key);
            const struct figure *f = &scored[s].figures[m];
            json_set_number(metric, "score", f->score);
            json_set_number(metric, "mean", f->interval.mean);
            json_set_number(metric, "half_width", f->interval.half_width);
            if (s > 0)
                json_set_number(metric, "p_value", f->p_value);
        }
    }
    json_print(root, true, &text);
    output_adds(text.text);
    strbuf_release(&text);
    json_free(root);
}

void compare_systems(const struct compared *systems, int count, const struct lines *references,
                     int reference_count, const struct metrics *empty, bool json)
{
    struct scored *scored = xcalloc((size_t)count, sizeof *scored);
    for (int s = 0; s < count; s++) {
        count_sentences(&scored[s], &systems[s].text, references, reference_count, empty);
        bootstrap_draw(&scored[s].bootstrap, scored[s].sentences, systems[s].text.count, empty);
        compute_figures(&scored[s], &scored[0]);
    }
    (json ? print_json : print_text)(systems, scored, count);
    for (int s = 0; s < count; s++)
        free(scored[s].sentences);
    free(scored);
}

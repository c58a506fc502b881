/* The sections of a report about a training, from its config and log. */
#include "chart.h"
#include "html.h"
#include "mem.h"
#include "plural.h"
#include "report_sections.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* At most this many points in a curve, and translations in a table of samples. */
#define MOST_POINTS 160
#define MOST_SAMPLES 12

/* ---- facts ---- */

static void begin_fact(struct strbuf *page, const char *name)
{
    strbuf_adds(page, "<tr><th scope=\"row\">");
    html_text(page, name);
    strbuf_adds(page, "</th><td dir=\"auto\">");
}

static void end_fact(struct strbuf *page)
{
    strbuf_adds(page, "</td></tr>\n");
}

/* Adds a path relative to the model directory. */
static void add_path(struct strbuf *page, const char *path, const struct config *config)
{
    char *relative = path_relative(path, config->model_dir);
    html_text(page, relative);
    xfree(relative);
}

static void add_corpora(struct strbuf *page, const struct config *config)
{
    begin_fact(page, "trained on");
    for (int i = 0; config_train(config, i); i++) {
        const struct config_pairs *corpus = config_train(config, i);
        strbuf_adds(page, i ? "<br>" : "");
        if (corpus->tsv || corpus->source)
            add_path(page, corpus->tsv ? corpus->tsv : corpus->source, config);
        if (!corpus->tsv && corpus->target) {
            strbuf_adds(page, "<br>");
            add_path(page, corpus->target, config);
        }
    }
    end_fact(page);
}

static void add_training(struct strbuf *page, const struct history *history)
{
    if (!history->update_count)
        return;
    const struct history_update *last = &history->updates[history->update_count - 1];
    begin_fact(page, "training");
    strbuf_addf(page, "%.0f update%s, %.0f epoch%s, %.1f minutes", last->update, plural(last->update),
                last->epoch, plural(last->epoch), last->seconds / 60);
    if (history->stop_reason) {
        strbuf_adds(page, ", stopped: ");
        html_text(page, history->stop_reason);
    }
    if (history->rollbacks > 0)
        strbuf_addf(page, ", went back to an older checkpoint %.0f time%s", history->rollbacks,
                    plural(history->rollbacks));
    end_fact(page);
    begin_fact(page, "on");
    strbuf_addf(page, "%.0f thread%s, ", history->threads, plural(history->threads));
    html_text(page, history->processor ? history->processor : "a processor of unknown kind");
    strbuf_adds(page, ", OpenBLAS kernel ");
    html_text(page, history->blas_kernel ? history->blas_kernel : "unknown");
    strbuf_adds(page, ", nmt ");
    html_text(page, history->version ? history->version : "of an unknown version");
    end_fact(page);
}

void report_add_facts(struct strbuf *page, const struct config *config, const struct history *history)
{
    const struct config_model *m = &config->model;
    strbuf_adds(page, "<h2>The model</h2>\n");
    html_table_begin(page, NULL);
    begin_fact(page, "directory");
    html_text(page, config->model_dir);
    end_fact(page);
    add_corpora(page, config);
    if (history->update_count) {
        begin_fact(page, "size");
        strbuf_addf(page, "%.2f million parameters, %.0f sentence pair%s", history->parameters / 1e6,
                    history->pairs, plural(history->pairs));
        end_fact(page);
    }
    begin_fact(page, "network");
    strbuf_addf(page, "embeddings %d; encoder %s %d; decoder %s %d; attention %s, %s, fed %s", m->embedding,
                config_choice("model.encoder.cell", m->encoder.cell).name, m->encoder.units,
                config_choice("model.decoder.cell", m->decoder.cell).name, m->decoder.units,
                config_choice("model.attention.score", m->attention.score).name,
                config_choice("model.attention.kind", m->attention.kind).name,
                config_choice("model.attention.feed", m->attention.feed).name);
    end_fact(page);
    add_training(page, history);
    html_table_end(page);
}

void report_add_config(struct strbuf *page, const struct config *config)
{
    struct strbuf text;
    strbuf_init(&text);
    config_print_from(config, config->model_dir, &text);
    strbuf_adds(
        page,
        "<h2>All settings</h2>\n<details><summary>config.json</summary>\n<pre tabindex=\"0\" dir=\"auto\">");
    html_text(page, text.text);
    strbuf_adds(page, "</pre></details>\n");
    strbuf_release(&text);
}

/* ---- curves ---- */

/* A table of rows of doubles; a column is given by its offset in a row. */
struct rows {
    const char *begin;
    size_t size, count;
};

static double cell(const struct rows *rows, size_t row, size_t offset)
{
    double value;
    memcpy(&value, rows->begin + row * rows->size + offset, sizeof value);
    return value;
}

static struct rows update_rows(const struct history *history)
{
    return (struct rows){(const char *)history->updates, sizeof *history->updates, history->update_count};
}

static struct rows validation_rows(const struct history *history)
{
    return (struct rows){(const char *)history->validations, sizeof *history->validations,
                         history->validation_count};
}

#define OF_UPDATE(field)                                                                                     \
    update_rows, offsetof(struct history_update, update), offsetof(struct history_update, field)
#define OF_VALIDATION(field)                                                                                 \
    validation_rows, offsetof(struct history_validation, update), offsetof(struct history_validation, field)

static const struct curve {
    const char *title, *name;
    struct rows (*rows)(const struct history *history);
    size_t x, y; /* offsets in a row */
    bool logarithmic;
} curves[] = {
    {"Training loss, nats per token", "loss", OF_UPDATE(loss), false},
    {"Validation perplexity", "perplexity", OF_VALIDATION(perplexity), true},
    {"Validation BLEU", "BLEU", OF_VALIDATION(bleu), false},
    {"Learning rate", "rate", OF_UPDATE(learning_rate), false},
    {"Gradient norm", "norm", OF_UPDATE(gradient_norm), true},
    {"Target tokens per second", "rate", OF_UPDATE(target_tokens_per_second), false},
};

#define VALIDATION_BLEU 2 /* its index in the table */

/* Collects the points of a curve in `points`. */
static struct chart_series take_series(double points[2][MOST_POINTS], const struct curve *curve,
                                       const struct history *history, const char *name)
{
    const struct rows rows = curve->rows(history);
    double *x = xmalloc(rows.count, sizeof *x), *y = xmalloc(rows.count, sizeof *y);
    for (size_t i = 0; i < rows.count; i++) {
        x[i] = cell(&rows, i, curve->x);
        y[i] = cell(&rows, i, curve->y);
    }
    const size_t count = chart_thin(points[0], points[1], MOST_POINTS, x, y, rows.count);
    xfree(x);
    xfree(y);
    return (struct chart_series){name, points[0], points[1], count};
}

static void draw_curve(struct strbuf *page, const struct curve *curve, const struct chart_series *series,
                       int count)
{
    const struct chart chart = {.title = curve->title,
                                .x_name = "update",
                                .y_name = curve->name,
                                .series = series,
                                .series_count = count,
                                .logarithmic = curve->logarithmic};
    chart_html(page, &chart);
}

static void add_validation_table(struct strbuf *page, const struct history *history)
{
    strbuf_adds(page, "<details><summary>All validations</summary>\n");
    html_table_begin(page, "validations");
    strbuf_adds(page, "<tr><th class=\"number\">update</th><th class=\"number\">perplexity</th>"
                      "<th class=\"number\">BLEU</th><th class=\"number\">chrF</th></tr>\n");
    for (size_t i = 0; i < history->validation_count; i++) {
        const struct history_validation *v = &history->validations[i];
        strbuf_addf(page,
                    "<tr><td class=\"number\">%.0f</td><td class=\"number\">%.3f</td>"
                    "<td class=\"number\">%.2f</td><td class=\"number\">%.2f</td></tr>\n",
                    v->update, v->perplexity, v->bleu, v->chrf);
    }
    html_table_end(page);
    strbuf_adds(page, "</details>\n");
}

void report_add_curves(struct strbuf *page, const struct history *history)
{
    strbuf_adds(page, "<h2>Learning</h2>\n");
    const size_t each = (history->update_count + MOST_POINTS / 2) / MOST_POINTS;
    if (each > 1)
        strbuf_addf(page, "<p>Curves by update show means of some %zu updates each.</p>\n", each);
    strbuf_adds(page, "<div class=\"charts\">\n");
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        double points[2][MOST_POINTS];
        const struct chart_series series = take_series(points, &curves[i], history, NULL);
        if (series.count)
            draw_curve(page, &curves[i], &series, 1);
    }
    strbuf_adds(page, "</div>\n");
    if (history->validation_count)
        add_validation_table(page, history);
}

void report_add_validations(struct strbuf *page, const struct tested_model *tested, int count)
{
    struct chart_series series[REPORT_MOST_MODELS];
    double points[REPORT_MOST_MODELS][2][MOST_POINTS];
    const struct curve *curve = &curves[VALIDATION_BLEU];
    strbuf_adds(page, "<h2>Learning</h2>\n<div class=\"charts\">\n");
    for (int i = 0; i < count; i++)
        series[i] = take_series(points[i], curve, tested[i].history, tested[i].name);
    draw_curve(page, curve, series, count);
    strbuf_adds(page, "</div>\n");
}

/* ---- samples ---- */

static void add_text_row(struct strbuf *page, const char *name, const char *text)
{
    begin_fact(page, name);
    html_text(page, text);
    end_fact(page);
}

/* Consecutive validations with the same translation of a sentence. */
struct streak {
    double first, last; /* updates */
    const char *translation;
};

/* Finds the streaks [validations] of sample number `sample_index`; returns how many. */
static size_t take_streaks(struct streak *streaks, const struct history *history, size_t sample_index)
{
    size_t count = 0;
    for (size_t i = 0; i < history->validation_count; i++) {
        const struct history_validation *v = &history->validations[i];
        if (sample_index >= v->sample_count)
            continue;
        const char *translation = v->samples[sample_index].translation;
        if (!count || strcmp(translation, streaks[count - 1].translation) != 0)
            streaks[count++] = (struct streak){v->update, v->update, translation};
        streaks[count - 1].last = v->update;
    }
    return count;
}

/* Adds a table of one sample's translations during training. */
static void add_sample(struct strbuf *page, const struct history *history, size_t sample_index)
{
    const struct history_validation *last = &history->validations[history->validation_count - 1];
    const struct history_sample *sample = &last->samples[sample_index];
    struct streak *streaks = xmalloc(history->validation_count, sizeof *streaks);
    const size_t count = take_streaks(streaks, history, sample_index),
                 shown = count < MOST_SAMPLES ? count : MOST_SAMPLES;
    strbuf_addf(page, "<h3>Line %.0f of the validation set</h3>\n", sample->line);
    html_table_begin(page, NULL);
    add_text_row(page, "source", sample->source);
    for (size_t k = 0; k < shown; k++) {
        const struct streak *streak = &streaks[shown > 1 ? k * (count - 1) / (shown - 1) : 0];
        char name[64];
        snprintf(name, sizeof name, streak->first < streak->last ? "update %.0f to %.0f" : "update %.0f",
                 streak->first, streak->last);
        add_text_row(page, name, streak->translation);
    }
    add_text_row(page, "reference", sample->reference);
    html_table_end(page);
    xfree(streaks);
}

void report_add_samples(struct strbuf *page, const struct history *history)
{
    if (!history->validation_count)
        return;
    const size_t count = history->validations[history->validation_count - 1].sample_count;
    if (count)
        strbuf_adds(page, "<h2>How it learned to say it</h2>\n");
    for (size_t sample_index = 0; sample_index < count; sample_index++)
        add_sample(page, history, sample_index);
}

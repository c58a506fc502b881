/* The sections of a report about results on a test set: scores, lengths, best and worst sentences. The
 * scoring is in tested_model.c. */
#include "alignment.h"
#include "chart.h"
#include "html.h"
#include "mem.h"
#include "parseopt.h"
#include "plural.h"
#include "prepacked.h"
#include "report_sections.h"
#include "team.h"
#include "translate.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS 6
#define EXTREMES 5
#define MOST_DRAWN_WORDS 40

/* ---- scores ---- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double score_bleu(const struct tested_model *t)
{
    return metric_table[PLACE_BLEU].score(&t->metrics);
}

static double score_chrf(const struct tested_model *t)
{
    return metric_table[PLACE_CHRF].score(&t->metrics);
}

static double score_ter(const struct tested_model *t)
{
    return metric_table[PLACE_TER].score(&t->metrics);
}

static double perplexity(const struct tested_model *t)
{
    return t->perplexity.per_token;
}

static double perplexity_per_character(const struct tested_model *t)
{
    return t->perplexity.per_character;
}

static double error_rate(const struct tested_model *t)
{
    return t->error_rate;
}

static double millions(const struct tested_model *t)
{
    return (double)t->loaded->model.layout.total / 1e6;
}

/* Target tokens per second, median over the updates. */
static double rate(const struct tested_model *t)
{
    const struct history *history = t->history;
    if (!history->update_count)
        return (double)NAN;
    double *rates = xmalloc(history->update_count, sizeof *rates);
    for (size_t i = 0; i < history->update_count; i++)
        rates[i] = history->updates[i].target_tokens_per_second;
    qsort(rates, history->update_count, sizeof *rates, by_value);
    const double median = rates[history->update_count / 2];
    xfree(rates);
    return median;
}

static double minutes(const struct tested_model *t)
{
    const struct history *history = t->history;
    return history->update_count ? history->updates[history->update_count - 1].seconds / 60 : (double)NAN;
}

static double sentences_per_second(const struct tested_model *t)
{
    return (double)t->translated.lines.count / t->translated.seconds;
}

static const struct column {
    const char *name;
    double (*value)(const struct tested_model *tested);
    int digits;
} columns[] = {
    {"BLEU", score_bleu, 2},
    {"chrF", score_chrf, 2},
    {"TER", score_ter, 2},
    {"perplexity", perplexity, 3},
    {"perplexity per character", perplexity_per_character, 4},
    {"alignment error", error_rate, 3},
    {"million parameters", millions, 2},
    {"training, target tokens/s", rate, 0},
    {"training, minutes", minutes, 1},
    {"translating, sentences/s", sentences_per_second, 0},
};

#define COLUMN_COUNT (sizeof columns / sizeof columns[0])

/* The signatures of the metrics, as sacreBLEU writes them. */
static void add_signatures(struct strbuf *page, const struct tested_model *tested)
{
    struct strbuf signature;
    strbuf_init(&signature);
    strbuf_addf(page, "<p class=\"small\">%zu sentence%s.", tested->translated.lines.count,
                plural((double)tested->translated.lines.count));
    for (int m = 0; m < PLACE_COUNT; m++) {
        strbuf_reset(&signature);
        metric_signature(&signature, (enum metric_place)m, &tested->metrics, false, SIGNATURE_VERSION);
        strbuf_addf(page, "<br>\n%s|%s", metric_table[m].name(&tested->metrics), signature.text);
    }
    strbuf_adds(page, "</p>\n");
    strbuf_release(&signature);
}

static void add_score_row(struct strbuf *page, const char *name, const double *values, const bool *shown)
{
    strbuf_adds(page, "<tr>");
    html_cell(page, "th", name);
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        if (isfinite(values[c]))
            strbuf_addf(page, "<td class=\"number\">%.*f</td>", columns[c].digits, values[c]);
        else if (shown[c])
            strbuf_adds(page, "<td class=\"number\">–</td>");
    }
    strbuf_adds(page, "</tr>\n");
}

void report_add_scores(struct strbuf *page, const struct tested_model *tested, int count)
{
    double values[REPORT_MOST_MODELS][COLUMN_COUNT];
    bool shown[COLUMN_COUNT] = {false}; /* does any model have a value for the column? */
    for (int i = 0; i < count; i++)
        for (size_t c = 0; c < COLUMN_COUNT; c++) {
            values[i][c] = columns[c].value(&tested[i]);
            shown[c] |= isfinite(values[i][c]);
        }
    strbuf_adds(page, "<h2>Test set</h2>\n");
    html_table_begin(page, "scores");
    strbuf_adds(page, "<tr><th>model</th>");
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        if (shown[c])
            strbuf_addf(page, "<th class=\"number\">%s</th>", columns[c].name);
    strbuf_adds(page, "</tr>\n");
    for (int i = 0; i < count; i++)
        add_score_row(page, tested[i].name, values[i], shown);
    html_table_end(page);
    add_signatures(page, &tested[0]);
}

/* ---- by length ---- */

static int by_int(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Divides the sentences into groups of similar length and about equal size: group g has those of more than
 * ends[g - 1] and at most ends[g] words. Returns the number of groups. */
static int cut_groups(int ends[GROUPS], int *shortest, const int *words, size_t count)
{
    int *sorted = xmalloc(count, sizeof *sorted), groups = 0;
    memcpy(sorted, words, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_int);
    for (int g = 1; g <= GROUPS; g++) {
        const int end = sorted[count * (size_t)g / GROUPS - (count >= GROUPS || g == GROUPS)];
        if (!groups || end > ends[groups - 1])
            ends[groups++] = end;
    }
    *shortest = sorted[0];
    xfree(sorted);
    return groups;
}

/* BLEU over the sentences of more than `above` and at most `end` words. */
static double group_bleu(size_t *sentences, const struct tested_model *tested, const struct test_set *set,
                         const int *words, int above, int end)
{
    const char *of_line[LIST_MAX];
    struct bleu bleu;
    const struct bleu *like = &tested->metrics.bleu;
    bleu_init(&bleu, like->kind, like->lowercase, like->references);
    *sentences = 0;
    for (size_t i = 0; i < tested->translated.lines.count; i++)
        if (words[i] > above && words[i] <= end) {
            test_set_references(of_line, set, i);
            bleu_add(&bleu, tested->translated.lines.text[i], of_line);
            (*sentences)++;
        }
    return bleu_score(&bleu).score;
}

/* Words between white space; of scripts without it, characters, which it adds to `unspaced`. */
static int length_of(int64_t *unspaced, const char *text, size_t bytes)
{
    int length = 0;
    bool in_word = false;
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        at += utf8_decode(text + at, bytes - at, &code);
        const bool alone = utf8_unspaced(code), goes_on = !alone && !utf8_is_space(code);
        length += alone || (goes_on && !in_word);
        in_word = goes_on;
        *unspaced += alone;
    }
    return length;
}

/* Sentences grouped by length, with each model's BLEU. */
struct length_groups {
    int count;
    bool unspaced; /* is at least a third of the source in scripts without blanks? */
    char names[GROUPS][40];
    size_t sentences[GROUPS];
    double bleu[REPORT_MOST_MODELS][GROUPS];
};

static void compute_groups(struct length_groups *groups, const struct tested_model *tested, int models,
                           const struct test_set *set)
{
    const size_t lines = set->source.count;
    int *words = xmalloc(lines, sizeof *words), ends[GROUPS], shortest;
    int64_t unspaced = 0, all = 0;
    for (size_t i = 0; i < lines; i++)
        all += words[i] = length_of(&unspaced, set->source.text[i], set->source.bytes[i]);
    groups->unspaced = unspaced && 3 * unspaced >= all;
    groups->count = cut_groups(ends, &shortest, words, lines);
    for (int g = 0; g < groups->count; g++) {
        const int above = g ? ends[g - 1] : shortest - 1;
        if (above + 1 < ends[g])
            snprintf(groups->names[g], sizeof groups->names[g], "%d–%d", above + 1, ends[g]);
        else
            snprintf(groups->names[g], sizeof groups->names[g], "%d", ends[g]);
        for (int m = 0; m < models; m++)
            groups->bleu[m][g] = group_bleu(&groups->sentences[g], &tested[m], set, words, above, ends[g]);
    }
    xfree(words);
}

static void draw_groups(struct strbuf *page, const struct length_groups *groups,
                        const struct tested_model *tested, int models)
{
    static const double x[GROUPS] = {0, 1, 2, 3, 4, 5};
    const char *names[GROUPS];
    struct chart_series series[REPORT_MOST_MODELS];
    for (int g = 0; g < groups->count; g++)
        names[g] = groups->names[g];
    for (int m = 0; m < models; m++)
        series[m] = (struct chart_series){models > 1 ? tested[m].name : NULL, x, groups->bleu[m],
                                          (size_t)groups->count};
    const struct chart chart = {.title = "BLEU by source length",
                                .x_name = groups->unspaced ? "characters" : "words",
                                .y_name = "BLEU",
                                .series = series,
                                .series_count = models,
                                .ticks = names,
                                .tick_count = groups->count};
    chart_html(page, &chart);
}

static void add_group_table(struct strbuf *page, const struct length_groups *groups,
                            const struct tested_model *tested, int models)
{
    html_table_begin(page, "lengths");
    strbuf_addf(page, "<tr><th>%s in the source</th><th class=\"number\">sentences</th>",
                groups->unspaced ? "characters" : "words");
    for (int m = 0; m < models; m++) {
        strbuf_adds(page, models > 1 ? "<th class=\"number text\" dir=\"auto\">" : "<th class=\"number\">");
        html_text(page, models > 1 ? tested[m].name : "BLEU");
        strbuf_adds(page, "</th>");
    }
    strbuf_adds(page, "</tr>\n");
    for (int g = 0; g < groups->count; g++) {
        strbuf_addf(page, "<tr><td>%s</td><td class=\"number\">%zu</td>", groups->names[g],
                    groups->sentences[g]);
        for (int m = 0; m < models; m++)
            strbuf_addf(page, "<td class=\"number\">%.2f</td>", groups->bleu[m][g]);
        strbuf_adds(page, "</tr>\n");
    }
    html_table_end(page);
}

void report_add_lengths(struct strbuf *page, const struct tested_model *tested, int count,
                        const struct test_set *set)
{
    struct length_groups groups;
    memset(&groups, 0, sizeof groups);
    compute_groups(&groups, tested, count, set);
    strbuf_adds(page, "<h2>By length</h2>\n");
    draw_groups(page, &groups, tested, count);
    add_group_table(page, &groups, tested, count);
}

/* ---- sentences ---- */

struct ranked {
    size_t line;
    double chrf;
    size_t bytes;
};

/* By falling chrF; among equals, the longest first. */
static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->chrf != y->chrf)
        return x->chrf < y->chrf ? 1 : -1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->line > y->line) - (x->line < y->line);
}

/* All sentences, best first; the caller frees the array. */
static struct ranked *rank_sentences(const struct tested_model *tested, const struct test_set *set)
{
    const size_t count = tested->translated.lines.count;
    struct ranked *ranked = xmalloc(count, sizeof *ranked);
    for (size_t i = 0; i < count; i++) {
        const char *of_line[LIST_MAX];
        struct chrf chrf;
        test_set_references(of_line, set, i);
        chrf_init(&chrf, tested->metrics.chrf.lowercase, tested->metrics.chrf.word_order,
                  set->reference_count);
        chrf_add(&chrf, tested->translated.lines.text[i], of_line);
        ranked[i] = (struct ranked){i, chrf_score(&chrf), set->source.bytes[i]};
    }
    qsort(ranked, count, sizeof *ranked, by_score);
    return ranked;
}

static void add_sentence(struct strbuf *page, const struct ranked *ranked, const struct tested_model *tested,
                         const struct test_set *set)
{
    const char *of_line[LIST_MAX];
    strbuf_addf(page, "<tr><td class=\"number\">%zu</td><td class=\"number\">%.1f</td>", ranked->line + 1,
                ranked->chrf);
    html_cell(page, "td", set->source.text[ranked->line]);
    html_cell(page, "td", tested->translated.lines.text[ranked->line]);
    test_set_references(of_line, set, ranked->line);
    html_cell(page, "td", of_line[0]);
    strbuf_adds(page, "</tr>\n");
}

static void add_extremes(struct strbuf *page, const struct ranked *ranked, const struct tested_model *tested,
                         const struct test_set *set)
{
    const size_t count = tested->translated.lines.count, some = count < EXTREMES ? count : EXTREMES;
    for (int worst = 0; worst < 2; worst++) {
        strbuf_addf(page, "<h2>The %s sentences</h2>\n", worst ? "worst" : "best");
        html_table_begin(page, NULL);
        strbuf_adds(page, "<tr><th class=\"number\">line</th><th class=\"number\">chrF</th><th>source</th>"
                          "<th>translation</th><th>reference</th></tr>\n");
        for (size_t k = 0; k < some; k++)
            add_sentence(page, &ranked[worst ? count - 1 - k : k], tested, set);
        html_table_end(page);
    }
}

/* ---- pictures ---- */

/* Chooses the worst sentences that are short enough for a picture. */
static int choose_lines(size_t lines[EXTREMES], const struct ranked *ranked, const struct test_set *set)
{
    int chosen = 0;
    int64_t unspaced = 0;
    for (size_t i = set->source.count; i > 0 && chosen < EXTREMES; i--) {
        const size_t line = ranked[i - 1].line;
        const int words = length_of(&unspaced, set->source.text[line], set->source.bytes[line]);
        if (words > 0 && words <= MOST_DRAWN_WORDS)
            lines[chosen++] = line;
    }
    return chosen;
}

static void add_pictures(struct strbuf *page, const struct translations *out, const size_t *lines, int count,
                         const struct language_pair *pair)
{
    struct strbuf pictures;
    strbuf_init(&pictures);
    for (int i = 0; i < count; i++) {
        struct alignment alignment;
        if (alignment_of_translation(&alignment, pair, &out[i].best[0], true)) {
            alignment_draw(&pictures, &alignment, (long)lines[i] + 1);
            alignment_release(&alignment);
        }
    }
    if (pictures.length) {
        strbuf_adds(page, "<h2>What it looked at in the worst sentences</h2>\n");
        alignment_pictures_begin(page, pair, true);
        strbuf_add(page, pictures.text, pictures.length);
        alignment_pictures_end(page);
    }
    strbuf_release(&pictures);
}

static void draw_worst(struct strbuf *page, const struct ranked *ranked, const struct tested_model *tested,
                       const struct test_set *set, int threads)
{
    size_t lines[EXTREMES];
    struct lines worst = {.count = 0};
    struct translations out[EXTREMES];
    struct translate_options options;
    struct ensemble alone;
    struct translator translator;
    const int count = choose_lines(lines, ranked, set);
    if (!config_has_attention(&tested->loaded->config) || !count)
        return;
    translate_options_init(&options, &tested->loaded->config);
    options.threads = team_threads(threads);
    options.beam.alignment = options.beam.each_head = true;
    ensemble_init_loaded(&alone, tested->loaded);
    prepacked_begin(options.threads);
    translator_init(&translator, &alone, &options);
    for (int i = 0; i < count; i++)
        lines_add(&worst, set->source.text[lines[i]], set->source.bytes[lines[i]]);
    translator_run(&translator, out, &worst, NULL, NULL, NULL);
    add_pictures(page, out, lines, count, alone.pair);
    for (int i = 0; i < count; i++)
        translations_release(&out[i]);
    lines_release(&worst);
    translator_release(&translator);
    ensemble_release(&alone);
}

void report_add_sentences(struct strbuf *page, const struct tested_model *tested, const struct test_set *set,
                          int threads)
{
    struct ranked *ranked = rank_sentences(tested, set);
    add_extremes(page, ranked, tested, set);
    draw_worst(page, ranked, tested, set, threads);
    xfree(ranked);
}

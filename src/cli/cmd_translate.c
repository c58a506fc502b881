/* nmt translate: lines in, translations out, in order and one for each. */
#include "alignment.h"
#include "cmd_shared.h"
#include "commands.h"
#include "corpus.h"
#include "html.h"
#include "line_output.h"
#include "log.h"
#include "mem.h"
#include "parseopt.h"
#include "translate.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines that are read ahead to be sorted by length. */
#define WINDOW_LINES 2048

enum alignment_form { ALIGNMENT_NONE, ALIGNMENT_PHARAOH, ALIGNMENT_SOFT };

struct settings {
    struct string_list settings, models;
    const char *alignment, *dictionary, *input, *output, *prefix, *html;
    int beam, n_best, threads, batch;
    double length_penalty, coverage_penalty, max_length_ratio;
    bool unk_replace, scores, resume;
};

/* ---- the dictionary of --unk-replace ---- */

struct dictionary {
    const char *path;
    struct strmap words;
    char **texts;
    size_t room;
};

static int take_entry(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    struct dictionary *dictionary = context;
    const char *tab = memchr(line->text, '\t', line->length);
    if (!tab || strlen(line->text) != line->length || utf8_check(line->text, line->length) < line->length)
        return err_set(err, "cannot read '%s': line %lld is not a word, a tab and its translation",
                       dictionary->path, (long long)number);
    const size_t known = dictionary->words.count;
    const size_t entry = (size_t)strmap_intern(&dictionary->words, line->text, (size_t)(tab - line->text));
    if (entry == known) { /* the first entry of a word counts */
        GROW(dictionary->texts, entry + 1, dictionary->room);
        dictionary->texts[entry] = xstrdup(tab + 1);
    }
    return 0;
}

static void dictionary_release(struct dictionary *dictionary)
{
    for (size_t i = 0; i < dictionary->words.count; i++)
        free(dictionary->texts[i]);
    free(dictionary->texts);
    strmap_release(&dictionary->words);
}

/* ---- output ---- */

/* Each target token's most attended source token: "0-0 1-2". */
static void print_pharaoh(const struct translation *t)
{
    for (int i = 0; i + 1 < t->length; i++) {
        const float *alpha = t->alpha + (size_t)i * (size_t)t->source_length;
        int best = 0;
        for (int j = 1; j + 1 < t->source_length; j++)
            if (alpha[j] > alpha[best])
                best = j;
        printf("%s%d-%d", i ? " " : "", best, i);
    }
}

/* Rows for target tokens and the end mark, separated by blanks, of weights separated by commas. */
static void print_soft(const struct translation *t)
{
    for (int i = 0; i < t->length; i++)
        for (int j = 0; j < t->source_length; j++)
            printf("%s%.4f",
                   j   ? ","
                   : i ? " "
                       : "",
                   (double)t->alpha[(size_t)i * (size_t)t->source_length + (size_t)j]);
}

/* ---- a page of pictures ---- */

static int count_words(const char *text)
{
    const size_t bytes = strlen(text);
    size_t at = 0, length;
    int count = 0;
    while (next_word(text, bytes, &at, &length))
        count++;
    return count;
}

/* A line's best translation, unless it was cut or a dictionary put several words in the place of one. */
static void draw(struct strbuf *page, const struct translations *out, long line)
{
    const struct translation *t = out->best;
    if (line >= ALIGNMENT_MOST_DRAWN || !out->count || !t->alpha ||
        count_words(t->source) + 1 != t->source_length || count_words(t->subwords) + 1 != t->length)
        return;
    struct alignment alignment;
    alignment_init(&alignment, t->source, t->subwords, t->alpha, false);
    alignment_draw(page, &alignment, line + 1, t->text);
    alignment_release(&alignment);
}

static void print_line(const struct translations *out, long line, const struct settings *s,
                       enum alignment_form form)
{
    for (int k = 0; k < out->count; k++) {
        const struct translation *t = &out->best[k];
        if (s->n_best)
            printf("%ld ||| ", line);
        fputs(t->text, stdout);
        if (s->scores || s->n_best)
            printf(" ||| %.4f", t->score);
        if (form != ALIGNMENT_NONE) {
            fputs(" ||| ", stdout);
            if (t->alpha)
                (form == ALIGNMENT_SOFT ? print_soft : print_pharaoh)(t);
        }
        putchar('\n');
    }
}

/* ---- windows of lines ---- */

struct window {
    char **lines;
    size_t *lengths;
    char **prefixes; /* of the translations; NULL without --prefix */
    int count;
    long first; /* number of its first line, from 0 */
};

/* Would reading the next line have to wait for somebody? */
static bool must_wait(const struct reader *reader)
{
    struct pollfd fd = {.fd = reader->fd, .events = POLLIN};
    return !reader_has_line(reader) && poll(&fd, 1, 0) == 0;
}

/* Takes lines until the window is full, the input ends or would have to be waited for. */
static int window_fill(struct window *window, struct reader *reader, struct strbuf *line, struct err *err)
{
    int status = 1;
    window->first += window->count;
    window->count = 0;
    while (window->count < WINDOW_LINES && !(window->count && must_wait(reader)) &&
           (status = reader_line(reader, line, err)) > 0) {
        window->lines[window->count] = xstrndup(line->text, line->length);
        window->lengths[window->count++] = line->length;
    }
    return status;
}

/* Prefixes for the window's lines, out of the other file; `over`: the lines have ended, and so must these. */
static int window_prefixes(struct window *window, struct reader *prefixes, struct strbuf *line, bool over,
                           struct err *err)
{
    int status = 1;
    for (int i = 0; i < window->count && status > 0; i++) {
        status = reader_line(prefixes, line, err);
        if (status > 0 && line_check(line, prefixes->path, prefixes->line, err))
            status = -1;
        window->prefixes[i] = status > 0 ? xstrndup(line->text, line->length) : NULL;
        if (status == 0)
            status = err_set(err, "'%s' has only %ld lines, fewer than the text to translate", prefixes->path,
                             window->first + i);
    }
    if (status >= 0 && over && reader_line(prefixes, line, err) > 0)
        status = err_set(err, "'%s' has more than the %ld lines of the text to translate", prefixes->path,
                         window->first + window->count);
    return status < 0 ? -1 : 0;
}

static void window_clear(struct window *window)
{
    for (int i = 0; i < window->count; i++) {
        free(window->lines[i]);
        window->lines[i] = NULL;
        if (window->prefixes) {
            free(window->prefixes[i]);
            window->prefixes[i] = NULL;
        }
    }
}

struct shown {
    struct progress *progress;
    long lines_before;
    double began;
};

static void show(void *context, int lines)
{
    const struct shown *shown = context;
    if (!progress_due(shown->progress))
        return;
    const double total = (double)(shown->lines_before + lines), seconds = clock_seconds() - shown->began;
    char detail[96];
    snprintf(detail, sizeof detail, "%.0f lines, %.1f sentences/s", total, total / seconds);
    progress_update(shown->progress, 0, 0, detail);
}

/* Passes over lines that were translated before. */
static int skip_lines(struct reader *reader, long lines, struct err *err)
{
    struct strbuf line;
    int status = 1;
    strbuf_init(&line);
    while (status > 0 && reader->line < lines)
        status = reader_line(reader, &line, err);
    strbuf_release(&line);
    if (status < 0)
        return -1;
    return status ? 0
                  : err_set(err, "the output has %ld lines already, but '%s' has only %lld", lines,
                            reader->path, (long long)reader->line);
}

/* From line `first` on, counted from 0. */
static int translate_stream(struct translator *translator, struct reader *reader, struct reader *prefixes,
                            long first, const struct settings *s, enum alignment_form form,
                            struct strbuf *page, struct err *err)
{
    struct window window = {.lines = xcalloc(WINDOW_LINES, sizeof(char *)),
                            .lengths = xcalloc(WINDOW_LINES, sizeof(size_t)),
                            .prefixes = prefixes ? xcalloc(WINDOW_LINES, sizeof(char *)) : NULL,
                            .first = first};
    struct translations *out = xcalloc(WINDOW_LINES, sizeof *out);
    struct strbuf line;
    struct progress progress;
    strbuf_init(&line);
    progress_begin(&progress, "translating", 30);
    struct shown shown = {&progress, first, clock_seconds()};
    int status;
    do {
        status = window_fill(&window, reader, &line, err);
        if (status >= 0 && prefixes && window_prefixes(&window, prefixes, &line, status == 0, err))
            status = -1;
        if (status < 0)
            break;
        shown.lines_before = window.first;
        translator_run(translator, out, window.lines, window.lengths, window.prefixes, window.count, show,
                       &shown);
        for (int i = 0; i < window.count; i++) {
            print_line(&out[i], window.first + i, s, form);
            if (s->html)
                draw(page, &out[i], window.first + i);
            translations_release(&out[i]);
        }
        window_clear(&window);
        /* Whoever waits at the other end of a pipe gets each answer at once. */
        if (fflush(stdout) != 0)
            status = err_set_errno(err, "cannot write to standard output");
    } while (status > 0);
    progress_end(&progress);
    if (status < 0)
        window_clear(&window);
    strbuf_release(&line);
    free(out);
    free(window.prefixes);
    free(window.lines);
    free(window.lengths);
    return status;
}

/* ---- the command ---- */

/* What asks where a model looked needs one that looks. */
static int expect_attention(const struct models *models, const struct translate_options *options,
                            struct err *err)
{
    const bool asked =
        options->beam.alignment || options->replace_unknown || options->beam.coverage_penalty > 0;
    for (int i = 0; asked && i < models->count; i++)
        if (models->loaded[i].config.model.attention.score == SCORE_NONE)
            return err_set(err,
                           "'%s' has no attention, which alignments, unk-replace and the coverage penalty "
                           "are made of",
                           models->loaded[i].dir);
    return 0;
}

/* What is read: lines, and what their translations begin with. */
struct inputs {
    struct reader lines, prefixes;
    bool lines_open, prefixes_open;
    long first; /* to be translated */
};

static void inputs_close(struct inputs *inputs)
{
    if (inputs->lines_open)
        reader_close(&inputs->lines);
    if (inputs->prefixes_open)
        reader_close(&inputs->prefixes);
}

/* Also sends the output where it goes, and passes over what is there already. */
static int inputs_open(struct inputs *inputs, const struct settings *s, struct err *err)
{
    memset(inputs, 0, sizeof *inputs);
    inputs->lines_open = !reader_open(&inputs->lines, s->input, err);
    int status = inputs->lines_open ? 0 : -1;
    if (!status && s->prefix) {
        inputs->prefixes_open = !reader_open(&inputs->prefixes, s->prefix, err);
        status = inputs->prefixes_open ? 0 : -1;
    }
    if (!status && s->output)
        status = line_output_begin(&inputs->first, s->output, s->resume, err);
    if (!status && inputs->first)
        status = skip_lines(&inputs->lines, inputs->first, err);
    if (!status && inputs->first && s->prefix)
        status = skip_lines(&inputs->prefixes, inputs->first, err);
    if (status)
        inputs_close(inputs);
    return status;
}

static int translate_all(const struct models *models, const struct translate_options *options,
                         struct inputs *inputs, const struct settings *s, enum alignment_form form,
                         struct err *err)
{
    struct translator translator;
    struct strbuf page;
    if (open_translator(&translator, models->loaded, models->count, options, err))
        return -1;
    strbuf_init(&page);
    html_begin(&page, "What the translator looked at");
    int status = translate_stream(&translator, &inputs->lines, s->prefix ? &inputs->prefixes : NULL,
                                  inputs->first, s, form, &page, err);
    html_end(&page);
    if (!status && s->html)
        status = file_replace(s->html, page.text, page.length, err);
    strbuf_release(&page);
    if (translator.repaired_lines)
        log_warn("%ld lines were not valid UTF-8; U+FFFD put in", translator.repaired_lines);
    if (translator.cut_lines)
        log_warn("%ld lines cut to %d tokens", translator.cut_lines, options->max_tokens);
    translator_release(&translator);
    return status;
}

static int run(const struct models *models, const struct settings *s, enum alignment_form form,
               struct err *err)
{
    struct translate_options options;
    struct dictionary dictionary = {.path = s->dictionary};
    strmap_init(&dictionary.words);
    if (s->dictionary && file_each_line(s->dictionary, take_entry, &dictionary, err)) {
        dictionary_release(&dictionary);
        return -1;
    }
    translate_options_init(&options, &models->loaded[0].config);
    options.beam.beam = s->beam ? s->beam : options.beam.beam;
    options.beam.n_best = s->n_best ? s->n_best : 1;
    if (s->length_penalty >= 0)
        options.beam.length_penalty = s->length_penalty;
    if (s->coverage_penalty >= 0)
        options.beam.coverage_penalty = s->coverage_penalty;
    if (s->max_length_ratio > 0)
        options.beam.max_length_ratio = s->max_length_ratio;
    options.beam.alignment = form != ALIGNMENT_NONE || s->html;
    options.threads = thread_count(s->threads);
    options.batch = s->batch;
    options.replace_unknown = s->unk_replace;
    if (s->dictionary) {
        options.dictionary_words = &dictionary.words;
        options.dictionary_texts = dictionary.texts;
    }
    struct inputs inputs;
    int status = expect_attention(models, &options, err);
    if (!status)
        status = inputs_open(&inputs, s, err);
    if (!status) {
        status = translate_all(models, &options, &inputs, s, form, err);
        inputs_close(&inputs);
    }
    dictionary_release(&dictionary);
    return status;
}

static int alignment_of(const char *name, enum alignment_form *form)
{
    *form = !name ? ALIGNMENT_NONE : !strcmp(name, "soft") ? ALIGNMENT_SOFT : ALIGNMENT_PHARAOH;
    if (*form != ALIGNMENT_PHARAOH || !strcmp(name, "pharaoh"))
        return 0;
    fprintf(stderr, "nmt: option '--alignment' is '%s', must be pharaoh or soft\n", name);
    return -1;
}

int cmd_translate(int argc, char **argv)
{
    struct settings s = {.length_penalty = -1, .coverage_penalty = -1, .batch = 64, .input = "-"};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_LIST, &s.models, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained); several are an ensemble", 0, 0},
        {"input", 'i', OPTION_STRING, &s.input, "FILE", "read FILE instead of standard input (may be .gz)", 0,
         0},
        {"output", 'o', OPTION_STRING, &s.output, "FILE", "write FILE instead of standard output", 0, 0},
        {"resume", 'r', OPTION_FLAG, &s.resume, NULL,
         "with --output: go on behind the lines that FILE holds already", 0, 0},
        {"prefix", 0, OPTION_STRING, &s.prefix, "FILE",
         "what each translation begins with, a line for each line; whole words", 0, 0},
        {"beam", 'b', OPTION_INT, &s.beam, "N",
         "hypotheses in beam search; 1: greedy (default: the config's)", 1, 1000},
        {"n-best", 'n', OPTION_INT, &s.n_best, "N", "print the N best as 'line ||| text ||| score'", 1, 1000},
        {"length-penalty", 'l', OPTION_REAL, &s.length_penalty, "A", "divide scores by length^A", 0, 10},
        {"coverage-penalty", 0, OPTION_REAL, &s.coverage_penalty, "B", "weight of the coverage penalty", 0,
         10},
        {"max-length-ratio", 0, OPTION_REAL, &s.max_length_ratio, "R", "most target tokens per source token",
         0.1, 100},
        {"unk-replace", 'u', OPTION_FLAG, &s.unk_replace, NULL,
         "put the attended source word for unknown words", 0, 0},
        {"dictionary", 'd', OPTION_STRING, &s.dictionary, "TSV",
         "with --unk-replace: source word, tab, translation", 0, 0},
        {"html", 0, OPTION_STRING, &s.html, "FILE", "pictures of the attention of each line as a page", 0, 0},
        {"alignment", 'a', OPTION_STRING, &s.alignment, "FORM", "append the attention: pharaoh or soft", 0,
         0},
        {"scores", 0, OPTION_FLAG, &s.scores, NULL, "append the score", 0, 0},
        {"set", 'S', OPTION_LIST, &s.settings, "KEY=VALUE",
         "override a key of the model's config, such as decoding.block_ngrams=3", 0, 0},
        {"threads", 't', OPTION_INT, &s.threads, "N", "worker threads (default: one per core)", 0, 1024},
        {"batch", 0, OPTION_INT, &s.batch, "N", "sentences in a batch, at most (default: 64)", 1, 65536},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt translate [--model DIR]... [options] < in > out",
        "Translates each line of standard input to one line of standard output."};
    enum alignment_form form;
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (alignment_of(s.alignment, &form))
        return EXIT_WRONG_USE;
    if (s.resume && (!s.output || s.n_best > 1 || s.html)) {
        fprintf(stderr, "nmt: --resume needs --output, and excludes --n-best and --html\nusage: %s\n",
                help.usage);
        return EXIT_WRONG_USE;
    }
    struct err err;
    struct models models;
    if (open_models(&models, &s.models, &s.settings, &err))
        return fail(&err);
    const int beam = s.beam ? s.beam : models.loaded[0].config.decoding.beam;
    int status = EXIT_DONE;
    if (s.n_best > beam) {
        fprintf(stderr, "nmt: option '--n-best' is %d, more than the beam of %d\n", s.n_best, beam);
        status = EXIT_WRONG_USE;
    } else if (run(&models, &s, form, &err)) {
        status = fail(&err);
    }
    close_models(&models);
    return status;
}

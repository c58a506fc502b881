/* nmt translate: reads lines and prints a translation of each, in order. */
#include "alignment.h"
#include "commands.h"
#include "dictionary.h"
#include "file_uses.h"
#include "fileio.h"
#include "html.h"
#include "html_page.h"
#include "line_window.h"
#include "log.h"
#include "mem.h"
#include "models.h"
#include "names.h"
#include "output.h"
#include "parseopt.h"
#include "plural.h"
#include "prepacked.h"
#include "search_options.h"
#include "shared_options.h"
#include "team.h"
#include "translate_on_ranks.h"
#include "translate_page.h"
#include "translation_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    struct string_list settings, models;
    const char *judges[JUDGE_KINDS], *dictionary, *glossary, *input, *output, *prefix, *html;
    struct search_options search;
    int n_best, threads, batch, format;
    bool unk_replace, resume, json, tsv;
    struct line_form form;
};

/* ---- a page of pictures ---- */

static void draw(struct strbuf *page, const struct language_pair *pair, const struct translations *out,
                 long line, bool words)
{
    struct alignment alignment;
    if (line >= ALIGNMENT_MOST_DRAWN || !out->count ||
        !alignment_of_translation(&alignment, pair, out->best, words))
        return;
    alignment_draw(page, &alignment, line + 1);
    alignment_release(&alignment);
}

/* ---- input ---- */

/* Skips lines that an earlier run has translated. */
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
                  : err_set(err, "the output has %ld line%s already, but '%s' has only %lld", lines,
                            plural((double)lines), reader->path, (long long)reader->line);
}

/* The input: lines, and the prefixes of their translations. */
struct inputs {
    struct reader lines, prefixes;
    bool lines_open, prefixes_open;
    long first;         /* number of the first line to translate */
    struct strbuf page; /* instead of lines */
};

static void inputs_close(struct inputs *inputs)
{
    if (inputs->lines_open) {
        reader_warn_cut(&inputs->lines);
        reader_close(&inputs->lines);
    }
    if (inputs->prefixes_open)
        reader_close(&inputs->prefixes);
    strbuf_release(&inputs->page);
}

static int open_lines(struct inputs *inputs, const struct settings *s, struct err *err)
{
    inputs->lines_open = !reader_open(&inputs->lines, s->input, err);
    inputs->lines.cuts = true;
    return inputs->lines_open ? 0 : -1;
}

/* Opens the inputs, redirects the output, and skips the lines whose translations it already holds. */
static int inputs_open(struct inputs *inputs, const struct settings *s, struct err *err)
{
    memset(inputs, 0, sizeof *inputs);
    strbuf_init(&inputs->page);
    int status =
        s->format == FORMAT_HTML ? file_slurp_text(&inputs->page, s->input, err) : open_lines(inputs, s, err);
    if (!status && s->prefix) {
        inputs->prefixes_open = !reader_open(&inputs->prefixes, s->prefix, err);
        status = inputs->prefixes_open ? 0 : -1;
    }
    if (!status && s->output)
        status = output_begin_file(&inputs->first, s->output, s->resume, err);
    if (!status && inputs->first)
        status = skip_lines(&inputs->lines, inputs->first, err);
    if (!status && inputs->first && s->prefix)
        status = skip_lines(&inputs->prefixes, inputs->first, err);
    if (status)
        inputs_close(inputs);
    return status;
}

/* ---- the stream ---- */

struct shown {
    struct progress *progress; /* NULL: none */
    long first, lines_before;  /* lines of an earlier run; and with those of the windows before */
    double began;
};

static void show(void *context, int lines)
{
    const struct shown *shown = context;
    const double total = (double)(shown->lines_before + lines);
    if (shown->progress)
        progress_lines(shown->progress, total, 0, total - (double)shown->first,
                       clock_seconds() - shown->began);
}

/* Translates this rank's part of a window into text and pictures. */
static void translate_window(struct strbuf *text, struct strbuf *pictures, struct translator *translator,
                             const struct line_window *window, const struct settings *s,
                             const struct ranks *ranks, struct shown *shown)
{
    int begin, end;
    ranks_part(ranks, (int)window->lines.count, &begin, &end);
    if (begin == end)
        return;
    const size_t first = (size_t)begin, count = (size_t)(end - begin);
    const struct lines lines = lines_view(&window->lines, first, count);
    struct lines prefixes = {.count = 0};
    if (window->has_prefixes)
        prefixes = lines_view(&window->prefixes, first, count);
    struct translations *out = xcalloc(count, sizeof *out);
    struct line_form form = s->form;
    form.tag = translator->options.tag;
    shown->lines_before = window->first;
    translator_run(translator, out, &lines, window->has_prefixes ? &prefixes : NULL,
                   &(struct translation_watch){.done = show, .context = shown}, NULL);
    for (int i = 0; i < end - begin; i++) {
        const struct source_line source = {window->first + begin + i, lines.text[i], lines.bytes[i]};
        translation_line_add(text, &out[i], &source, &form);
        if (s->html)
            draw(pictures, translator->ensemble->pair, &out[i], source.number, s->form.words);
        translations_release(&out[i]);
    }
    xfree(out);
}

/* Flushes at once, for readers at the other end of a pipe. */
static int write_text(const struct strbuf *text, struct err *err)
{
    if (isatty(STDOUT_FILENO))
        log_clear_line();
    output_add(text->text, text->length);
    return output_flush(err);
}

static int translate_stream(struct translator *translator, struct inputs *inputs, const struct settings *s,
                            const struct ranks *ranks, struct strbuf *page, struct err *err)
{
    struct line_window window;
    struct strbuf text, pictures;
    struct progress progress;
    strbuf_init(&text);
    strbuf_init(&pictures);
    line_window_init(&window, s->prefix != NULL, inputs->first, ranks);
    progress_begin(&progress, "translating", 0);
    /* A rate makes no sense for typed lines. */
    const bool typed = inputs->lines_open && isatty(inputs->lines.fd);
    struct shown shown = {typed ? NULL : &progress, inputs->first, inputs->first, clock_seconds()};
    int status;
    while ((status = line_window_read(&window, &inputs->lines, s->prefix ? &inputs->prefixes : NULL, ranks,
                                      err)) >= 0) {
        int written = 0;
        strbuf_reset(&text);
        strbuf_reset(&pictures);
        translate_window(&text, &pictures, translator, &window, s, ranks, &shown);
        ranks_gather(ranks, &text);
        ranks_gather(ranks, &pictures);
        strbuf_add(page, pictures.text, pictures.length);
        if (ranks_is_first(ranks))
            written = write_text(&text, err);
        if (ranks_agree(ranks, written, err))
            status = -1;
        if (status <= 0)
            break;
    }
    progress_end(&progress);
    if (s->html && ranks_is_first(ranks))
        alignment_warn_undrawn(s->html, window.first + (long)window.lines.count);
    line_window_release(&window);
    strbuf_release(&text);
    strbuf_release(&pictures);
    return status;
}

/* A page is translated by the first rank. */
static int translate_document(struct translator *translator, const struct inputs *inputs,
                              enum split_kind split, const struct ranks *ranks, struct err *err)
{
    struct strbuf out;
    int status = 0;
    strbuf_init(&out);
    if (ranks_is_first(ranks))
        status =
            translate_page(&out, translator, &inputs->page, split, err) || write_text(&out, err) ? -1 : 0;
    strbuf_release(&out);
    return ranks_agree(ranks, status, err);
}

/* ---- the command ---- */

/* Says what the translator met on all ranks. */
static void warn_of_lines(const struct translator *translator, const struct settings *s,
                          const struct ranks *ranks)
{
    enum { REPAIRED, DIVIDED, UNALIGNED, MISSED_TERMS, COUNTS };
    double counts[COUNTS] = {[REPAIRED] = (double)translator->repaired_lines,
                             [DIVIDED] = (double)translator->divided_lines,
                             [UNALIGNED] = (double)translator->unaligned_lines,
                             [MISSED_TERMS] = (double)translator->missed_terms};
    ranks_sum(ranks, counts, COUNTS);
    translator_warn(translator, ranks);
    if (counts[REPAIRED] > 0)
        log_warn("%.0f line%s not valid UTF-8; U+FFFD put in", counts[REPAIRED], plural(counts[REPAIRED]));
    if (counts[DIVIDED] > 0)
        log_warn("%.0f line%s with a sentence longer than the model has seen: translated in parts%s",
                 counts[DIVIDED], plural(counts[DIVIDED]),
                 translator->options.beam.n_best > 1 ? ", each to a single translation" : "");
    if (counts[UNALIGNED] > 0 && (s->form.alignment != ALIGNMENT_NONE || s->html))
        log_warn("%.0f line%s too long for an alignment: none given", counts[UNALIGNED],
                 plural(counts[UNALIGNED]));
    if (counts[MISSED_TERMS] > 0)
        log_warn("%.0f term%s of the glossary not used", counts[MISSED_TERMS], plural(counts[MISSED_TERMS]));
}

static int translate_all(const struct ensemble *ensemble, const struct translate_options *options,
                         struct inputs *inputs, const struct settings *s, const struct ranks *ranks,
                         struct err *err)
{
    struct translator translator;
    struct strbuf page;
    prepacked_begin(options->threads);
    translator_init(&translator, ensemble, options);
    if (options->glossary)
        terms_warn(&translator.terms);
    strbuf_init(&page);
    html_begin(&page, "What the translator looked at");
    alignment_pictures_begin(&page, ensemble->pair, s->form.words);
    int status = s->format == FORMAT_HTML
                     ? translate_document(&translator, inputs, options->split, ranks, err)
                     : translate_stream(&translator, inputs, s, ranks, &page, err);
    alignment_pictures_end(&page);
    html_end(&page);
    if (!status && s->html && ranks_is_first(ranks))
        status = file_output(s->html, page.text, page.length, err);
    strbuf_release(&page);
    warn_of_lines(&translator, s, ranks);
    translator_release(&translator);
    return status;
}

/* Opens inputs and output when all else is known to be right, and translates. */
static int translate_with(struct ensemble *ensemble, struct models *models,
                          const struct translate_options *options, const struct settings *s,
                          const struct ranks *ranks, struct err *err)
{
    struct inputs inputs = {.first = 0};
    int status = 0;
    ensemble_drop_weights(ensemble, models->loaded);
    if (ranks_is_first(ranks) &&
        ((s->html && file_check_writable(s->html, err)) || inputs_open(&inputs, s, err)))
        status = -1;
    if (ranks_agree(ranks, status, err))
        return -1;
    status = translate_all(ensemble, options, &inputs, s, ranks, err);
    inputs_close(&inputs);
    return status;
}

/* Without, tags are placed in proportion. */
static bool models_have_attention(const struct models *models)
{
    for (int i = 0; i < models->count; i++)
        if (!config_has_attention(&models->loaded[i].config))
            return false;
    return true;
}

/* On each rank; what is not loaded stays empty. */
static int load_terms(struct dictionary *dictionary, struct glossary *glossary, const struct settings *s,
                      const struct ranks *ranks, struct err *err)
{
    if (check_rank_input(ranks, s->dictionary, err) || check_rank_input(ranks, s->glossary, err))
        return -1;
    return (s->dictionary && dictionary_load(dictionary, s->dictionary, err)) ||
                   (s->glossary && glossary_load(glossary, s->glossary, err))
               ? -1
               : 0;
}

/* A dictionary is of words that the model has placeholders for, or of those that --unk-replace finds. */
static void warn_of_dictionary(const struct settings *s, const struct language_pair *pair)
{
    const bool unseen =
        pair->seen.words.count && (pair->tokenizer[SOURCE].protect.kinds & PATTERN_SET(PATTERN_UNSEEN));
    if (s->dictionary && !unseen && (!s->unk_replace || pair->tokenizer[TARGET].bpe))
        log_warn(
            "'%s' is not used: the model has neither 'unseen' in text.protect nor, with --unk-replace, a "
            "vocabulary of whole words",
            s->dictionary);
}

static int translate_input(struct models *models, const struct settings *s, const struct ranks *ranks,
                           struct err *err)
{
    struct translate_options options;
    struct dictionary dictionary = {.path = NULL};
    struct glossary glossary = {.path = NULL};
    if (ranks_agree(ranks, load_terms(&dictionary, &glossary, s, ranks, err), err)) {
        dictionary_release(&dictionary);
        glossary_release(&glossary);
        return -1;
    }
    translate_options_init(&options, &models->loaded[0].config);
    options.beam.n_best = s->n_best ? s->n_best : 1;
    options.beam.alignment = s->form.alignment != ALIGNMENT_NONE || s->html ||
                             (s->format == FORMAT_HTML && models_have_attention(models));
    options.beam.each_head = s->html != NULL;
    options.threads = team_threads(s->threads);
    options.batch = s->batch;
    options.split = models->loaded[0].config.decoding.split;
    options.replace_unknown = s->unk_replace;
    options.keep_source = s->json;
    if (s->dictionary) {
        options.dictionary_words = &dictionary.words;
        options.dictionary_texts = dictionary.texts;
    }
    options.judges = &models->judges;
    options.glossary = s->glossary ? &glossary : NULL;
    struct ensemble ensemble;
    int status = translate_options_check(&options, models->loaded, models->count, err);
    if (!status)
        status = ensemble_open(&ensemble, models->loaded, models->count, err);
    const bool opened = !status;
    status = ranks_agree(ranks, status, err);
    if (opened && !status && ranks_is_first(ranks))
        warn_of_dictionary(s, ensemble.pair);
    if (opened && !status)
        status = translate_with(&ensemble, models, &options, s, ranks, err);
    if (opened)
        ensemble_release(&ensemble);
    dictionary_release(&dictionary);
    glossary_release(&glossary);
    return status;
}

static int check_files(const struct settings *s, const struct models *models)
{
    struct file_uses uses = {.count = 0};
    file_uses_input(&uses, s->input, "--input");
    file_uses_input(&uses, s->prefix, "--prefix");
    file_uses_input(&uses, s->dictionary, "--dictionary");
    file_uses_input(&uses, s->glossary, "--glossary");
    file_uses_models(&uses, models);
    if (s->output)
        file_uses_output(&uses, s->output, "--output");
    else
        file_uses_standard_output(&uses);
    file_uses_output(&uses, s->html, "--html");
    return file_uses_check(&uses);
}

/* Refuses what needs each line to be one search. */
static int check_split(const struct settings *s, const struct config_decoding *decoding,
                       const struct ranks *ranks)
{
    const struct translate_options options = {.beam.n_best = s->n_best};
    const char *excluded = translate_options_unsplit(&options, s->prefix != NULL);
    struct err err;
    if (decoding->split != SPLIT_ON || !excluded)
        return EXIT_DONE;
    err_set(&err, "'--split on' and '--%s' exclude each other", excluded);
    return fail_wrong_use_once(ranks, &err);
}

static int translate(const void *settings, const struct ranks *ranks)
{
    const struct settings *s = settings;
    struct err err;
    struct models models;
    if (s->format == FORMAT_HTML && html_check_available(&err))
        return fail_once(ranks, &err);
    const int threads = team_threads(s->threads);
    const int opened = models_open_judged(&models, &s->models, &s->settings, s->judges, threads, &err);
    if (ranks_agree(ranks, opened, &err)) {
        if (!opened)
            models_close(&models);
        return fail_once(ranks, &err);
    }
    struct config_decoding *decoding = &models.loaded[0].config.decoding;
    search_options_apply(&s->search, decoding);
    int status = ranks_is_first(ranks) ? check_files(s, &models) : EXIT_DONE;
    ranks_broadcast(ranks, &status, sizeof status);
    if (status == EXIT_DONE)
        status = check_split(s, decoding, ranks);
    if (status == EXIT_DONE && s->n_best > decoding->beam) {
        err_set(&err, "option '--n-best' is %d, more than the beam of %d", s->n_best, decoding->beam);
        status = fail_wrong_use_once(ranks, &err);
    } else if (status == EXIT_DONE && translate_input(&models, s, ranks, &err)) {
        status = fail_once(ranks, &err);
    }
    models_close(&models);
    return status;
}

int cmd_translate(int argc, char **argv)
{
    struct settings s = {.search = SEARCH_OPTIONS_NONE, .batch = DEFAULT_BATCH, .input = "-"};
    int alignment = ALIGNMENT_NONE;
    const struct option_spec options[] = {
        MODELS_OPTION(&s.models, "are an ensemble"),
        INPUT_OPTION(&s.input),
        {"output", 'o', OPTION_STRING, &s.output, "FILE", "write FILE instead of standard output", 0, 0},
        {"resume", 0, OPTION_FLAG, &s.resume, NULL,
         "with --output: continue after the lines that FILE already holds", 0, 0},
        {"format", 0, OPTION_CHOICE, &s.format, &(FORMATS(NAMES_BAR))[1],
         "html: the input is one page, of which the text is translated (default: text)", 0, 0},
        {"prefix", 0, OPTION_STRING, &s.prefix, "FILE",
         "what each translation begins with: whole words, one line per input line", 0, 0},
        BEAM_OPTION(&s.search.beam),
        {"n-best", 'n', OPTION_INT, &s.n_best, "N", "print the N best as 'line ||| text ||| score'", 1, 1000},
        LENGTH_PENALTY_OPTION(&s.search.length_penalty),
        JUDGE_OPTIONS(s.judges),
        {"coverage-penalty", 0, OPTION_REAL, &s.search.coverage_penalty, "B",
         "weight of the coverage penalty", 0, 10},
        {"max-length-ratio", 0, OPTION_REAL, &s.search.max_length_ratio, "R",
         "most target tokens per source token (plus ten)", 0.1, 100},
        {"split", 0, OPTION_CHOICE, &s.search.split, &(SPLITS(NAMES_BAR))[1],
         "translate each sentence of a line by itself; auto: if most training lines are one", 0, 0},
        {"unk-replace", 'u', OPTION_FLAG, &s.unk_replace, NULL,
         "replace each unknown word by the source word with the most attention", 0, 0},
        {"dictionary", 'd', OPTION_STRING, &s.dictionary, "FILE",
         "translations of words that training never saw, as lines of word, tab, translation; for a model "
         "without 'unseen' in text.protect, of those of --unk-replace",
         0, 0},
        {"glossary", 0, OPTION_STRING, &s.glossary, "FILE",
         "terms that translations must hold, as lines of term, tab, translation", 0, 0},
        {"html", 0, OPTION_STRING, &s.html, "FILE", "write a page with a picture of each line's attention", 0,
         0},
        {"alignment", 'a', OPTION_CHOICE, &alignment, &(ALIGNMENT_FORMS(NAMES_BAR))[1],
         "append the attention: links i-j of source and target token, or all weights", 0, 0},
        {"words", 'w', OPTION_FLAG, &s.form.words, NULL,
         "with --alignment or --html: whole words instead of subwords", 0, 0},
        {"scores", 0, OPTION_FLAG, &s.form.scores, NULL, "append the score", 0, 0},
        {"tsv", 0, OPTION_FLAG, &s.tsv, NULL,
         "print source, tab, translation, and whatever else is asked for after further tabs", 0, 0},
        JSON_OPTION(&s.json),
        SET_DECODING_OPTION(&s.settings),
        THREADS_OPTION(&s.threads),
        {"batch", 0, OPTION_INT, &s.batch, "N", "most sentences per batch (default: 32)", 1, 65536},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt translate [--model MODEL]... [options] < in > out",
        "Translates each line of standard input into one line of standard output."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    s.form.alignment = (enum alignment_form)alignment;
    s.form.n_best = s.n_best > 0;
    s.form.glossary = s.glossary != NULL;
    s.form.kind = s.json ? LINE_JSON : s.tsv ? LINE_TSV : LINE_TEXT;
    if (s.json && s.tsv)
        return wrong_use(&help, "--json and --tsv exclude each other");
    if (s.form.words && s.form.alignment == ALIGNMENT_NONE && !s.html)
        return wrong_use(&help, "--words needs --alignment or --html");
    if (s.resume && (!s.output || (s.n_best > 1 && !s.json) || s.html))
        return wrong_use(&help, "--resume needs --output, and excludes --html and, but for --json, --n-best");
    if (s.format == FORMAT_HTML && (s.json || s.tsv || s.form.scores || s.n_best ||
                                    alignment != ALIGNMENT_NONE || s.html || s.prefix || s.resume))
        return wrong_use(&help,
                         "--format html excludes --json, --tsv, --scores, --n-best, --alignment, --html, "
                         "--prefix and --resume");
    return run_on_ranks(translate, &s);
}

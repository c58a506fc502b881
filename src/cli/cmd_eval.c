/* nmt eval: BLEU, chrF and perplexity of a model on a test set, or BLEU and chrF of any file. */
#include "cmd_shared.h"
#include "commands.h"
#include "compare.h"
#include "corpus.h"
#include "json.h"
#include "log.h"
#include "mem.h"
#include "metrics.h"
#include "parseopt.h"
#include "prepare.h"
#include "scoring.h"
#include "text_file.h"
#include "translate.h"
#include "validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *source, *hypothesis, *tokenize;
    struct string_list settings, models, references, compare;
    int beam, threads;
    double length_penalty;
    bool lowercase, json;
};

struct outcome {
    struct metrics metrics;
    size_t sentences;
    bool has_model, has_perplexity; /* of one model; an ensemble has none */
    double perplexity;
    double seconds;
    long source_tokens;
};

/* ---- scoring ---- */

static void score(struct outcome *outcome, const struct text_file *hypothesis,
                  const struct text_file *references, int count)
{
    const char *of_line[LIST_MAX];
    outcome->sentences = hypothesis->count;
    for (size_t i = 0; i < hypothesis->count; i++) {
        for (int r = 0; r < count; r++)
            of_line[r] = references[r].lines[i];
        metrics_add(&outcome->metrics, hypothesis->lines[i], of_line);
    }
}

static void print_json(const struct outcome *o)
{
    struct strbuf text;
    struct json *root = json_new_object();
    const struct bleu_score details = bleu_score(&o->metrics.bleu);
    strbuf_init(&text);
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct json *metric = json_set_object(root, metric_table[m].key);
        strbuf_reset(&text);
        metric_table[m].signature(&o->metrics, "nmt-" NMT_VERSION, &text);
        json_set_number(metric, "score", metric_table[m].score(&o->metrics));
        json_set_string(metric, "signature", text.text);
        if (m == 0) {
            json_set_array(metric, "precisions", details.precisions, BLEU_ORDER);
            json_set_number(metric, "brevity_penalty", details.brevity_penalty);
        }
    }
    if (o->has_perplexity)
        json_set_number(root, "perplexity", o->perplexity);
    json_set_number(root, "sentences", (double)o->sentences);
    json_set_number(root, "length_ratio", details.ratio);
    if (o->has_model) {
        json_set_number(root, "seconds", o->seconds);
        json_set_number(root, "sentences_per_second", (double)o->sentences / o->seconds);
        json_set_number(root, "source_tokens_per_second", (double)o->source_tokens / o->seconds);
    }
    strbuf_reset(&text);
    json_print(root, true, &text);
    fputs(text.text, stdout);
    strbuf_release(&text);
    json_free(root);
}

static void print_text(const struct outcome *o)
{
    struct strbuf signature;
    const struct bleu_score s = bleu_score(&o->metrics.bleu);
    strbuf_init(&signature);
    for (int m = 0; m < METRIC_COUNT; m++) {
        strbuf_reset(&signature);
        metric_table[m].signature(&o->metrics, "nmt-" NMT_VERSION, &signature);
        printf("%s|%s = %.2f", metric_table[m].name, signature.text, metric_table[m].score(&o->metrics));
        if (m == 0)
            printf(" %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %lld ref_len = %lld)",
                   s.precisions[0], s.precisions[1], s.precisions[2], s.precisions[3], s.brevity_penalty,
                   s.ratio, (long long)o->metrics.bleu.hypothesis_words,
                   (long long)o->metrics.bleu.reference_words);
        putchar('\n');
    }
    if (o->has_model) {
        if (o->has_perplexity)
            printf("perplexity = %.3f\n", o->perplexity);
        printf("%zu sentences in %.2f s: %.1f sentences/s, %.0f source tokens/s\n", o->sentences, o->seconds,
               (double)o->sentences / o->seconds, (double)o->source_tokens / o->seconds);
    }
    strbuf_release(&signature);
}

/* ---- with a model ---- */

static double perplexity_of(const struct loaded_model *loaded, const struct text_file *source,
                            const struct text_file *reference, int threads)
{
    struct corpus corpus;
    struct strbuf subwords[SIDES];
    corpus_init(&corpus);
    const struct tokenizer *tokenizer = loaded->pair.tokenizer;
    for (size_t i = 0; i < source->count; i++) {
        const struct text_file *texts[SIDES] = {source, reference};
        for (int side = 0; side < SIDES; side++) {
            strbuf_init(&subwords[side]);
            tokenizer_split(&subwords[side], &tokenizer[side], texts[side]->lines[i],
                            texts[side]->lengths[i]);
        }
        corpus_add(&corpus, &tokenizer[SOURCE], subwords[SOURCE].text, subwords[SOURCE].length,
                   &tokenizer[TARGET], subwords[TARGET].text, subwords[TARGET].length, 1 << 20);
        strbuf_release(&subwords[SOURCE]);
        strbuf_release(&subwords[TARGET]);
    }
    const struct loss loss = corpus_loss(&loaded->model, loaded->weights.values, &corpus, threads);
    corpus_release(&corpus);
    return exp(loss.sums.nll / (double)loss.target_tokens);
}

static void show(void *context, int lines)
{
    struct progress *progress = context;
    char detail[32];
    snprintf(detail, sizeof detail, "%d lines", lines);
    progress_update(progress, 0, 0, detail);
}

static int translate_text(struct text_file *to, struct outcome *outcome, const struct models *models,
                          const struct text_file *source, const struct settings *s, struct err *err)
{
    struct translate_options options;
    struct translator translator;
    struct progress progress;
    translate_options_init(&options, &models->loaded[0].config);
    options.beam.beam = s->beam ? s->beam : options.beam.beam;
    if (s->length_penalty >= 0)
        options.beam.length_penalty = s->length_penalty;
    options.threads = thread_count(s->threads);
    if (open_translator(&translator, models, &options, err))
        return -1;
    struct translations *out = xcalloc(source->count, sizeof *out);
    progress_begin(&progress, "translating", 30);
    const double began = clock_seconds();
    translator_run(&translator, out, source->lines, source->lengths, NULL, (int)source->count, show,
                   &progress);
    outcome->seconds = clock_seconds() - began;
    progress_end(&progress);
    outcome->source_tokens = translator.source_tokens;
    for (size_t i = 0; i < source->count; i++) {
        text_file_add(to, out[i].best[0].text, strlen(out[i].best[0].text));
        translations_release(&out[i]);
    }
    free(out);
    translator_release(&translator);
    return 0;
}

/* ---- which texts ---- */

/* Source and reference: the options', or the model's own test split. */
static int load_pairs(struct text_file *source, struct text_file *references, int *count,
                      const struct settings *s, const struct loaded_model *loaded, struct err *err)
{
    int status = 0;
    if (s->source)
        status = text_file_load(source, s->source, err);
    for (int r = 0; r < s->references.count && !status; r++) {
        status = text_file_load(&references[r], s->references.items[r], err);
        *count += !status;
    }
    if (status || *count)
        return status;
    const struct config_pairs *test = loaded ? &loaded->config.data.test : NULL;
    if (!test || (!test->source && !test->tsv))
        return err_set(err, "no test set: give --source and --reference, or name 'data.test' in the config");
    struct pair_reader reader;
    const struct pair_files files = files_of(test);
    if (pair_reader_open(&reader, &files, PAIR_STOP, err))
        return -1;
    *count = 1;
    while ((status = pair_reader_raw(&reader, err)) > 0)
        if (text_file_add_valid(source, &reader.source_line, pair_reader_path(&reader, false),
                                reader.source.line, err) ||
            text_file_add_valid(&references[0], &reader.target_line, pair_reader_path(&reader, true),
                                reader.source.line, err)) {
            status = -1;
            break;
        }
    log_info("test set: %s", pair_reader_path(&reader, false));
    pair_reader_close(&reader);
    return status;
}

/* Does a text with so many lines fit all references? */
static int expect_references(const struct settings *s, const char *name, size_t lines,
                             const struct text_file *references, int count, struct err *err)
{
    int status = 0;
    for (int r = 0; r < count && !status; r++)
        status = expect_lines(name, lines, s->references.count ? s->references.items[r] : "its reference",
                              references[r].count, err);
    return status;
}

static int run_compare(const struct settings *s, const struct models *models, enum mteval_kind kind,
                       bool lowercase, struct err *err)
{
    struct text_file source = {.count = 0}, references[LIST_MAX];
    struct compared systems[LIST_MAX];
    int count = 0;
    memset(references, 0, sizeof references);
    memset(systems, 0, sizeof systems);
    int status = load_pairs(&source, references, &count, s, models ? &models->loaded[0] : NULL, err);
    for (int i = 0; i < s->compare.count && !status; i++) {
        systems[i].name = s->compare.items[i];
        status = text_file_load(&systems[i].text, systems[i].name, err);
        if (!status)
            status = expect_references(s, systems[i].name, systems[i].text.count, references, count, err);
    }
    if (!status && !references[0].count)
        status = err_set(err, "cannot score '%s': no lines", systems[0].name);
    if (!status) {
        struct metrics empty;
        metrics_init(&empty, kind, lowercase, count);
        compare_systems(systems, s->compare.count, references, count, &empty, s->json);
    }
    text_file_release(&source);
    for (int i = 0; i < LIST_MAX; i++) {
        text_file_release(&references[i]);
        text_file_release(&systems[i].text);
    }
    return status;
}

static int run(const struct settings *s, const struct models *models, enum mteval_kind kind, bool lowercase,
               struct err *err)
{
    struct text_file source = {.count = 0}, hypothesis = {.count = 0}, references[LIST_MAX];
    struct outcome outcome = {.has_model = models && !s->hypothesis};
    int count = 0;
    outcome.has_perplexity = outcome.has_model && models->count == 1;
    memset(references, 0, sizeof references);
    int status = load_pairs(&source, references, &count, s, models ? &models->loaded[0] : NULL, err);
    const char *name = s->hypothesis ? s->hypothesis : s->source ? s->source : "the test set";
    if (!status && s->hypothesis)
        status = text_file_load(&hypothesis, s->hypothesis, err);
    const struct text_file *lines = s->hypothesis ? &hypothesis : &source;
    if (!status)
        status = expect_references(s, name, lines->count, references, count, err);
    if (!status && !lines->count)
        status = err_set(err, "cannot score '%s': no lines", name);
    if (!status) {
        metrics_init(&outcome.metrics, kind, lowercase, count);
        if (outcome.has_model)
            status = translate_text(&hypothesis, &outcome, models, &source, s, err);
    }
    if (!status) {
        if (outcome.has_perplexity)
            outcome.perplexity =
                perplexity_of(&models->loaded[0], &source, &references[0], thread_count(s->threads));
        score(&outcome, &hypothesis, references, count);
        (s->json ? print_json : print_text)(&outcome);
    }
    text_file_release(&source);
    text_file_release(&hypothesis);
    for (int r = 0; r < LIST_MAX; r++)
        text_file_release(&references[r]);
    return status;
}

int cmd_eval(int argc, char **argv)
{
    struct settings s = {.length_penalty = -1};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_LIST, &s.models, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained); several are an ensemble", 0, 0},
        {"source", 's', OPTION_STRING, &s.source, "FILE", "translate FILE (default: the config's test set)",
         0, 0},
        {"reference", 'r', OPTION_LIST, &s.references, "FILE",
         "reference translation; may be given several times", 0, 0},
        {"hypothesis", 0, OPTION_STRING, &s.hypothesis, "FILE", "score FILE; needs no model", 0, 0},
        {"compare", 0, OPTION_FILES, &s.compare, "FILE FILE...",
         "score several translations; is the difference from the first more than chance?", 0, 0},
        {"tokenize", 0, OPTION_STRING, &s.tokenize, "KIND",
         "13a, none or char, for BLEU (default: none for models on tokenized text, else 13a)", 0, 0},
        {"lowercase", 0, OPTION_FLAG, &s.lowercase, NULL, "score in lower case", 0, 0},
        {"json", 'j', OPTION_FLAG, &s.json, NULL, "print JSON", 0, 0},
        {"beam", 'b', OPTION_INT, &s.beam, "N", "hypotheses in beam search (default: the config's)", 1, 1000},
        {"length-penalty", 'l', OPTION_REAL, &s.length_penalty, "A", "divide scores by length^A", 0, 10},
        {"set", 'S', OPTION_LIST, &s.settings, "KEY=VALUE",
         "override a key of the model's config, such as decoding.block_ngrams=3", 0, 0},
        {"threads", 't', OPTION_INT, &s.threads, "N", "worker threads (default: one per core)", 0, 1024},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt eval [--model DIR]... [--source FILE --reference FILE]... [--hypothesis FILE | --compare "
        "FILE...]",
        "Translates a test set and prints BLEU, chrF and TER as sacreBLEU computes them, and perplexity.\n"
        "With --hypothesis, scores that file; with --compare, several, by paired bootstrap resampling."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    int kind = s.tokenize ? mteval_kind_of(s.tokenize) : MTEVAL_13A;
    const char *wrong = NULL;
    if (kind < 0)
        wrong = "option '--tokenize' must be 13a, none or char";
    else if (s.source && !s.references.count)
        wrong = "--source needs --reference";
    else if (!s.source && s.references.count && !s.hypothesis && !s.compare.count)
        wrong = "--reference needs --source, --hypothesis or --compare";
    else if (s.compare.count == 1)
        wrong = "--compare needs two files or more";
    else if (s.compare.count && s.hypothesis)
        wrong = "--compare and --hypothesis exclude each other";
    if (wrong) {
        fprintf(stderr, "nmt: %s\nusage: %s\n", wrong, help.usage);
        return EXIT_WRONG_USE;
    }
    struct err err;
    struct models models;
    const bool needs_model = !(s.hypothesis || s.compare.count) || !s.references.count;
    if (needs_model && open_models(&models, &s.models, &s.settings, &err))
        return fail(&err);
    bool lowercase = s.lowercase;
    if (needs_model) {
        enum mteval_kind own_kind;
        bool own_lowercase;
        scoring_of(&models.loaded[0].config, &own_kind, &own_lowercase);
        kind = s.tokenize ? kind : (int)own_kind;
        lowercase |= own_lowercase;
    }
    const int failed = (s.compare.count ? run_compare : run)(&s, needs_model ? &models : NULL,
                                                             (enum mteval_kind)kind, lowercase, &err);
    const int status = failed ? fail(&err) : EXIT_DONE;
    if (needs_model)
        close_models(&models);
    return status;
}

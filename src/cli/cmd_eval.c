/* nmt eval: BLEU, chrF and perplexity of a model on a test set, or BLEU and chrF of any translation. */
#include "commands.h"
#include "compare.h"
#include "eval_print.h"
#include "file_uses.h"
#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "models.h"
#include "mteval_choice.h"
#include "names.h"
#include "output.h"
#include "parseopt.h"
#include "search_options.h"
#include "shared_options.h"
#include "team.h"
#include "test_set.h"
#include "validate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct settings {
    const char *judges[JUDGE_KINDS], *source, *hypothesis, *output;
    struct string_list settings, models, references, compare;
    struct search_options search;
    int threads;
    int tokenize; /* enum mteval_kind; -1: not given */
    int chrf_word_order;
    bool lowercase, chrf_lowercase, confidence, sentence_level, json;
};

/* ---- with and without a model ---- */

/* A default that suits other text: nobody has chosen a tokenizer, for this text or the model's. */
static void warn_of_script(const struct test_set *set, const struct settings *s, const struct models *models)
{
    const struct lines *reference = &set->references[0];
    const struct config *config = models ? &models->loaded[0].config : NULL;
    const enum mteval_kind usual = config ? scoring_of(config).tokenize : MTEVAL_13A,
                           better = config ? scoring_for_text(config, reference).tokenize
                                           : mteval_choose_for(reference->text, reference->bytes,
                                                               reference->count);
    if (s->tokenize < 0 && better != usual)
        log_warn("the reference is %s: the BLEU tokenizer 13a finds few words in it; consider --tokenize %s",
                 mteval_choice_reason(better), mteval_name(better));
}

/* Each rank reads all of the text. */
static int check_inputs(const struct settings *s, const struct ranks *ranks, struct err *err)
{
    int status = check_rank_input(ranks, s->source, err) || check_rank_input(ranks, s->hypothesis, err);
    for (int i = 0; i < s->compare.count && !status; i++)
        status = check_rank_input(ranks, s->compare.items[i], err);
    for (int i = 0; i < s->references.count && !status; i++)
        status = check_rank_input(ranks, s->references.items[i], err);
    return status ? -1 : 0;
}

/* On all ranks, or on none. */
static int load_set(struct test_set *set, const struct settings *s, const struct models *models,
                    const struct ranks *ranks, struct err *err)
{
    const struct config *config = models ? &models->loaded[0].config : NULL;
    const int status =
        check_inputs(s, ranks, err) || test_set_load(set, s->source, &s->references, config, err) ? -1 : 0;
    if (ranks_agree(ranks, status, err))
        return -1;
    warn_of_script(set, s, models);
    return 0;
}

static int compare_translations(const struct settings *s, const struct models *models,
                                const struct metric_options *scoring, const struct ranks *ranks,
                                struct err *err)
{
    struct test_set set = {.named = 0};
    struct compared systems[LIST_MAX];
    memset(systems, 0, sizeof systems);
    int status = load_set(&set, s, models, ranks, err);
    for (int i = 0; i < s->compare.count && !status; i++) {
        systems[i].name = s->compare.items[i];
        status = lines_load(&systems[i].text, systems[i].name, err);
        if (!status)
            status = test_set_expect(&set, systems[i].name, systems[i].text.count, err);
    }
    if (!status && ranks_is_first(ranks)) {
        struct metrics empty;
        struct strbuf table;
        strbuf_init(&table);
        metrics_init(&empty, scoring, set.reference_count);
        compare_systems(&table, systems, s->compare.count, &set, &empty, s->json);
        output_add(table.text, table.length);
        strbuf_release(&table);
    }
    test_set_release(&set);
    for (int i = 0; i < LIST_MAX; i++)
        lines_release(&systems[i].text);
    return status;
}

static int translate_set(struct outcome *outcome, const struct test_set *set, const struct models *models,
                         const struct settings *s, const struct ranks *ranks, struct err *err)
{
    struct translate_options options;
    struct ensemble ensemble;
    translate_options_init(&options, &models->loaded[0].config);
    options.threads = team_threads(s->threads);
    options.judges = &models->judges;
    if (translate_options_check(&options, models->loaded, models->count, err) ||
        ensemble_open(&ensemble, models->loaded, models->count, err))
        return -1;
    test_set_translate(&outcome->translated, set, &ensemble, &options, ranks);
    ensemble_release(&ensemble);
    if (models->count > 1 || s->sentence_level) /* perplexity is not defined for an ensemble */
        return 0;
    const int status =
        test_set_perplexity(&outcome->perplexity, set, &models->loaded[0], options.threads, ranks, err);
    outcome->has_perplexity = !isnan(outcome->perplexity.per_token);
    return status;
}

/* Writes the translations to the file of --output. */
static int keep_translations(const char *path, const struct lines *translations, const struct ranks *ranks,
                             struct err *err)
{
    int status = 0;
    if (ranks_is_first(ranks)) {
        struct strbuf text;
        strbuf_init(&text);
        for (size_t i = 0; i < translations->count; i++) {
            strbuf_add(&text, translations->text[i], translations->bytes[i]);
            strbuf_addch(&text, '\n');
        }
        status = file_output(path, text.text, text.length, err);
        strbuf_release(&text);
    }
    return ranks_agree(ranks, status, err);
}

/* Scores the translations and prints the result. */
static void score_and_print(struct outcome *outcome, const struct test_set *set, const struct settings *s,
                            const struct metric_options *scoring)
{
    const struct lines *translations = &outcome->translated.lines;
    struct metrics empty, *sentences = NULL;
    struct bootstrap *bootstrap = NULL;
    metrics_init(&empty, scoring, set->reference_count);
    outcome->metrics = empty;
    if (s->confidence || s->sentence_level)
        sentences = test_set_score_each(&outcome->metrics, set, translations);
    else
        test_set_score(&outcome->metrics, set, translations);
    if (s->confidence) {
        bootstrap = xmalloc(1, sizeof *bootstrap);
        bootstrap_draw(bootstrap, sentences, translations->count, &empty);
        outcome->bootstrap = bootstrap;
    }
    if (s->sentence_level)
        eval_print_sentences(translations, sentences, s->json);
    else
        eval_print(outcome, s->json);
    xfree(bootstrap);
    xfree(sentences);
}

static int evaluate_set(const struct settings *s, const struct models *models,
                        const struct metric_options *scoring, const struct ranks *ranks, struct err *err)
{
    struct test_set set = {.named = 0};
    struct outcome outcome = {.hypothesis = s->hypothesis};
    struct lines *const hypothesis = &outcome.translated.lines;
    int status = load_set(&set, s, models, ranks, err);
    if (!status && s->hypothesis) {
        status = lines_load(hypothesis, s->hypothesis, err);
        if (!status)
            status = test_set_expect(&set, s->hypothesis, hypothesis->count, err);
    } else if (!status) {
        status = translate_set(&outcome, &set, models, s, ranks, err);
        if (!status && s->output)
            status = keep_translations(s->output, hypothesis, ranks, err);
    }
    if (!status && ranks_is_first(ranks))
        score_and_print(&outcome, &set, s, scoring);
    test_set_release(&set);
    lines_release(hypothesis);
    return status;
}

/* `models` is NULL where they are not open yet, or not needed. */
static int check_files(const struct settings *s, const struct models *models)
{
    struct file_uses uses = {.count = 0};
    file_uses_input(&uses, s->source, "--source");
    file_uses_input(&uses, s->hypothesis, "--hypothesis");
    for (int i = 0; i < s->references.count; i++)
        file_uses_input(&uses, s->references.items[i], "--reference");
    for (int i = 0; i < s->compare.count; i++)
        file_uses_input(&uses, s->compare.items[i], "--compare");
    if (models)
        file_uses_models(&uses, models);
    if (models && !s->references.count)
        file_uses_corpus(&uses, &models->loaded[0].config.data.test, "data.test");
    file_uses_standard_output(&uses);
    file_uses_output(&uses, s->output, "--output");
    return file_uses_check(&uses);
}

/* EXIT_DONE if nothing is written that is read, and the file of --output may be written; else the reason is
 * printed. */
static int check_output(const struct settings *s, const struct models *models, const struct ranks *ranks)
{
    struct err err;
    int status = EXIT_DONE;
    if (ranks_is_first(ranks)) {
        status = check_files(s, models);
        if (status == EXIT_DONE && s->output && file_check_writable(s->output, &err))
            status = fail(&err);
    }
    ranks_broadcast(ranks, &status, sizeof status);
    return status;
}

/* How to score: as the model is scored in training, unless options say otherwise. Says so where that is not
 * the usual way. */
static struct metric_options choose_scoring(const struct settings *s, const struct models *models)
{
    struct metric_options scoring = {.tokenize = MTEVAL_13A};
    if (models)
        scoring = scoring_of(&models->loaded[0].config);
    if (s->tokenize >= 0)
        scoring.tokenize = (enum mteval_kind)s->tokenize;
    else if (scoring.tokenize != MTEVAL_13A && models->loaded[0].config.training.tokenize != MTEVAL_AUTO)
        log_info("BLEU tokenizer: %s, as in the model's training (--tokenize overrides it)",
                 mteval_name(scoring.tokenize));
    scoring.lowercase |= s->lowercase;
    scoring.chrf_lowercase |= s->chrf_lowercase;
    scoring.chrf_word_order = s->chrf_word_order;
    scoring.effective_order = s->sentence_level;
    return scoring;
}

static int evaluate(const void *settings, const struct ranks *ranks)
{
    const struct settings *s = settings;
    struct err err;
    struct models models;
    const bool needs_model = !(s->hypothesis || s->compare.count) || !s->references.count || s->models.count;
    const int threads = team_threads(s->threads),
              opened = needs_model
                           ? models_open_judged(&models, &s->models, &s->settings, s->judges, threads, &err)
                           : 0;
    if (ranks_agree(ranks, opened, &err)) {
        if (!opened && needs_model)
            models_close(&models);
        return fail_once(ranks, &err);
    }
    if (needs_model)
        search_options_apply(&s->search, &models.loaded[0].config.decoding);
    const struct metric_options scoring = choose_scoring(s, needs_model ? &models : NULL);
    int status = check_output(s, needs_model ? &models : NULL, ranks);
    if (status == EXIT_DONE && (s->compare.count ? compare_translations : evaluate_set)(
                                   s, needs_model ? &models : NULL, &scoring, ranks, &err))
        status = fail_once(ranks, &err);
    if (needs_model)
        models_close(&models);
    return status;
}

int cmd_eval(int argc, char **argv)
{
    struct settings s = {.search = SEARCH_OPTIONS_NONE, .tokenize = -1};
    const struct option_spec options[] = {
        MODELS_OPTION(&s.models, "are an ensemble"),
        {"source", 's', OPTION_STRING, &s.source, "FILE", "translate FILE (default: the config's test set)",
         0, 0},
        {"reference", 'r', OPTION_LIST, &s.references, "FILE", "reference translation; may be repeated", 0,
         0},
        {"hypothesis", 0, OPTION_STRING, &s.hypothesis, "FILE", "score FILE; needs no model", 0, 0},
        {"compare", 0, OPTION_FILES, &s.compare, "FILE...",
         "score several translations and test whether they differ from the first by more than chance", 0, 0},
        {"tokenize", 0, OPTION_CHOICE, &s.tokenize, &(BLEU_TOKENIZERS(NAMES_BAR))[1],
         "tokenizer of BLEU (default: the model's training.tokenize, else 13a)", 0, 0},
        {"lowercase", 0, OPTION_FLAG, &s.lowercase, NULL, "BLEU in lower case", 0, 0},
        {"chrf-lowercase", 0, OPTION_FLAG, &s.chrf_lowercase, NULL, "chrF in lower case", 0, 0},
        {"chrf-word-order", 0, OPTION_INT, &s.chrf_word_order, "N",
         "words in chrF's n-grams (default: 0); 2: chrF++", 0, CHRF_MOST_WORD_ORDER},
        {"confidence", 0, OPTION_FLAG, &s.confidence, NULL,
         "also print mean and 95 % interval by bootstrap resampling", 0, 0},
        {"sentence-level", 0, OPTION_FLAG, &s.sentence_level, NULL,
         "print the scores of each sentence instead: line, BLEU, chrF2, TER, tabs between", 0, 0},
        {"output", 'o', OPTION_STRING, &s.output, "FILE", "also write the translations to FILE", 0, 0},
        JSON_OPTION(&s.json),
        BEAM_OPTION(&s.search.beam),
        LENGTH_PENALTY_OPTION(&s.search.length_penalty),
        JUDGE_OPTIONS(s.judges),
        SET_DECODING_OPTION(&s.settings),
        THREADS_OPTION(&s.threads),
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt eval [--model MODEL]... [--source FILE --reference FILE]... [--hypothesis FILE | --compare "
        "FILE...]",
        "Translates a test set and prints BLEU, chrF and TER as sacreBLEU computes them, and perplexity. "
        "With --hypothesis, scores that file; with --compare, compares several files by paired bootstrap "
        "resampling."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    const char *wrong = NULL;
    if (s.source && !s.references.count)
        wrong = "--source needs --reference";
    else if (!s.source && s.references.count && !s.hypothesis && !s.compare.count)
        wrong = "--reference needs --source, --hypothesis or --compare";
    else if (s.compare.count == 1)
        wrong = "--compare needs two files or more";
    else if (s.compare.count && s.hypothesis)
        wrong = "--compare and --hypothesis exclude each other";
    else if (s.output && (s.hypothesis || s.compare.count))
        wrong = "--output is for translations of a model, and excludes --hypothesis and --compare";
    else if (s.output && is_standard_output(s.output))
        wrong = "--output needs a file: the scores go to standard output";
    else if (judges_are_named(s.judges) && (s.hypothesis || s.compare.count))
        wrong = "--backward-model and --right-to-left-model are for translations of a model, and exclude "
                "--hypothesis and --compare";
    else if ((s.settings.count || s.search.beam || s.search.length_penalty >= 0) &&
             (s.hypothesis || s.compare.count))
        wrong = "--set, --beam and --length-penalty are for translations of a model, and exclude "
                "--hypothesis and --compare";
    else if (s.sentence_level && (s.confidence || s.compare.count))
        wrong = "--sentence-level excludes --confidence and --compare";
    if (wrong)
        return wrong_use(&help, wrong);
    if (check_files(&s, NULL) != EXIT_DONE)
        return EXIT_WRONG_USE;
    return run_on_ranks(evaluate, &s);
}

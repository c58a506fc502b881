/* nmt score: log-probabilities of given translations, for rescoring and filtering. */
#include "commands.h"
#include "err.h"
#include "file_uses.h"
#include "mem.h"
#include "models.h"
#include "output.h"
#include "pair_block.h"
#include "pair_options.h"
#include "parseopt.h"
#include "placeholder.h"
#include "rescore.h"
#include "scoring.h"
#include "shared_options.h"
#include "team.h"
#include "tokenize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct string_list models;
    struct pair_files files;
    const char *list; /* of n-best translations, in the place of targets */
    int threads;
    bool normalize, token_scores, json;
};

/* The target of a pair with its scores. */
struct scored {
    const char **tokens; /* [length], the end mark included */
    const real *scores;  /* log-probability of each token */
    int length;
    double log_probability, score;
};

static void print_text(const struct scored *pair, bool token_scores)
{
    output_addf("%.6f", pair->score);
    for (int t = 0; token_scores && t < pair->length; t++)
        output_addf("%s%s %.4f", t ? " " : " ||| ", pair->tokens[t], (double)pair->scores[t]);
    output_adds("\n");
}

static void print_json(const struct scored *pair, const struct pair_block *block, size_t i)
{
    struct json *object = json_new_object();
    json_set_number(object, "line", (double)(block->first_line + (int64_t)i));
    json_set_string(object, "source", block->text[SOURCE].text[i]);
    json_set_string(object, "target", block->text[TARGET].text[i]);
    json_set_number(object, "score", pair->score);
    json_set_number(object, "log_probability", pair->log_probability);
    json_set_strings(object, "target_tokens", pair->tokens, pair->length);
    json_set_floats(object, "token_log_probabilities", pair->scores, pair->length);
    output_json(object);
}

/* Sets the tokens: words of the vocabulary, and placeholders with their strings, whose text `words` holds. */
static void set_tokens(struct scored *pair, struct strbuf *words, const int *ids, const char *subwords,
                       const struct vocab *vocab)
{
    const size_t bytes = strlen(subwords);
    size_t at = 0, length;
    strbuf_add(words, subwords, bytes);
    for (int t = 0; t < pair->length; t++) {
        const char *word = next_word(words->text, bytes, &at, &length);
        pair->tokens[t] = word && placeholder_number(word, length) ? word : vocab_word(vocab, ids[t]);
    }
    for (char *blank = words->text; (blank = strchr(blank, ' ')); blank++)
        *blank = '\0';
}

static void print_pair(const real *scores, const struct pair_block *block, size_t i,
                       const struct vocab *vocab, const struct settings *s)
{
    size_t length;
    const int *ids = corpus_target(&block->corpus, i, &length) + 1; /* after the begin mark */
    struct scored pair = {.scores = scores, .length = (int)length - 1};
    pair.tokens = xmalloc(length, sizeof *pair.tokens);
    struct strbuf words;
    strbuf_init(&words);
    set_tokens(&pair, &words, ids, block->subwords[TARGET].text[i], vocab);
    for (int t = 0; t < pair.length; t++)
        pair.log_probability += (double)scores[t];
    pair.score = s->normalize ? pair.log_probability / pair.length : pair.log_probability;
    if (s->json)
        print_json(&pair, block, i);
    else
        print_text(&pair, s->token_scores);
    strbuf_release(&words);
    xfree(pair.tokens);
}

/* ---- pairs ---- */

/* Context of the function that receives each block. */
struct scoring {
    const struct settings *settings;
    const struct models *models;
};

static double log_of_sum(double log_a, double log_b)
{
    return fmax(log_a, log_b) + log1p(exp(-fabs(log_a - log_b)));
}

/* Replaces the first model's word scores by those of the ensemble: the log of the mean probability. */
static int join_scores(real *const *scores, const size_t *begin, const struct models *models,
                       const struct pair_block *block, size_t pair, struct err *err)
{
    const size_t words = begin[pair + 1] - begin[pair];
    real *joint = scores[0] + begin[pair];
    for (int m = 0; m < models->count; m++) {
        const real *own = scores[m] + begin[pair];
        if (scores_check(own, words, models->loaded[m].files.path, block->first_line + (int64_t)pair, err))
            return -1;
        for (size_t t = 0; m && t < words; t++)
            joint[t] = (real)log_of_sum((double)joint[t], (double)own[t]);
    }
    for (size_t t = 0; models->count > 1 && t < words; t++)
        joint[t] -= (real)log(models->count);
    return 0;
}

static int score_block(void *context, const struct pair_block *block, struct err *err)
{
    const struct scoring *scoring = context;
    const struct models *models = scoring->models;
    const struct corpus *corpus = &block->corpus;
    size_t *begin = xcalloc(corpus->pairs + 1, sizeof *begin);
    size_t length;
    int status = 0;
    for (size_t i = 0; i < corpus->pairs; i++) {
        corpus_target(corpus, i, &length);
        begin[i + 1] = begin[i] + length - 1;
    }
    real *scores[MOST_MEMBERS];
    ASSERT(models->count > 0);
    for (int m = 0; m < models->count; m++) {
        const struct loaded_model *loaded = &models->loaded[m];
        scores[m] = xmalloc(begin[corpus->pairs], sizeof *scores[m]);
        corpus_scores(scores[m], begin, &loaded->model, weights_floats(&loaded->weights), corpus,
                      team_threads(scoring->settings->threads));
    }
    for (size_t i = 0; i < corpus->pairs && !status; i++) {
        status = join_scores(scores, begin, models, block, i, err);
        if (!status)
            print_pair(scores[0] + begin[i], block, i, models->loaded[0].pair.tokenizer[TARGET].vocab,
                       scoring->settings);
    }
    for (int m = 0; m < models->count; m++)
        xfree(scores[m]);
    xfree(begin);
    return status ? status : output_flush(err);
}

static int check_words(const struct models *models, struct err *err)
{
    for (int m = 1; m < models->count; m++) {
        const char *difference = language_pair_difference(&models->loaded[0].pair, &models->loaded[m].pair);
        if (difference)
            return err_set(err, "cannot score with '%s' beside the first model: %s",
                           models->loaded[m].files.path, difference);
    }
    return 0;
}

static int score_pairs(const struct settings *s, const struct models *models, struct err *err)
{
    struct scoring scoring = {s, models};
    return check_words(models, err)
               ? -1
               : each_pair_block(&s->files, &models->loaded[0].pair, score_block, &scoring, err);
}

/* ---- n-best lists ---- */

static int print_line(void *context, const struct strbuf *line, struct err *err)
{
    (void)context;
    output_add(line->text, line->length);
    output_adds("\n");
    return output_check(err);
}

static int score_list(const struct settings *s, const struct models *models, struct err *err)
{
    const struct rescore_settings settings = {s->files.source, s->list, s->normalize, s->threads};
    return rescore_list(&settings, models, print_line, NULL, err) ? -1 : output_flush(err);
}

/* ---- the command ---- */

/* `models`: NULL before they are open. */
static int check_files(const struct settings *s, const struct models *models)
{
    struct file_uses uses = {.count = 0};
    file_uses_pair(&uses, &s->files);
    file_uses_input(&uses, s->list, "--n-best-list");
    if (models)
        file_uses_models(&uses, models);
    file_uses_standard_output(&uses);
    return file_uses_check(&uses);
}

int cmd_score(int argc, char **argv)
{
    struct settings s = {0};
    const struct option_spec options[] = {
        MODELS_OPTION(&s.models, "are an ensemble, or with --n-best-list a feature each"),
        PAIR_OPTIONS(s.files),
        {"n-best-list", 0, OPTION_STRING, &s.list, "FILE",
         "instead of --target: translations as 'line ||| text ||| …', printed with each model's score as a "
         "feature 'F0= -1.5'",
         0, 0},
        {"normalize", 0, OPTION_FLAG, &s.normalize, NULL, "divide by the number of target tokens", 0, 0},
        {"token-scores", 0, OPTION_FLAG, &s.token_scores, NULL,
         "print each target token with its own log-probability", 0, 0},
        JSON_OPTION(&s.json),
        THREADS_OPTION(&s.threads),
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt score [--model MODEL]... --source FILE (--target FILE | --n-best-list FILE) [options]",
        "Prints the natural logarithm of the probability that the model gives "
        "each translation, end mark included, one line per pair."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    const char *wrong = !s.list ? pair_files_wrong(&s.files)
                        : !s.files.source || s.files.target || s.files.tsv
                            ? "--n-best-list needs --source, and excludes --target and --pairs"
                        : s.json || s.token_scores ? "--n-best-list excludes --json and --token-scores"
                                                   : NULL;
    if (wrong)
        return wrong_use(&help, wrong);
    struct err err;
    struct models models;
    const struct string_list no_settings = {{NULL}, 0};
    if (check_files(&s, NULL) != EXIT_DONE)
        return EXIT_WRONG_USE;
    if (models_open(&models, &s.models, &no_settings, &err))
        return fail(&err);
    int status = check_files(&s, &models);
    if (status == EXIT_DONE && (s.list ? score_list : score_pairs)(&s, &models, &err))
        status = fail(&err);
    models_close(&models);
    return status;
}

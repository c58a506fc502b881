/* nmt score: how probable a model finds given translations, for rescoring and filtering. */
#include "cmd_shared.h"
#include "commands.h"
#include "file_uses.h"
#include "log.h"
#include "mem.h"
#include "output.h"
#include "pair_block.h"
#include "parseopt.h"
#include "scoring.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *model;
    struct pair_files files;
    int threads;
    bool normalize, words;
};

static void print_pair(const real *scores, const int *ids, int words, const struct vocab *vocab,
                       const struct settings *s)
{
    double sum = 0;
    for (int t = 0; t < words; t++)
        sum += (double)scores[t];
    output_addf("%.6f", s->normalize ? sum / words : sum);
    for (int t = 0; s->words && t < words; t++)
        output_addf("%s%s %.4f", t ? " " : " ||| ", vocab_word(vocab, ids[t]), (double)scores[t]);
    output_adds("\n");
}

/* What takes a block. */
struct scoring {
    const struct settings *settings;
    const struct loaded_model *loaded;
};

static int score_block(void *context, const struct pair_block *block, struct err *err)
{
    const struct scoring *scoring = context;
    const struct loaded_model *loaded = scoring->loaded;
    const struct corpus *corpus = &block->corpus;
    size_t *begin = xcalloc(corpus->pairs + 1, sizeof *begin);
    int length, status = 0;
    for (size_t i = 0; i < corpus->pairs; i++) {
        corpus_target(corpus, i, &length);
        begin[i + 1] = begin[i] + (size_t)length - 1;
    }
    real *scores = xmalloc(begin[corpus->pairs], sizeof *scores);
    corpus_scores(scores, begin, &loaded->model, loaded->weights.values, corpus,
                  thread_count(scoring->settings->threads));
    for (size_t i = 0; i < corpus->pairs && !status; i++) {
        const int *ids = corpus_target(corpus, i, &length);
        status = pair_block_check(block, i, scores + begin[i], (size_t)length - 1, loaded, err);
        if (!status)
            print_pair(scores + begin[i], ids + 1, length - 1, loaded->pair.tokenizer[TARGET].vocab,
                       scoring->settings);
    }
    free(scores);
    free(begin);
    return status ? status : output_flush(err);
}

static int check_files(const struct settings *s)
{
    struct file_uses uses = {.count = 0};
    file_uses_pair(&uses, &s->files);
    file_uses_standard_output(&uses);
    return file_uses_check(&uses);
}

int cmd_score(int argc, char **argv)
{
    struct settings s = {0};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_STRING, &s.model, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained)", 0, 0},
        PAIR_OPTIONS(s.files),
        {"normalize", 0, OPTION_FLAG, &s.normalize, NULL, "divide by the number of target tokens", 0, 0},
        {"words", 0, OPTION_FLAG, &s.words, NULL, "print each target token with its own log-probability", 0,
         0},
        {"threads", 't', OPTION_INT, &s.threads, "N", "worker threads (default: one per core)", 0, 1024},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt score [--model DIR] --source FILE --target FILE [options]",
        "Prints the natural logarithm of the probability that the model gives each translation, end mark\n"
        "included, a line for a pair."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    const char *wrong = pair_files_wrong(&s.files);
    if (wrong)
        return wrong_use(&help, wrong);
    if (check_files(&s) != EXIT_DONE)
        return EXIT_WRONG_USE;
    struct err err;
    struct loaded_model loaded;
    if (open_model(&loaded, s.model, &err))
        return fail(&err);
    struct scoring scoring = {&s, &loaded};
    const int failed = each_pair_block(&s.files, &loaded.pair, score_block, &scoring, &err);
    const int status = failed ? fail(&err) : EXIT_DONE;
    loaded_model_close(&loaded);
    return status;
}

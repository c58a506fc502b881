/* nmt score: how probable a model finds given translations, for rescoring and filtering. */
#include "cmd_shared.h"
#include "commands.h"
#include "log.h"
#include "mem.h"
#include "pair_block.h"
#include "parseopt.h"
#include "scoring.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *model, *source, *target, *tsv;
    int threads;
    bool normalize, words;
};

static void print_pair(const real *scores, const int *ids, int words, const struct vocab *vocab,
                       const struct settings *s)
{
    double sum = 0;
    for (int t = 0; t < words; t++)
        sum += (double)scores[t];
    printf("%.6f", s->normalize ? sum / words : sum);
    for (int t = 0; s->words && t < words; t++)
        printf("%s%s %.4f", t ? " " : " ||| ", vocab_word(vocab, ids[t]), (double)scores[t]);
    putchar('\n');
}

static void score_block(const struct corpus *corpus, const struct loaded_model *loaded,
                        const struct settings *s)
{
    size_t *begin = xcalloc(corpus->pairs + 1, sizeof *begin);
    int length;
    for (size_t i = 0; i < corpus->pairs; i++) {
        corpus_target(corpus, i, &length);
        begin[i + 1] = begin[i] + (size_t)length - 1;
    }
    real *scores = xmalloc(begin[corpus->pairs], sizeof *scores);
    corpus_scores(scores, begin, &loaded->model, loaded->weights.values, corpus, thread_count(s->threads));
    for (size_t i = 0; i < corpus->pairs; i++) {
        const int *ids = corpus_target(corpus, i, &length);
        print_pair(scores + begin[i], ids + 1, length - 1, loaded->pair.tokenizer[TARGET].vocab, s);
    }
    free(scores);
    free(begin);
}

static int run(const struct settings *s, const struct loaded_model *loaded, struct err *err)
{
    struct pair_reader reader;
    const struct pair_files files = {s->source, s->target, s->tsv};
    if (pair_reader_open(&reader, &files, PAIR_STOP, err))
        return -1;
    int status;
    do {
        struct pair_block block;
        status = pair_block_read(&block, &reader, &loaded->pair, err);
        if (status >= 0 && block.corpus.pairs)
            score_block(&block.corpus, loaded, s);
        pair_block_release(&block);
    } while (status > 0);
    pair_reader_close(&reader);
    return status;
}

int cmd_score(int argc, char **argv)
{
    struct settings s = {0};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_STRING, &s.model, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained)", 0, 0},
        {"source", 's', OPTION_STRING, &s.source, "FILE", "source text", 0, 0},
        {"target", 'T', OPTION_STRING, &s.target, "FILE", "its translation, line by line", 0, 0},
        {"tsv", 0, OPTION_STRING, &s.tsv, "FILE", "or both in one file: source, a tab, target", 0, 0},
        {"normalize", 'n', OPTION_FLAG, &s.normalize, NULL, "divide by the number of target tokens", 0, 0},
        {"words", 'w', OPTION_FLAG, &s.words, NULL, "print each target token with its own log-probability", 0,
         0},
        {"threads", 't', OPTION_INT, &s.threads, "N", "worker threads (default: one per core)", 0, 1024},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt score [--model DIR] --source FILE --target FILE [options]",
        "Prints the natural logarithm of the probability that the model gives each translation, end mark\n"
        "included, a line for a pair."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (s.tsv ? s.source || s.target : !s.source || !s.target) {
        fprintf(stderr, "nmt: give --source and --target, or --tsv\nusage: %s\n", help.usage);
        return EXIT_WRONG_USE;
    }
    struct err err;
    struct loaded_model loaded;
    if (open_model(&loaded, s.model, &err))
        return fail(&err);
    const int status = run(&s, &loaded, &err) ? fail(&err) : EXIT_DONE;
    loaded_model_close(&loaded);
    return status;
}

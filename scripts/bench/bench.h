/* bench: what the files of nmt_bench share. Each command bench_NAME measures and prints one JSON object. */
#ifndef NMT_BENCH_H
#define NMT_BENCH_H

#include "config.h"
#include "corpus.h"
#include "err.h"
#include "json.h"
#include "seq2seq.h"
#include "vocab.h"

#include <stdbool.h>

#define MAX_ROUNDS 100
#define BENCH_BATCH 64 /* sentences */

/* The options of the command line. */
struct bench {
    const char *source, *target; /* files of subwords separated by blanks */
    const char *config;          /* its network and training instead of the sizes, or NULL */
    const char *shapes, *folder, *instructions;
    int embedding, encoder, decoder, attention, vocabulary;
    int batch; /* 0: BENCH_BATCH, or the config's in training */
    int beam, threads, shards, rounds, updates, lines, floats, shortlist;
    double dropout, seconds;
    bool prepacked, rounded, int8;
};

void bench_gemm(const struct bench *bench);
void bench_int8(const struct bench *bench);
void bench_bf16(const struct bench *bench);
void bench_train(const struct bench *bench);
void bench_decode(const struct bench *bench);
void bench_files(const struct bench *bench);
void bench_reduce(const struct bench *bench);

/* Ends the program. */
void bench_die(const struct err *err);
/* Ends the program unless status is 0. */
void bench_must(int status, const struct err *err);
/* Prints the result with the program's peak memory, and frees it. */
void bench_print(struct json *result);
/* Processor time of this thread. */
double bench_thread_seconds(void);
/* `count` numbers between -1 and 1, which xfree frees. */
real *bench_random_numbers(size_t count, uint32_t seed);
/* Sorts x. */
double bench_median(double *x, int count);

/* A corpus with its words numbered, and a network for it. */
struct bench_data {
    struct vocab vocab[2];
    struct corpus corpus;
    struct config config;
    struct seq2seq model;
};

void bench_data_init(struct bench_data *data, const struct bench *b);
void bench_data_release(struct bench_data *data);

#endif

/* nmt_bench: nmt's parts timed from inside, for scripts/bench/run. Each command prints one JSON object
 * with the figures of every round; medians and tables are made by its caller. Here: options, output and
 * the choice of a command. */
#include "bench.h"

#include "kernel.h"
#include "mat.h"
#include "mem.h"
#include "parseopt.h"
#include "rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define WRONG_USE 2 /* exit status */

static enum parse_result parse(struct bench *b, int argc, char **argv)
{
    *b = (struct bench){.shapes = "1024x1024x1024:nt",
                        .folder = ".",
                        .embedding = 256,
                        .encoder = 256,
                        .decoder = 512,
                        .attention = 512,
                        .beam = 5,
                        .threads = 1,
                        .rounds = 3,
                        .updates = 10,
                        .floats = 1000000,
                        .seconds = 0.3};
    const struct option_spec options[] = {
        {"source", 0, OPTION_STRING, &b->source, "FILE", "source subwords", 0, 0},
        {"target", 0, OPTION_STRING, &b->target, "FILE", "target subwords", 0, 0},
        {"config", 0, OPTION_STRING, &b->config, "FILE",
         "its network and training instead of E, H, D, A and dropout", 0, 0},
        {"lines", 0, OPTION_INT, &b->lines, "N", "only the first N lines (0: all)", 0, 1 << 30},
        {"embedding", 0, OPTION_INT, &b->embedding, "E", "embedding width", 1, 8192},
        {"encoder", 0, OPTION_INT, &b->encoder, "H", "encoder units per direction", 1, 8192},
        {"decoder", 0, OPTION_INT, &b->decoder, "D", "decoder units", 1, 8192},
        {"attention", 0, OPTION_INT, &b->attention, "A", "attention units", 1, 8192},
        {"vocabulary", 0, OPTION_INT, &b->vocabulary, "V", "words of both sides (0: as many as there are)", 0,
         10000000},
        {"dropout", 0, OPTION_REAL, &b->dropout, "P", "on embeddings, annotations and readout", 0, 0.95},
        {"batch", 0, OPTION_INT, &b->batch, "N", "sentences (default: 64; train: the config's)", 1, 65536},
        {"beam", 0, OPTION_INT, &b->beam, "K", "hypotheses", 1, 1000},
        {"threads", 0, OPTION_INT, &b->threads, "T", "worker threads", 1, 256},
        {"shards", 0, OPTION_INT, &b->shards, "N", "train: parts of a batch (0: as many as threads)", 0,
         1024},
        {"rounds", 0, OPTION_INT, &b->rounds, "N", "times to measure", 1, MAX_ROUNDS},
        {"updates", 0, OPTION_INT, &b->updates, "N", "updates in a round", 1, 1000000},
        {"floats", 0, OPTION_INT, &b->floats, "N", "reduce: gradients", 1, 1000000000},
        {"rounded", 0, OPTION_FLAG, &b->rounded, NULL, "reduce: in bfloat16", 0, 0},
        {"shapes", 0, OPTION_STRING, &b->shapes, "LIST",
         "gemm: MxNxK:nt|nn|tn, separated by commas; int8: MxNxK", 0, 0},
        {"prepacked", 0, OPTION_FLAG, &b->prepacked, NULL,
         "gemm: by nmt's prepacked weights instead of OpenBLAS (nt, nn)", 0, 0},
        {"int8", 0, OPTION_FLAG, &b->int8, NULL, "decode: with weights of eight bits", 0, 0},
        {"shortlist", 0, OPTION_INT, &b->shortlist, "N",
         "decode: choose among 100 words and N of each source word (0: among all)", 0, 1000},
        {"instructions", 0, OPTION_STRING, &b->instructions, "NAME",
         "of int8: none, avx2, avx-vnni, avx512-vnni or dotprod (default: the best)", 0, 0},
        {"folder", 0, OPTION_STRING, &b->folder, "DIR", "files: where to write (default: .)", 0, 0},
        {"seconds", 0, OPTION_REAL, &b->seconds, "S", "gemm, int8: length of a round", 0.001, 60},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    static const char usage[] = "usage: nmt_bench gemm|int8|bf16|train|decode|files|reduce [options]";
    struct err err;
    const char *form;
    const enum parse_result parsed = parseopt(argc, argv, options, &form, &err);
    if (parsed == PARSE_WRONG)
        fprintf(stderr, "nmt_bench: %s\n%s\n", err.text, usage);
    if (parsed == PARSE_HELP) {
        printf("%s\n\nTimes parts of nmt from inside.\n\n", usage);
        for (const struct option_spec *o = options; o->name; o++)
            printf("  --%-12s %-5s %s\n", o->name, o->argument ? o->argument : "", o->help);
    }
    return parsed;
}

void bench_die(const struct err *err)
{
    fprintf(stderr, "nmt_bench: %s\n", err->text);
    exit(EXIT_FAILURE);
}

void bench_must(int status, const struct err *err)
{
    if (status)
        bench_die(err);
}

void bench_print(struct json *result)
{
    struct strbuf text;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    json_set_number(result, "peak_mib", (double)usage.ru_maxrss / 1024);
    strbuf_init(&text);
    json_print(result, true, &text);
    fputs(text.text, stdout);
    strbuf_release(&text);
    json_free(result);
}

double bench_thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

real *bench_random_numbers(size_t count, uint32_t seed)
{
    real *x = xmalloc(count, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(rng_hash32(seed * 2654435761u, (uint32_t)i) % 2001) / 1000 - 1;
    return x;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *x, int count)
{
    qsort(x, (size_t)count, sizeof *x, by_size);
    return x[count / 2];
}

/* Float32 has the kernels of a processor without what is not chosen. */
static void choose_instructions(const char *name)
{
    static const char *const names[INT8_INSTRUCTIONS] = {"none", "avx2", "avx-vnni", "avx512-vnni",
                                                         "dotprod"};
    struct err err;
    for (int set = 0; set < INT8_INSTRUCTIONS; set++)
        if (!strcmp(name, names[set]) && has_int8_instructions((enum int8_instructions)set)) {
            int8_instructions = (enum int8_instructions)set;
            if (instruction_set == INSTRUCTIONS_V4 && set != INT8_AVX512_VNNI)
                instruction_set = INSTRUCTIONS_V3;
            return;
        }
    err_set(&err,
            "'%s' is none of none, avx2, avx-vnni, avx512-vnni, dotprod, or this processor has not got it",
            name);
    bench_die(&err);
}

int main(int argc, char **argv)
{
    mem_init();
    static const struct {
        const char *name;
        void (*run)(const struct bench *bench);
    } commands[] = {{"gemm", bench_gemm},    {"int8", bench_int8},     {"bf16", bench_bf16},
                    {"train", bench_train},  {"decode", bench_decode}, {"files", bench_files},
                    {"reduce", bench_reduce}};
    struct bench bench;
    const enum parse_result parsed = argc < 2 ? PARSE_WRONG : parse(&bench, argc - 1, argv + 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? EXIT_SUCCESS : WRONG_USE;
    if (bench.instructions)
        choose_instructions(bench.instructions);
    mat_begin(1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(commands[i].name, argv[1])) {
            commands[i].run(&bench);
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "nmt_bench: unknown command '%s'\n", argv[1]);
    return WRONG_USE;
}

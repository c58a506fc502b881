/* nmt_bench: nmt's parts timed from inside, for scripts/bench/run. Each command prints one JSON object with
 * the figures of every round; medians and tables are made by its caller. */
#include "arena.h"
#include "batch.h"
#include "beam.h"
#include "checkpoint.h"
#include "json.h"
#include "log.h"
#include "mat.h"
#include "mem.h"
#include "model_file.h"
#include "params.h"
#include "parseopt.h"
#include "prepacked.h"
#include "probes.h"
#include "team.h"
#include "workers.h"

#include <cblas.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MAX_ROUNDS 100
#define WARMUP_UPDATES 3

/* ---- options ---- */

#define WRONG_USE 2 /* exit status */

struct bench {
    const char *source, *target; /* files of subwords separated by blanks */
    const char *shapes, *folder;
    int embedding, encoder, decoder, attention, vocabulary;
    int batch, beam, threads, rounds, updates, lines, floats;
    double dropout, seconds;
    bool prepacked, rounded;
};

static enum parse_result parse(struct bench *b, int argc, char **argv)
{
    *b = (struct bench){.shapes = "1024x1024x1024:nt",
                        .folder = ".",
                        .embedding = 256,
                        .encoder = 256,
                        .decoder = 512,
                        .attention = 512,
                        .batch = 64,
                        .beam = 5,
                        .threads = 1,
                        .rounds = 3,
                        .updates = 10,
                        .floats = 1000000,
                        .seconds = 0.3};
    const struct option_spec options[] = {
        {"source", 0, OPTION_STRING, &b->source, "FILE", "source subwords", 0, 0},
        {"target", 0, OPTION_STRING, &b->target, "FILE", "target subwords", 0, 0},
        {"lines", 0, OPTION_INT, &b->lines, "N", "only the first N lines (0: all)", 0, 1 << 30},
        {"embedding", 0, OPTION_INT, &b->embedding, "E", "embedding width", 1, 8192},
        {"encoder", 0, OPTION_INT, &b->encoder, "H", "encoder units per direction", 1, 8192},
        {"decoder", 0, OPTION_INT, &b->decoder, "D", "decoder units", 1, 8192},
        {"attention", 0, OPTION_INT, &b->attention, "A", "attention units", 1, 8192},
        {"vocabulary", 0, OPTION_INT, &b->vocabulary, "V", "words of both sides (0: as many as there are)", 0,
         10000000},
        {"dropout", 0, OPTION_REAL, &b->dropout, "P", "on embeddings, annotations and readout", 0, 0.95},
        {"batch", 0, OPTION_INT, &b->batch, "N", "sentences", 1, 65536},
        {"beam", 0, OPTION_INT, &b->beam, "K", "hypotheses", 1, 1000},
        {"threads", 0, OPTION_INT, &b->threads, "T", "worker threads", 1, 256},
        {"rounds", 0, OPTION_INT, &b->rounds, "N", "times to measure", 1, MAX_ROUNDS},
        {"updates", 0, OPTION_INT, &b->updates, "N", "updates in a round", 1, 1000000},
        {"floats", 0, OPTION_INT, &b->floats, "N", "reduce: gradients", 1, 1000000000},
        {"rounded", 0, OPTION_FLAG, &b->rounded, NULL, "reduce: in bfloat16", 0, 0},
        {"shapes", 0, OPTION_STRING, &b->shapes, "LIST", "gemm: MxNxK:nt|nn|tn, separated by commas", 0, 0},
        {"prepacked", 0, OPTION_FLAG, &b->prepacked, NULL,
         "gemm: by nmt's prepacked weights instead of OpenBLAS (nt, nn)", 0, 0},
        {"folder", 0, OPTION_STRING, &b->folder, "DIR", "files: where to write (default: .)", 0, 0},
        {"seconds", 0, OPTION_REAL, &b->seconds, "S", "gemm: length of a round", 0.001, 60},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt_bench gemm|train|decode|files|reduce [options]",
                                      "Times parts of nmt from inside."};
    struct err err;
    struct strbuf text;
    const enum parse_result parsed = parseopt(argc, argv, options, &err);
    if (parsed == PARSE_WRONG)
        fprintf(stderr, "nmt_bench: %s\nusage: %s\n", err.text, help.usage);
    if (parsed == PARSE_HELP) {
        strbuf_init(&text);
        parseopt_help(&text, options, &help);
        fputs(text.text, stdout);
        strbuf_release(&text);
    }
    return parsed;
}

static void die(const struct err *err)
{
    fprintf(stderr, "nmt_bench: %s\n", err->text);
    exit(EXIT_FAILURE);
}

static void must(int status, const struct err *err)
{
    if (status)
        die(err);
}

static void print(struct json *result)
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

/* ---- gemm ---- */

struct gemm_shape {
    int m, n, k;
    char form[3];
};

static void multiply_blas(const struct gemm_shape *s, real *c, const real *a, const real *b)
{
    const bool a_transposed = s->form[0] == 't', b_transposed = s->form[1] == 't';
    cblas_sgemm(CblasRowMajor, a_transposed ? CblasTrans : CblasNoTrans,
                b_transposed ? CblasTrans : CblasNoTrans, s->m, s->n, s->k, 1, a, a_transposed ? s->m : s->k,
                b, b_transposed ? s->k : s->n, 0, c, s->n);
}

static real *filled(size_t count)
{
    real *x = xmalloc(count, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(i % 7) - 3;
    return x;
}

/* Multiplications per second of one thread while all are at it. */
static double multiply_for(const struct gemm_shape *s, bool prepacked, double seconds, atomic_int *arrived,
                           int threads)
{
    real *a = filled((size_t)s->m * (size_t)s->k), *b = filled((size_t)s->k * (size_t)s->n);
    real *c = filled((size_t)s->m * (size_t)s->n);
    struct arena arena;
    struct prepacked w;
    struct prepack_list list;
    arena_init(&arena);
    const bool forward = s->form[1] == 't';
    prepack_list_init(&list, forward ? FORWARD : BACKWARD, &arena);
    if (prepacked)
        prepack(&w, b, forward ? s->k : s->n, forward ? s->n : s->k, forward ? s->k : s->n, &list);
    prepack_list_fill(&list, 0, 1);
    multiply_blas(s, c, a, b);
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < threads)
        ;
    const double begin = clock_seconds();
    long count = 0;
    double now;
    do {
        if (prepacked)
            prepacked_product(c, s->n, a, s->k, &w, s->m, false);
        else
            multiply_blas(s, c, a, b);
        count++;
        now = clock_seconds();
    } while (now - begin < seconds);
    arena_release(&arena);
    free(a);
    free(b);
    free(c);
    return (double)count / (now - begin);
}

struct multiplying {
    const struct bench *bench;
    const struct gemm_shape *shape;
    atomic_int arrived;
    double *rates; /* [threads] */
};

static void multiply(void *context, int task, int member)
{
    struct multiplying *m = context;
    (void)member;
    m->rates[task] =
        multiply_for(m->shape, m->bench->prepacked, m->bench->seconds, &m->arrived, m->bench->threads);
}

static void bench_gemm(const struct bench *b)
{
    struct team *team = team_new(b->threads);
    struct json *result = json_new_object();
    for (const char *at = b->shapes; *at; at += strcspn(at, ","), at += *at == ',') {
        struct gemm_shape s;
        struct err err;
        double gflops[MAX_ROUNDS];
        if (sscanf(at, "%dx%dx%d:%2[nt]", &s.m, &s.n, &s.k, s.form) != 4 || s.m < 1 || s.n < 1 || s.k < 1) {
            err_set(&err, "'%s' is not MxNxK:nt", at);
            die(&err);
        }
        for (int round = 0; round < b->rounds; round++) {
            double rate = 0, *rates = xcalloc((size_t)b->threads, sizeof *rates);
            struct multiplying m = {b, &s, 0, rates};
            team_run(team, multiply, &m, b->threads);
            for (int i = 0; i < b->threads; i++)
                rate += rates[i];
            free(rates);
            gflops[round] = rate * 2e-9 * s.m * s.n * s.k;
        }
        char *name = xstrndup(at, strcspn(at, ","));
        json_set_array(result, name, gflops, b->rounds);
        free(name);
    }
    json_set_string(result, "blas_kernel", mat_kernel_name());
    print(result);
    team_free(team);
}

/* ---- text and network ---- */

struct data {
    struct vocab vocab[2];
    struct corpus corpus;
    struct config config;
    struct seq2seq model;
};

/* Reads the pairs twice: to count the words, then to number them. Without a target it is the source. */
static void read_pairs(struct data *data, const struct bench *b, bool number)
{
    struct err err;
    struct pair_reader reader;
    struct word_counts counts[2];
    const struct pair_files files = {b->source, b->target ? b->target : b->source, NULL};
    const struct tokenizer tokenizer[2] = {{.kind = TOKENIZE_WHITESPACE, .vocab = &data->vocab[0]},
                                           {.kind = TOKENIZE_WHITESPACE, .vocab = &data->vocab[1]}};
    if (pair_reader_open(&reader, &files, INVALID_STOP, &err))
        die(&err);
    for (int side = 0; side < 2; side++)
        word_counts_init(&counts[side]);
    int status = 1;
    for (int line = 0; (!b->lines || line < b->lines) && (status = pair_reader_next(&reader, &err)) > 0;
         line++) {
        const struct strbuf *text = reader.line;
        if (number)
            corpus_add_subwords(&data->corpus, tokenizer,
                                (const char *const[]){text[SOURCE].text, text[TARGET].text}, 10000);
        for (int side = 0; side < 2 && !number; side++)
            word_counts_add(&counts[side], text[side].text, text[side].length, 1);
    }
    if (status < 0)
        die(&err);
    for (int side = 0; side < 2; side++) {
        if (!number)
            vocab_build(&data->vocab[side], &counts[side].words, counts[side].counts,
                        (size_t)(b->vocabulary ? b->vocabulary - VOCAB_SPECIALS : 0), 0);
        word_counts_release(&counts[side]);
    }
    pair_reader_close(&reader);
}

static void data_init(struct data *data, const struct bench *b)
{
    struct err err;
    if (!b->source) {
        err_set(&err, "--source is missing");
        die(&err);
    }
    memset(data, 0, sizeof *data);
    for (int side = 0; side < 2; side++)
        vocab_init(&data->vocab[side]);
    corpus_init(&data->corpus);
    read_pairs(data, b, false);
    read_pairs(data, b, true);
    config_init(&data->config);
    struct config_model *m = &data->config.model;
    m->embedding = b->embedding;
    m->encoder.units = b->encoder;
    m->decoder.units = b->decoder;
    m->attention.units = b->attention;
    m->dropout =
        (struct config_dropout){.embedding = b->dropout, .annotation = b->dropout, .readout = b->dropout};
    m->attention.feed = FEED_INPUT; /* the peer's network */
    m->layer_norm = false;
    data->config.training.average = 0;
    data->config.training.label_smoothing = 0;
    data->config.training.batch_sentences = b->batch;
    const int source = b->vocabulary ? b->vocabulary : vocab_size(&data->vocab[0]);
    const int target = b->vocabulary ? b->vocabulary : vocab_size(&data->vocab[1]);
    seq2seq_init(&data->model, &data->config, source, target);
}

static void data_release(struct data *data)
{
    for (int side = 0; side < 2; side++)
        vocab_release(&data->vocab[side]);
    corpus_release(&data->corpus);
    config_release(&data->config);
}

/* Floating-point operations of the GEMMs of one training pass over real tokens: 2 for each multiplication and
 * addition, three times over: forward, gradient of the input, gradient of the weights. What repeats or pads
 * is not useful and not counted; what a cleverer program leaves out still is. */
static double useful_flops(const struct seq2seq *model, double sents, double source_tokens,
                           double target_tokens)
{
    const double e = model->target.width, h = model->encoder.rnn[0].cell.units,
                 k = encoder_width(&model->encoder);
    const double d = model->decoder.units, a = model->decoder.attention.units;
    const double v = model->target_vocabulary;
    const double per_source = k * 3 * (e + h) /* W_ih x, W_hh h */ + k * a /* U_a h */;
    const double per_target = 3 * d * (e + k + d) /* W_iy y, W_ic c, W_hh s */ + d * a /* W_a s */ +
                              e * (d + e + k) /* readout */ + e * v /* output */;
    const double per_sentence = k * d; /* s_0 */
    return 3 * 2 * (sents * per_sentence + source_tokens * per_source + target_tokens * per_target);
}

/* ---- train ---- */

struct trained {
    double seconds, flops;
    long target_tokens, source_tokens;
};

static void run_updates(struct trained *sum, struct workers *workers, const struct data *data,
                        const struct batch_order *order, long *update, int updates)
{
    memset(sum, 0, sizeof *sum);
    const double begin = clock_seconds();
    for (int i = 0; i < updates; i++) {
        const size_t batch = (size_t)*update % order->batches;
        const int sents = (int)(order->begin[batch + 1] - order->begin[batch]);
        const struct update_result result =
            workers_update(workers, &data->corpus, order->pairs, order->begin + batch, 1, ++*update, 1e-4);
        sum->target_tokens += result.loss.target_tokens;
        sum->source_tokens += result.loss.source_tokens;
        sum->flops += useful_flops(&data->model, sents, (double)result.loss.source_tokens,
                                   (double)result.loss.target_tokens);
    }
    sum->seconds = clock_seconds() - begin;
}

static void report_parts(struct json *result, const struct trained *run, const struct probe_report *report,
                         const struct bench *b)
{
    const double all = run->seconds * b->threads;
    struct json *share = json_set_object(result, "share_of_time");
    double other = all;
    for (int part = 0; part < PART_COUNT; part++) {
        json_set_number(share, part_names[part], report->seconds[part] / all);
        other -= report->seconds[part];
    }
    json_set_number(share, "other", other / all);
    json_set_number(result, "counted_over_useful_flops", report->gemm_flops / run->flops);
    json_set_number(result, "allocations_per_update", (double)report->allocations / b->updates);
}

/* Under mpirun with a batch for each rank. */
static void bench_train(const struct bench *b)
{
    struct ranks ranks;
    struct err err;
    struct data data;
    struct workers workers;
    struct batch_order order;
    struct trained run;
    struct probe_report report;
    double rates[MAX_ROUNDS], gflops[MAX_ROUNDS];
    long update = 0;
    data_init(&data, b);
    batch_order_init(&order);
    must(ranks_begin(&ranks, &err), &err);
    batch_order_make(&order, &data.corpus, b->batch * ranks.count, 0, 1, 0, 0);
    must(workers_init(&workers, &data.config, &data.model, b->threads, b->threads, &ranks, &err), &err);
    params_randomize(workers.values, &data.model.layout, 1);
    run_updates(&run, &workers, &data, &order, &update, WARMUP_UPDATES);
    for (int round = 0; round < b->rounds; round++) {
        run_updates(&run, &workers, &data, &order, &update, b->updates);
        rates[round] = (double)run.target_tokens / run.seconds;
        gflops[round] = run.flops / run.seconds * 1e-9;
    }
    /* The same batches again with the probes on, when every arena has its size. */
    update -= b->updates;
    probes_start();
    run_updates(&run, &workers, &data, &order, &update, b->updates);
    probes_stop(&report);
    struct json *result = json_new_object();
    json_set_array(result, "target_tokens_per_second", rates, b->rounds);
    json_set_array(result, "gflops", gflops, b->rounds);
    json_set_number(result, "parameters", (double)data.model.layout.total);
    json_set_number(result, "target_tokens_per_update", (double)run.target_tokens / b->updates);
    report_parts(result, &run, &report, b);
    if (ranks_is_first(&ranks))
        print(result);
    else
        json_free(result);
    workers_release(&workers);
    batch_order_release(&order);
    data_release(&data);
    ranks_end(&ranks);
}

/* ---- decode ---- */

struct decoding {
    struct sentence *sentences; /* the longest first */
    int count;
    struct beam_options options;
};

static int longest_first(const void *a, const void *b)
{
    const struct sentence *x = a, *y = b;
    return x->length > y->length ? -1 : x->length < y->length;
}

struct decoding_run {
    const struct decoding *decoding;
    struct ensemble ensemble;
    int batch;
    struct arena *arenas; /* of the team's members */
};

static void decode_batch(void *context, int task, int member)
{
    const struct decoding_run *run = context;
    const struct decoding *d = run->decoding;
    struct arena *arena = &run->arenas[member];
    const int from = task * run->batch, sents = d->count - from < run->batch ? d->count - from : run->batch;
    arena_reset(arena);
    struct hypothesis *best = ARENA_NEW(arena, sents, struct hypothesis);
    int *found = ARENA_NEW(arena, sents, int);
    beam_search(best, found, &run->ensemble, d->sentences + from, sents, &d->options, arena);
}

static double decode_all(const struct decoding *d, struct step_weights *weights, const struct bench *b,
                         struct arena *arenas, struct team *team)
{
    struct decoding_run run = {d, {weights, 1}, b->batch, arenas};
    const double begin = clock_seconds();
    team_run(team, decode_batch, &run, (d->count + b->batch - 1) / b->batch);
    return clock_seconds() - begin;
}

static void bench_decode(const struct bench *b)
{
    struct data data;
    struct decoding d;
    double rates[MAX_ROUNDS];
    long tokens = 0;
    data_init(&data, b);
    d.count = (int)data.corpus.pairs;
    d.sentences = xmalloc((size_t)d.count, sizeof *d.sentences);
    for (int i = 0; i < d.count; i++) {
        d.sentences[i].ids = corpus_source(&data.corpus, (size_t)i, &d.sentences[i].length);
        tokens += d.sentences[i].length;
    }
    qsort(d.sentences, (size_t)d.count, sizeof *d.sentences, longest_first);
    /* Random weights know no end: every hypothesis runs to the length of its source, so that the work is the
     * same for every program. */
    real *params = xmalloc(data.model.layout.total, sizeof *params);
    params_randomize(params, &data.model.layout, 1);
    params[data.model.readout.output.bias + VOCAB_END] = -1e9f;
    d.options = (struct beam_options){
        .beam = b->beam, .n_best = 1, .length_penalty = 1, .max_length_ratio = 1, .extra_length = 1};
    struct arena *arenas = xcalloc((size_t)b->threads, sizeof *arenas);
    struct team *team = team_new(b->threads);
    for (int i = 0; i < b->threads; i++)
        arena_init(&arenas[i]);
    struct arena shared;
    struct step_weights weights;
    arena_init(&shared);
    step_weights_init(&weights, &data.model, params, &shared);
    decode_all(&d, &weights, b, arenas, team);
    for (int round = 0; round < b->rounds; round++)
        rates[round] = d.count / decode_all(&d, &weights, b, arenas, team);
    struct json *result = json_new_object();
    json_set_array(result, "sentences_per_second", rates, b->rounds);
    json_set_number(result, "source_tokens_per_sentence", (double)tokens / d.count);
    print(result);
    for (int i = 0; i < b->threads; i++)
        arena_release(&arenas[i]);
    team_free(team);
    arena_release(&shared);
    free(arenas);
    free(params);
    free(d.sentences);
    data_release(&data);
}

/* ---- files ---- */

/* Seconds for saving a checkpoint (weights and both moments, to the disk) and for opening a model. */
static void bench_files(const struct bench *b)
{
    struct data data;
    struct workers workers;
    struct train_state state;
    struct weights weights;
    struct err err;
    double saving[MAX_ROUNDS], opening[MAX_ROUNDS];
    char *path = path_join(b->folder, "model.safetensors");
    data_init(&data, b);
    must(workers_init(&workers, &data.config, &data.model, 1, 1, &RANKS_ALONE, &err), &err);
    params_randomize(workers.values, &data.model.layout, 1);
    train_state_init(&state);
    const struct model_block block = {"", workers.values};
    must(model_file_save(path, &data.model.layout, &block, 1, NULL, 0, &err), &err);
    for (int round = 0; round < b->rounds; round++) {
        double begin = clock_seconds();
        state.update++;
        must(checkpoint_save(b->folder, &workers, &state, &err), &err);
        saving[round] = clock_seconds() - begin;
        begin = clock_seconds();
        must(weights_open(&weights, path, &data.model.layout, &err), &err);
        opening[round] = clock_seconds() - begin;
        weights_close(&weights);
    }
    struct json *result = json_new_object();
    json_set_array(result, "checkpoint_save_seconds", saving, b->rounds);
    json_set_array(result, "model_open_seconds", opening, b->rounds);
    json_set_number(result, "parameters", (double)data.model.layout.total);
    print(result);
    free(path);
    workers_release(&workers);
    data_release(&data);
}

/* ---- reduce ---- */

/* Under mpirun: seconds for summing up a block of gradients over all ranks. */
static void bench_reduce(const struct bench *b)
{
    struct ranks ranks;
    struct exchange *exchange;
    struct err err;
    double seconds[MAX_ROUNDS];
    must(ranks_begin(&ranks, &err), &err);
    must(exchange_open(&exchange, &ranks, b->rounded, &err), &err);
    real *grads = xcalloc((size_t)b->floats, sizeof *grads);
    for (int round = -1; round < b->rounds; round++) { /* the first one opens the connections */
        double ready = 1;
        ranks_sum(&ranks, &ready, 1);
        const double begin = clock_seconds();
        exchange_begin(exchange, grads, (size_t)b->floats);
        exchange_finish(exchange);
        if (round >= 0)
            seconds[round] = clock_seconds() - begin;
    }
    free(grads);
    exchange_close(exchange);
    if (ranks_is_first(&ranks)) {
        struct json *result = json_new_object();
        json_set_array(result, "seconds", seconds, b->rounds);
        json_set_number(result, "ranks", ranks.count);
        print(result);
    }
    ranks_end(&ranks);
}

int main(int argc, char **argv)
{
    mem_init();
    static const struct {
        const char *name;
        void (*run)(const struct bench *bench);
    } commands[] = {{"gemm", bench_gemm},
                    {"train", bench_train},
                    {"decode", bench_decode},
                    {"files", bench_files},
                    {"reduce", bench_reduce}};
    struct bench bench;
    const enum parse_result parsed = argc < 2 ? PARSE_WRONG : parse(&bench, argc - 1, argv + 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? EXIT_SUCCESS : WRONG_USE;
    mat_begin(1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(commands[i].name, argv[1])) {
            commands[i].run(&bench);
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "nmt_bench: unknown command '%s'\n", argv[1]);
    return WRONG_USE;
}

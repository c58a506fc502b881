/* nmt_bench bf16: what training would gain by products in bfloat16. The products of an update are listed
 * as they run, then replayed by each engine in turn. */
#include "bench.h"

#include "in_registers.h"
#include "replay.h"

#include "batch.h"
#include "kernel.h"
#include "mem.h"
#include "params.h"
#include "workers.h"

struct figures {
    double share[KINDS][MAX_ROUNDS], rate[ENGINES][KINDS][MAX_ROUNDS], ratio[ENGINES][KINDS][MAX_ROUNDS];
    double prepacking[ENGINES][MAX_ROUNDS];
};

static void measure_round(struct figures *f, struct replay *replay, int round)
{
    double operations[KINDS], seconds[ENGINES][KINDS];
    replay_operations(operations, replay);
    for (int engine = 0; engine < ENGINES; engine++) {
        replay_run(seconds[engine], &f->prepacking[engine][round], replay, (enum engine)engine);
        f->prepacking[engine][round] /= seconds[engine][ALL];
    }
    for (int kind = 0; kind < KINDS; kind++) {
        f->share[kind][round] = operations[kind] / operations[ALL];
        for (int engine = 0; engine < ENGINES; engine++) {
            f->rate[engine][kind][round] = 1e-9 * operations[kind] / seconds[engine][kind];
            f->ratio[engine][kind][round] = seconds[engine][kind] / seconds[BF16][kind];
        }
    }
}

static void report(struct json *result, struct figures *f, int rounds)
{
    static const char *const names[KINDS] = {"forward", "input_gradients", "weight_gradients", "all"};
    for (int kind = 0; kind < KINDS; kind++) {
        struct json *row = json_set_object(result, names[kind]);
        json_set_number(row, "share_of_operations", bench_median(f->share[kind], rounds));
        json_set_number(row, "sgemm_gflops", bench_median(f->rate[SGEMM][kind], rounds));
        json_set_number(row, "nmt_gflops", bench_median(f->rate[NMT][kind], rounds));
        json_set_number(row, "bf16_gflops", bench_median(f->rate[BF16][kind], rounds));
        json_set_number(row, "bf16_over_sgemm", bench_median(f->ratio[SGEMM][kind], rounds));
        json_set_number(row, "bf16_over_nmt", bench_median(f->ratio[NMT][kind], rounds));
    }
    json_set_number(result, "prepacking_share", bench_median(f->prepacking[NMT], rounds));
    json_set_number(result, "bf16_prepacking_share", bench_median(f->prepacking[BF16], rounds));
}

/* Billions of operations per second on registers alone. */
static double rate_in_registers(float (*run)(long rounds), int operations, int rounds)
{
    enum { STEPS = 4000000 };
    double rate[MAX_ROUNDS];
    volatile float result; /* so that it is computed */
    for (int round = 0; round < rounds; round++) {
        const double begin = bench_thread_seconds();
        result = run(STEPS);
        rate[round] = 1e-9 * STEPS * IN_REGISTERS * operations / (bench_thread_seconds() - begin);
    }
    (void)result;
    return bench_median(rate, rounds);
}

/* A round has the products of one update. */
static void measure_updates(struct figures *f, struct bench_data *data, struct workers *workers, int rounds)
{
    struct batch_order order;
    struct probe_report listed;
    struct err err;
    batch_order_init(&order);
    batch_order_make(&order, &data->corpus, data->config.training.batch_sentences, 0, 1, 0, 0);
    for (int round = 0; round < rounds; round++) {
        probes_start();
        workers_update(workers, &data->corpus, order.pairs, order.begin + (size_t)round % order.batches, 1,
                       round + 1, 1e-4);
        probes_stop(&listed);
        struct replay *replay = replay_new(&listed);
        bench_must(round ? 0 : replay_check(replay, &err), &err);
        measure_round(f, replay, round);
        replay_free(replay);
    }
    batch_order_release(&order);
}

void bench_bf16(const struct bench *b)
{
    struct ranks ranks;
    struct err err;
    struct bench_data data;
    struct workers workers;
    struct figures *f = xcalloc(1, sizeof *f);
    struct json *result = json_new_object();
    if (!has_bf16_instructions()) {
        err_set(&err, "this processor has no AVX512-BF16");
        bench_die(&err);
    }
    bench_data_init(&data, b);
    bench_must(ranks_begin(&ranks, &err), &err);
    bench_must(workers_init(&workers, &data.config, &data.model, 1, 1, &ranks, &err), &err);
    params_randomize(workers.values, &data.model.layout, 1);
    measure_updates(f, &data, &workers, b->rounds);
    report(result, f, b->rounds);
    json_set_number(result, "float32_gflops_in_registers",
                    rate_in_registers(float32_in_registers, 32, b->rounds));
    json_set_number(result, "bf16_gflops_in_registers", rate_in_registers(bf16_in_registers, 64, b->rounds));
    bench_print(result);
    xfree(f);
    workers_release(&workers);
    bench_data_release(&data);
    ranks_end(&ranks);
}

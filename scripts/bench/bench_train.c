/* nmt_bench train: target tokens per second of training, and where its time goes. */
#include "bench.h"

#include "batch.h"
#include "log.h"
#include "operations.h"
#include "params.h"
#include "probes.h"
#include "workers.h"

#include <string.h>

struct trained {
    double seconds, flops;
    long target_tokens, source_tokens;
};

/* The same batches in each call, so that after the first one every arena has its size. */
static void run_updates(struct trained *sum, struct workers *workers, const struct bench_data *data,
                        const struct batch_order *order, long updates)
{
    memset(sum, 0, sizeof *sum);
    const double begin = clock_seconds();
    for (long i = 0; i < updates; i++) {
        const size_t batch = (size_t)i % order->batches;
        const int sents = (int)(order->begin[batch + 1] - order->begin[batch]);
        const struct update_result result =
            workers_update(workers, &data->corpus, order->pairs, order->begin + batch, 1, i + 1, 1e-4);
        sum->target_tokens += result.loss.target_tokens;
        sum->source_tokens += result.loss.source_tokens;
        sum->flops += training_operations(&data->model, sents, (double)result.loss.source_tokens,
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
void bench_train(const struct bench *b)
{
    struct ranks ranks;
    struct err err;
    struct bench_data data;
    struct workers workers;
    struct batch_order order;
    struct trained run;
    struct probe_report report;
    double rates[MAX_ROUNDS], gflops[MAX_ROUNDS];
    bench_data_init(&data, b);
    batch_order_init(&order);
    bench_must(ranks_begin(&ranks, &err), &err);
    const struct config_training *training = &data.config.training;
    batch_order_make(&order, &data.corpus, training->batch_sentences * ranks.count,
                     training->batch_tokens * ranks.count, 1, 0, 0);
    bench_must(workers_init(&workers, &data.config, &data.model, b->shards ? b->shards : b->threads,
                            b->threads, &ranks, &err),
               &err);
    params_randomize(workers.values, &data.model.layout, 1);
    run_updates(&run, &workers, &data, &order, b->updates);
    for (int round = 0; round < b->rounds; round++) {
        run_updates(&run, &workers, &data, &order, b->updates);
        rates[round] = (double)run.target_tokens / run.seconds;
        gflops[round] = run.flops / run.seconds * 1e-9;
    }
    probes_start();
    run_updates(&run, &workers, &data, &order, b->updates);
    probes_stop(&report);
    struct json *result = json_new_object();
    json_set_array(result, "target_tokens_per_second", rates, b->rounds);
    json_set_array(result, "gflops", gflops, b->rounds);
    json_set_number(result, "parameters", (double)data.model.layout.total);
    json_set_number(result, "target_tokens_per_update", (double)run.target_tokens / b->updates);
    report_parts(result, &run, &report, b);
    if (ranks_is_first(&ranks))
        bench_print(result);
    else
        json_free(result);
    workers_release(&workers);
    batch_order_release(&order);
    bench_data_release(&data);
    ranks_end(&ranks);
}

/* nmt_bench files and reduce: seconds for saving and opening a model, and for summing up gradients over
 * ranks. */
#include "bench.h"

#include "checkpoint.h"
#include "log.h"
#include "mem.h"
#include "model_file.h"
#include "params.h"
#include "weights.h"
#include "workers.h"

#include <stdlib.h>

/* Seconds for saving a checkpoint (weights and both moments, to the disk) and for opening a model. */
void bench_files(const struct bench *b)
{
    struct bench_data data;
    struct workers workers;
    struct train_state state;
    struct safetensors file;
    struct weights weights;
    struct err err;
    double saving[MAX_ROUNDS], opening[MAX_ROUNDS];
    char *path = path_join(b->folder, "model.safetensors");
    bench_data_init(&data, b);
    bench_must(workers_init(&workers, &data.config, &data.model, 1, 1, &RANKS_ALONE, &err), &err);
    params_randomize(workers.values, &data.model.layout, 1);
    train_state_init(&state);
    const struct model_block block = {"", workers.values};
    bench_must(model_file_save(path, &data.model.layout, &block, 1, &(struct model_extras){.pairs = 0}, &err),
               &err);
    for (int round = 0; round < b->rounds; round++) {
        double begin = clock_seconds();
        state.update++;
        bench_must(checkpoint_save(b->folder, &workers, &state, &err), &err);
        saving[round] = clock_seconds() - begin;
        begin = clock_seconds();
        bench_must(safetensors_open(&file, path, &err), &err);
        bench_must(weights_open(&weights, &file, &data.model.layout, &err), &err);
        opening[round] = clock_seconds() - begin;
        weights_close(&weights);
        safetensors_close(&file);
    }
    struct json *result = json_new_object();
    json_set_array(result, "checkpoint_save_seconds", saving, b->rounds);
    json_set_array(result, "model_open_seconds", opening, b->rounds);
    json_set_number(result, "parameters", (double)data.model.layout.total);
    bench_print(result);
    free(path);
    workers_release(&workers);
    bench_data_release(&data);
}

/* ---- reduce ---- */

/* Under mpirun: seconds for summing up a block of gradients over all ranks. */
void bench_reduce(const struct bench *b)
{
    struct ranks ranks;
    struct allreduce *allreduce;
    struct err err;
    double seconds[MAX_ROUNDS];
    bench_must(ranks_begin(&ranks, &err), &err);
    bench_must(allreduce_open(&allreduce, &ranks, b->rounded, &err), &err);
    real *grads = xcalloc((size_t)b->floats, sizeof *grads);
    for (int round = -1; round < b->rounds; round++) { /* the first one opens the connections */
        double ready = 1;
        ranks_sum(&ranks, &ready, 1);
        const double begin = clock_seconds();
        allreduce_begin(allreduce, grads, (size_t)b->floats);
        allreduce_finish(allreduce);
        if (round >= 0)
            seconds[round] = clock_seconds() - begin;
    }
    free(grads);
    allreduce_close(allreduce);
    if (ranks_is_first(&ranks)) {
        struct json *result = json_new_object();
        json_set_array(result, "seconds", seconds, b->rounds);
        json_set_number(result, "ranks", ranks.count);
        bench_print(result);
    }
    ranks_end(&ranks);
}

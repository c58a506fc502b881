#include "workers.h"

#include "mem.h"
#include "scheduled.h"
#include "vecmath.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* As in Xu et al. 2015. */
#define BASELINE_STEP 0.1
/* Gradients that are worth a message, 1 MiB of them. */
#define BUCKET_LEAST ((size_t)1 << 18)

int workers_init(struct workers *workers, const struct config *config, const struct seq2seq *model, int count,
                 int threads, const struct ranks *ranks, struct err *err)
{
    const size_t total = model->layout.total;
    memset(workers, 0, sizeof *workers);
    workers->config = config;
    workers->model = model;
    workers->ranks = *ranks;
    workers->threads = threads;
    workers->count = count;
    workers->baseline = log((double)model->target_vocabulary); /* guessing all words alike */
    workers->values = xcalloc(total, sizeof(real));
    optimizer_init(&workers->optimizer, &config->training, total);
    if (config->training.average > 0)
        workers->average = xcalloc(total, sizeof(real));
    workers->arenas = xcalloc((size_t)count, sizeof *workers->arenas);
    workers->grads = xcalloc(total, sizeof(real));
    workers->passes = xcalloc((size_t)count, sizeof *workers->passes);
    workers->gradients = xcalloc((size_t)count, sizeof *workers->gradients);
    workers->squares = xcalloc((size_t)count, sizeof *workers->squares);
    workers->losses = xcalloc((size_t)count, sizeof *workers->losses);
    arena_init(&workers->packed);
    for (int w = 0; w < count; w++)
        arena_init(&workers->arenas[w]);
    return exchange_open(&workers->exchange, ranks, config->training.exchange == EXCHANGE_BFLOAT16, err);
}

void workers_release(struct workers *workers)
{
    exchange_close(workers->exchange);
    for (int w = 0; w < workers->count; w++)
        arena_release(&workers->arenas[w]);
    arena_release(&workers->packed);
    free(workers->values);
    free(workers->average);
    optimizer_release(&workers->optimizer);
    free(workers->arenas);
    free(workers->grads);
    free(workers->passes);
    free(workers->gradients);
    free(workers->squares);
    free(workers->losses);
    memset(workers, 0, sizeof *workers);
}

const real *workers_result(const struct workers *workers)
{
    return workers->average ? workers->average : workers->values;
}

void workers_begin_average(struct workers *workers)
{
    if (workers->average)
        memcpy(workers->average, workers->values, workers->model->layout.total * sizeof(real));
}

static struct guide guide_of(const struct corpus *corpus, size_t pair, struct arena *arena)
{
    int count;
    const struct token_link *links = corpus_links(corpus, pair, &count);
    struct guide_link *to = ARENA_NEW(arena, count, struct guide_link);
    for (int i = 0; i < count; i++)
        to[i] = (struct guide_link){links[i].source, links[i].target};
    return (struct guide){to, count};
}

struct batch shard_of(const struct corpus *corpus, const int *pairs, int count, int w, int workers,
                      struct arena *arena)
{
    const int most = (count + workers - 1) / workers;
    struct sentence *source = ARENA_NEW(arena, most, struct sentence);
    struct sentence *target = ARENA_NEW(arena, most, struct sentence);
    struct guide *guides = corpus->links_count ? ARENA_NEW(arena, most, struct guide) : NULL;
    int sents = 0;
    for (int i = w; i < count; i += workers, sents++) {
        if (guides)
            guides[sents] = guide_of(corpus, (size_t)pairs[i], arena);
        source[sents].ids = corpus_source(corpus, (size_t)pairs[i], &source[sents].length);
        target[sents].ids = corpus_target(corpus, (size_t)pairs[i], &target[sents].length);
    }
    return (struct batch){source, target, sents, NULL, guides};
}

/* ---- an update: each function is one worker's share of a step that all workers do at the same time ---- */

struct update {
    const struct corpus *corpus;
    const int *pairs; /* of its batch at work */
    int count;
    int batch; /* from 0 */
    long number;
    real scale; /* of the loss: a mean over target tokens */
};

/* Room for the packed weights; `pack` then fills it. */
static void begin_packing(struct workers *workers, bool backward)
{
    arena_reset(&workers->packed);
    (backward ? pass_weights_init_backward : pass_weights_init)(&workers->weights, workers->model,
                                                                workers->values, &workers->packed);
}

static void pack(struct workers *workers, int w)
{
    packs_fill(&workers->weights.packs, w, workers->count);
}

/* Nothing is lost or learnt so far. */
static void clear(struct workers *workers, int w)
{
    size_t begin, end;
    gradients_part(workers->model->layout.total, w, workers->count, &begin, &end);
    memset(workers->grads + begin, 0, (end - begin) * sizeof(real));
    workers->losses[w] = (struct loss){{0, 0}, 0, 0};
}

/* Of a batch, over all ranks; and the number of worker w's. */
static int shard_count(const struct workers *workers)
{
    return workers->ranks.count * workers->count;
}

static int shard_number(const struct workers *workers, int w)
{
    return workers->ranks.rank * workers->count + w;
}

/* Its shard of the batch. */
static void forward(struct workers *workers, const struct update *update, int w)
{
    struct arena *arena = &workers->arenas[w];
    struct noise noise;
    arena_reset(arena);
    workers->passes[w] = NULL;
    workers->gradients[w].count = 0;
    const int shards = shard_count(workers), number = shard_number(workers, w);
    const uint64_t stream = (uint64_t)update->batch * (uint64_t)shards + (uint64_t)number;
    struct batch shard = shard_of(update->corpus, update->pairs, update->count, number, shards, arena);
    if (!shard.sents)
        return;
    noise_init(&noise, workers->config, (uint64_t)update->number, stream);
    noise.decoder.attention.baseline = workers->baseline;
    const double forced = teacher_forcing(&workers->config->training, update->number);
    if (forced < 1) {
        struct rng rng;
        rng_init(&rng, (uint64_t)workers->config->seed, RNG_SCHEDULED, (uint64_t)update->number, stream);
        shard.inputs = scheduled_inputs(workers->model, &workers->weights, &shard, forced, &rng, arena);
    }
    workers->passes[w] = seq2seq_forward(workers->model, &workers->weights, &shard, &noise, arena);
}

static void output(struct workers *workers, const struct update *update, int w, int chunk)
{
    if (workers->passes[w])
        seq2seq_output(&workers->losses[w], &workers->gradients[w], workers->passes[w], chunk, update->scale);
}

static void backward(struct workers *workers, int w)
{
    if (workers->passes[w])
        seq2seq_backward(&workers->gradients[w], workers->passes[w], &workers->weights);
}

/* Of the tensors from `begin` to before `end` of the block. */
static void add_gradients(struct workers *workers, size_t begin, size_t end, int w)
{
    gradients_add(workers->grads, begin, end, workers->gradients, workers->count, w, workers->count);
}

/* Where the bucket that begins there ends: with the tensor that fills it. A rank alone has one bucket. */
static size_t bucket_end(const struct workers *workers, size_t begin)
{
    const struct layout *layout = &workers->model->layout;
    for (int i = 0; i < layout->count && workers->ranks.count > 1; i++) {
        const size_t end = layout->params[i].offset + param_size(&layout->params[i]);
        if (end >= begin + BUCKET_LEAST)
            return end;
    }
    return layout->total;
}

static void sum_squares(struct workers *workers, int w)
{
    size_t begin, end;
    gradients_part(workers->model->layout.total, w, workers->count, &begin, &end);
    workers->squares[w] = vec_sum_squares(workers->grads + begin, end - begin);
}

static void step(struct workers *workers, int w, long number, double rate, double norm)
{
    size_t begin, end;
    gradients_part(workers->model->layout.total, w, workers->count, &begin, &end);
    optimizer_step(workers->values, workers->grads, &workers->optimizer, rate, number,
                   (real)clip_scale(norm, workers->config->training.clip_norm), begin, end);
    if (workers->average)
        average_step(workers->average, workers->values, workers->config->training.average, number, begin,
                     end);
}

/* The most chunks that a worker has; all workers take part in adding the gradients of each. */
static int most_chunks(const struct workers *workers)
{
    int most = 0;
    for (int w = 0; w < workers->count; w++) {
        const int chunks = workers->passes[w] ? seq2seq_chunks(workers->passes[w]) : 0;
        most = chunks > most ? chunks : most;
    }
    return most;
}

struct loss loss_over_ranks(const struct loss *own, const struct ranks *ranks)
{
    double sums[] = {own->sums.loss, own->sums.nll, (double)own->target_tokens, (double)own->source_tokens};
    ranks_sum(ranks, sums, 4);
    return (struct loss){{sums[0], sums[1]}, (long)sums[2], (long)sums[3]};
}

/* Of all ranks, whose gradients are then summed up. */
static struct loss sum_ranks(struct workers *workers)
{
    struct loss loss = {{0, 0}, 0, 0};
    for (int w = 0; w < workers->count; w++)
        loss_add(&loss, &workers->losses[w]);
    exchange_finish(workers->exchange);
    return loss_over_ranks(&loss, &workers->ranks);
}

static struct update_result sum_up(const struct workers *workers, const struct loss *loss)
{
    struct update_result result = {.loss = *loss};
    double square = 0;
    for (int w = 0; w < workers->count; w++)
        square += workers->squares[w];
    result.gradient_norm = sqrt(square);
    result.finite = isfinite(result.loss.sums.loss) && isfinite(result.gradient_norm);
    return result;
}

struct update_result workers_update(struct workers *workers, const struct corpus *corpus, const int *pairs,
                                    const size_t *begin, int batches, long number, double rate)
{
    struct update_result result;
    struct loss loss;
    long tokens = 0;
    for (size_t i = begin[0]; i < begin[batches]; i++) {
        int length;
        corpus_target(corpus, (size_t)pairs[i], &length);
        tokens += length - 1;
    }
    const size_t total = workers->model->layout.total;
    struct update update = {.corpus = corpus, .number = number, .scale = (real)1 / (real)tokens};
    /* Loops over workers, not over threads: the system may grant fewer threads. Each loop ends when all are
     * done. */
#define ALL_WORKERS _Pragma("omp for schedule(static, 1)") for (int w = 0; w < workers->count; w++)
#pragma omp parallel num_threads(workers->threads)
    {
        ALL_WORKERS clear(workers, w);
        for (int batch = 0; batch < batches; batch++) {
#pragma omp single
            {
                update.pairs = pairs + begin[batch];
                update.count = (int)(begin[batch + 1] - begin[batch]);
                update.batch = batch;
                begin_packing(workers, false);
            }
            ALL_WORKERS pack(workers, w);
            ALL_WORKERS forward(workers, &update, w);
            const int chunks = most_chunks(workers);
            for (int chunk = 0; chunk < chunks; chunk++) {
                ALL_WORKERS output(workers, &update, w, chunk);
                ALL_WORKERS add_gradients(workers, 0, total, w);
            }
#pragma omp single
            begin_packing(workers, true);
            ALL_WORKERS pack(workers, w);
            ALL_WORKERS backward(workers, w);
            for (size_t at = 0, end; at < total; at = end) {
                end = bucket_end(workers, at);
                ALL_WORKERS add_gradients(workers, at, end, w);
#pragma omp master
                if (batch == batches - 1)
                    exchange_begin(workers->exchange, workers->grads + at, end - at);
            }
        }
#pragma omp master
        loss = sum_ranks(workers);
#pragma omp barrier
        ALL_WORKERS sum_squares(workers, w);
#pragma omp single
        result = sum_up(workers, &loss);
        if (result.finite)
            ALL_WORKERS step(workers, w, number, rate, result.gradient_norm);
    }
#undef ALL_WORKERS
    if (result.finite)
        workers->baseline += BASELINE_STEP * (result.loss.sums.loss / (double)tokens - workers->baseline);
    return result;
}

double workers_bytes(const struct config *config, const struct seq2seq *model, int count, int longest_source,
                     int longest_target)
{
    const struct config_training *t = &config->training;
    const double blocks = (t->average > 0 ? 5.0 : 4.0) * (double)model->layout.total * sizeof(real);
    int sents = t->batch_sentences ? t->batch_sentences : t->batch_tokens / (longest_target - 1) + 1;
    sents = (t->r_drop > 0 ? 2 : 1) * ((sents + count - 1) / count);
    return blocks + pass_weights_bytes(model) +
           count * seq2seq_acts_bytes(model, sents, longest_source, longest_target);
}

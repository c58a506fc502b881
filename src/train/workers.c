/* One update by all workers: forward, backward, sums of gradients, optimizer step. trainer.c chooses the
 * batches and handles divergence. */
#include "workers.h"

#include "mem.h"
#include "vecmath.h"

#include <math.h>
#include <string.h>

/* As in Xu et al. 2015. */
#define BASELINE_STEP 0.1
/* The least size of a bucket: 1 MiB of gradients. */
#define BUCKET_LEAST ((size_t)1 << 18)

int workers_init(struct workers *workers, const struct config *config, const struct seq2seq *model, int count,
                 int threads, const struct ranks *ranks, struct err *err)
{
    const size_t total = model->layout.total;
    memset(workers, 0, sizeof *workers);
    workers->config = config;
    workers->model = model;
    workers->ranks = *ranks;
    workers->team = team_new(threads);
    workers->count = count;
    workers->baseline = log((double)model->target_vocabulary); /* loss of a uniform guess */
    workers->values = xcalloc(total, sizeof(real));
    optimizer_init(&workers->optimizer, &config->training, total);
    if (config->training.average > 0)
        workers->average = xcalloc(total, sizeof(real));
    workers->arenas = xcalloc((size_t)count, sizeof *workers->arenas);
    workers->grads = xcalloc(total, sizeof(real));
    workers->passes = xcalloc((size_t)count, sizeof *workers->passes);
    for (int i = 0; i < 2; i++)
        workers->terms[i] = xcalloc((size_t)count, sizeof *workers->terms[i]);
    workers->squares = xcalloc((size_t)count, sizeof *workers->squares);
    workers->losses = xcalloc((size_t)count, sizeof *workers->losses);
    arena_init(&workers->prepacked);
    for (int w = 0; w < count; w++)
        arena_init(&workers->arenas[w]);
    return allreduce_open(&workers->allreduce, ranks, config->training.exchange == EXCHANGE_BFLOAT16, err);
}

void workers_release(struct workers *workers)
{
    allreduce_close(workers->allreduce);
    team_free(workers->team);
    for (int w = 0; w < workers->count; w++)
        arena_release(&workers->arenas[w]);
    arena_release(&workers->prepacked);
    xfree(workers->values);
    xfree(workers->average);
    optimizer_release(&workers->optimizer);
    xfree(workers->arenas);
    xfree(workers->grads);
    xfree(workers->passes);
    for (int i = 0; i < 2; i++)
        xfree(workers->terms[i]);
    xfree(workers->squares);
    xfree(workers->losses);
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

struct batch shard_of(const struct corpus *corpus, const int *pairs, int count, int w, int workers,
                      struct arena *arena)
{
    const int most = (count + workers - 1) / workers;
    struct sentence *source = ARENA_NEW(arena, most, struct sentence);
    struct sentence *target = ARENA_NEW(arena, most, struct sentence);
    struct guide *guides = corpus->links.count ? ARENA_NEW(arena, most, struct guide) : NULL;
    size_t sents = 0;
    for (int i = w; i < count; i += workers, sents++) {
        if (guides)
            guides[sents].links = corpus_links(corpus, (size_t)pairs[i], &guides[sents].count);
        source[sents].ids = corpus_source(corpus, (size_t)pairs[i], &source[sents].length);
        target[sents].ids = corpus_target(corpus, (size_t)pairs[i], &target[sents].length);
    }
    return (struct batch){source, target, sents, guides};
}

/* ---- an update, and worker w's share of each of its steps ---- */

struct update {
    struct workers *workers;
    const struct corpus *corpus;
    const int *pairs; /* of the current batch */
    int count;
    int batch; /* from 0 */
    long number;
    real scale;        /* of the loss, which is a mean over target tokens */
    size_t chunk;      /* index of the current chunk of output rows */
    size_t begin, end; /* range of gradients that are added */
    double rate, norm;
};

enum product_kind training_products(const struct config *config)
{
    return config->training.precision == TRAIN_BFLOAT16 ? PRODUCTS_BFLOAT16 : PRODUCTS_FLOAT32;
}

/* Lists the weights to prepack; each worker then does a part. */
static void begin_prepacking(struct workers *workers, enum pass_direction direction)
{
    arena_reset(&workers->prepacked);
    pass_weights_init(&workers->weights, workers->model, workers->values, direction,
                      training_products(workers->config), &workers->prepacked);
}

/* Zeroes the worker's part of gradients and losses. */
static void clear(struct workers *workers, int w)
{
    size_t begin, end;
    grad_terms_part(workers->model->layout.total, w, workers->count, &begin, &end);
    memset(workers->grads + begin, 0, (end - begin) * sizeof(real));
    workers->losses[w] = (struct loss){{0, 0}, 0, 0};
}

static void begin_forward(const struct update *update, int w)
{
    if (update->batch == 0)
        clear(update->workers, w);
    prepack_list_fill(&update->workers->weights.list, w, update->workers->count);
}

/* The number of shards over all ranks, and the index of worker w's shard. */
static int shard_count(const struct workers *workers)
{
    return workers->ranks.count * workers->count;
}

static int shard_number(const struct workers *workers, int w)
{
    return workers->ranks.rank * workers->count + w;
}

/* Forward pass over the worker's shard of the batch. */
static void shard_forward(const struct update *update, int w)
{
    struct workers *workers = update->workers;
    struct arena *arena = &workers->arenas[w];
    struct pass_options options;
    arena_reset(arena);
    workers->passes[w] = NULL;
    workers->terms[0][w].count = workers->terms[1][w].count = 0;
    const int shards = shard_count(workers), number = shard_number(workers, w);
    const uint64_t stream = (uint64_t)update->batch * (uint64_t)shards + (uint64_t)number;
    struct batch shard = shard_of(update->corpus, update->pairs, update->count, number, shards, arena);
    if (!shard.sents)
        return;
    pass_options_init(&options, workers->config, (uint64_t)update->number, stream);
    options.decoder.attention.baseline = workers->baseline;
    workers->passes[w] = seq2seq_forward(workers->model, &workers->weights, &shard, &options, arena);
    seq2seq_begin_output(&workers->losses[w], workers->passes[w], update->scale, true);
}

/* Adds the worker's part of the gradients of all shards. */
static void add_gradients(const struct update *update, const struct grad_terms *shards, int w)
{
    const struct workers *workers = update->workers;
    grad_terms_add(workers->grads, update->begin, update->end, shards, workers->count, w, workers->count);
}

/* Adds the gradients of the previous chunk, if there is one. */
static void add_chunk_before(const struct update *update, int w)
{
    if (update->chunk > 0)
        add_gradients(update, update->workers->terms[(update->chunk - 1) % 2], w);
}

/* Adds the worker's part of the gradients of the previous chunk, then computes the worker's output rows of
 * this one. */
static void shard_output(const struct update *update, int w)
{
    struct workers *workers = update->workers;
    add_chunk_before(update, w);
    if (workers->passes[w])
        seq2seq_output(&workers->losses[w], &workers->terms[update->chunk % 2][w], workers->passes[w],
                       update->chunk);
}

/* Adds the gradients of the last chunk, and prepacks for the backward pass. */
static void begin_backward(const struct update *update, int w)
{
    const struct workers *workers = update->workers;
    add_chunk_before(update, w);
    prepack_list_fill(&workers->weights.list, w, workers->count);
}

static void shard_backward(const struct update *update, int w)
{
    struct workers *workers = update->workers;
    if (workers->passes[w])
        seq2seq_backward(&workers->terms[0][w], workers->passes[w], &workers->weights);
}

static void add_bucket(const struct update *update, int w)
{
    add_gradients(update, update->workers->terms[0], w);
}

static void sum_squares(const struct update *update, int w)
{
    struct workers *workers = update->workers;
    size_t begin, end;
    grad_terms_part(workers->model->layout.total, w, workers->count, &begin, &end);
    workers->squares[w] = vec_sum_squares(workers->grads + begin, end - begin);
}

static void weights_step(const struct update *update, int w)
{
    struct workers *workers = update->workers;
    size_t begin, end;
    grad_terms_part(workers->model->layout.total, w, workers->count, &begin, &end);
    const struct optimizer_update all = {
        .number = update->number,
        .learning_rate = update->rate,
        .scale = (real)clip_scale(update->norm, workers->config->training.clip_norm)};
    optimizer_step(workers->values, workers->grads, &workers->optimizer, &all, begin, end);
    if (workers->average)
        average_step(workers->average, workers->values, workers->config->training.average, update->number,
                     begin, end);
}

/* ---- the steps of an update ---- */

/* What each worker does in a step. */
typedef void worker_task(const struct update *update, int w);

struct worker_call {
    worker_task *task;
    const struct update *update;
};

static void run_task(void *context, int w, int member)
{
    const struct worker_call *call = context;
    (void)member;
    call->task(call->update, w);
}

static void all_workers(const struct update *update, worker_task *task)
{
    team_run(update->workers->team, run_task, &(struct worker_call){task, update}, update->workers->count);
}

/* The largest number of chunks of any worker: all take part in adding the gradients of each. */
static size_t most_chunks(const struct workers *workers)
{
    size_t most = 0;
    for (int w = 0; w < workers->count; w++) {
        const size_t chunks = workers->passes[w] ? seq2seq_chunks(workers->passes[w]) : 0;
        most = chunks > most ? chunks : most;
    }
    return most;
}

/* The end of the bucket that begins at `begin`: after the tensor that fills it. Without other ranks there
 * is one bucket. */
static size_t bucket_end(const struct workers *workers, size_t begin)
{
    const struct layout *layout = &workers->model->layout;
    for (size_t i = 0; i < layout->count && workers->ranks.count > 1; i++) {
        const size_t end = layout->params[i].offset + param_size(&layout->params[i]);
        if (end >= begin + BUCKET_LEAST)
            return end;
    }
    return layout->total;
}

/* Computes and adds the gradients of a batch; those of the last batch are sent to the other ranks. */
static void batch_gradients(struct update *update, bool last)
{
    struct workers *workers = update->workers;
    const size_t total = workers->model->layout.total;
    update->begin = 0;
    update->end = total;
    begin_prepacking(workers, FORWARD);
    all_workers(update, begin_forward);
    all_workers(update, shard_forward);
    const size_t chunks = most_chunks(workers);
    for (update->chunk = 0; update->chunk < chunks; update->chunk++)
        all_workers(update, shard_output);
    begin_prepacking(workers, BACKWARD);
    all_workers(update, begin_backward);
    all_workers(update, shard_backward);
    for (; update->begin < total; update->begin = update->end) {
        update->end = bucket_end(workers, update->begin);
        all_workers(update, add_bucket);
        if (last)
            allreduce_begin(workers->allreduce, workers->grads + update->begin, update->end - update->begin);
    }
}

struct loss loss_over_ranks(const struct loss *own, const struct ranks *ranks)
{
    double sums[] = {own->sums.loss, own->sums.nll, (double)own->target_tokens, (double)own->source_tokens};
    ranks_sum(ranks, sums, 4);
    return (struct loss){{sums[0], sums[1]}, (long)sums[2], (long)sums[3]};
}

/* The loss over all ranks; also waits for their gradients. */
static struct loss sum_ranks(struct workers *workers)
{
    struct loss loss = {{0, 0}, 0, 0};
    for (int w = 0; w < workers->count; w++)
        loss_add(&loss, &workers->losses[w]);
    allreduce_finish(workers->allreduce);
    return loss_over_ranks(&loss, &workers->ranks);
}

static double gradient_norm(struct update *update)
{
    const struct workers *workers = update->workers;
    double square = 0;
    all_workers(update, sum_squares);
    for (int w = 0; w < workers->count; w++)
        square += workers->squares[w];
    return sqrt(square);
}

struct update_result workers_update(struct workers *workers, const struct corpus *corpus, const int *pairs,
                                    const size_t *begin, int batches, long number, double rate)
{
    struct update_result result;
    long tokens = 0;
    for (size_t i = begin[0]; i < begin[batches]; i++) {
        size_t length;
        corpus_target(corpus, (size_t)pairs[i], &length);
        tokens += (long)length - 1;
    }
    struct update update = {.workers = workers,
                            .corpus = corpus,
                            .number = number,
                            .scale = (real)1 / (real)tokens,
                            .rate = rate};
    for (int batch = 0; batch < batches; batch++) {
        update.batch = batch;
        update.pairs = pairs + begin[batch];
        update.count = (int)(begin[batch + 1] - begin[batch]);
        batch_gradients(&update, batch == batches - 1);
    }
    result.loss = sum_ranks(workers);
    result.gradient_norm = update.norm = gradient_norm(&update);
    result.finite = isfinite(result.loss.sums.loss) && isfinite(result.gradient_norm);
    if (!result.finite)
        return result;
    all_workers(&update, weights_step);
    workers->baseline += BASELINE_STEP * (result.loss.sums.loss / (double)tokens - workers->baseline);
    return result;
}

/* Bytes of a worker's pass over its part of a batch. */
static double pass_bytes(const struct config *config, const struct seq2seq *model, size_t sents,
                         size_t source_length, size_t target_length)
{
    struct arena arena;
    arena_init(&arena);
    const struct batch batch = seq2seq_largest_batch(model, sents, source_length, target_length, &arena);
    struct pass_options options;
    pass_options_init(&options, config, 1, 0);
    const double bytes = seq2seq_pass_bytes(model, &options, &batch, true);
    arena_release(&arena);
    return bytes;
}

double workers_bytes(const struct config *config, const struct seq2seq *model, size_t count, size_t ranks,
                     size_t longest_source, size_t longest_target)
{
    const struct config_training *t = &config->training;
    const size_t shards = ranks * count;
    const double blocks = (t->average > 0 ? 5.0 : 4.0) * (double)model->layout.total * sizeof(real);
    const size_t tokens = (size_t)t->batch_tokens,
                 sents = t->batch_sentences ? (size_t)t->batch_sentences : tokens / (longest_target - 1) + 1;
    double each = pass_bytes(config, model, (sents + shards - 1) / shards, longest_source, longest_target);
    if (!t->batch_sentences) { /* long sources with short targets */
        const size_t many = BATCH_SOURCE_FACTOR * tokens / longest_source + 1;
        if (many > sents)
            each = fmax(each, pass_bytes(config, model, (many + shards - 1) / shards, longest_source,
                                         tokens / many + 2));
    }
    const enum product_kind products = training_products(config);
    const double prepacked =
        fmax(pass_weights_bytes(model, FORWARD, products), pass_weights_bytes(model, BACKWARD, products));
    return blocks + prepacked + (double)count * each;
}

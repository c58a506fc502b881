#include "workers.h"

#include "mem.h"
#include "vecmath.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define LOSS_TOKENS 1024         /* target tokens in a batch, where only the loss is wanted */
#define SUM_BLOCK ((size_t)4096) /* reals that stay in the first cache between two passes */

void workers_init(struct workers *workers, const struct config *config, const struct seq2seq *model,
                  int count)
{
    const size_t total = model->layout.total;
    workers->config = config;
    workers->model = model;
    workers->count = count;
    workers->values = xcalloc(total, sizeof(real));
    workers->adam = (struct adam){config->training.beta1, config->training.beta2,
                                  xcalloc(total, sizeof(real)), xcalloc(total, sizeof(real))};
    workers->arenas = xcalloc((size_t)count, sizeof *workers->arenas);
    workers->grads = xcalloc((size_t)count, sizeof *workers->grads);
    workers->squares = xcalloc((size_t)count, sizeof *workers->squares);
    workers->losses = xcalloc((size_t)count, sizeof *workers->losses);
    for (int w = 0; w < count; w++) {
        arena_init(&workers->arenas[w]);
        workers->grads[w] = xmalloc(total, sizeof(real));
    }
}

void workers_release(struct workers *workers)
{
    for (int w = 0; w < workers->count; w++) {
        arena_release(&workers->arenas[w]);
        free(workers->grads[w]);
    }
    free(workers->values);
    free(workers->adam.m);
    free(workers->adam.v);
    free(workers->arenas);
    free(workers->grads);
    free(workers->squares);
    free(workers->losses);
    memset(workers, 0, sizeof *workers);
}

/* Worker w's share of the pairs: every count-th one, so that lengths are dealt out evenly. */
static struct batch take_shard(const struct corpus *corpus, const int *pairs, int count, int w, int workers,
                               struct arena *arena)
{
    const int most = (count + workers - 1) / workers;
    struct sentence *source = ARENA_NEW(arena, most, struct sentence);
    struct sentence *target = ARENA_NEW(arena, most, struct sentence);
    int sents = 0;
    for (int i = w; i < count; i += workers, sents++) {
        source[sents].ids = corpus_source(corpus, (size_t)pairs[i], &source[sents].length);
        target[sents].ids = corpus_target(corpus, (size_t)pairs[i], &target[sents].length);
    }
    return (struct batch){source, target, sents};
}

static void add_loss(struct loss *sum, const struct loss *loss)
{
    sum->sums.loss += loss->sums.loss;
    sum->sums.nll += loss->sums.nll;
    sum->target_tokens += loss->target_tokens;
    sum->source_tokens += loss->source_tokens;
}

/* First and last element of worker w's part of the blocks; parts begin on a cache line. */
static void part_of(size_t total, int w, int workers, size_t *begin, size_t *end)
{
    const size_t line = 16, lines = (total + line - 1) / line;
    *begin = lines * (size_t)w / (size_t)workers * line;
    *end = lines * ((size_t)w + 1) / (size_t)workers * line;
    *end = *end < total ? *end : total;
}

/* Worker w's shard of a batch: its loss, and its gradients in a block of its own. */
static void run_shard(struct workers *workers, struct loss *loss, const struct corpus *corpus,
                      const int *pairs, int count, int w, long number, real scale)
{
    struct arena *arena = &workers->arenas[w];
    struct noise noise;
    *loss = (struct loss){{0, 0}, 0, 0};
    arena_reset(arena);
    memset(workers->grads[w], 0, workers->model->layout.total * sizeof(real));
    const struct batch shard = take_shard(corpus, pairs, count, w, workers->count, arena);
    noise_init(&noise, workers->config, (uint64_t)number, (uint64_t)w);
    if (shard.sents)
        seq2seq_loss(loss, workers->grads[w], workers->model, workers->values, &shard, &noise, scale, arena);
}

/* Adds all workers' gradients into the first block, on part w of the parameters; returns that part's squares.
 */
static double sum_part(struct workers *workers, int w)
{
    size_t begin, end;
    double squares = 0;
    part_of(workers->model->layout.total, w, workers->count, &begin, &end);
    for (size_t at = begin; at < end; at += SUM_BLOCK) {
        const size_t count = end - at < SUM_BLOCK ? end - at : SUM_BLOCK;
        for (int other = 1; other < workers->count; other++)
            vec_add(workers->grads[0] + at, workers->grads[other] + at, count);
        squares += vec_sum_squares(workers->grads[0] + at, count);
    }
    return squares;
}

struct update_result workers_update(struct workers *workers, const struct corpus *corpus, const int *pairs,
                                    int count, long number, double rate)
{
    struct update_result result = {.finite = true};
    long tokens = 0;
    for (int i = 0; i < count; i++) {
        int length;
        corpus_target(corpus, (size_t)pairs[i], &length);
        tokens += length - 1;
    }
    /* Loops over shards and parts, not over threads: the system may grant fewer threads than there are
     * workers. */
#pragma omp parallel num_threads(workers->count)
    {
#pragma omp for schedule(static, 1)
        for (int w = 0; w < workers->count; w++)
            run_shard(workers, &workers->losses[w], corpus, pairs, count, w, number, (real)1 / (real)tokens);
#pragma omp for schedule(static, 1)
        for (int w = 0; w < workers->count; w++)
            workers->squares[w] = sum_part(workers, w);
#pragma omp single
        {
            double square = 0;
            for (int w = 0; w < workers->count; w++) {
                add_loss(&result.loss, &workers->losses[w]);
                square += workers->squares[w];
            }
            result.gradient_norm = sqrt(square);
            result.finite = isfinite(result.loss.sums.loss) && isfinite(result.gradient_norm);
        }
        if (result.finite) {
            const real scale = (real)clip_scale(result.gradient_norm, workers->config->training.clip_norm);
#pragma omp for schedule(static, 1)
            for (int w = 0; w < workers->count; w++) {
                size_t begin, end;
                part_of(workers->model->layout.total, w, workers->count, &begin, &end);
                adam_step(workers->values, workers->grads[0], &workers->adam, rate, number, scale, begin,
                          end);
            }
        }
    }
    return result;
}

struct loss corpus_loss(const struct seq2seq *model, const real *values, const struct corpus *corpus,
                        int threads)
{
    struct batch_order order;
    batch_order_init(&order);
    batch_order_make(&order, corpus, 0, LOSS_TOKENS, 0, 0);
    struct loss *losses = xcalloc(order.batches, sizeof *losses);
#pragma omp parallel num_threads(threads)
    {
        struct arena arena;
        struct noise none;
        arena_init(&arena);
        noise_none(&none);
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < order.batches; i++) {
            arena_reset(&arena);
            const struct batch batch = take_shard(corpus, order.pairs + order.begin[i],
                                                  (int)(order.begin[i + 1] - order.begin[i]), 0, 1, &arena);
            seq2seq_loss(&losses[i], NULL, model, values, &batch, &none, 0, &arena);
        }
        arena_release(&arena);
    }
    struct loss sum = {{0, 0}, 0, 0};
    for (size_t i = 0; i < order.batches; i++) /* in fixed order, whichever thread made it */
        add_loss(&sum, &losses[i]);
    free(losses);
    batch_order_release(&order);
    return sum;
}

double corpus_loss_bytes(const struct seq2seq *model, int threads)
{
    const int length = 64;
    return threads * seq2seq_acts_bytes(model, LOSS_TOKENS / length, length, length);
}

double workers_bytes(const struct config *config, const struct seq2seq *model, int count, int longest_source,
                     int longest_target)
{
    const struct config_training *t = &config->training;
    const double blocks = (3.0 + count) * (double)model->layout.total * sizeof(real);
    int sents = t->batch_sentences ? t->batch_sentences : t->batch_tokens / (longest_target - 1) + 1;
    sents = (sents + count - 1) / count;
    return blocks + count * seq2seq_acts_bytes(model, sents, longest_source, longest_target);
}

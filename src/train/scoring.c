/* Runs the network over given pairs without dropout, on all threads: loss, word scores, attention. Search
 * is in decode. */
#include "scoring.h"

#include "batch.h"
#include "mat.h"
#include "mem.h"
#include "team.h"
#include "workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOSS_TOKENS 1024 /* target tokens per batch */

/* Processes one batch: pairs `pairs` of the corpus; `context` is the caller's. */
typedef void batch_function(void *context, size_t number, const struct batch *batch, const int *pairs,
                            const struct pass_weights *weights, struct arena *arena);

/* Applies a function to this rank's part of the batches of a corpus. */
struct walk {
    batch_function *function;
    void *context;
    const struct batch_order *order;
    const struct corpus *corpus;
    struct pass_weights weights;
    struct arena *arenas; /* one per member of the team */
    int begin;            /* this rank's first batch */
    int parts;            /* tasks of prepacking the weights */
};

static void prepack_weights(void *context, int part, int member)
{
    const struct walk *walk = context;
    (void)member;
    prepack_list_fill(&walk->weights.list, part, walk->parts);
}

/* Batch i, for one thread. */
static struct batch batch_of(const struct corpus *corpus, const struct batch_order *order, size_t i,
                             struct arena *arena)
{
    const size_t *begin = order->begin + i;
    return shard_of(corpus, order->pairs + begin[0], (int)(begin[1] - begin[0]), 0, 1, arena);
}

static void take_batch(void *context, int task, int member)
{
    struct walk *walk = context;
    const size_t i = (size_t)walk->begin + (size_t)task;
    struct arena *arena = &walk->arenas[member];
    arena_reset(arena);
    const struct batch batch = batch_of(walk->corpus, walk->order, i, arena);
    walk->function(walk->context, i, &batch, walk->order->pairs + walk->order->begin[i], &walk->weights,
                   arena);
}

/* Calls the walk's function for each batch of this rank, on all threads. */
static void each_batch(struct walk *walk, const struct seq2seq *model, const real *values, int threads,
                       const struct ranks *ranks)
{
    int end;
    struct arena shared;
    struct team *team = team_new(threads);
    walk->parts = threads;
    ranks_part(ranks, (int)walk->order->batches, &walk->begin, &end);
    mat_begin(threads);
    arena_init(&shared);
    pass_weights_init(&walk->weights, model, values, FORWARD, PRODUCTS_FLOAT32, &shared);
    walk->arenas = xcalloc((size_t)threads, sizeof *walk->arenas);
    for (int i = 0; i < threads; i++)
        arena_init(&walk->arenas[i]);
    team_run(team, prepack_weights, walk, walk->parts);
    team_run(team, take_batch, walk, end - walk->begin);
    team_free(team);
    for (int i = 0; i < threads; i++)
        arena_release(&walk->arenas[i]);
    xfree(walk->arenas);
    arena_release(&shared);
}

static struct pass *quiet_pass(const struct seq2seq *model, const struct pass_weights *weights,
                               const struct batch *batch, struct arena *arena)
{
    struct pass_options none;
    pass_options_none(&none);
    return seq2seq_forward(model, weights, batch, &none, arena);
}

/* ---- loss ---- */

struct losses {
    const struct seq2seq *model;
    struct loss *of_batch;
};

static void batch_loss(void *context, size_t number, const struct batch *batch, const int *pairs,
                       const struct pass_weights *weights, struct arena *arena)
{
    const struct losses *losses = context;
    struct pass *pass = quiet_pass(losses->model, weights, batch, arena);
    (void)pairs;
    seq2seq_begin_output(&losses->of_batch[number], pass, 0, false);
    for (size_t chunk = 0; chunk < seq2seq_chunks(pass); chunk++)
        seq2seq_output(&losses->of_batch[number], NULL, pass, chunk);
}

/* The batches of what is scored; memory is that of these. */
static void make_batches(struct batch_order *order, const struct corpus *corpus)
{
    batch_order_init(order);
    batch_order_make(order, corpus, 0, LOSS_TOKENS, 0, 0, 0);
}

struct loss corpus_loss(const struct seq2seq *model, const real *values, const struct corpus *corpus,
                        int threads, const struct ranks *ranks)
{
    struct batch_order order;
    struct loss sum = {{0, 0}, 0, 0};
    make_batches(&order, corpus);
    struct losses losses = {model, xcalloc(order.batches, sizeof *losses.of_batch)};
    struct walk walk = {.function = batch_loss, .context = &losses, .order = &order, .corpus = corpus};
    each_batch(&walk, model, values, threads, ranks);
    for (size_t i = 0; i < order.batches; i++) { /* in fixed order, whatever rank and thread made them */
        const struct loss one = loss_over_ranks(&losses.of_batch[i], ranks);
        loss_add(&sum, &one);
    }
    xfree(losses.of_batch);
    batch_order_release(&order);
    return sum;
}

struct perplexity perplexity_of(const struct loss *loss, const struct corpus *corpus)
{
    if (!loss->target_tokens)
        return (struct perplexity){(double)NAN, (double)NAN};
    return (struct perplexity){exp(loss->sums.nll / (double)loss->target_tokens),
                               exp(loss->sums.nll / (double)corpus->characters)};
}

/* ---- results for each pair ---- */

/* The results of all pairs: those of pair i start at all + begin[i]. */
struct pair_numbers {
    const struct seq2seq *model;
    real *all;
    const size_t *begin;
    int heads; /* attention heads */
};

static void batch_scores(void *context, size_t number, const struct batch *batch, const int *pairs,
                         const struct pass_weights *weights, struct arena *arena)
{
    const struct pair_numbers *scores = context;
    size_t longest = 0;
    (void)number;
    for (size_t b = 0; b < batch->sents; b++)
        longest = batch->target[b].length > longest ? batch->target[b].length : longest;
    real *own = ARENA_NEW(arena, batch->sents * longest, real);
    seq2seq_scores(own, longest, quiet_pass(scores->model, weights, batch, arena));
    for (size_t b = 0; b < batch->sents; b++)
        memcpy(scores->all + scores->begin[pairs[b]], own + b * longest,
               (batch->target[b].length - 1) * sizeof *own);
}

static void batch_attention(void *context, size_t number, const struct batch *batch, const int *pairs,
                            const struct pass_weights *weights, struct arena *arena)
{
    const struct pair_numbers *attention = context;
    const struct pass *pass = quiet_pass(attention->model, weights, batch, arena);
    (void)number;
    for (size_t b = 0; b < batch->sents; b++)
        seq2seq_attention(attention->all + attention->begin[pairs[b]], pass, b, (size_t)attention->heads);
}

static void score_each(batch_function *function, struct pair_numbers *numbers, const real *values,
                       const struct corpus *corpus, int threads)
{
    struct batch_order order;
    make_batches(&order, corpus);
    struct walk walk = {.function = function, .context = numbers, .order = &order, .corpus = corpus};
    each_batch(&walk, numbers->model, values, threads, &RANKS_ALONE);
    batch_order_release(&order);
}

void corpus_scores(real *scores, const size_t *begin, const struct seq2seq *model, const real *values,
                   const struct corpus *corpus, int threads)
{
    struct pair_numbers numbers = {model, scores, begin, 0};
    score_each(batch_scores, &numbers, values, corpus, threads);
}

void corpus_attention(real *weights, const size_t *begin, int heads, const struct seq2seq *model,
                      const real *values, const struct corpus *corpus, int threads)
{
    struct pair_numbers numbers = {model, weights, begin, heads};
    score_each(batch_attention, &numbers, values, corpus, threads);
}

static int largest_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

double corpus_loss_bytes(const struct seq2seq *model, const struct corpus *corpus, int threads)
{
    double sum = pass_weights_bytes(model, FORWARD, PRODUCTS_FLOAT32);
    struct pass_options none;
    struct batch_order order;
    struct arena arena;
    pass_options_none(&none);
    arena_init(&arena);
    make_batches(&order, corpus);
    double *bytes = xmalloc(order.batches, sizeof *bytes);
    for (size_t i = 0; i < order.batches; i++) {
        arena_reset(&arena);
        const struct batch batch = batch_of(corpus, &order, i, &arena);
        bytes[i] = seq2seq_pass_bytes(model, &none, &batch, false);
    }
    qsort(bytes, order.batches, sizeof *bytes, largest_first);
    for (size_t i = 0; i < order.batches && i < (size_t)threads; i++)
        sum += bytes[i];
    xfree(bytes);
    arena_release(&arena);
    batch_order_release(&order);
    return sum;
}

int scores_check(const real *numbers, size_t count, const char *model_dir, int64_t line, struct err *err)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return err_set(err, "cannot use '%s' for line %lld: its numbers are not finite there", model_dir,
                           (long long)line);
    return 0;
}

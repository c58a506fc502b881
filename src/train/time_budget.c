/* Chooses sizes and precision by time, dropout and warm-up by all limits. What they are by the size of the
 * text alone is in config_auto.c. */
#include "time_budget.h"

#include "bf16.h"
#include "config_auto.h"
#include "kernel.h"
#include "log.h"
#include "mat.h"
#include "mem.h"
#include "operations.h"
#include "prepacked.h"
#include "team.h"
#include "workers.h"

#include <math.h>

/* The fastest of some moments counts: in one of them, the machine may be busy otherwise. */
#define MOMENTS 5
#define MOMENT_SECONDS 0.2
/* The products of a layer as in training: a row for each token of a shard, and the gates of a cell. */
#define ROWS 256
#define INPUTS 512
#define OUTPUTS 1536

/* For each operation, a training takes so many times as long as the measured products, and, for all that is
 * no product, so many times as long as those in float32. By scripts/bench/run --only train-default and
 * bf16. */
#define PRODUCTS_TIME 1.08
#define OTHER_TIME 0.25

/* Products in bfloat16 have to be so many times as fast. */
#define BFLOAT16_PAYS 1.25

/* The softmax of a word costs as much as so many more inputs of the output layer. */
#define SOFTMAX_INPUTS 32

/* A network with fewer epochs than these, and fewer target tokens of large text, learns less than a smaller
 * one. */
#define EPOCHS_WANTED 20
#define TOKENS_WANTED 6e6

/* model.decoder.units, the largest first. */
static const int widths[] = {512, 384, 256, 192, 128};
#define WIDTHS (sizeof widths / sizeof widths[0])

/* ---- the machine ---- */

struct measuring {
    double end; /* by the clock */
    enum product_kind products;
    double *operations; /* [members] */
};

static void prepack_layer(struct prepacked *prepacked, struct const_mat w, enum pass_direction direction,
                          enum product_kind products, struct arena *arena)
{
    struct prepack_list list;
    prepack_list_init(&list, direction, products, NULL, arena);
    prepack_many_rows(prepacked, w, direction, &list);
    prepack_list_fill(&list, 0, 1);
}

static void measure(void *context, int task, int member)
{
    const struct measuring *measuring = context;
    struct arena arena;
    struct prepacked forward, backward;
    arena_init(&arena);
    const struct mat x = mat_zero(&arena, ROWS, INPUTS), w = mat_zero(&arena, OUTPUTS, INPUTS),
                     y = mat_zero(&arena, ROWS, OUTPUTS);
    (void)member;
    prepack_layer(&forward, mat_const(w), FORWARD, measuring->products, &arena);
    prepack_layer(&backward, mat_const(w), BACKWARD, measuring->products, &arena);
    while (clock_seconds() < measuring->end) {
        prepacked_product(y, mat_const(x), &forward, false);
        prepacked_product(x, mat_const(y), &backward, false);
        if (measuring->products == PRODUCTS_BFLOAT16)
            bf16_mat_tn(w, mat_const(y), mat_const(x), false);
        else
            mat_tn(w, mat_const(y), mat_const(x), false);
        measuring->operations[task] += 3 * 2.0 * ROWS * OUTPUTS * INPUTS;
    }
    arena_release(&arena);
}

/* The rate of all threads together in one moment. */
static double rate_of_moment(struct team *team, enum product_kind products)
{
    const int members = team_members(team);
    struct measuring measuring = {.products = products,
                                  .operations = xcalloc((size_t)members, sizeof(double))};
    double operations = 0;
    const double begin = clock_seconds();
    measuring.end = begin + MOMENT_SECONDS;
    team_run(team, measure, &measuring, members);
    const double seconds = clock_seconds() - begin;
    for (int i = 0; i < members; i++)
        operations += measuring.operations[i];
    xfree(measuring.operations);
    return operations / seconds;
}

double time_budget_rate(int threads, enum product_kind products, const struct ranks *ranks)
{
    struct team *team = team_new(threads);
    double rate = 0;
    for (int i = 0; i < MOMENTS; i++)
        rate = fmax(rate, rate_of_moment(team, products));
    team_free(team);
    ranks_sum(ranks, &rate, 1);
    ranks_broadcast(ranks, &rate, sizeof rate);
    return rate;
}

/* ---- the choice ---- */

double time_budget_training_rate(double float32, double products)
{
    return 1 / (PRODUCTS_TIME / products + OTHER_TIME / float32);
}

double time_budget_take_faster(struct config *config, double float32, double bf16)
{
    const bool faster = bf16 >= BFLOAT16_PAYS * float32;
    if (config_is_auto(config, "training.precision"))
        config_auto_set_precision(config, faster ? TRAIN_BFLOAT16 : TRAIN_FLOAT32);
    return time_budget_training_rate(float32,
                                     training_products(config) == PRODUCTS_BFLOAT16 ? bf16 : float32);
}

/* Has each rank a processor that multiplies bfloat16? */
static bool all_have_bf16(const struct ranks *ranks)
{
    double have = has_bf16_instructions();
    ranks_sum(ranks, &have, 1);
    return have >= ranks->count;
}

double time_budget_choose_products(struct config *config, int threads, const struct ranks *ranks)
{
    const double float32 = time_budget_rate(threads, PRODUCTS_FLOAT32, ranks);
    const bool may_round =
        config_is_auto(config, "training.precision") || training_products(config) == PRODUCTS_BFLOAT16;
    return time_budget_take_faster(
        config, float32,
        may_round && all_have_bf16(ranks) ? time_budget_rate(threads, PRODUCTS_BFLOAT16, ranks) : 0);
}

static double updates_of_epoch(const struct config_training *t, const struct epoch_text *text)
{
    const double batches = t->batch_tokens      ? text->tokens / 2 / t->batch_tokens
                           : t->batch_sentences ? text->pairs / t->batch_sentences
                                                : 1;
    return fmax(batches / t->accumulate, 1);
}

/* Operations of the validations of an epoch. By measurement, perplexity and each hypothesis of a translation
 * take half as long as training on the text. */
static double validation_operations(const struct seq2seq *model, const struct config_training *t,
                                    const struct epoch_text *text)
{
    const double validations = t->validate_every ? updates_of_epoch(t, text) / t->validate_every : 1,
                 tokens = text->valid_tokens / 2;
    return validations * 0.5 * (1 + t->validation_beam) *
           training_operations(model, text->valid_pairs, tokens, tokens);
}

double time_budget_epochs(const struct config *config, const struct epoch_text *text, double rate)
{
    struct seq2seq *model = xmalloc(1, sizeof *model);
    seq2seq_init(model, config, text->vocabulary[0], text->vocabulary[1]);
    model->readout.output.inputs += SOFTMAX_INPUTS;
    const double epoch = training_operations(model, text->pairs, text->tokens / 2, text->tokens / 2) +
                         validation_operations(model, &config->training, text);
    xfree(model);
    return 60 * config->training.max_minutes * rate / epoch;
}

/* The epochs that other limits leave. */
static double most_epochs(const struct config_training *t, const struct epoch_text *text)
{
    return fmin(t->max_epochs ? (double)t->max_epochs : INFINITY,
                t->max_updates ? (double)t->max_updates / updates_of_epoch(t, text) : INFINITY);
}

/* Are all sizes left to the program? */
static bool sizes_are_auto(const struct config *config)
{
    return config_is_auto(config, "model.decoder.units") && config_is_auto(config, "model.encoder.units") &&
           config_is_auto(config, "model.attention.units") && config_is_auto(config, "model.embedding");
}

bool time_budget_matters(const struct config *config)
{
    static const char *const others[] = {"model.dropout.embedding", "model.dropout.annotation",
                                         "model.dropout.readout",   "model.dropout.state",
                                         "training.warmup",         "training.precision"};
    bool matters = config->training.max_minutes > 0 && sizes_are_auto(config);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        matters |= config->training.max_minutes > 0 && config_is_auto(config, others[i]);
    return matters;
}

void time_budget_fit(struct config *config, const struct epoch_text *text, double epochs)
{
    const struct config_training *t = &config->training;
    epochs = fmin(epochs, most_epochs(t, text));
    config_auto_set_dropout(config, text->pairs, epochs);
    if (t->batch_tokens || t->batch_sentences)
        config_auto_set_warmup(config, text->pairs, epochs * updates_of_epoch(t, text));
}

double time_budget_choose(struct config *config, const struct epoch_text *text, double rate)
{
    const int most = config->model.decoder.units; /* more than suits the text is never chosen */
    const double wanted =
        fmin(most_epochs(&config->training, text), fmin(EPOCHS_WANTED, TOKENS_WANTED / (text->tokens / 2)));
    double epochs = time_budget_epochs(config, text, rate);
    for (size_t i = 0; i < WIDTHS && sizes_are_auto(config) && epochs < wanted; i++) {
        if (widths[i] >= most)
            continue;
        config_auto_set_width(config, widths[i]);
        epochs = time_budget_epochs(config, text, rate);
    }
    time_budget_fit(config, text, epochs);
    return epochs;
}

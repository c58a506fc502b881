/* Prepacks the weights of the models that translate together. Loading a model is in model_dir.c; translating
 * is in translate.c. */
#include "ensemble.h"

#include "mem.h"

#include <string.h>

static void begin(struct ensemble *ensemble, const struct language_pair *pair)
{
    memset(ensemble, 0, sizeof *ensemble);
    ensemble->pair = pair;
    arena_init(&ensemble->arena);
    ensemble->members = xcalloc(MOST_MEMBERS, sizeof *ensemble->members);
    ensemble->quantised = xcalloc(MOST_MEMBERS, sizeof *ensemble->quantised);
}

void ensemble_init(struct ensemble *ensemble, const struct language_pair *pair, const struct seq2seq *model,
                   const real *params)
{
    begin(ensemble, pair);
    arena_reserve(&ensemble->arena, model->layout.total * sizeof(real));
    step_weights_init(&ensemble->members[ensemble->count++], model, params, NULL, &ensemble->arena);
}

/* Panels have the size of the weights; int8 made of floats takes as much again, and scales a little. */
static size_t expected_bytes(const struct loaded_model *loaded, enum decoding_precision precision)
{
    const size_t total = loaded->model.layout.total, ready = loaded->weights.quantised.count;
    if (precision == DECODE_FLOAT32 || (precision == DECODE_AUTO && !ready))
        return total * sizeof(real);
    return (ready ? 1 : 2) * (total + total / 8);
}

static void add_shortlist(struct ensemble *ensemble, const struct loaded_model *loaded)
{
    if (ensemble->shortlists && loaded->shortlist.begin) {
        ensemble->shortlists[ensemble->count] = &loaded->shortlist;
    } else {
        xfree(ensemble->shortlists);
        ensemble->shortlists = NULL;
    }
}

/* Adds a model in the precision. */
static void add(struct ensemble *ensemble, const struct loaded_model *loaded,
                enum decoding_precision precision)
{
    const struct weights *weights = &loaded->weights;
    struct quantised_params *quantised = &ensemble->quantised[ensemble->count];
    add_shortlist(ensemble, loaded);
    if (precision == DECODE_AUTO)
        *quantised = weights->quantised;
    arena_reserve(&ensemble->arena, expected_bytes(loaded, precision));
    if (precision == DECODE_INT8)
        weights_quantise(quantised, weights, &loaded->model.layout, &ensemble->arena);
    step_weights_init(&ensemble->members[ensemble->count++], &loaded->model,
                      precision == DECODE_FLOAT32 ? weights_floats(weights) : weights->values, quantised,
                      &ensemble->arena);
}

void ensemble_init_loaded(struct ensemble *ensemble, const struct loaded_model *loaded)
{
    begin(ensemble, &loaded->pair);
    if (loaded->config.decoding.shortlist)
        ensemble->shortlists = xcalloc(MOST_MEMBERS, sizeof *ensemble->shortlists);
    add(ensemble, loaded, loaded->config.decoding.precision);
}

static int join(struct ensemble *ensemble, const struct loaded_model *loaded,
                enum decoding_precision precision, struct err *err)
{
    const char *difference = language_pair_difference(ensemble->pair, &loaded->pair);
    const bool reversed =
        loaded->pair.tokenizer[TARGET].reversed && !ensemble->pair->tokenizer[TARGET].reversed;
    if (difference)
        return err_set(err, "cannot translate with '%s' beside the first model: %s%s", loaded->files.path,
                       difference, reversed ? " (--right-to-left-model takes it)" : "");
    add(ensemble, loaded, precision);
    return 0;
}

int ensemble_open(struct ensemble *ensemble, const struct loaded_model *loaded, int count, struct err *err)
{
    ASSERT(count <= MOST_MEMBERS);
    ensemble_init_loaded(ensemble, loaded);
    for (int i = 1; i < count; i++)
        if (join(ensemble, &loaded[i], loaded->config.decoding.precision, err)) {
            ensemble_release(ensemble);
            return -1;
        }
    return 0;
}

/* Frees the numbers of a parameter that are not read: all, or if it is a quantised embedding, its floats. */
static void drop_param(const struct ensemble *ensemble, int member, struct weights *weights,
                       const struct param *param, bool unread)
{
    const struct quantised *quantised =
        quantised_find(&ensemble->quantised[member], weights->values + param->offset);
    if (unread || quantised)
        weights_forget(weights, param);
    if (unread && quantised)
        mem_pages_forget(quantised->values, quantised->rows * quantised->cols);
}

/* Searches take rows of the output layer. */
static bool is_selected(const struct ensemble *ensemble, const struct seq2seq *model,
                        const struct param *param)
{
    return ensemble->shortlists && param->offset == model->readout.output.weight;
}

void ensemble_drop_weights(const struct ensemble *ensemble, struct loaded_model *loaded)
{
    for (int m = 0; m < ensemble->count; m++) {
        const struct layout *layout = &loaded[m].model.layout;
        for (size_t i = 0; i < layout->count; i++)
            drop_param(ensemble, m, &loaded[m].weights, &layout->params[i],
                       ensemble->members[m].unread[i] &&
                           !is_selected(ensemble, &loaded[m].model, &layout->params[i]));
        loaded[m].weights.values = NULL;
    }
}

void ensemble_release(struct ensemble *ensemble)
{
    arena_release(&ensemble->arena);
    xfree(ensemble->shortlists);
    xfree(ensemble->quantised);
    xfree(ensemble->members);
    memset(ensemble, 0, sizeof *ensemble);
}

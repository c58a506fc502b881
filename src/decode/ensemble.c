/* Prepacks the weights of the models that translate together. Loading a model is in model_dir.c; translating
 * is in translate.c. */
#include "ensemble.h"

#include "mem.h"

#include <string.h>

void ensemble_init(struct ensemble *ensemble, const struct language_pair *pair, const struct seq2seq *model,
                   const real *params)
{
    memset(ensemble, 0, sizeof *ensemble);
    ensemble->pair = pair;
    arena_init(&ensemble->arena);
    arena_reserve(&ensemble->arena, model->layout.total * sizeof(real));
    ensemble->members = xcalloc(MOST_MEMBERS, sizeof *ensemble->members);
    step_weights_init(&ensemble->members[ensemble->count++], model, params, &ensemble->arena);
}

static int join(struct ensemble *ensemble, const struct loaded_model *loaded, struct err *err)
{
    if (ensemble->count == MOST_MEMBERS)
        return err_set(err, "an ensemble has at most %d models", MOST_MEMBERS);
    if (!language_pair_same(ensemble->pair, &loaded->pair))
        return err_set(err, "cannot translate with '%s' beside the first model: it sees text in other words",
                       loaded->files.path);
    step_weights_init(&ensemble->members[ensemble->count++], &loaded->model, loaded->weights.values,
                      &ensemble->arena);
    return 0;
}

int ensemble_open(struct ensemble *ensemble, const struct loaded_model *loaded, int count, struct err *err)
{
    ensemble_init(ensemble, &loaded->pair, &loaded->model, loaded->weights.values);
    for (int i = 1; i < count; i++)
        if (join(ensemble, &loaded[i], err)) {
            ensemble_release(ensemble);
            return -1;
        }
    return 0;
}

void ensemble_take_weights(const struct ensemble *ensemble, struct loaded_model *loaded)
{
    for (int m = 0; m < ensemble->count; m++) {
        const struct layout *layout = &loaded[m].model.layout;
        for (size_t i = 0; i < layout->count; i++)
            if (ensemble->members[m].unread[i])
                weights_forget(&loaded[m].weights, &layout->params[i]);
        loaded[m].weights.values = NULL;
    }
}

void ensemble_release(struct ensemble *ensemble)
{
    arena_release(&ensemble->arena);
    xfree(ensemble->members);
    memset(ensemble, 0, sizeof *ensemble);
}

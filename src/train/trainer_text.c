#include "trainer_setup.h"

int trainer_load_part(struct trainer *t, struct err *err)
{
    const struct config_training *c = &t->config->training;
    struct train_state *state = &t->state;
    int status = 0;
    training_set_begin(&t->set, state->epoch);
    if ((size_t)state->part >= t->set.parts) /* resumed with more memory */
        state->part = 0;
    if (!t->loaded || !training_set_is_one(&t->set))
        status = training_set_load(&t->set, &t->corpus, state->epoch, state->part, err);
    if (ranks_agree(t->ranks, status, err))
        return -1;
    t->loaded = true;
    batch_order_make(&t->order, &t->corpus, c->batch_sentences, c->batch_tokens, (uint64_t)t->config->seed,
                     (uint64_t)state->epoch, (uint64_t)state->part);
    return t->order.batches
               ? 0
               : err_set(err,
                         "no sentence pairs to train on in part %ld of epoch %ld: give 'data.train' "
                         "more weight",
                         state->part + 1, state->epoch + 1);
}

int trainer_begin_part(struct trainer *t, struct err *err)
{
    t->state.batch = 0;
    if ((size_t)++t->state.part == t->set.parts) {
        t->state.part = 0;
        t->state.epoch++;
    }
    return trainer_load_part(t, err);
}

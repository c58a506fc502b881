#include "scheduled.h"

#include "stepper.h"

#include <string.h>

/* The network's likeliest words for the rows of the step. */
static void likeliest_words(int *ids, const struct stepper *stepper, size_t rows, struct arena *arena)
{
    const size_t vocabulary = stepper->weights->model->target_vocabulary;
    const struct arena_mark mark = arena_mark(arena);
    real *logits = ARENA_NEW(arena, rows * vocabulary, real);
    stepper_logits(stepper, logits, 0, rows);
    for (size_t r = 0; r < rows; r++) {
        const real *row = logits + r * vocabulary;
        ids[r] = 0;
        for (size_t id = 1; id < vocabulary; id++)
            if (row[id] > row[ids[r]])
                ids[r] = (int)id;
    }
    arena_rewind(arena, mark);
}

const struct sentence *scheduled_inputs(const struct seq2seq *model, const struct pass_weights *weights,
                                        const struct batch *batch, double teacher_forcing, struct rng *rng,
                                        struct arena *arena)
{
    const size_t sents = batch->sents;
    struct packed_seq target; /* ranks by length: the sentences that still run come first */
    struct sentence *inputs = ARENA_NEW(arena, sents, struct sentence);
    int **ids = ARENA_NEW(arena, sents, int *);
    seq2seq_pack(&target, batch->target, sents, 1, 0, arena);
    for (size_t b = 0; b < sents; b++) {
        const size_t length = batch->target[b].length;
        ids[b] = ARENA_NEW(arena, length, int);
        memcpy(ids[b], batch->target[b].ids, length * sizeof *ids[b]);
        inputs[b] = (struct sentence){ids[b], batch->target[b].length};
    }

    const struct arena_mark mark = arena_mark(arena);
    struct step_weights step_weights;
    struct stepper stepper;
    step_weights_from_pass(&step_weights, model, weights, arena);
    stepper_init(&stepper, &step_weights, batch->source, sents, sents, arena);
    const size_t width = stepper_state_width(&stepper);
    real *states = ARENA_NEW(arena, sents * width, real);
    real *next = ARENA_NEW(arena, sents * width, real);
    real *alpha = ARENA_NEW(arena, sents * stepper_alpha_width(&stepper), real);
    int *words = ARENA_NEW(arena, sents, int), *own = ARENA_NEW(arena, sents, int);
    size_t *source_rank = ARENA_NEW(arena, sents, size_t);
    struct unique unique = {.index = ARENA_NEW(arena, sents, size_t)};
    for (size_t r = 0; r < sents; r++) {
        unique.index[r] = r;
        source_rank[r] = stepper.source.rank[target.order[r]];
        stepper_start(states + r * width, &stepper, source_rank[r]);
    }
    for (size_t t = 0; t + 1 < target.steps; t++) { /* the word read last needs no successor */
        unique.rows = unique.count = target.count[t];
        for (size_t r = 0; r < unique.rows; r++)
            words[r] = ids[target.order[r]][t];
        const struct step_input input = {words, &unique, states, width, source_rank, t};
        stepper_step(&stepper, next, alpha, &input);
        likeliest_words(own, &stepper, unique.rows, arena);
        for (size_t r = 0; r < target.count[t + 1]; r++)
            if (rng_uniform(rng) >= teacher_forcing)
                ids[target.order[r]][t + 1] = own[r];
        real *done = states;
        states = next;
        next = done;
    }
    arena_rewind(arena, mark);
    return inputs;
}

/* Predicts the words for scheduled sampling, by one greedy pass through the stepper. When it is used is
 * decided in train. */
#include "scheduled.h"

#include "stepper.h"

#include <string.h>

/* [rows][V] */
static real *new_logits(const struct stepper *stepper, size_t rows, struct arena *arena)
{
    return ARENA_NEW(arena, rows * stepper->weights->model->target_vocabulary, real);
}

/* The most probable next words for the rows of the step. */
static void likeliest_words(int *ids, const struct stepper *stepper, size_t rows, struct arena *arena)
{
    const size_t vocabulary = stepper->weights->model->target_vocabulary;
    const struct arena_mark mark = arena_mark(arena);
    real *logits = new_logits(stepper, rows, arena);
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

/* The target sentences of a batch, step by step, ranked by length: those that have not ended come first. */
struct decoding {
    struct packed_seq target;
    struct step_weights weights;
    struct stepper stepper;
    struct mat states, next_states; /* [sents][Z] */
    real *alpha;
    int *words, *likeliest; /* [sents] */
    size_t *source_rank;    /* [sents] */
    struct unique unique;   /* each row has its own state */
};

/* Allocates the rows of a step. */
static void rows_init(struct decoding *decoding, size_t sents, struct arena *arena)
{
    const struct stepper *stepper = &decoding->stepper;
    decoding->states = mat_new(arena, sents, stepper_state_width(stepper));
    decoding->next_states = mat_new(arena, sents, stepper_state_width(stepper));
    decoding->alpha = ARENA_NEW(arena, sents * stepper_alpha_width(stepper), real);
    decoding->words = ARENA_NEW(arena, sents, int);
    decoding->likeliest = ARENA_NEW(arena, sents, int);
    decoding->source_rank = ARENA_NEW(arena, sents, size_t);
    decoding->unique = (struct unique){.index = ARENA_NEW(arena, sents, size_t)};
}

static void decoding_init(struct decoding *decoding, const struct seq2seq *model,
                          const struct pass_weights *weights, const struct batch *batch, struct arena *arena)
{
    const size_t sents = batch->sents;
    struct stepper *stepper = &decoding->stepper;
    seq2seq_pack(&decoding->target, batch->target, sents, 1, 0, arena);
    step_weights_from_pass(&decoding->weights, model, weights, arena);
    stepper_init(stepper, &decoding->weights, batch->source, sents, sents, arena);
    rows_init(decoding, sents, arena);
    for (size_t r = 0; r < sents; r++) {
        decoding->unique.index[r] = r;
        decoding->source_rank[r] = stepper->source.rank[decoding->target.order[r]];
        stepper_start(mat_row(decoding->states, r), stepper, decoding->source_rank[r]);
    }
}

/* Reads word t of each sentence of ids [sents], and predicts the words after them. */
static void decoding_step(struct decoding *decoding, int *const *ids, size_t t, struct arena *arena)
{
    const size_t rows = decoding->target.count[t];
    const struct mat read = decoding->states;
    decoding->unique.rows = decoding->unique.count = rows;
    for (size_t r = 0; r < rows; r++)
        decoding->words[r] = ids[decoding->target.order[r]][t];
    const struct step_input input = {decoding->words, &decoding->unique, mat_const(mat_rows(read, 0, rows)),
                                     decoding->source_rank, t};
    stepper_step(&decoding->stepper, mat_rows(decoding->next_states, 0, rows), decoding->alpha, &input);
    likeliest_words(decoding->likeliest, &decoding->stepper, rows, arena);
    decoding->states = decoding->next_states;
    decoding->next_states = read;
}

/* Copies the batch's target sentences, with their ids [sents]. */
static struct sentence *copy_targets(int **ids, const struct batch *batch, struct arena *arena)
{
    struct sentence *copies = ARENA_NEW(arena, batch->sents, struct sentence);
    for (size_t b = 0; b < batch->sents; b++) {
        const size_t length = batch->target[b].length;
        ids[b] = ARENA_NEW(arena, length, int);
        memcpy(ids[b], batch->target[b].ids, length * sizeof *ids[b]);
        copies[b] = (struct sentence){ids[b], length};
    }
    return copies;
}

const struct sentence *scheduled_inputs(const struct seq2seq *model, const struct pass_weights *weights,
                                        const struct batch *batch, double teacher_forcing, struct rng *rng,
                                        struct arena *arena)
{
    int **ids = ARENA_NEW(arena, batch->sents, int *);
    const struct sentence *inputs = copy_targets(ids, batch, arena);
    const struct arena_mark mark = arena_mark(arena);
    struct decoding decoding;
    decoding_init(&decoding, model, weights, batch, arena);
    const struct packed_seq *target = &decoding.target;
    for (size_t t = 0; t + 1 < target->steps; t++) { /* no input follows the last one */
        decoding_step(&decoding, ids, t, arena);
        for (size_t r = 0; r < target->count[t + 1]; r++)
            if (rng_uniform(rng) >= teacher_forcing)
                ids[target->order[r]][t + 1] = decoding.likeliest[r];
    }
    arena_rewind(arena, mark);
    return inputs;
}

double scheduled_bytes(const struct seq2seq *model, const struct batch *batch)
{
    const size_t sents = batch->sents;
    struct arena arena, counting;
    struct decoding decoding;
    arena_init(&arena);
    arena_init_counting(&counting);
    copy_targets(ARENA_NEW(&arena, sents, int *), batch, &arena);
    seq2seq_pack(&decoding.target, batch->target, sents, 1, 0, &arena);
    step_weights_count(&decoding.weights, model, &arena, &counting);
    stepper_count(&decoding.stepper, &decoding.weights, batch->source, sents, sents, &arena, &counting);
    rows_init(&decoding, sents, &counting);
    new_logits(&decoding.stepper, sents, &counting);
    const double bytes = (double)arena.peak_bytes + (double)counting.peak_bytes;
    arena_release(&arena);
    return bytes;
}

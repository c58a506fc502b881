/* A pass of the whole network over a batch: loss and gradients, scores, attention, and its memory. The
 * layers compute; this file calls them in order. */
#include "seq2seq.h"

#include "err.h"
#include "vecmath.h"

#include <math.h>
#include <string.h>

/* The state of a pass over a batch, valid until its arena is reset. */
struct pass {
    const struct seq2seq *model;
    const struct pass_weights *weights; /* forward, until the output is computed */
    struct pass_options options;
    struct arena *arena;
    struct packed_seq source, target;
    int *source_ids;     /* [source rows] */
    int *input_ids;      /* [target rows]: previous words */
    int *output_ids;     /* [target rows]: right words */
    size_t *source_rank; /* [sents]: the source rank for each target rank */
    struct encoder_acts encoder;
    struct unique words; /* of input_ids */
    struct mat y;        /* [words][E] */
    struct decoder_source decoder_source;
    struct decoder_pass decoding;
    struct decoder_acts decoder;
    struct mat word_products; /* [words][E]: readout.h's scratch, if it reads the word */
    struct mat t;             /* [target rows][E]: readout */
    struct mat t_dropped;     /* [target rows][E]: the same after dropout, or t itself */
    real *guide;              /* [target rows][source steps]: for guided alignment, or NULL */
    size_t *links;            /* [target rows]: number of links in each row of guide */
    struct arena_mark before_logits;
    real *logits[2]; /* for the current chunk, and the previous one, whose gradients may still be added */
    real *losses;    /* [target rows]: for hard attention, or NULL */
    real scale;      /* factor on the loss, for its gradients */
    struct mat dt;   /* [target rows][E]: gradient of t_dropped, filled chunk by chunk */
    struct decoder_grads grads;
};

/* ---- packed sequences ---- */

int *seq2seq_pack(struct packed_seq *seq, const struct sentence *sentences, size_t sents, size_t marks,
                  size_t shift, struct arena *arena)
{
    size_t *lengths = ARENA_NEW(arena, sents, size_t);
    for (size_t b = 0; b < sents; b++)
        lengths[b] = sentences[b].length - marks;
    packed_seq_init(seq, lengths, sents, arena);
    int *ids = ARENA_NEW(arena, seq->rows, int);
    for (size_t t = 0; t < seq->steps; t++)
        for (size_t r = 0; r < seq->count[t]; r++)
            ids[seq->first[t] + r] = sentences[seq->order[r]].ids[shift + t];
    return ids;
}

/* Allocates the guides of all target rows, and their numbers of links. */
static void guide_init(struct pass *pass, struct arena *arena)
{
    pass->guide = ARENA_ZERO(arena, pass->target.rows * pass->source.steps, real);
    pass->links = ARENA_ZERO(arena, pass->target.rows, size_t);
}

/* The guide of a row: its links have equal weights, which sum to 1. */
static void fill_guide(struct pass *pass, const struct batch *batch)
{
    for (int normalizing = 0; normalizing < 2; normalizing++)
        for (size_t b = 0; b < batch->sents; b++)
            for (size_t i = 0; i < batch->guides[b].count; i++) {
                const struct link *link = &batch->guides[b].links[i];
                const size_t row = pass->target.first[(size_t)link->target] + pass->target.rank[b];
                if (normalizing)
                    pass->guide[row * pass->source.steps + (size_t)link->source] =
                        (real)1 / (real)pass->links[row];
                else
                    pass->links[row]++;
            }
    pass->decoder.attention.guide = pass->guide;
}

/* Computes what depends on ids and lengths alone: packed sequences, ranks, unique words. */
static void pass_pack(struct pass *pass, const struct batch *batch, struct arena *arena)
{
    const struct seq2seq *model = pass->model;
    pass->source_ids = seq2seq_pack(&pass->source, batch->source, batch->sents, 0, 0, arena);
    pass->input_ids = seq2seq_pack(&pass->target, batch->target, batch->sents, 1, 0, arena);
    pass->output_ids = seq2seq_pack(&pass->target, batch->target, batch->sents, 1, 1, arena);
    pass->source_rank = ARENA_NEW(arena, batch->sents, size_t);
    for (size_t r = 0; r < batch->sents; r++)
        pass->source_rank[r] = pass->source.rank[pass->target.order[r]];
    encoder_words_init(&pass->encoder, pass->source_ids, &model->encoder, pass->source.rows, arena);
    unique_init(&pass->words, pass->input_ids, pass->target.rows, model->target.vocabulary, arena);
    decoder_source_pack(&pass->decoder_source, &model->decoder, &pass->source, arena);
}

size_t seq2seq_chunks(const struct pass *pass)
{
    return output_chunks(pass->target.rows);
}

/* Allocates logits for one chunk: [rows][V]. */
static real *new_logits(const struct pass *pass, struct arena *arena)
{
    const size_t rows = pass->target.rows, most = rows < OUTPUT_CHUNK_ROWS ? rows : OUTPUT_CHUNK_ROWS;
    return ARENA_NEW(arena, most * pass->model->target_vocabulary, real);
}

/* Allocates what the forward pass computes. */
static void pass_init(struct pass *pass, struct arena *arena)
{
    const struct seq2seq *model = pass->model;
    const struct pass_options *options = &pass->options;
    const size_t rows = pass->target.rows, e = model->target.width;
    encoder_acts_init(&pass->encoder, &model->encoder, &pass->source, &options->encoder, true, arena);
    decoder_source_init(&pass->decoder_source, &model->decoder, arena);
    pass->y = mat_new(arena, pass->words.count, e);
    pass->decoding = (struct decoder_pass){.source = &pass->decoder_source,
                                           .target = &pass->target,
                                           .source_rank = pass->source_rank,
                                           .words = &pass->words,
                                           .y = mat_const(pass->y),
                                           .options = &options->decoder};
    decoder_acts_init(&pass->decoder, &pass->decoding, &model->decoder, arena);
    pass->t = model->decoder.input_feeding ? pass->decoder.readout : mat_new(arena, rows, e);
    pass->t_dropped = options->readout.rate > 0 ? mat_new(arena, rows, e) : pass->t;
    if (model->readout.reads_word)
        pass->word_products = mat_new(arena, pass->words.count, e);
}

/* Allocates memory for the output layer. */
static void pass_init_output(struct pass *pass, bool backward, struct arena *arena)
{
    const struct seq2seq *model = pass->model;
    const size_t rows = pass->target.rows;
    pass->dt = backward ? mat_zero(arena, rows, model->target.width) : (struct mat){0};
    pass->losses = attention_is_hard(&model->decoder.attention) ? ARENA_NEW(arena, rows, real) : NULL;
    pass->before_logits = arena_mark(arena);
    pass->logits[0] = new_logits(pass, arena);
    pass->logits[1] = backward && seq2seq_chunks(pass) > 1 ? new_logits(pass, arena) : pass->logits[0];
}

/* Allocates memory for the backward pass, reusing that of the logits. */
static void pass_init_backward(struct pass *pass, struct arena *arena)
{
    const struct seq2seq *model = pass->model;
    const size_t rows = pass->target.rows;
    arena_rewind(arena, pass->before_logits);
    pass->grads = (struct decoder_grads){
        .dstates = mat_zero(arena, rows, model->decoder.units),
        .dcontext = mat_zero(arena, rows, model->decoder.context),
        .dt = pass->dt,
        .dy = mat_zero(arena, pass->words.count, model->target.width),
        .dannotations = mat_zero(arena, pass->source.rows, encoder_width(&model->encoder))};
    decoder_acts_init_backward(&pass->decoder, &pass->decoding, &model->decoder, arena);
    encoder_acts_init_backward(&pass->encoder, &model->encoder, arena);
}

void loss_add(struct loss *sum, const struct loss *loss)
{
    sum->sums.loss += loss->sums.loss;
    sum->sums.nll += loss->sums.nll;
    sum->target_tokens += loss->target_tokens;
    sum->source_tokens += loss->source_tokens;
}

/* ---- forward and backward ---- */

void pass_weights_init(struct pass_weights *weights, const struct seq2seq *model, const real *params,
                       enum pass_direction direction, enum product_kind products, struct arena *arena)
{
    weights->params = params;
    prepack_list_init(&weights->list, direction, products, NULL, arena);
    encoder_prepack(&weights->encoder, &model->encoder, params, &weights->list);
    source_prepack(&weights->source, &model->decoder, params, &weights->list);
    decoder_prepack(&weights->decoder, &model->decoder, &model->readout, params, &weights->list);
    if (!model->decoder.input_feeding)
        readout_prepack_many_rows(&weights->readout, &model->readout, params, &weights->list);
    for (int d = 0; d < 2 && direction == FORWARD; d++)
        prepack_many_rows(&weights->output[d], linear_weight(&model->readout.output, params),
                          (enum pass_direction)d, &weights->list);
}

/* The inputs of all rows. */
static struct readout_inputs readout_inputs(const struct pass *pass)
{
    return (struct readout_inputs){.state = mat_const(pass->decoder.top),
                                   .context = mat_const(pass->decoder.context),
                                   .words = &pass->words,
                                   .y = pass->decoding.y,
                                   .word_products = pass->word_products};
}

/* y_{i-1}: the embeddings of the previous words. */
static void embed_inputs(struct pass *pass)
{
    struct embedding_weights table;
    embedding_weights_init(&table, &pass->model->target, pass->weights->params, NULL);
    embedding_forward(pass->y, pass->words.ids, &table);
    dropout_words(pass->y, &pass->options.target_word);
    dropout_apply(pass->y, &pass->options.target_embedding);
}

static void embed_inputs_backward(struct grad_terms *terms, const struct pass *pass)
{
    const struct mat dy = pass->grads.dy;
    dropout_apply(dy, &pass->options.target_embedding);
    dropout_words(dy, &pass->options.target_word);
    embedding_backward(terms, mat_const(dy), pass->words.ids, &pass->model->target);
}

/* t_i of all rows, unless the decoder has computed them already; and a copy after dropout. */
static void read_out(struct pass *pass)
{
    const struct readout_inputs inputs = readout_inputs(pass);
    if (!pass->model->decoder.input_feeding)
        readout_forward(pass->t, &inputs, &pass->weights->readout);
    if (pass->t_dropped.data == pass->t.data)
        return;
    mat_copy(pass->t_dropped, mat_const(pass->t));
    dropout_apply(pass->t_dropped, &pass->options.readout);
}

static void read_out_backward(struct grad_terms *terms, const struct pass *pass,
                              const struct pass_weights *weights)
{
    const struct readout_inputs inputs = readout_inputs(pass);
    const struct readout_grads grads = {pass->grads.dstates, pass->grads.dcontext, pass->grads.dy};
    dropout_apply(pass->dt, &pass->options.readout); /* t_dropped = dropout(t) */
    if (!pass->model->decoder.input_feeding)
        readout_backward(&grads, terms, pass->dt, mat_const(pass->t), &inputs, &weights->readout);
}

static struct pass *new_pass(const struct seq2seq *model, const struct pass_options *options,
                             struct arena *arena)
{
    struct pass *pass = ARENA_ZERO(arena, 1, struct pass);
    pass->model = model;
    pass->options = *options;
    return pass;
}

struct pass *seq2seq_forward(const struct seq2seq *model, const struct pass_weights *weights,
                             const struct batch *batch, const struct pass_options *options,
                             struct arena *arena)
{
    struct pass *pass = new_pass(model, options, arena);
    pass->weights = weights;
    pass->arena = arena;
    pass_pack(pass, batch, arena);
    pass_init(pass, arena);
    if (batch->guides && options->guided > 0) {
        guide_init(pass, arena);
        fill_guide(pass, batch);
    }
    encoder_forward(&pass->encoder, &weights->encoder); /* h_j */
    decoder_source_forward(&pass->decoder_source, mat_const(pass->encoder.annotations),
                           &weights->source);                            /* s_0, keys and values */
    embed_inputs(pass);                                                  /* y_{i-1} */
    decoder_forward(&pass->decoder, &pass->decoding, &weights->decoder); /* c_i, s_i */
    read_out(pass);                                                      /* t_i */
    return pass;
}

/* The advantages of hard attention, A_i = Σ_{k>=i} γ^{k-i} (l_k - b), times the scale of the loss; they
 * overwrite the losses. */
static void advantages(struct pass *pass)
{
    const struct hard_attention *options = &pass->options.decoder.attention;
    const struct packed_seq *target = &pass->target;
    for (size_t r = 0; r < target->sents; r++) {
        real sum = 0;
        for (size_t t = target->lengths[r]; t-- > 0;) {
            real *loss = &pass->losses[target->first[t] + r];
            sum = (real)options->discount * sum + options->scale * (*loss - (real)options->baseline);
            *loss = sum;
        }
    }
    pass->decoder.attention.advantage = pass->losses;
}

void seq2seq_backward(struct grad_terms *terms, struct pass *pass, const struct pass_weights *weights)
{
    ASSERT(pass->dt.data);
    pass_init_backward(pass, pass->arena);
    grad_terms_begin(terms, weights->list.products, pass->arena);
    if (pass->losses)
        advantages(pass);
    read_out_backward(terms, pass, weights);                                                   /* t_i */
    decoder_backward(&pass->grads, terms, &pass->decoder, &pass->decoding, &weights->decoder); /* c_i, s_i */
    decoder_source_backward(&pass->grads, terms, &pass->decoder, &pass->decoding,
                            &weights->source); /* s_0, keys and values */
    embed_inputs_backward(terms, pass);        /* y_{i-1} */
    encoder_backward(terms, pass->grads.dannotations, &pass->encoder, &weights->encoder); /* h_j */
}

static void add_guided_loss(struct loss *loss, struct pass *pass)
{
    const double weight = pass->options.guided;
    pass->decoder.attention.guide_scale = pass->scale * (real)weight;
    loss->sums.loss +=
        weight * attention_guided_loss(&pass->decoder.attention, &pass->model->decoder.attention,
                                       &pass->source, pass->target.rows);
}

void seq2seq_begin_output(struct loss *loss, struct pass *pass, real scale, bool backward)
{
    pass_init_output(pass, backward, pass->arena);
    pass->scale = scale;
    pass->options.decoder.attention.scale = scale;
    loss->target_tokens += (long)pass->target.rows;
    loss->source_tokens += (long)pass->source.rows;
    if (pass->decoder.attention.guide)
        add_guided_loss(loss, pass);
}

/* logits = E_out t + b_out for a chunk of rows, stored in `space`. */
static struct mat chunk_logits(real *space, struct mat t, const struct pass *pass, size_t chunk)
{
    const struct linear *output = &pass->model->readout.output;
    const struct mat rows = output_chunk(t, chunk);
    const struct mat logits = mat_of(space, rows.rows, output->outputs);
    linear_forward(logits, mat_const(rows), output, &pass->weights->output[FORWARD], pass->weights->params,
                   false);
    return logits;
}

/* Adds the loss of a chunk; with terms also its gradients: dt, and terms that point into the logits. */
static void chunk_loss(struct loss *loss, struct grad_terms *terms, struct pass *pass, size_t chunk)
{
    const struct linear *output = &pass->model->readout.output;
    const size_t first = chunk * OUTPUT_CHUNK_ROWS;
    const struct mat logits = chunk_logits(pass->logits[chunk % 2], pass->t_dropped, pass, chunk);
    xent_forward_backward(&loss->sums, pass->losses ? pass->losses + first : NULL, logits,
                          pass->output_ids + first, pass->options.smoothing, pass->scale);
    if (terms) /* logits = E_out t + b_out */
        linear_backward(output_chunk(pass->dt, chunk), terms, mat_const(logits),
                        mat_const(output_chunk(pass->t_dropped, chunk)), output,
                        &pass->weights->output[BACKWARD]);
}

void seq2seq_output(struct loss *loss, struct grad_terms *terms, struct pass *pass, size_t chunk)
{
    ASSERT(pass->logits[0] && (!terms || pass->dt.data));
    if (terms)
        grad_terms_begin(terms, pass->weights->list.products, pass->arena);
    if (chunk < seq2seq_chunks(pass))
        chunk_loss(loss, terms, pass, chunk);
}

void seq2seq_scores(real *scores, size_t ld, struct pass *pass)
{
    const struct packed_seq *target = &pass->target;
    real *space = new_logits(pass, pass->arena), *by_row = ARENA_NEW(pass->arena, target->rows, real);
    for (size_t chunk = 0; chunk < seq2seq_chunks(pass); chunk++) {
        const size_t first = chunk * OUTPUT_CHUNK_ROWS;
        xent_scores(by_row + first, chunk_logits(space, pass->t, pass, chunk), pass->output_ids + first);
    }
    for (size_t t = 0; t < target->steps; t++)
        for (size_t r = 0; r < target->count[t]; r++)
            scores[target->order[r] * ld + t] = by_row[target->first[t] + r];
}

void seq2seq_attention(real *weights, const struct pass *pass, size_t sentence, size_t heads)
{
    const size_t rank = pass->target.rank[sentence];
    const size_t length = pass->source.lengths[pass->source_rank[rank]], words = pass->target.lengths[rank],
                 all = words * length;
    const size_t has = pass->model->decoder.attention.choice.heads,
                 steps = pass->decoder_source.positions.seq->steps;
    ASSERT(attention_has_score(&pass->model->decoder.attention));
    memset(weights, 0, (1 + heads) * all * sizeof *weights);
    for (size_t t = 0; t < words; t++)
        for (size_t head = 0; head < has; head++) {
            const size_t row = pass->target.first[t] + rank;
            const real *alpha = pass->decoder.attention.alpha + (row * has + head) * steps;
            vec_axpy(weights + t * length, (real)1 / (real)has, alpha, length);
            if (head < heads)
                memcpy(weights + (1 + head) * all + t * length, alpha, length * sizeof *alpha);
        }
}

double seq2seq_choice_log_probability(const struct pass *pass)
{
    const struct attention_acts *acts = &pass->decoder.attention;
    const size_t width = pass->model->decoder.attention.choice.heads * pass->source.steps;
    double sum = 0;
    for (size_t i = 0; i < pass->target.rows * width; i++)
        if (acts->alpha[i] > 0)
            sum += log((double)acts->soft[i]);
    return sum;
}

struct loss seq2seq_loss(real *grads, const struct seq2seq *model, const real *params,
                         const struct batch *batch, const struct pass_options *options, real scale,
                         struct arena *arena)
{
    struct grad_terms *terms = grads ? ARENA_NEW(arena, 1, struct grad_terms) : NULL;
    struct loss loss = {{0, 0}, 0, 0};
    struct pass_weights weights, back;
    pass_weights_init(&weights, model, params, FORWARD, PRODUCTS_FLOAT32, arena);
    prepack_list_fill(&weights.list, 0, 1);
    struct pass *pass = seq2seq_forward(model, &weights, batch, options, arena);
    if (grads) { /* here, as seq2seq_backward frees the logits and what was allocated after them */
        pass_weights_init(&back, model, params, BACKWARD, PRODUCTS_FLOAT32, arena);
        prepack_list_fill(&back.list, 0, 1);
    }
    seq2seq_begin_output(&loss, pass, scale, grads != NULL);
    for (size_t chunk = 0; chunk < seq2seq_chunks(pass); chunk++) {
        seq2seq_output(&loss, terms, pass, chunk);
        if (grads)
            grad_terms_add_all(grads, terms);
    }
    if (grads) {
        seq2seq_backward(terms, pass, &back);
        grad_terms_add_all(grads, terms);
    }
    return loss;
}

const real *seq2seq_logits(struct packed_seq *target, const struct seq2seq *model, const real *params,
                           const struct batch *batch, struct arena *arena)
{
    struct pass_options none;
    struct pass_weights weights;
    pass_options_none(&none);
    pass_weights_init(&weights, model, params, FORWARD, PRODUCTS_FLOAT32, arena);
    prepack_list_fill(&weights.list, 0, 1);
    const struct pass *pass = seq2seq_forward(model, &weights, batch, &none, arena);
    *target = pass->target;
    real *logits = ARENA_NEW(arena, target->rows * model->target_vocabulary, real);
    linear_forward(mat_of(logits, target->rows, model->readout.output.outputs), mat_const(pass->t),
                   &model->readout.output, &weights.output[FORWARD], params, false);
    return logits;
}

/* ---- memory ---- */

double pass_weights_bytes(const struct seq2seq *model, enum pass_direction direction,
                          enum product_kind products)
{
    struct arena arena, params;
    struct pass_weights weights;
    arena_init_counting(&arena);
    arena_init_counting(&params);
    pass_weights_init(&weights, model, ARENA_NEW(&params, model->layout.total, real), direction, products,
                      &arena);
    return (double)arena.peak_bytes;
}

struct batch seq2seq_largest_batch(const struct seq2seq *model, size_t sents, size_t source_length,
                                   size_t target_length, struct arena *arena)
{
    const size_t lengths[2] = {source_length, target_length},
                 vocabularies[2] = {model->source_vocabulary, model->target_vocabulary};
    struct sentence *sides[2];
    for (int side = 0; side < 2; side++) {
        size_t id = 0;
        sides[side] = ARENA_NEW(arena, sents, struct sentence);
        for (size_t b = 0; b < sents; b++) {
            int *ids = ARENA_NEW(arena, lengths[side], int);
            for (size_t i = 0; i < lengths[side]; i++)
                ids[i] = (int)(id++ % vocabularies[side]);
            sides[side][b] = (struct sentence){ids, lengths[side]};
        }
    }
    return (struct batch){.source = sides[0], .target = sides[1], .sents = sents};
}

/* Counts the sums that grad_terms_sum allocates in a backward pass: one for each vector, but for the output
 * layer's bias, of which there is a sum per chunk. */
static void sums_init(const struct seq2seq *model, struct arena *arena)
{
    for (size_t i = 0; i < model->layout.count; i++) {
        const struct param *param = &model->layout.params[i];
        if ((param->cols == 0 || param->rows == 1) && param->offset != model->readout.output.bias)
            (void)ARENA_NEW(arena, param_size(param), real);
    }
}

double seq2seq_pass_bytes(const struct seq2seq *model, const struct pass_options *options,
                          const struct batch *batch, bool backward)
{
    struct arena packed, numbers;
    arena_init(&packed);
    arena_init_counting(&numbers);
    struct pass *pass = new_pass(model, options, &packed);
    pass_pack(pass, batch, &packed);
    pass_init(pass, &numbers);
    if (options->guided > 0)
        guide_init(pass, &numbers);
    pass_init_output(pass, backward, &numbers);
    for (size_t chunk = 0; backward && chunk < seq2seq_chunks(pass); chunk++)
        (void)ARENA_NEW(&numbers, model->target_vocabulary, real); /* sum for the bias */
    if (backward) {
        pass_init_backward(pass, &numbers);
        sums_init(model, &numbers);
    }
    const double bytes = (double)packed.peak_bytes + (double)numbers.peak_bytes;
    arena_release(&packed);
    return bytes;
}

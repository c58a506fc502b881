#include "seq2seq.h"

#include "rng.h"
#include "vecmath.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What a pass over a batch leaves behind, until its arena is reset. */
struct pass {
    const struct seq2seq *model;
    const real *params;
    struct pass_options options;
    size_t copies; /* of each sentence, in neighbouring rows */
    struct arena *arena;
    struct packed_seq source, target;
    int *source_ids;     /* [source rows] */
    int *input_ids;      /* [target rows]: the previous words */
    int *output_ids;     /* [target rows]: the right words */
    size_t *source_rank; /* [sents]: source rank of a target rank */
    struct encoder_acts encoder;
    struct unique words; /* of input_ids */
    real *y;             /* [words][E] */
    struct decoder_source at;
    struct decoder_pass decoding;
    struct decoder_acts decoder;
    real *t;          /* [target rows][E]: readout */
    real *t_dropped;  /* the same after dropout, or t itself */
    real *dt;         /* [target rows][E]: gradient of t_dropped, chunk by chunk */
    real *logits[2];  /* of a chunk, and of the one before it, whose gradients may still be added */
    real *difference; /* [V]: of two rows' logits, for R-Drop, or NULL */
    real *losses;     /* [target rows]: for hard attention, or NULL */
    real scale;       /* of the loss, for its gradients */
    struct arena_mark before_logits;
};

void seq2seq_init(struct seq2seq *model, const struct config *config, size_t source_vocabulary,
                  size_t target_vocabulary)
{
    const struct config_model *m = &config->model;
    const bool shared = m->tie == TIE_ALL;
    const size_t embedding = (size_t)m->embedding, encoder_units = (size_t)m->encoder.units;
    memset(model, 0, sizeof *model);
    model->source_vocabulary = source_vocabulary;
    model->target_vocabulary = target_vocabulary;
    embedding_declare(&model->source, &model->layout, shared ? "embedding" : "source_embedding",
                      source_vocabulary, embedding);
    if (shared)
        model->target = (struct embedding){.weight = model->source.weight,
                                           .vocabulary = target_vocabulary,
                                           .width = embedding}; /* its first rows */
    else
        embedding_declare(&model->target, &model->layout, "target_embedding", target_vocabulary, embedding);
    const struct encoder_choice encoder = {
        .cell = {gates_kinds[m->encoder.cell], encoder_units, m->layer_norm},
        .directions = m->encoder.bidirectional ? 2 : 1,
        .layers = (size_t)m->encoder.layers,
        .transitions = (size_t)m->encoder.transitions,
        .lexical = m->encoder.lexical,
    };
    encoder_declare(&model->encoder, &model->layout, &model->source, &encoder);
    const struct annotations annotations = {encoder_width(&model->encoder), model->encoder.directions,
                                            encoder_units};
    const struct decoder_choice choice = {
        .cell = {gates_kinds[m->decoder.cell], (size_t)m->decoder.units, m->layer_norm},
        .feed = feed_kinds[m->attention.feed],
        .summary = summary_kinds[m->decoder.init],
        .attention = {.score = score_kinds[m->attention.score],
                      .normalizer = normalizer_kinds[m->attention.normalizer],
                      .scope = m->attention.scope,
                      .coverage = m->attention.coverage,
                      .hard = m->attention.kind == ATTENTION_HARD,
                      .guided = config->training.guided_alignment > 0,
                      .units = (size_t)m->attention.units,
                      .heads = (size_t)m->attention.heads,
                      .window = (size_t)m->attention.window,
                      .temperature = m->attention.temperature},
        .embedding = embedding,
        .layers = (size_t)m->decoder.layers,
        .transitions = (size_t)m->decoder.transitions,
        .input_feeding = m->attention.input_feeding,
    };
    decoder_declare(&model->decoder, &model->layout, &annotations, &choice);
    const struct readout_choice readout = {
        .embedding = embedding,
        .units = choice.cell.units,
        .context = model->decoder.context,
        .vocabulary = target_vocabulary,
        .reads_word = m->attention.feed != FEED_OUTPUT,
        .tied = m->tie != TIE_NONE,
        .tied_weight = model->target.weight,
    };
    readout_declare(&model->readout, &model->layout, &readout);
}

void pass_options_none(struct pass_options *options)
{
    memset(options, 0, sizeof *options);
}

void pass_options_init(struct pass_options *options, const struct config *config, uint64_t update,
                       uint64_t worker)
{
    const struct config_dropout *rate = &config->model.dropout;
    struct rng rng;
    rng_init(&rng, (uint64_t)config->seed, RNG_DROPOUT, update, worker);
#define PLACE(rate) ((struct dropout){(rate), (uint32_t)rng_next(&rng)})
    options->encoder.embedding = PLACE(rate->embedding);
    options->encoder.state[0] = PLACE(rate->state);
    options->encoder.state[1] = PLACE(rate->state);
    options->encoder.annotation = PLACE(rate->annotation);
    options->target_embedding = PLACE(rate->embedding);
    options->decoder.state = PLACE(rate->state);
    options->readout = PLACE(rate->readout);
    options->encoder.word = PLACE(rate->source_word);
    options->target_word = PLACE(rate->target_word);
    for (size_t l = 0; l < STACK_MOST; l++) {
        options->encoder.stack.input[l] = PLACE(rate->layer);
        options->encoder.stack.state[l][0] = PLACE(rate->state);
        options->encoder.stack.state[l][1] = PLACE(rate->state);
        options->decoder.stack.input[l] = PLACE(rate->layer);
        options->decoder.stack.state[l][0] = PLACE(rate->state);
        options->decoder.stack.state[l][1] = (struct dropout){0, 0};
    }
    options->decoder.attention =
        (struct hard_attention){.sampled = config->model.attention.kind == ATTENTION_HARD,
                                .key = (uint32_t)rng_next(&rng),
                                .entropy = config->training.attention_entropy,
                                .discount = config->training.attention_discount,
                                .expected = config->training.attention_expected};
#undef PLACE
    options->loss = (struct xent_options){config->training.label_smoothing, config->training.r_drop};
    options->encoder.twice = options->loss.r_drop > 0;
    options->guided = config->training.guided_alignment;
}

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

/* The guides of all target rows: each row's links share a weight of 1. */
static const real *guide_rows(const struct pass *pass, const struct batch *batch, struct arena *arena)
{
    const size_t steps = pass->source.steps;
    real *guide = ARENA_ZERO(arena, pass->target.rows * steps, real);
    size_t *counts = ARENA_ZERO(arena, pass->target.rows, size_t);
    for (int normalizing = 0; normalizing < 2; normalizing++)
        for (size_t b = 0; b < batch->sents; b++)
            for (size_t i = 0; i < batch->guides[b].count; i++) {
                const struct link *link = &batch->guides[b].links[i];
                const size_t row = pass->target.first[(size_t)link->target] + pass->target.rank[b];
                if (normalizing)
                    guide[row * steps + (size_t)link->source] = (real)1 / (real)counts[row];
                else
                    counts[row]++;
            }
    return guide;
}

/* Every sentence twice, one after the other: as sentences of one length keep their order, so do their rows.
 */
static struct batch twice(const struct batch *batch, struct arena *arena)
{
    const size_t sents = 2 * batch->sents;
    struct sentence *source = ARENA_NEW(arena, sents, struct sentence),
                    *target = ARENA_NEW(arena, sents, struct sentence),
                    *inputs = batch->inputs ? ARENA_NEW(arena, sents, struct sentence) : NULL;
    struct guide *guides = batch->guides ? ARENA_NEW(arena, sents, struct guide) : NULL;
    for (size_t b = 0; b < sents; b++) {
        source[b] = batch->source[b / 2];
        target[b] = batch->target[b / 2];
        if (inputs)
            inputs[b] = batch->inputs[b / 2];
        if (guides)
            guides[b] = batch->guides[b / 2];
    }
    return (struct batch){source, target, sents, inputs, guides};
}

static void pass_init(struct pass *pass, const struct batch *batch, struct arena *arena)
{
    pass->source_ids = seq2seq_pack(&pass->source, batch->source, batch->sents, 0, 0, arena);
    pass->input_ids =
        seq2seq_pack(&pass->target, batch->inputs ? batch->inputs : batch->target, batch->sents, 1, 0, arena);
    pass->output_ids = seq2seq_pack(&pass->target, batch->target, batch->sents, 1, 1, arena);
    pass->source_rank = ARENA_NEW(arena, batch->sents, size_t);
    for (size_t r = 0; r < batch->sents; r++)
        pass->source_rank[r] = pass->source.rank[pass->target.order[r]];
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
                       enum pass_direction direction, struct arena *arena)
{
    weights->params = params;
    prepack_list_init(&weights->list, direction, arena);
    encoder_prepack(&weights->encoder, &model->encoder, params, &weights->list);
    if (direction == FORWARD)
        source_prepack(&weights->source, &model->decoder, params, &weights->list);
    decoder_prepack(&weights->decoder, &model->decoder, &model->readout, params, &weights->list);
}

/* Of all rows. */
static struct readout_inputs readout_inputs(const struct pass *pass)
{
    return (struct readout_inputs){.state = mat_const(pass->decoder.top),
                                   .context = mat_const(pass->decoder.context),
                                   .words = &pass->words,
                                   .y = pass->decoding.y};
}

struct pass *seq2seq_forward(const struct seq2seq *model, const struct pass_weights *weights,
                             const struct batch *batch, const struct pass_options *options,
                             struct arena *arena)
{
    const real *params = weights->params;
    struct pass *pass = ARENA_ZERO(arena, 1, struct pass);
    pass->model = model;
    pass->params = params;
    pass->options = *options;
    pass->arena = arena;
    struct batch twofold;
    pass->copies = options->loss.r_drop > 0 ? 2 : 1;
    if (pass->copies == 2) {
        twofold = twice(batch, arena);
        batch = &twofold;
    }
    pass_init(pass, batch, arena);
    const size_t rows = pass->target.rows, embedding = model->target.width;
    const size_t size = rows * embedding;
    encoder_acts_init(&pass->encoder, pass->source_ids, &model->encoder, &pass->source,
                      &pass->options.encoder, true, arena);
    decoder_source_init(&pass->at, &model->decoder, &pass->source, arena);
    encoder_forward(&pass->encoder, &weights->encoder, arena);
    decoder_source_forward(&pass->at, pass->encoder.annotations.data, &weights->source);
    unique_init(&pass->words, pass->input_ids, rows, model->target.vocabulary, pass->copies, arena);
    const struct mat y = mat_new(arena, pass->words.count, embedding);
    pass->y = y.data;
    embedding_forward(y, pass->words.ids, &model->target, params);
    dropout_words(y, &options->target_word);
    dropout_apply(y, &options->target_embedding);
    pass->decoding = (struct decoder_pass){.source = &pass->at,
                                           .target = &pass->target,
                                           .source_rank = pass->source_rank,
                                           .words = &pass->words,
                                           .y = const_mat_of(pass->y, pass->words.count, embedding),
                                           .options = &pass->options.decoder};
    decoder_forward(&pass->decoder, &pass->decoding, &weights->decoder, arena);
    pass->t = pass->decoder.readout.data;
    if (batch->guides && options->guided > 0)
        pass->decoder.attention.guide = guide_rows(pass, batch, arena);
    if (!pass->t) {
        pass->t = ARENA_NEW(arena, size, real);
        const struct readout_inputs inputs = readout_inputs(pass);
        readout_forward(mat_of(pass->t, rows, embedding), &inputs, &model->readout, params, arena);
    }
    pass->t_dropped = pass->t;
    if (options->readout.rate > 0) {
        pass->t_dropped = ARENA_NEW(arena, size, real);
        memcpy(pass->t_dropped, pass->t, size * sizeof(real));
        dropout_apply(mat_of(pass->t_dropped, rows, embedding), &options->readout);
    }
    return pass;
}

/* Of what hard attention drew: A_i = Σ_{k>=i} γ^{k-i} (l_k - b), times the scale of the loss; in place of the
 * losses. */
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
    const struct seq2seq *model = pass->model;
    const real *params = pass->params;
    const struct pass_options *options = &pass->options;
    struct arena *arena = pass->arena;
    arena_rewind(arena, pass->before_logits);
    const size_t rows = pass->target.rows;
    const struct decoder_grads grads = {
        .dstates = mat_zero(arena, rows, model->decoder.units),
        .dcontext = mat_zero(arena, rows, model->decoder.context),
        .dt = mat_of(pass->dt, rows, model->target.width),
        .dy = mat_zero(arena, pass->words.count, model->target.width),
        .dannotations = mat_zero(arena, pass->source.rows, encoder_width(&model->encoder))};
    grad_terms_begin(terms, arena);
    if (pass->losses)
        advantages(pass);
    dropout_apply(grads.dt, &options->readout); /* t_dropped = dropout(t) */
    if (!model->decoder.input_feeding) {
        const struct readout_inputs inputs = readout_inputs(pass);
        const struct readout_grads readout_grads = {grads.dstates, grads.dcontext, grads.dy};
        readout_backward(&readout_grads, terms, grads.dt, const_mat_of(pass->t, rows, model->target.width),
                         &inputs, &model->readout, params);
    }
    decoder_backward(&grads, terms, &pass->decoder, &pass->decoding, &weights->decoder);
    dropout_apply(grads.dy, &options->target_embedding); /* y = dropout(embedding(words)) */
    dropout_words(grads.dy, &options->target_word);
    embedding_backward(terms, mat_const(grads.dy), pass->words.ids, &model->target);
    encoder_backward(terms, grads.dannotations, &pass->encoder, &weights->encoder);
}

size_t seq2seq_chunks(const struct pass *pass)
{
    return output_chunks(pass->target.rows);
}

/* For one chunk: [rows][V]. */
static real *new_logits(struct pass *pass)
{
    const size_t rows = pass->target.rows, most = rows < OUTPUT_CHUNK_ROWS ? rows : OUTPUT_CHUNK_ROWS;
    return ARENA_NEW(pass->arena, most * pass->model->target_vocabulary, real);
}

static void add_guided_loss(struct loss *loss, struct pass *pass)
{
    const double weight = pass->options.guided / (double)pass->copies;
    pass->decoder.attention.guide_scale = pass->scale * (real)weight;
    loss->sums.loss +=
        weight * attention_guided_loss(&pass->decoder.attention, &pass->model->decoder.attention,
                                       &pass->source, pass->target.rows);
}

void seq2seq_begin_output(struct loss *loss, struct pass *pass, real scale, bool backward)
{
    const struct seq2seq *model = pass->model;
    struct arena *arena = pass->arena;
    const size_t rows = pass->target.rows;
    pass->scale = scale;
    pass->dt = backward ? ARENA_ZERO(arena, rows * model->target.width, real) : NULL;
    pass->losses = attention_is_hard(&model->decoder.attention) ? ARENA_NEW(arena, rows, real) : NULL;
    pass->before_logits = arena_mark(arena);
    pass->logits[0] = new_logits(pass);
    pass->logits[1] = backward && seq2seq_chunks(pass) > 1 ? new_logits(pass) : pass->logits[0];
    pass->difference = pass->copies == 2 ? ARENA_NEW(arena, model->target_vocabulary, real) : NULL;
    pass->options.decoder.attention.scale = scale / (real)pass->copies;
    loss->target_tokens += (long)(rows / pass->copies);
    loss->source_tokens += (long)(pass->source.rows / pass->copies);
    if (pass->decoder.attention.guide)
        add_guided_loss(loss, pass);
}

/* logits = E_out t + b_out of a chunk of rows, in `space`. */
static struct mat chunk_logits(real *space, real *t, const struct pass *pass, size_t chunk)
{
    const struct linear *output = &pass->model->readout.output;
    const struct mat rows = output_chunk(mat_of(t, pass->target.rows, output->inputs), chunk);
    const struct mat logits = mat_of(space, rows.rows, output->outputs);
    linear_forward(logits, mat_const(rows), output, pass->params, false);
    return logits;
}

/* The loss of a chunk; with terms also what it adds to dt, and its terms, which point into the logits. */
static void chunk_loss(struct loss *loss, struct grad_terms *terms, struct pass *pass, size_t chunk)
{
    const struct linear *output = &pass->model->readout.output;
    const size_t first = chunk * OUTPUT_CHUNK_ROWS, rows = pass->target.rows;
    const struct mat logits = chunk_logits(pass->logits[chunk % 2], pass->t_dropped, pass, chunk);
    xent_forward_backward(&loss->sums, pass->losses ? pass->losses + first : NULL, logits,
                          pass->output_ids + first, &pass->options.loss, pass->scale, pass->difference);
    if (terms) /* logits = E_out t + b_out */
        linear_backward(output_chunk(mat_of(pass->dt, rows, output->inputs), chunk), terms, mat_const(logits),
                        mat_const(output_chunk(mat_of(pass->t_dropped, rows, output->inputs), chunk)), output,
                        pass->params);
}

void seq2seq_output(struct loss *loss, struct grad_terms *terms, struct pass *pass, size_t chunk)
{
    assert(pass->logits[0] && (!terms || pass->dt));
    if (terms)
        grad_terms_begin(terms, pass->arena);
    if (chunk < seq2seq_chunks(pass))
        chunk_loss(loss, terms, pass, chunk);
}

void seq2seq_scores(real *scores, size_t ld, struct pass *pass)
{
    const struct packed_seq *target = &pass->target;
    real *space = new_logits(pass), *by_row = ARENA_NEW(pass->arena, target->rows, real);
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
    const size_t has = pass->model->decoder.attention.choice.heads, steps = pass->at.positions.seq->steps;
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

void seq2seq_loss(struct loss *loss, real *grads, const struct seq2seq *model, const real *params,
                  const struct batch *batch, const struct pass_options *options, real scale,
                  struct arena *arena)
{
    struct grad_terms *terms = grads ? ARENA_NEW(arena, 1, struct grad_terms) : NULL;
    struct pass_weights weights, back;
    pass_weights_init(&weights, model, params, FORWARD, arena);
    prepack_list_fill(&weights.list, 0, 1);
    struct pass *pass = seq2seq_forward(model, &weights, batch, options, arena);
    if (grads) { /* before the logits, whose place is given back */
        pass_weights_init(&back, model, params, BACKWARD, arena);
        prepack_list_fill(&back.list, 0, 1);
    }
    seq2seq_begin_output(loss, pass, scale, grads != NULL);
    for (size_t chunk = 0; chunk < seq2seq_chunks(pass); chunk++) {
        seq2seq_output(loss, terms, pass, chunk);
        if (grads)
            grad_terms_add_all(grads, terms);
    }
    if (grads) {
        seq2seq_backward(terms, pass, &back);
        grad_terms_add_all(grads, terms);
    }
}

const real *seq2seq_logits(struct packed_seq *target, const struct seq2seq *model, const real *params,
                           const struct batch *batch, struct arena *arena)
{
    struct pass_options none;
    struct pass_weights weights;
    pass_options_none(&none);
    pass_weights_init(&weights, model, params, FORWARD, arena);
    prepack_list_fill(&weights.list, 0, 1);
    const struct pass *pass = seq2seq_forward(model, &weights, batch, &none, arena);
    *target = pass->target;
    real *logits = ARENA_NEW(arena, target->rows * model->target_vocabulary, real);
    linear_forward(mat_of(logits, target->rows, model->readout.output.outputs),
                   const_mat_ld(pass->t, target->rows, model->readout.output.inputs, model->target.width),
                   &model->readout.output, params, false);
    return logits;
}

double pass_weights_bytes(const struct seq2seq *model)
{
    /* All weights but the tables; panels of which the last is not full. */
    const struct embedding *source = &model->source, *target = &model->target;
    double reals = (double)model->layout.total - (double)(source->vocabulary * source->width);
    if (target->weight != source->weight)
        reals -= (double)(target->vocabulary * target->width);
    if (model->readout.output.weight != target->weight)
        reals -= (double)(target->vocabulary * target->width);
    return 1.1 * reals * (double)sizeof(real);
}

double seq2seq_acts_bytes(const struct seq2seq *model, size_t sents, size_t source_length,
                          size_t target_length)
{
    const struct encoder *encoder = &model->encoder;
    const struct decoder *decoder = &model->decoder;
    const struct attention *attention = &decoder->attention;
    const double e = (double)model->target.width, k = (double)encoder_width(encoder),
                 d = (double)decoder->units, c = (double)decoder->context,
                 v = (double)model->target_vocabulary;
    /* Per token, as allocated above, by the forward pass and then by the backward pass. */
    const double per_source = 2 * e + (attention->choice.heads > 1 ? 5 : 3) * k +
                              (double)encoder->directions * rnn_acts_per_row(&encoder->rnn[0]) +
                              stack_acts_per_row(&encoder->stack) + (double)encoder->stack.count * k +
                              (double)(2 * attention->units);
    const double per_target =
        7 * e + 4 * d + 2 * c + attention_acts_per_row(attention, (double)source_length) +
        (decoder_has_context_cell(decoder) ? cell_acts_per_row(&decoder->context_cell) : 0) +
        (decoder_has_query_cell(decoder) ? cell_acts_per_row(&decoder->query_cell) : 0) +
        deep_acts_per_row(&decoder->deep) + stack_acts_per_row(&decoder->stack) +
        (double)decoder->stack.count * d;
    const double rows = (double)(sents * target_length);
    const double logits = (rows < 2 * OUTPUT_CHUNK_ROWS ? rows : 2 * OUTPUT_CHUNK_ROWS) * v + rows;
    const double reals = (double)sents * ((double)source_length * per_source +
                                          (double)target_length * per_target + 8 * d + 2 * k) +
                         logits;
    return 1.2 * reals * (double)sizeof(real);
}

#include "stepper.h"

#include "vecmath.h"

#include <string.h>

/* [heads]: the columns of w [n][ld] that belong to each head. */
static struct prepacked *prepack_parts(const real *w, size_t ld, size_t n, const struct decoder *decoder,
                                       struct prepack_list *list)
{
    const size_t heads = decoder->attention.choice.heads, width = decoder->context / heads;
    struct prepacked *parts = ARENA_NEW(list->arena, heads, struct prepacked);
    for (size_t head = 0; head < heads; head++)
        prepack(&parts[head], const_mat_ld(w + head * width, n, width, ld), list);
    return parts;
}

/* What a training pass does not multiply with, or not step by step. */
static void prepack_rest(struct step_weights *weights, struct prepack_list *list)
{
    const struct readout *readout = &weights->model->readout;
    if (readout->reads_word)
        linear_prepack(&weights->readout_word, &readout->embedding, weights->params, list);
    readout_prepack(&weights->readout, readout, weights->params, list);
    linear_prepack(&weights->output, &readout->output, weights->params, list);
}

/* With several heads: the same weights once more, cut into the columns of each head. */
static void prepack_heads(struct step_weights *weights, struct prepack_list *list)
{
    const struct decoder *decoder = &weights->model->decoder;
    const struct readout *readout = &weights->model->readout;
    const struct cell *context_cell = &decoder->context_cell;
    const real *params = weights->params;
    if (decoder->attention.choice.heads == 1)
        return;
    if (decoder_has_context_cell(decoder))
        weights->context_parts =
            prepack_parts(params + context_cell->weight_ih + context_cell->inputs - decoder->context,
                          context_cell->inputs, cell_width(context_cell), decoder, list);
    weights->readout_parts = prepack_parts(params + readout->context.weight, readout->context.inputs,
                                           readout->context.outputs, decoder, list);
}

/* How many numbers of a parameter are in panels. */
static size_t prepacked_numbers(const struct param *param, const real *params,
                                const struct prepack_list *list)
{
    size_t numbers = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct prepacked *prepacked = list->all[i];
        const ptrdiff_t at = prepacked->weights.data - params;
        if (prepacked->panels && at >= (ptrdiff_t)param->offset &&
            at < (ptrdiff_t)(param->offset + param_size(param)))
            numbers += prepacked->n * prepacked->k;
    }
    return numbers;
}

/* Parameters of which only the prepacked copy is read. Embeddings are looked up in the tables themselves. */
static void find_unread(struct step_weights *weights, const struct prepack_list *list, struct arena *arena)
{
    const struct seq2seq *model = weights->model;
    weights->unread = ARENA_NEW(arena, model->layout.count, bool);
    for (size_t i = 0; i < model->layout.count; i++) {
        const struct param *param = &model->layout.params[i];
        weights->unread[i] = param->offset != model->source.weight && param->offset != model->target.weight &&
                             prepacked_numbers(param, weights->params, list) == param_size(param);
    }
}

void step_weights_init(struct step_weights *weights, const struct seq2seq *model, const real *params,
                       struct arena *arena)
{
    struct prepack_list list;
    *weights = (struct step_weights){.model = model, .params = params};
    prepack_list_init(&list, FORWARD, arena);
    encoder_prepack(&weights->encoder, &model->encoder, params, &list);
    source_prepack(&weights->source, &model->decoder, params, &list);
    decoder_prepack(&weights->decoder, &model->decoder, &model->readout, params, &list);
    prepack_rest(weights, &list);
    find_unread(weights, &list, arena);
    prepack_heads(weights, &list);
    prepack_list_fill(&list, 0, 1);
}

void step_weights_from_pass(struct step_weights *weights, const struct seq2seq *model,
                            const struct pass_weights *pass, struct arena *arena)
{
    struct prepack_list list;
    *weights = (struct step_weights){.model = model,
                                     .params = pass->params,
                                     .encoder = pass->encoder,
                                     .source = pass->source,
                                     .decoder = pass->decoder};
    prepack_list_init(&list, FORWARD, arena);
    prepack_rest(weights, &list);
    prepack_heads(weights, &list);
    prepack_list_fill(&list, 0, 1);
}

/* ---- the source ---- */

/* Of a position's products, those of the gates of the cell that reads contexts. */
static size_t gate_products(const struct decoder *decoder)
{
    return decoder_has_context_cell(decoder) ? cell_width(&decoder->context_cell) : 0;
}

/* P */
static size_t products_width(const struct stepper *stepper)
{
    return gate_products(&stepper->weights->model->decoder) + stepper->weights->model->target.width;
}

/* products [positions][heads][P] = what each position's value adds to gates and readout. */
static void multiply_values(struct stepper *stepper)
{
    const struct step_weights *weights = stepper->weights;
    const struct decoder *decoder = &weights->model->decoder;
    const struct attention_source *positions = &stepper->at.positions;
    const struct attention_values values = attention_context_values(positions, &decoder->attention);
    const size_t gates = gate_products(decoder), product = products_width(stepper),
                 heads = decoder->attention.choice.heads, rows = positions->seq->rows;
    const struct mat products = mat_of(stepper->products, rows, heads * product);
    for (size_t head = 0; head < heads; head++) {
        const struct const_mat value = const_mat_cols(values.rows, head * values.stride, values.width);
        const struct prepacked *readout =
            heads > 1 ? &weights->readout_parts[head] : &weights->readout.context;
        if (gates)
            prepacked_product(mat_cols(products, head * product, gates), value,
                              heads > 1 ? &weights->context_parts[head] : &weights->decoder.context, false);
        prepacked_product(mat_cols(products, head * product + gates, product - gates), value, readout, false);
    }
}

static void encoder_init(struct encoder_acts *acts, const struct stepper *stepper,
                         const struct encoder_options *options, struct arena *arena)
{
    encoder_acts_init(acts, &stepper->weights->model->encoder, &stepper->source, options, false, arena);
}

/* Keys, first states and products of the source. Everything else is given back. */
static void encode(struct stepper *stepper, const int *ids)
{
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    const struct arena_mark mark = arena_mark(stepper->arena);
    struct pass_options none;
    struct encoder_acts acts;
    pass_options_none(&none);
    encoder_words_init(&acts, ids, &model->encoder, stepper->source.rows, &none.encoder, stepper->arena);
    encoder_init(&acts, stepper, &none.encoder, stepper->arena);
    encoder_forward(&acts, &weights->encoder);                                     /* h_j */
    decoder_source_forward(&stepper->at, acts.annotations.data, &weights->source); /* s_0, keys and values */
    multiply_values(stepper);
    arena_rewind(stepper->arena, mark);
    stepper->at.positions.annotations = stepper->at.positions.values = NULL;
}

/* ---- states ---- */

/* L: of one layer: h and, of an LSTM, c. */
static size_t layer_width(const struct decoder *decoder)
{
    return (decoder->gates->has_c ? 2 : 1) * decoder->units;
}

/* Where the readout stands in a state, with input feeding. */
static size_t fed_at(const struct decoder *decoder)
{
    return (decoder->stack.count + 1) * layer_width(decoder);
}

/* And the coverage. */
static size_t coverage_at(const struct decoder *decoder)
{
    return fed_at(decoder) + (decoder->input_feeding ? decoder->embedding : 0);
}

size_t stepper_state_width(const struct stepper *stepper)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    return coverage_at(decoder) +
           (attention_has_coverage(&decoder->attention) ? stepper->at.positions.seq->steps : 0);
}

void stepper_start(real *state, const struct stepper *stepper, size_t rank)
{
    const size_t d = stepper->weights->model->decoder.units;
    /* Memory, layers above, readout and coverage begin with 0. */
    memset(state, 0, stepper_state_width(stepper) * sizeof *state);
    memcpy(state, stepper->at.start + rank * d, d * sizeof *state);
}

/* The rows of a layer's states that begin at `states`. */
static struct cell_state state_at(real *states, size_t ld, size_t rows, const struct decoder *decoder)
{
    const struct mat h = mat_ld(states, rows, decoder->units, ld);
    return (struct cell_state){h, decoder->gates->has_c
                                      ? mat_ld(states + decoder->units, rows, decoder->units, ld)
                                      : (struct mat){0}};
}

/* to [rows][width] = each row's state, from [states][width, ld] */
static void gather_states(real *to, const real *from, size_t ld, size_t width, const struct unique *unique)
{
    for (size_t i = 0; i < unique->rows; i++)
        memcpy(to + i * width, from + unique->index[i] * ld, width * sizeof *to);
}

/* ---- memory ---- */

/* Everything that ids and lengths say; returns the ids, packed. */
static int *pack(struct stepper *stepper, const struct sentence *sentences, size_t sents, size_t max_rows,
                 struct arena *arena)
{
    int *ids = seq2seq_pack(&stepper->source, sentences, sents, 0, 0, arena);
    decoder_source_pack(&stepper->at, &stepper->weights->model->decoder, &stepper->source, arena);
    stepper->query_source_rank = ARENA_NEW(arena, max_rows, size_t);
    stepper->each.index = ARENA_NEW(arena, max_rows, size_t);
    for (size_t i = 0; i < max_rows; i++)
        stepper->each.index[i] = i;
    return ids;
}

/* What stays of the source. */
static void source_init(struct stepper *stepper, struct arena *arena)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    decoder_source_init(&stepper->at, decoder, arena);
    stepper->products = ARENA_NEW(
        arena, stepper->at.positions.seq->rows * decoder->attention.choice.heads * products_width(stepper),
        real);
}

static void cells_init(struct stepper *stepper, size_t rows, struct arena *arena)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const struct cell_dims dims = {.rows = rows};
    struct cell_dims first = dims;
    first.words = decoder_word_cell(decoder) ? rows : 0;
    first.words_alone = decoder_reads_words_alone(decoder);
    if (decoder_has_query_cell(decoder))
        cell_acts_init(&stepper->query_cell, &decoder->query_cell, &first, NULL, arena);
    if (decoder_has_query_cell(decoder) && decoder_has_context_cell(decoder))
        stepper->query_states = ARENA_NEW(arena, rows * layer_width(decoder), real);
    if (decoder_has_context_cell(decoder))
        cell_acts_init(&stepper->context_cell, &decoder->context_cell,
                       decoder_has_query_cell(decoder) ? &dims : &first, NULL, arena);
    deep_acts_init(&stepper->deep, &decoder->deep, &dims, arena);
    if (decoder->stack.count) {
        cell_acts_init(&stepper->upper, &decoder->stack.rnns[0][0].cell, &dims, NULL, arena);
        stepper->top = ARENA_NEW(arena, rows * decoder->units, real);
    }
}

static void steps_init(struct stepper *stepper, size_t rows, struct arena *arena)
{
    const struct seq2seq *model = stepper->weights->model;
    const size_t e = model->target.width, gates = cell_width(decoder_first_cell(&model->decoder));
    stepper->y = ARENA_NEW(arena, rows * e, real);
    stepper->sums = ARENA_NEW(arena, rows * products_width(stepper), real);
    stepper->shared = ARENA_NEW(arena, rows * (gates > e ? gates : e), real);
    cells_init(stepper, rows, arena);
    attention_acts_init(&stepper->attention, &model->decoder.attention, rows, stepper->at.positions.seq, NULL,
                        arena);
    stepper->t = ARENA_NEW(arena, rows * e, real);
}

void stepper_init(struct stepper *stepper, const struct step_weights *weights,
                  const struct sentence *sentences, size_t sents, size_t max_rows, struct arena *arena)
{
    *stepper = (struct stepper){.weights = weights, .arena = arena};
    const int *ids = pack(stepper, sentences, sents, max_rows, arena);
    source_init(stepper, arena);
    encode(stepper, ids);
    steps_init(stepper, max_rows, arena);
}

void stepper_count(struct stepper *stepper, const struct step_weights *weights,
                   const struct sentence *sentences, size_t sents, size_t max_rows, struct arena *arena,
                   struct arena *counting)
{
    const struct seq2seq *model = weights->model;
    struct pass_options none;
    struct encoder_acts acts;
    struct unique words;
    pass_options_none(&none);
    *stepper = (struct stepper){.weights = weights, .arena = arena};
    const int *ids = pack(stepper, sentences, sents, max_rows, arena);
    source_init(stepper, counting);
    const struct arena_mark mark = arena_mark(arena), counted = arena_mark(counting);
    encoder_words_init(&acts, ids, &model->encoder, stepper->source.rows, &none.encoder, arena);
    encoder_init(&acts, stepper, &none.encoder, counting);
    arena_rewind(arena, mark);
    arena_rewind(counting, counted);
    steps_init(stepper, max_rows, counting);
    unique_alloc(&words, max_rows, model->target.vocabulary, 1, counting); /* of read_words, in each step */
}

/* ---- a step ---- */

/* to [rows][width] += (or, without `add`, =) columns of the summed products from `from` on. */
static void take_products(real *to, const struct stepper *stepper, size_t from, size_t width,
                          const struct unique *unique, bool add)
{
    const size_t product = products_width(stepper);
    for (size_t i = 0; i < unique->rows; i++) {
        const real *sums = stepper->sums + unique->index[i] * product + from;
        if (add)
            vec_add(to + i * width, sums, width);
        else
            memcpy(to + i * width, sums, width * sizeof *to);
    }
}

/* next = cell(products, states [states][ld]); W_hh h is computed once for each state. */
static void transition(struct stepper *stepper, const struct cell_state *next, struct cell_acts *acts,
                       const struct cell_weights *weights, const real *states, size_t ld,
                       const struct unique *unique)
{
    const size_t units = weights->cell->units, width = cell_width(weights->cell), rows = unique->rows;
    prepacked_product(mat_ld(stepper->shared, unique->count, weights->plain_gates.n, width),
                      const_mat_ld(states, unique->count, weights->plain_gates.k, ld), &weights->plain_gates,
                      false);
    unique_spread(mat_rows(acts->hidden, 0, rows), const_mat_of(stepper->shared, unique->count, width),
                  unique, false);
    gather_states(acts->prev.h.data, states, ld, units, unique);
    if (acts->prev.c.data)
        gather_states(acts->prev.c.data, states + units, ld, units, unique);
    cell_step(next, acts, (struct cell_rows){0, rows, rows}, weights);
}

/* The embeddings of the previous words, and their products for the cell that reads them. */
static void read_words(struct stepper *stepper, struct unique *words, const struct step_input *input)
{
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    const struct cell *cell = decoder_word_cell(&model->decoder);
    unique_init(words, input->ids, input->unique->rows, model->target.vocabulary, 1, stepper->arena);
    embedding_forward(mat_of(stepper->y, words->count, model->target.width), words->ids, &model->target,
                      weights->params);
    if (cell)
        cell_words_forward(cell == &model->decoder.query_cell ? &stepper->query_cell : &stepper->context_cell,
                           words, const_mat_of(stepper->y, words->count, model->target.width),
                           &weights->decoder.word, decoder_word_weights(&weights->decoder));
}

/* The query cell: its states are in next_states where no context cell follows. */
static struct step_input query_step(struct stepper *stepper, real *next_states, size_t ld,
                                    const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const struct decoder_weights *weights = &stepper->weights->decoder;
    const size_t rows = input->unique->rows, gates = cell_width(&decoder->query_cell);
    const struct cell_state next = stepper->query_states
                                       ? state_at(stepper->query_states, layer_width(decoder), rows, decoder)
                                       : state_at(next_states, ld, rows, decoder);
    if (decoder->input_feeding) { /* products += W_it t_{i-1} */
        prepacked_product(
            mat_ld(stepper->shared, input->unique->count, weights->fed.n, gates),
            const_mat_ld(input->states + fed_at(decoder), input->unique->count, weights->fed.k, input->ld),
            &weights->fed, false);
        unique_spread(mat_rows(stepper->query_cell.products, 0, rows),
                      const_mat_of(stepper->shared, input->unique->count, gates), input->unique, true);
    }
    transition(stepper, &next, &stepper->query_cell, &weights->query_cell, input->states, input->ld,
               input->unique);
    if (!stepper->query_states)
        deep_forward(&next, &stepper->deep, (struct cell_rows){0, rows, rows}, &weights->deep);
    for (size_t i = 0; i < rows; i++)
        stepper->query_source_rank[i] = input->source_rank[input->unique->index[i]];
    stepper->each.rows = stepper->each.count = rows;
    return (struct step_input){input->ids, &stepper->each, next.h.data, next.h.ld, stepper->query_source_rank,
                               input->step};
}

/* The context cell. */
static void context_step(struct stepper *stepper, real *next_states, size_t ld,
                         const struct step_input *asking)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const struct decoder_weights *weights = &stepper->weights->decoder;
    const size_t rows = asking->unique->rows;
    const struct cell_state next = state_at(next_states, ld, rows, decoder);
    take_products(stepper->context_cell.products.data, stepper, 0, cell_width(&decoder->context_cell),
                  asking->unique, decoder->feed->context_cell_reads & READS_WORD); /* W_ic c */
    transition(stepper, &next, &stepper->context_cell, &weights->context_cell, asking->states, asking->ld,
               asking->unique);
    deep_forward(&next, &stepper->deep, (struct cell_rows){0, rows, rows}, &weights->deep);
}

/* The layers above the first: their part of next_states, and stepper->top, the sum of all layers. */
static void upper_layers(struct stepper *stepper, real *next_states, size_t ld,
                         const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const size_t units = decoder->units, layer = layer_width(decoder), rows = input->unique->rows;
    const size_t u = units;
    mat_copy(mat_of(stepper->top, rows, units), const_mat_ld(next_states, rows, units, ld));
    for (size_t l = 0; l < decoder->stack.count; l++) {
        const struct rnn_weights *weights = &stepper->weights->decoder.stack.rnns[l][0];
        const struct cell_state next = state_at(next_states + (l + 1) * layer, ld, rows, decoder);
        prepacked_product(mat_rows(stepper->upper.products, 0, rows),
                          const_mat_ld(stepper->top, rows, weights->ih.k, units), &weights->ih, false);
        transition(stepper, &next, &stepper->upper, &weights->cell, input->states + (l + 1) * layer,
                   input->ld, input->unique);
        deep_forward(&next, &stepper->deep, (struct cell_rows){0, rows, rows}, &weights->deep);
        for (size_t i = 0; i < rows; i++)
            vec_add(stepper->top + i * u, mat_row(next.h, i), u);
    }
}

/* t = tanh(W_s s + W_y y + W_c c + b) */
static void read_out(struct stepper *stepper, const real *top, size_t ld, const struct unique *words,
                     const struct unique *unique)
{
    const struct step_weights *weights = stepper->weights;
    const struct readout *readout = &weights->model->readout;
    const size_t e = weights->model->target.width;
    linear_forward_prepacked(mat_of(stepper->t, unique->rows, readout->state.outputs),
                             const_mat_ld(top, unique->rows, readout->state.inputs, ld), &readout->state,
                             &weights->readout.state, weights->params);
    if (readout->reads_word) {
        prepacked_product(mat_ld(stepper->shared, words->count, weights->readout_word.n, e),
                          const_mat_ld(stepper->y, words->count, weights->readout_word.k, e),
                          &weights->readout_word, false);
        unique_spread(mat_of(stepper->t, words->rows, e), const_mat_of(stepper->shared, words->count, e),
                      words, true);
    }
    take_products(stepper->t, stepper, gate_products(&weights->model->decoder), e, unique, true);
    vec_tanh(stepper->t, stepper->t, unique->rows * e);
}

/* The coverage before the step, for each query. */
static void take_coverage(struct stepper *stepper, const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const size_t steps = stepper->at.positions.seq->steps;
    const real *coverage = input->states + coverage_at(decoder);
    if (decoder_has_query_cell(decoder)) /* each row asks */
        gather_states(stepper->attention.coverage, coverage, input->ld, steps, input->unique);
    else
        mat_copy(mat_of(stepper->attention.coverage, input->unique->count, steps),
                 const_mat_ld(coverage, input->unique->count, steps, input->ld));
}

/* The coverage after the step, for each row. */
static void give_coverage(const struct stepper *stepper, real *next_states, size_t ld,
                          const struct step_input *asking)
{
    const size_t steps = stepper->at.positions.seq->steps;
    for (size_t i = 0; i < asking->unique->rows; i++) {
        const size_t state = asking->unique->index[i];
        attention_cover(next_states + i * ld + coverage_at(&stepper->weights->model->decoder),
                        stepper->attention.coverage + state * steps, stepper->attention.alpha + state * steps,
                        asking->source_rank[state], &stepper->at.positions);
    }
}

void stepper_step(struct stepper *stepper, real *next_states, real *alpha, const struct step_input *input)
{
    const struct step_weights *weights = stepper->weights;
    const struct decoder *decoder = &weights->model->decoder;
    const size_t ld = stepper_state_width(stepper), product = products_width(stepper),
                 heads = decoder->attention.choice.heads, e = decoder->embedding;
    const struct attention_values values = {
        const_mat_of(stepper->products, stepper->at.positions.seq->rows, heads * product), heads, product,
        product, true};
    struct unique words;
    struct step_input asking = *input;
    const struct arena_mark mark = arena_mark(stepper->arena);

    read_words(stepper, &words, input);
    if (decoder_has_query_cell(decoder))
        asking = query_step(stepper, next_states, ld, input);
    stepper->attention.alpha = alpha;
    if (attention_has_coverage(&decoder->attention))
        take_coverage(stepper, input);
    const struct attention_step step = {input->step, 0, asking.unique->count, asking.source_rank,
                                        &stepper->at.positions};
    attention_forward(&stepper->attention, const_mat_ld(asking.states, step.rows, decoder->units, asking.ld),
                      &step, &weights->decoder.attention);
    attention_sum(mat_of(stepper->sums, step.rows, product), alpha, &values, &step);
    if (decoder_has_context_cell(decoder))
        context_step(stepper, next_states, ld, &asking);
    if (decoder->stack.count)
        upper_layers(stepper, next_states, ld, input);
    read_out(stepper, decoder->stack.count ? stepper->top : next_states,
             decoder->stack.count ? decoder->units : ld, &words, asking.unique);
    if (decoder->input_feeding)
        mat_copy(mat_ld(next_states + fed_at(decoder), input->unique->rows, e, ld),
                 const_mat_of(stepper->t, input->unique->rows, e));
    if (attention_has_coverage(&decoder->attention))
        give_coverage(stepper, next_states, ld, &asking);
    arena_rewind(stepper->arena, mark);
}

size_t stepper_alpha_width(const struct stepper *stepper)
{
    return stepper->weights->model->decoder.attention.choice.heads * stepper->at.positions.seq->steps;
}

/* [heads][steps]: a row's attention; rows of one state may share theirs. */
static const real *alpha_of_row(const struct stepper *stepper, const real *alpha,
                                const struct step_input *input, size_t row)
{
    const size_t shared =
        decoder_has_query_cell(&stepper->weights->model->decoder) ? row : input->unique->index[row];
    return alpha + shared * stepper_alpha_width(stepper);
}

void stepper_add_attention(real *sum, real weight, const struct stepper *stepper, const real *alpha,
                           const struct step_input *input, size_t row, size_t source_length)
{
    const struct attention *attention = &stepper->weights->model->decoder.attention;
    const size_t heads = attention->choice.heads, steps = stepper->at.positions.seq->steps;
    if (!attention_has_score(attention))
        return;
    const real *own = alpha_of_row(stepper, alpha, input, row);
    for (size_t head = 0; head < heads; head++)
        vec_axpy(sum, weight / (real)heads, own + head * steps, source_length);
}

void stepper_head_attention(real *weights, const struct stepper *stepper, const real *alpha,
                            const struct step_input *input, size_t row, size_t source_length)
{
    const size_t heads = stepper->weights->model->decoder.attention.choice.heads;
    mat_copy(mat_of(weights, heads, source_length),
             const_mat_ld(alpha_of_row(stepper, alpha, input, row), heads, source_length,
                          stepper->at.positions.seq->steps));
}

void stepper_logits(const struct stepper *stepper, real *logits, size_t first, size_t rows)
{
    const struct step_weights *weights = stepper->weights;
    const struct linear *output = &weights->model->readout.output;
    linear_forward_prepacked(mat_of(logits, rows, output->outputs),
                             const_mat_of(stepper->t + first * output->inputs, rows, output->inputs), output,
                             &weights->output, weights->params);
}

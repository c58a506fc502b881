/* The steps of the network at translation time. Their weights are in step_weights.c, the equations in
 * decoder.h and readout.h; the next words are chosen by the search. */
#include "stepper.h"

#include "err.h"
#include "vecmath.h"

#include <string.h>

/* ---- the source ---- */

/* The part of P for the gates of the cell that reads contexts. */
static size_t gate_products(const struct decoder *decoder)
{
    return decoder_has_context_cell(decoder) ? cell_width(&decoder->context_cell) : 0;
}

/* P */
static size_t products_width(const struct stepper *stepper)
{
    return gate_products(&stepper->weights->model->decoder) + stepper->weights->model->target.width;
}

/* products [positions][heads][P] = each position's value times the context weights of gates and readout. */
static void multiply_values(struct stepper *stepper)
{
    const struct step_weights *weights = stepper->weights;
    const struct decoder *decoder = &weights->model->decoder;
    const struct attention_source *positions = &stepper->decoder_source.positions;
    const struct attention_values values = attention_context_values(positions, &decoder->attention);
    const size_t gates = gate_products(decoder), product = products_width(stepper),
                 heads = decoder->attention.choice.heads;
    const struct mat products = stepper->products;
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

/* Computes keys, first states and products of the source. Temporary memory is released. */
static void encode(struct stepper *stepper, const int *ids)
{
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    const struct arena_mark mark = arena_mark(stepper->arena);
    struct pass_options none;
    struct encoder_acts acts;
    pass_options_none(&none);
    encoder_words_init(&acts, ids, &model->encoder, stepper->source.rows, stepper->arena);
    encoder_init(&acts, stepper, &none.encoder, stepper->arena);
    encoder_forward(&acts, &weights->encoder); /* h_j */
    decoder_source_forward(&stepper->decoder_source, mat_const(acts.annotations),
                           &weights->source); /* s_0, keys and values */
    multiply_values(stepper);
    arena_rewind(stepper->arena, mark);
    stepper->decoder_source.positions.annotations = stepper->decoder_source.positions.values =
        (struct const_mat){0};
}

/* ---- states ---- */

/* L: numbers of one layer: h and, for an LSTM, c. */
static size_t layer_width(const struct decoder *decoder)
{
    return (decoder->gates->has_c ? 2 : 1) * decoder->units;
}

/* The offset of the readout in a state, with input feeding. */
static size_t fed_at(const struct decoder *decoder)
{
    return (decoder->stack.count + 1) * layer_width(decoder);
}

/* The offset of the coverage in a state. */
static size_t coverage_at(const struct decoder *decoder)
{
    return fed_at(decoder) + (decoder->input_feeding ? decoder->embedding : 0);
}

size_t stepper_state_width(const struct stepper *stepper)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    return coverage_at(decoder) +
           (attention_has_coverage(&decoder->attention) ? stepper->decoder_source.positions.seq->steps : 0);
}

void stepper_start(real *state, const struct stepper *stepper, size_t rank)
{
    const size_t d = stepper->weights->model->decoder.units;
    /* c, layers above, readout and coverage start at 0. */
    memset(state, 0, stepper_state_width(stepper) * sizeof *state);
    memcpy(state, mat_row(stepper->decoder_source.start, rank), d * sizeof *state);
}

/* The states of layer `layer` in rows of states [][Z]. */
static struct cell_state layer_states(struct mat states, size_t layer, const struct decoder *decoder)
{
    const size_t first = layer * layer_width(decoder), units = decoder->units;
    return (struct cell_state){mat_cols(states, first, units), decoder->gates->has_c
                                                                   ? mat_cols(states, first + units, units)
                                                                   : (struct mat){0}};
}

/* The same for previous states: [][L]. */
static struct const_mat layer_input(const struct step_input *input, size_t layer,
                                    const struct decoder *decoder)
{
    return const_mat_cols(input->states, layer * layer_width(decoder), layer_width(decoder));
}

/* ---- memory ---- */

/* Sets what depends on ids and lengths alone; returns the packed ids. */
static int *pack(struct stepper *stepper, const struct sentence *sentences, size_t sents, size_t max_rows,
                 struct arena *arena)
{
    int *ids = seq2seq_pack(&stepper->source, sentences, sents, 0, 0, arena);
    decoder_source_pack(&stepper->decoder_source, &stepper->weights->model->decoder, &stepper->source, arena);
    stepper->query_source_rank = ARENA_NEW(arena, max_rows, size_t);
    stepper->each.index = ARENA_NEW(arena, max_rows, size_t);
    for (size_t i = 0; i < max_rows; i++)
        stepper->each.index[i] = i;
    return ids;
}

/* Allocates what the steps need of the source. */
static void source_init(struct stepper *stepper, struct arena *arena)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    struct decoder_source *source = &stepper->decoder_source;
    decoder_source_init(source, decoder, arena);
    stepper->products = mat_new(arena, source->positions.seq->rows,
                                decoder->attention.choice.heads * products_width(stepper));
}

/* Those of the cell that reads words, if one does. */
static struct cell_acts *word_cell_acts(struct stepper *stepper)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    return decoder_word_cell(decoder) == &decoder->query_cell ? &stepper->query_cell : &stepper->context_cell;
}

/* Cells take turns in a step, so they share their memory, but for the products of the inputs. */
static void cells_init(struct stepper *stepper, size_t rows, struct arena *arena)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    struct cell_dims first = {.rows = rows}, next = first;
    first.words = decoder_word_cell(decoder) ? rows : 0;
    first.words_alone = decoder_reads_words_alone(decoder);
    next.done = decoder_has_query_cell(decoder) ? &stepper->query_cell : &stepper->context_cell;
    struct cell_dims context = next;
    if (decoder_has_query_cell(decoder))
        cell_acts_init(&stepper->query_cell, &decoder->query_cell, &first, NULL, arena);
    if (decoder_has_query_cell(decoder) && decoder_has_context_cell(decoder))
        stepper->query_states = mat_new(arena, rows, layer_width(decoder));
    if (!(decoder->feed->context_cell_reads & READS_WORD)) /* the sums alone, one of each row */
        context.products = mat_cols(stepper->sums, 0, gate_products(decoder));
    if (decoder_has_context_cell(decoder))
        cell_acts_init(&stepper->context_cell, &decoder->context_cell,
                       decoder_has_query_cell(decoder) ? &context : &first, NULL, arena);
    deep_acts_init(&stepper->deep, &decoder->deep, &next, arena);
    if (decoder->stack.count) {
        cell_acts_init(&stepper->upper, &decoder->stack.rnns[0][0].cell, &next, NULL, arena);
        stepper->top = mat_new(arena, rows, decoder->units);
    }
}

static void steps_init(struct stepper *stepper, size_t rows, struct arena *arena)
{
    const struct seq2seq *model = stepper->weights->model;
    const size_t e = model->target.width, gates = cell_width(decoder_first_cell(&model->decoder));
    stepper->y = mat_new(arena, rows, e);
    stepper->sums = mat_new(arena, rows, products_width(stepper));
    unique_alloc(&stepper->words, rows, model->target.vocabulary, arena);
    cells_init(stepper, rows, arena);
    stepper->shared = decoder_word_cell(&model->decoder) && gates >= e /* done with once they are spread */
                          ? word_cell_acts(stepper)->word_products.data
                          : ARENA_NEW(arena, rows * (gates > e ? gates : e), real);
    attention_acts_init(&stepper->attention, &model->decoder.attention, rows,
                        stepper->decoder_source.positions.seq, NULL, arena);
    stepper->t = mat_new(arena, rows, e);
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
    pass_options_none(&none);
    *stepper = (struct stepper){.weights = weights, .arena = arena};
    const int *ids = pack(stepper, sentences, sents, max_rows, arena);
    source_init(stepper, counting);
    const struct arena_mark mark = arena_mark(arena), counted = arena_mark(counting);
    encoder_words_init(&acts, ids, &model->encoder, stepper->source.rows, arena);
    encoder_init(&acts, stepper, &none.encoder, counting);
    arena_rewind(arena, mark);
    arena_rewind(counting, counted);
    steps_init(stepper, max_rows, counting);
}

/* ---- a step ---- */

/* The first rows of scratch that is computed once per distinct state or word. */
static struct mat shared_rows(const struct stepper *stepper, size_t rows, size_t cols)
{
    return mat_of(stepper->shared, rows, cols);
}

/* Columns of the summed products from `first` on, for each query. */
static struct const_mat summed_products(const struct stepper *stepper, size_t queries, size_t first,
                                        size_t cols)
{
    return mat_const(mat_cols(mat_rows(stepper->sums, 0, queries), first, cols));
}

/* next = cell(products, previous states [states][L]); W_hh h is computed once for each state, in place where
 * each row has its own. */
static void transition(struct stepper *stepper, const struct cell_state *next, struct cell_acts *acts,
                       const struct cell_weights *weights, struct const_mat states,
                       const struct unique *unique)
{
    const size_t units = weights->cell->units, rows = unique->rows;
    const struct const_mat h = const_mat_cols(states, 0, units);
    const struct mat hidden = mat_rows(acts->hidden, 0, rows);
    const struct mat products =
        unique == &stepper->each ? hidden : shared_rows(stepper, unique->count, cell_width(weights->cell));
    ASSERT(states.rows == unique->count && next->h.rows == rows);
    prepacked_product(mat_cols(products, 0, weights->plain_gates.n), h, &weights->plain_gates, false);
    if (products.data != hidden.data)
        unique_spread(hidden, mat_const(products), unique, false);
    unique_spread(mat_rows(acts->prev.h, 0, rows), h, unique, false);
    if (acts->prev.c.data)
        unique_spread(mat_rows(acts->prev.c, 0, rows), const_mat_cols(states, units, units), unique, false);
    cell_step(next, acts, (struct cell_rows){0, rows, rows}, weights);
}

/* y_{i-1}: the embeddings of the previous words, and W_iy y_{i-1} for the cell that reads them. */
static struct mat read_words(struct stepper *stepper, const struct step_input *input)
{
    struct unique *words = &stepper->words;
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    unique_find(words, input->ids, input->unique->rows);
    const struct mat y = mat_rows(stepper->y, 0, words->count);
    embedding_forward(y, words->ids, &weights->words);
    if (decoder_word_cell(&model->decoder))
        cell_words_forward(word_cell_acts(stepper), words, mat_const(y), &weights->decoder.word,
                           decoder_word_weights(&weights->decoder));
    return y;
}

/* With input feeding: products += W_it t_{i-1} */
static void feed_readout(struct stepper *stepper, const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const struct const_mat t = const_mat_cols(input->states, fed_at(decoder), decoder->embedding);
    const struct mat products = shared_rows(stepper, t.rows, cell_width(&decoder->query_cell));
    prepacked_product(products, t, &stepper->weights->decoder.fed, false);
    unique_spread(mat_rows(stepper->query_cell.products, 0, input->unique->rows), mat_const(products),
                  input->unique, true);
}

/* s'_i = cell'(y_{i-1}, s_{i-1}), the query of each row; without a context cell it is s_i, in next_states.
 * Returns the queries. */
static struct step_input query_step(struct stepper *stepper, struct mat next_states,
                                    const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const struct decoder_weights *weights = &stepper->weights->decoder;
    const size_t rows = input->unique->rows;
    const bool last = !decoder_has_context_cell(decoder);
    const struct mat states = last ? next_states : mat_rows(stepper->query_states, 0, rows);
    const struct cell_state next = layer_states(states, 0, decoder);
    if (decoder->input_feeding)
        feed_readout(stepper, input);
    transition(stepper, &next, &stepper->query_cell, &weights->query_cell, layer_input(input, 0, decoder),
               input->unique);
    if (last)
        deep_forward(&next, &stepper->deep, (struct cell_rows){0, rows, rows}, &weights->deep);
    for (size_t i = 0; i < rows; i++)
        stepper->query_source_rank[i] = input->source_rank[input->unique->index[i]];
    stepper->each.rows = stepper->each.count = rows;
    return (struct step_input){input->ids, &stepper->each, mat_const(states), stepper->query_source_rank,
                               input->step};
}

/* Copies the coverage before the step, for each query, from the end of its state. */
static void take_coverage(struct stepper *stepper, const struct step_input *input, size_t queries)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const size_t steps = stepper->decoder_source.positions.seq->steps;
    const struct const_mat coverage = const_mat_cols(input->states, coverage_at(decoder), steps);
    const struct mat own = mat_of(stepper->attention.coverage, queries, steps);
    if (decoder_has_query_cell(decoder)) /* each row has its own query */
        unique_spread(own, coverage, input->unique, false);
    else
        mat_copy(own, coverage);
}

/* Stores the coverage after the step, for each row. */
static void give_coverage(const struct stepper *stepper, struct mat next_states,
                          const struct step_input *query)
{
    const struct attention_source *positions = &stepper->decoder_source.positions;
    const size_t steps = positions->seq->steps;
    const struct mat coverage = mat_cols(next_states, coverage_at(&stepper->weights->model->decoder), steps);
    for (size_t i = 0; i < coverage.rows; i++) {
        const size_t state = query->unique->index[i];
        attention_cover(mat_row(coverage, i), stepper->attention.coverage + state * steps,
                        stepper->attention.alpha + state * steps, query->source_rank[state], positions);
    }
}

/* α_ij into alpha; and Σ_j α_ij (W value_j), which are W_ic c_i and W_c c_i, into stepper->sums. */
static void attend(struct stepper *stepper, real *alpha, const struct step_input *query,
                   const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const size_t product = products_width(stepper);
    const struct attention_values values = {mat_const(stepper->products), decoder->attention.choice.heads,
                                            product, product, true};
    const struct attention_step step = {input->step, 0, query->unique->count, query->source_rank,
                                        &stepper->decoder_source.positions};
    stepper->attention.alpha = alpha;
    if (attention_has_coverage(&decoder->attention))
        take_coverage(stepper, input, step.rows);
    attention_forward(&stepper->attention, const_mat_cols(query->states, 0, decoder->units), &step,
                      &stepper->weights->decoder.attention);
    attention_sum(mat_rows(stepper->sums, 0, step.rows), alpha, &values, &step);
}

/* s_i = cell(c_i, s'_i), or cell([y_{i-1} ; c_i], s_{i-1}) where it is the only one. */
static void context_step(struct stepper *stepper, struct mat next_states, const struct step_input *query)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const struct decoder_weights *weights = &stepper->weights->decoder;
    const size_t rows = query->unique->rows;
    const struct cell_state next = layer_states(next_states, 0, decoder);
    if (stepper->context_cell.products.data != stepper->sums.data) /* W_ic c_i */
        unique_spread(mat_rows(stepper->context_cell.products, 0, rows),
                      summed_products(stepper, query->unique->count, 0, gate_products(decoder)),
                      query->unique, decoder->feed->context_cell_reads & READS_WORD);
    transition(stepper, &next, &stepper->context_cell, &weights->context_cell, layer_input(query, 0, decoder),
               query->unique);
    deep_forward(&next, &stepper->deep, (struct cell_rows){0, rows, rows}, &weights->deep);
}

/* Runs the layers above the first: writes their part of next_states; returns the readout's input, the sum
 * of all layers. */
static struct mat upper_layers(struct stepper *stepper, struct mat next_states,
                               const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const size_t rows = next_states.rows;
    const struct mat top = mat_rows(stepper->top, 0, rows);
    mat_copy(top, mat_const(layer_states(next_states, 0, decoder).h));
    for (size_t l = 0; l < decoder->stack.count; l++) {
        const struct rnn_weights *weights = &stepper->weights->decoder.stack.rnns[l][0];
        const struct cell_state next = layer_states(next_states, l + 1, decoder);
        prepacked_product(mat_rows(stepper->upper.products, 0, rows), mat_const(top), &weights->ih, false);
        transition(stepper, &next, &stepper->upper, &weights->cell, layer_input(input, l + 1, decoder),
                   input->unique);
        deep_forward(&next, &stepper->deep, (struct cell_rows){0, rows, rows}, &weights->deep);
        for (size_t i = 0; i < rows; i++)
            vec_add(mat_row(top, i), mat_row(next.h, i), top.cols);
    }
    return top;
}

/* t_i = tanh(W_s s_i + W_y y_{i-1} + W_c c_i + b) */
static void read_out(struct stepper *stepper, struct const_mat states, struct const_mat y,
                     const struct unique *queries)
{
    const struct step_weights *weights = stepper->weights;
    const struct readout *readout = &weights->model->readout;
    const struct mat t = mat_rows(stepper->t, 0, states.rows);
    linear_forward(t, states, &readout->state, &weights->readout.state, weights->params, false);
    if (readout->reads_word) {
        const struct mat products = shared_rows(stepper, y.rows, t.cols);
        prepacked_product(products, y, &weights->readout_word, false);
        unique_spread(t, mat_const(products), &stepper->words, true);
    }
    unique_spread(t,
                  summed_products(stepper, queries->count, gate_products(&weights->model->decoder), t.cols),
                  queries, true);
    vec_tanh(t.data, t.data, t.rows * t.cols);
}

void stepper_step(struct stepper *stepper, struct mat next_states, real *alpha,
                  const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const size_t rows = input->unique->rows;
    struct step_input query = *input;
    ASSERT(next_states.rows == rows && next_states.cols == stepper_state_width(stepper));
    ASSERT(input->states.rows == input->unique->count && input->states.cols == next_states.cols);
    const struct mat y = read_words(stepper, input); /* y_{i-1} */
    if (decoder_has_query_cell(decoder))
        query = query_step(stepper, next_states, input); /* s'_i */
    attend(stepper, alpha, &query, input);               /* c_i */
    if (decoder_has_context_cell(decoder))
        context_step(stepper, next_states, &query); /* s_i */
    const struct mat top = decoder->stack.count ? upper_layers(stepper, next_states, input)
                                                : layer_states(next_states, 0, decoder).h;
    read_out(stepper, mat_const(top), mat_const(y), query.unique); /* t_i */
    if (decoder->input_feeding)
        mat_copy(mat_cols(next_states, fed_at(decoder), decoder->embedding),
                 mat_const(mat_rows(stepper->t, 0, rows)));
    if (attention_has_coverage(&decoder->attention))
        give_coverage(stepper, next_states, &query);
}

size_t stepper_alpha_width(const struct stepper *stepper)
{
    return stepper->weights->model->decoder.attention.choice.heads *
           stepper->decoder_source.positions.seq->steps;
}

/* [heads][steps]: a row's attention; rows with the same state may share it. */
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
    const size_t heads = attention->choice.heads, steps = stepper->decoder_source.positions.seq->steps;
    if (!attention_has_score(attention))
        return;
    const real *own = alpha_of_row(stepper, alpha, input, row);
    for (size_t head = 0; head < heads; head++)
        vec_axpy(sum, weight / (real)heads, own + head * steps, source_length);
}

void stepper_head_attention(real *weights, const struct stepper *stepper, const real *alpha,
                            const struct step_input *input, size_t row, size_t source_length)
{
    const struct attention *attention = &stepper->weights->model->decoder.attention;
    const size_t heads = attention->choice.heads;
    ASSERT(attention_has_score(attention));
    mat_copy(mat_of(weights, heads, source_length),
             const_mat_ld(alpha_of_row(stepper, alpha, input, row), heads, source_length,
                          stepper->decoder_source.positions.seq->steps));
}

void stepper_logits(const struct stepper *stepper, real *logits, size_t first, size_t rows)
{
    const struct step_weights *weights = stepper->weights;
    const struct linear *output = &weights->model->readout.output;
    linear_forward(mat_of(logits, rows, output->outputs), mat_const(mat_rows(stepper->t, first, rows)),
                   output, &weights->output, weights->params, false);
}

void stepper_part_logits(const struct stepper *stepper, real *logits, const struct output_part *part,
                         size_t first, size_t rows)
{
    const struct mat to = mat_of(logits, rows, part->weights.n);
    prepacked_product(to, mat_const(mat_rows(stepper->t, first, rows)), &part->weights, false);
    vec_add_to_rows(to, part->bias);
}

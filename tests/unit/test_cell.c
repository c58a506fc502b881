/* One step of each recurrent cell, in double: states against products with its weights, and gradients of
 * products, states and weights against central differences. The arithmetic of gates is tested in
 * test_gates.c. */
#include "check.h"

#include "arena.h"
#include "cell.h"
#include "mat.h"
#include "rnn.h"

#include <math.h>
#include <stdbool.h>

enum { INPUTS = 2, UNITS = 3, MOST_GATES = 4, WIDTH = MOST_GATES * UNITS };
enum { ROWS = 3, RUNNING = 2 }; /* the last row is a sentence's first step */
#define DIFFERENCE 1e-5

static const char *const names[] = {
#define NAME(constant, name) #name,
    CELLS(NAME)};
enum { KINDS = sizeof names / sizeof names[0] };

/* A cell and the inputs of a step, in blocks whose numbers can be varied. */
struct fixture {
    struct arena arena;
    struct layout layout;
    struct cell cell;
    struct dropout state_dropout;
    real params[1000];
    real products[ROWS * WIDTH], h_prev[ROWS * UNITS], c_prev[ROWS * UNITS];
    struct cell_weights weights; /* from here on: results of the last step */
    struct cell_acts acts;
    real h[ROWS * UNITS], c[ROWS * UNITS];
};

static void fill(real *x, size_t count, double from)
{
    for (size_t i = 0; i < count; i++)
        x[i] = sin(from + (double)i);
}

static void fixture_init(struct fixture *f, int kind, bool normalized, double dropout)
{
    memset(f, 0, sizeof *f);
    arena_init(&f->arena);
    const struct cell_choice choice = {gates_kinds[kind], UNITS, normalized};
    cell_declare(&f->cell, &f->layout, "cell", &choice, INPUTS);
    assert_true(f->layout.total <= sizeof f->params / sizeof f->params[0]);
    f->state_dropout = (struct dropout){dropout, 5};
    fill(f->params, f->layout.total, 1);
    fill(f->products, ROWS * WIDTH, 2);
    fill(f->h_prev, RUNNING * UNITS, 3);
    fill(f->c_prev, RUNNING * UNITS, 4);
}

static void prepack_for(struct fixture *f, enum pass_direction direction)
{
    struct prepack_list list;
    prepack_list_init(&list, direction, PRODUCTS_FLOAT32, NULL, &f->arena);
    cell_prepack(&f->weights, &f->cell, f->params, &list);
    prepack_list_fill(&list, 0, 1);
}

static void step_forward(struct fixture *f)
{
    const struct cell_dims dims = {.rows = ROWS, .step_rows = ROWS};
    const bool has_c = f->cell.gates->has_c;
    const struct cell_state next = {mat_of(f->h, ROWS, UNITS),
                                    has_c ? mat_of(f->c, ROWS, UNITS) : (struct mat){0}};
    arena_reset(&f->arena);
    prepack_for(f, FORWARD);
    cell_acts_init(&f->acts, &f->cell, &dims, &f->state_dropout, &f->arena);
    memcpy(f->acts.products.data, f->products, (size_t)(ROWS * cell_width(&f->cell)) * sizeof(real));
    memcpy(f->acts.prev.h.data, f->h_prev, sizeof f->h_prev);
    if (has_c)
        memcpy(f->acts.prev.c.data, f->c_prev, sizeof f->c_prev);
    cell_forward(&next, &f->acts, (struct cell_rows){0, ROWS, RUNNING}, &f->weights);
}

/* q [rows] = W_hh[first …] x [UNITS] */
static void product(real *q, const struct fixture *f, size_t first, size_t rows, const real *x)
{
    for (size_t i = 0; i < rows; i++) {
        q[i] = 0;
        for (size_t j = 0; j < UNITS; j++)
            q[i] += f->params[f->cell.weight_hh + (size_t)((first + i) * UNITS + j)] * x[j];
    }
}

/* h [UNITS] = the new state of one row, by plain loops; without normalisation. */
static void expected_state(real *h, const struct fixture *f, int row)
{
    const struct gates *gates = f->cell.gates;
    const size_t width = gates->count * UNITS;
    /* Gates whose product reads r ∘ h come last: with one such gate, after the two that read h. */
    const size_t plain = gates->reset_forward ? width - UNITS : width;
    real a[WIDTH], q[WIDTH], c[UNITS], reset[UNITS];
    const struct gates_row at = {a,
                                 q,
                                 f->params + f->cell.bias_ih,
                                 f->params + f->cell.bias_hh,
                                 f->h_prev + row * UNITS,
                                 gates->has_c ? f->c_prev + row * UNITS : NULL};
    memcpy(a, f->products + (size_t)row * width, (size_t)width * sizeof *a);
    product(q, f, 0, plain, at.h_prev);
    if (gates->reset_forward) {
        gates->reset_forward(reset, at.h_prev, &at, UNITS);
        product(q + plain, f, plain, UNITS, reset);
    }
    gates->forward(h, gates->has_c ? c : NULL, &at, UNITS);
}

static void assert_states(const struct fixture *f, int kind)
{
    for (int row = 0; row < ROWS; row++) {
        real expected[UNITS];
        expected_state(expected, f, row);
        for (int u = 0; u < UNITS; u++)
            if (!(fabs(f->h[row * UNITS + u] - expected[u]) < 1e-10))
                fail_msg("%s, row %d, unit %d", names[kind], row, u);
    }
}

static void states_come_from_the_products(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct fixture f;
        fixture_init(&f, kind, false, 0);
        step_forward(&f);
        assert_states(&f, kind);
        arena_release(&f.arena);
    }
}

/* With variance 0, normalised products are 0, as in PyTorch, and not infinite. */
static void equal_products_are_normalised_to_zero(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct fixture f;
        fixture_init(&f, kind, true, 0);
        memset(f.h_prev, 0, sizeof f.h_prev);
        for (int i = 0; i < ROWS * WIDTH; i++)
            f.products[i] = 0.5;
        step_forward(&f);
        memset(f.products, 0, sizeof f.products);
        assert_states(&f, kind);
        arena_release(&f.arena);
    }
}

/* Σ w h' + 2 Σ c', with a different weight for each h'. */
static double loss_of(struct fixture *f)
{
    double sum = 0;
    step_forward(f);
    for (int i = 0; i < ROWS * UNITS; i++)
        sum += sin(7.0 + i) * f->h[i] + 2 * f->c[i];
    return sum;
}

static double slope(struct fixture *f, real *x)
{
    const real saved = *x;
    *x = saved + DIFFERENCE;
    const double above = loss_of(f);
    *x = saved - DIFFERENCE;
    const double below = loss_of(f);
    *x = saved;
    return (above - below) / (2 * DIFFERENCE);
}

/* Gradients of the loss by a backward pass. */
struct grads {
    real products[ROWS * WIDTH], h_prev[ROWS * UNITS], c_prev[ROWS * UNITS], params[1000];
};

static void step_backward(struct grads *grads, struct fixture *f)
{
    static struct grad_terms terms;
    memset(grads, 0, sizeof *grads);
    step_forward(f);
    prepack_for(f, BACKWARD);
    for (int i = 0; i < ROWS * UNITS; i++) {
        grads->h_prev[i] = sin(7.0 + i);
        grads->c_prev[i] = 2;
    }
    const struct cell_state dstate = {mat_of(grads->h_prev, ROWS, UNITS),
                                      f->cell.gates->has_c ? mat_of(grads->c_prev, ROWS, UNITS)
                                                           : (struct mat){0}};
    cell_backward(&dstate, &f->acts, (struct cell_rows){0, ROWS, RUNNING}, &f->weights);
    memcpy(grads->products, f->acts.products.data, (size_t)(ROWS * cell_width(&f->cell)) * sizeof(real));
    grad_terms_begin(&terms, PRODUCTS_FLOAT32, &f->arena);
    cell_defer_weight_grads(&terms, &f->acts, &f->cell);
    grad_terms_add_all(grads->params, &terms);
}

static void assert_slopes(struct fixture *f, const real *found, real *x, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        const double expected = slope(f, &x[i]);
        if (!(fabs(found[i] - expected) < 1e-7))
            fail_msg("gradient of %s %zu: %.9f, expected %.9f", what, i, found[i], expected);
    }
}

static void check_gradients(int kind, bool normalized, double dropout)
{
    struct fixture f;
    static struct grads grads;
    fixture_init(&f, kind, normalized, dropout);
    step_backward(&grads, &f);
    assert_slopes(&f, grads.products, f.products, (size_t)(ROWS * cell_width(&f.cell)), "W x");
    assert_slopes(&f, grads.h_prev, f.h_prev, RUNNING * UNITS, "h");
    if (f.cell.gates->has_c)
        assert_slopes(&f, grads.c_prev, f.c_prev, RUNNING * UNITS, "c");
    for (int i = RUNNING * UNITS; i < ROWS * UNITS; i++)
        assert_true(grads.h_prev[i] == 0); /* no gradient before a sentence's first step */
    /* All but W_ih, whose product is computed by the caller. */
    const size_t begin = f.cell.weight_hh;
    assert_true(f.cell.weight_ih < begin);
    assert_slopes(&f, grads.params + begin, f.params + begin, f.layout.total - begin, "parameter");
    arena_release(&f.arena);
}

static void gradients_are_central_differences(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        print_message("%s\n", names[kind]);
        check_gradients(kind, false, 0);
        check_gradients(kind, false, 0.4);
        check_gradients(kind, true, 0);
        check_gradients(kind, true, 0.4);
    }
}

/* Memory for the products of words is that of the cell which reads them. */
static void further_transitions_read_no_words(void **state)
{
    static struct layout layout;
    static struct rnn rnn;
    static struct rnn_acts acts;
    struct arena arena;
    struct packed_seq seq;
    (void)state;
    arena_init(&arena);
    packed_seq_init(&seq, (const size_t[]){2, 1}, 2, &arena);
    rnn_declare(&rnn, &layout, "rnn", &(struct cell_choice){gates_kinds[CELL_GRU], UNITS, false}, INPUTS, 2);
    rnn_acts_init(&acts, &rnn, &seq, 3, NULL, &arena);
    assert_int_equal(acts.cell.word_products.rows, 3);
    assert_null(acts.deep.cells[0].word_products.data);
    arena_release(&arena);
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_come_from_the_products),
        cmocka_unit_test(equal_products_are_normalised_to_zero),
        cmocka_unit_test(gradients_are_central_differences),
        cmocka_unit_test(further_transitions_read_no_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

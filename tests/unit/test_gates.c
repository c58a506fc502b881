/* The arithmetic of each recurrent cell, in double: new states against the equations of its paper for a
 * single unit, and gradients against their central differences. */
#include "check.h"

#include "gates.h"

#include <math.h>

#define UNITS 3
#define MOST_GATES 4
#define DIFFERENCE 1e-5

/* The inputs of one unit's step: products with their biases, and its states. */
struct inputs {
    double a[MOST_GATES], q[MOST_GATES], h, c;
};

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* Each returns h', and sets c' for an LSTM. */
static double gru(const struct inputs *x, double *c)
{
    (void)c;
    const double r = sigmoid(x->a[0] + x->q[0]), z = sigmoid(x->a[1] + x->q[1]);
    return (1 - z) * tanh(x->a[2] + r * x->q[2]) + z * x->h;
}

/* q[2] is the product with r ∘ h. */
static double gru_reset_before(const struct inputs *x, double *c)
{
    (void)c;
    const double z = sigmoid(x->a[1] + x->q[1]);
    return (1 - z) * tanh(x->a[2] + x->q[2]) + z * x->h;
}

static double lstm(const struct inputs *x, double *c)
{
    const double i = sigmoid(x->a[0] + x->q[0]), f = sigmoid(x->a[1] + x->q[1]);
    const double g = tanh(x->a[2] + x->q[2]), o = sigmoid(x->a[3] + x->q[3]);
    *c = f * x->c + i * g;
    return o * tanh(*c);
}

static double rnn_tanh(const struct inputs *x, double *c)
{
    (void)c;
    return tanh(x->a[0] + x->q[0]);
}

static double rnn_relu(const struct inputs *x, double *c)
{
    (void)c;
    return fmax(0, x->a[0] + x->q[0]);
}

/* By enum cell_kind. */
#define REFERENCE(constant, name) [constant] = name,
static double (*const references[])(const struct inputs *, double *) = {CELLS(REFERENCE)};

/* The loss: Σ over units of h' + 2 c' and, if a gate reads it, 3 r ∘ h. */
static double loss_of(const struct inputs *units, int kind)
{
    double loss = 0;
    for (size_t u = 0; u < UNITS; u++) {
        double c = 0;
        loss += references[kind](&units[u], &c) + 2 * c;
        if (gates_kinds[kind]->reset_forward)
            loss += 3 * sigmoid(units[u].a[0] + units[u].q[0]) * units[u].h;
    }
    return loss;
}

static double slope(struct inputs *units, int kind, double *x)
{
    const double saved = *x;
    *x = saved + DIFFERENCE;
    const double above = loss_of(units, kind);
    *x = saved - DIFFERENCE;
    const double below = loss_of(units, kind);
    *x = saved;
    return (above - below) / (2 * DIFFERENCE);
}

/* The same step in the layout of gates.h: rows of gates, separate biases. */
struct step {
    real a[MOST_GATES * UNITS], q[MOST_GATES * UNITS], bias_ih[MOST_GATES * UNITS],
        bias_hh[MOST_GATES * UNITS];
    real h_prev[UNITS], c_prev[UNITS], h[UNITS], c[UNITS], reset[UNITS];
    struct gates_row row;
};

/* Fills with distinct numbers between -1 and 1. */
static void step_init(struct step *step, struct inputs *units, const struct gates *gates)
{
    int n = 0;
    for (size_t i = 0; i < gates->count * UNITS; i++) {
        struct inputs *unit = &units[i % UNITS];
        step->a[i] = sin(++n);
        step->q[i] = sin(++n);
        step->bias_ih[i] = 0.3 * sin(++n);
        step->bias_hh[i] = 0.3 * sin(++n);
        unit->a[i / UNITS] = step->a[i] + step->bias_ih[i];
        unit->q[i / UNITS] = step->q[i] + step->bias_hh[i];
    }
    for (size_t u = 0; u < UNITS; u++) {
        units[u].h = step->h_prev[u] = sin(++n);
        units[u].c = step->c_prev[u] = sin(++n);
    }
    step->row = (struct gates_row){step->a,       step->q,      step->bias_ih,
                                   step->bias_hh, step->h_prev, gates->has_c ? step->c_prev : NULL};
}

static void forward(struct step *step, const struct gates *gates)
{
    if (gates->reset_forward)
        gates->reset_forward(step->reset, step->h_prev, &step->row, UNITS);
    gates->forward(step->h, gates->has_c ? step->c : NULL, &step->row, UNITS);
}

static void assert_near(double found, double expected, const char *what, int kind)
{
    if (!(fabs(found - expected) < 1e-8))
        fail_msg("%s of cell %d: %.10f, expected %.10f", what, kind, found, expected);
}

static void new_states_are_those_of_the_equations(void **state)
{
    (void)state;
    for (int kind = 0; kind < (int)(sizeof references / sizeof references[0]); kind++) {
        struct inputs units[UNITS] = {{{0}, {0}, 0, 0}};
        struct step step;
        step_init(&step, units, gates_kinds[kind]);
        forward(&step, gates_kinds[kind]);
        for (size_t u = 0; u < UNITS; u++) {
            double c = 0;
            assert_near(step.h[u], references[kind](&units[u], &c), "h", kind);
            if (gates_kinds[kind]->has_c)
                assert_near(step.c[u], c, "c", kind);
            if (gates_kinds[kind]->reset_forward)
                assert_near(step.reset[u], sigmoid(units[u].a[0] + units[u].q[0]) * units[u].h, "r h", kind);
        }
    }
}

static void gradients_are_those_of_the_equations(void **state)
{
    (void)state;
    for (int kind = 0; kind < (int)(sizeof references / sizeof references[0]); kind++) {
        const struct gates *gates = gates_kinds[kind];
        struct inputs units[UNITS] = {{{0}, {0}, 0, 0}};
        struct step step;
        real dh[UNITS] = {1, 1, 1}, dc[UNITS] = {2, 2, 2}, dreset[UNITS] = {3, 3, 3};
        step_init(&step, units, gates);
        forward(&step, gates);
        gates->backward(dh, gates->has_c ? dc : NULL, &step.row, UNITS);
        if (gates->reset_backward)
            gates->reset_backward(dreset, step.h_prev, &step.row, UNITS);
        for (size_t u = 0; u < UNITS; u++) {
            for (size_t g = 0; g < gates->count; g++) {
                assert_near(step.a[g * UNITS + u], slope(units, kind, &units[u].a[g]), "da", kind);
                assert_near(step.q[g * UNITS + u], slope(units, kind, &units[u].q[g]), "dq", kind);
            }
            const double past_reset = gates->reset_backward ? dreset[u] : 0;
            assert_near(dh[u] + past_reset, slope(units, kind, &units[u].h), "dh", kind);
            if (gates->has_c)
                assert_near(dc[u], slope(units, kind, &units[u].c), "dc", kind);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_states_are_those_of_the_equations),
        cmocka_unit_test(gradients_are_those_of_the_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A linear layer against values computed by hand: y = x Wᵀ + b, plain and added, prepacked, and backward. */
#include "check.h"

#include "arena.h"
#include "linear.h"
#include "mat.h"

enum { INPUTS = 3, OUTPUTS = 2, ROWS = 2, LDX = INPUTS + 1 };

static const real x[ROWS * LDX] = {1, 0, 2, 99, 0, 4, -1, 99};
static const real weights[] = {1, 2, 3, -1, 0, 1, /* W */ 10, 20 /* b */};

static struct layout layout;

static void declare(struct linear *linear, bool bias)
{
    memset(&layout, 0, sizeof layout);
    linear_declare(linear, &layout, "layer", INPUTS, OUTPUTS, bias);
    assert_string_equal(layout.params[0].name, "layer.weight");
    assert_int_equal(layout.total, OUTPUTS * INPUTS + (bias ? OUTPUTS : 0));
}

static void assert_reals(const real *found, const real *right, int count)
{
    for (int i = 0; i < count; i++)
        assert_true(found[i] == right[i]);
}

static void products_have_their_bias(void **state)
{
    (void)state;
    struct linear linear;
    real y[ROWS * OUTPUTS];
    const real products[] = {7, 1, 5, -1}, with_bias[] = {17, 21, 15, 19}, twice[] = {24, 22, 20, 18};
    declare(&linear, true);
    linear_forward(mat_of(y, ROWS, linear.outputs), const_mat_ld(x, ROWS, linear.inputs, LDX), &linear,
                   weights, false);
    assert_reals(y, with_bias, ROWS * OUTPUTS);
    declare(&linear, false);
    linear_forward(mat_of(y, ROWS, linear.outputs), const_mat_ld(x, ROWS, linear.inputs, LDX), &linear,
                   weights, true);
    assert_reals(y, twice, ROWS * OUTPUTS);
    linear_forward(mat_of(y, ROWS, linear.outputs), const_mat_ld(x, ROWS, linear.inputs, LDX), &linear,
                   weights, false);
    assert_reals(y, products, ROWS * OUTPUTS);
}

static void prepacked_products_are_the_same(void **state)
{
    (void)state;
    struct linear linear;
    struct arena arena;
    struct prepack_list list;
    struct prepacked prepacked;
    real y[ROWS * OUTPUTS];
    arena_init(&arena);
    declare(&linear, true);
    prepack_list_init(&list, FORWARD, PRODUCTS_FLOAT32, NULL, &arena);
    linear_prepack(&prepacked, &linear, weights, &list);
    prepack_list_fill(&list, 0, 1);
    linear_forward_prepacked(mat_of(y, ROWS, linear.outputs), const_mat_ld(x, ROWS, linear.inputs, LDX),
                             &linear, &prepacked, weights);
    assert_reals(y, (const real[]){17, 21, 15, 19}, ROWS * OUTPUTS);
    arena_release(&arena);
}

/* dx += dy W, dW = dyᵀ x, db = Σ dy */
static void gradients_are_added(void **state)
{
    (void)state;
    static struct grad_terms terms;
    struct linear linear;
    struct arena arena;
    const real dy[ROWS * OUTPUTS] = {1, 2, 3, -1};
    real dx[ROWS * INPUTS] = {100, 100, 100, 100, 100, 100}, grads[OUTPUTS * INPUTS + OUTPUTS] = {0};
    arena_init(&arena);
    declare(&linear, true);
    grad_terms_begin(&terms, &arena);
    linear_backward(mat_ld(dx, ROWS, linear.inputs, INPUTS), &terms, const_mat_of(dy, ROWS, linear.outputs),
                    const_mat_ld(x, ROWS, linear.inputs, LDX), &linear, weights);
    grad_terms_add_all(grads, &terms);
    assert_reals(dx, (const real[]){99, 102, 105, 104, 106, 108}, ROWS * INPUTS);
    assert_reals(grads, (const real[]){1, 12, -1, 2, -4, 5, 4, 1}, OUTPUTS * INPUTS + OUTPUTS);
    arena_release(&arena);
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_have_their_bias),
        cmocka_unit_test(prepacked_products_are_the_same),
        cmocka_unit_test(gradients_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

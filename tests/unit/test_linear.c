/* A linear layer against values computed by hand: y = x Wᵀ + b, replaced and added, and backward. */
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

/* W, prepacked for few rows or for many. */
struct weights {
    struct arena arena;
    struct prepack_list list;
    struct prepacked prepacked;
};

static void prepack_for(struct weights *w, const struct linear *linear, enum pass_direction direction,
                        bool many_rows)
{
    arena_init(&w->arena);
    prepack_list_init(&w->list, direction, PRODUCTS_FLOAT32, NULL, &w->arena);
    if (many_rows)
        prepack_many_rows(&w->prepacked, linear_weight(linear, weights), direction, &w->list);
    else
        linear_prepack(&w->prepacked, linear, weights, &w->list);
    prepack_list_fill(&w->list, 0, 1);
}

static void expect_products(bool bias, bool many_rows, bool add, const real *right)
{
    struct linear linear;
    struct weights w;
    real y[ROWS * OUTPUTS] = {7, 1, 5, -1};
    declare(&linear, bias);
    prepack_for(&w, &linear, FORWARD, many_rows);
    linear_forward(mat_of(y, ROWS, linear.outputs), const_mat_ld(x, ROWS, linear.inputs, LDX), &linear,
                   &w.prepacked, weights, add);
    assert_reals(y, right, ROWS * OUTPUTS);
    arena_release(&w.arena);
}

static void products_have_their_bias(void **state)
{
    (void)state;
    for (int many_rows = 0; many_rows < 2; many_rows++) {
        expect_products(true, many_rows, false, (const real[]){17, 21, 15, 19});
        expect_products(false, many_rows, false, (const real[]){7, 1, 5, -1});
        expect_products(true, many_rows, true, (const real[]){24, 22, 20, 18});
    }
}

/* dx += dy W, dW = dyᵀ x, db = Σ dy */
static void gradients_are_added(void **state)
{
    (void)state;
    static struct grad_terms terms;
    struct linear linear;
    struct weights w;
    const real dy[ROWS * OUTPUTS] = {1, 2, 3, -1};
    for (int many_rows = 0; many_rows < 2; many_rows++) {
        real dx[ROWS * INPUTS] = {100, 100, 100, 100, 100, 100}, grads[OUTPUTS * INPUTS + OUTPUTS] = {0};
        declare(&linear, true);
        prepack_for(&w, &linear, BACKWARD, many_rows);
        grad_terms_begin(&terms, PRODUCTS_FLOAT32, &w.arena);
        linear_backward(mat_ld(dx, ROWS, linear.inputs, INPUTS), &terms,
                        const_mat_of(dy, ROWS, linear.outputs), const_mat_ld(x, ROWS, linear.inputs, LDX),
                        &linear, &w.prepacked);
        grad_terms_add_all(grads, &terms);
        assert_reals(dx, (const real[]){99, 102, 105, 104, 106, 108}, ROWS * INPUTS);
        assert_reals(grads, (const real[]){1, 12, -1, 2, -4, 5, 4, 1}, OUTPUTS * INPUTS + OUTPUTS);
        arena_release(&w.arena);
    }
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_have_their_bias),
        cmocka_unit_test(gradients_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

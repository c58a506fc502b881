/* The loss against PyTorch's cross_entropy (label_smoothing 0.1) and kl_div, in double:
 *
 *   p, q = log_softmax(z)[0::2], log_softmax(z)[1::2]
 *   0.5 * cross_entropy(z, y).sum() + 5 / 4 * (kl_div(q, p).sum() + kl_div(p, q).sum()) */
#include "check.h"

#include "xent.h"

#include <math.h>

#define ROWS 4
#define WORDS 4

static const real logits[ROWS * WORDS] = {0.5, -1, 2,    0.25, 1,  -0.5, 1.5,   -2,
                                          -3,  0,  0.75, 1.25, -1, 0.5,  -0.25, 2.5};
static const int right[ROWS] = {2, 2, 1, 1};

static void r_drop_is_that_of_pytorch(void **state)
{
    (void)state;
    static const double losses[ROWS] = {0.5255289984482534, 0.7221445887743323, 1.9206884671194269,
                                        2.212825477942117};
    static const double gradient[ROWS * WORDS] = {
        -0.09184521692695131,  -0.022921156211314082, 0.005784474385960456, 0.10898189875230495,
        0.16379308018143046,   0.03411945796255103,   -0.15331617710772333, -0.0445963610362582,
        -0.011203765244657951, -0.08771131031758393,  0.26160691265398056,  -0.16269183709173873,
        0.0124303900009354,    -0.13397709679362646,  -0.11336999024952694, 0.23491669704221801};
    const struct xent_options terms = {.smoothing = 0.1, .r_drop = 5};
    struct xent_sums sums = {0, 0};
    real z[ROWS * WORDS], scratch[WORDS], loss[ROWS];
    memcpy(z, logits, sizeof z);
    xent_forward_backward(&sums, loss, mat_of(z, ROWS, WORDS), right, &terms, (real)0.25, scratch);
    assert_true(fabs(sums.loss - 4.005363095379925) < 1e-5);
    assert_true(fabs(sums.nll - 2.521843766142065) < 1e-5);
    for (int i = 0; i < ROWS; i++)
        assert_true(fabs((double)loss[i] - losses[i]) < 1e-5);
    for (int i = 0; i < ROWS * WORDS; i++)
        assert_true(fabs((double)z[i] - gradient[i]) < 1e-6);
}

/* With equal views the divergence is 0: each gets half the gradient, and the loss is that of one view. */
static void views_that_agree_cost_nothing(void **state)
{
    (void)state;
    const struct xent_options once = {.smoothing = 0.1}, twice = {.smoothing = 0.1, .r_drop = 5};
    struct xent_sums plain = {0, 0}, sums = {0, 0};
    const int ids[2] = {right[0], right[0]};
    real z[2 * WORDS], expected[WORDS], scratch[WORDS];
    memcpy(expected, logits, sizeof expected);
    memcpy(z, logits, sizeof expected);
    memcpy(z + WORDS, logits, sizeof expected);
    xent_forward_backward(&plain, NULL, mat_of(expected, 1, WORDS), ids, &once, 1, NULL);
    xent_forward_backward(&sums, NULL, mat_of(z, 2, WORDS), ids, &twice, 1, scratch);
    assert_true(fabs(sums.loss - plain.loss) < 1e-6 && fabs(sums.nll - plain.nll) < 1e-6);
    for (int v = 0; v < WORDS; v++)
        assert_true(fabs((double)(z[v] - expected[v] / 2)) < 1e-6 && z[WORDS + v] == z[v]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(r_drop_is_that_of_pytorch),
                                       cmocka_unit_test(views_that_agree_cost_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

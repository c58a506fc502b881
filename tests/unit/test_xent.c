/* The loss with label smoothing against its definition, evaluated in double by a program of a few lines that
 * has softmax and logarithm alone. */
#include "check.h"

#include "xent.h"

#include <math.h>

#define ROWS 4
#define WORDS 4

static const real logits[ROWS * WORDS] = {0.5, -1, 2,    0.25, 1,  -0.5, 1.5,   -2,
                                          -3,  0,  0.75, 1.25, -1, 0.5,  -0.25, 2.5};
static const int right[ROWS] = {2, 2, 1, 1};

/* Smoothing 0.1, scale 0.25. */
static void losses_and_gradients_are_those_of_the_definition(void **state)
{
    (void)state;
    static const double losses[ROWS] = {0.5255289984482534, 0.7221445887743323, 1.9206884671194269,
                                        2.212825477942117};
    static const double gradient[ROWS * WORDS] = {
        0.032308706321040555,    0.002353610316530051, -0.058441867314617306, 0.023779550677046707,
        0.07931842335800597,     0.012842896007520517, -0.09017152030938186,  -0.001989799056144631,
        -0.004380310357074009,   -0.19369627964210845, 0.07325122662152418,   0.1248253633776582,
        -0.00010962730443620037, -0.20373075880248945, 0.006749169098516578,  0.19709121700840904};
    struct xent_sums sums = {0, 0};
    real z[ROWS * WORDS], loss[ROWS];
    memcpy(z, logits, sizeof z);
    xent_forward_backward(&sums, loss, mat_of(z, ROWS, WORDS), right, 0.1, (real)0.25);
    assert_true(fabs(sums.loss - 5.38118753228413) < 1e-5);
    assert_true(fabs(sums.nll - 5.04368753228413) < 1e-5);
    for (int i = 0; i < ROWS; i++)
        assert_true(fabs((double)loss[i] - losses[i]) < 1e-5);
    for (int i = 0; i < ROWS * WORDS; i++)
        assert_true(fabs((double)z[i] - gradient[i]) < 1e-6);
}

/* -log p of the right words: without smoothing the losses are the scores, but for the sign. */
static void scores_are_losses_without_smoothing(void **state)
{
    (void)state;
    struct xent_sums sums = {0, 0};
    real z[ROWS * WORDS], loss[ROWS], scores[ROWS];
    memcpy(z, logits, sizeof z);
    xent_scores(scores, mat_of(z, ROWS, WORDS), right);
    memcpy(z, logits, sizeof z);
    xent_forward_backward(&sums, loss, mat_of(z, ROWS, WORDS), right, 0, 1);
    for (int i = 0; i < ROWS; i++)
        assert_true(fabs((double)(scores[i] + loss[i])) < 1e-6);
    assert_true(fabs(sums.loss - sums.nll) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(losses_and_gradients_are_those_of_the_definition),
                                       cmocka_unit_test(scores_are_losses_without_smoothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Optimizers and schedules: Adam's first step, weight decay, the moving average, schedules. Ten updates
 * against PyTorch's are in golden/test_golden.c. */
#include "check.h"

#include "optim.h"

#include <math.h>

static void expect_near(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b)) + 1e-9);
}

/* Adam's first step is the learning rate times the sign of the gradient; decay is added. */
static void first_step_and_weight_decay(void **state)
{
    (void)state;
    real values[3] = {1, -2, 4};
    const real grads[3] = {0.5f, -3, 0};
    const struct config_training config = {
        .optimizer = OPTIMIZER_ADAM, .beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.1};
    struct optimizer optimizer;
    optimizer_init(&optimizer, &config, 3);
    optimizer_step(values, grads, &optimizer, &(struct optimizer_update){1, 0.01, 1}, 0, 3);
    expect_near(values[0], 1 - 0.01 - 0.001);
    expect_near(values[1], -2 + 0.01 + 0.002);
    expect_near(values[2], 4 - 0.004);
    optimizer_release(&optimizer);
}

static void average_follows(void **state)
{
    (void)state;
    const real values[3] = {1, 2, 3};
    real average[3] = {0, 0, 3};
    average_step(average, values, 0.999, 8, 0, 3); /* (1 + 8) / (10 + 8): half of the difference */
    expect_near(average[0], 0.5);
    expect_near(average[1], 1);
    expect_near(average[2], 3);
    average_step(average, values, 0.999, 1000000, 1, 2); /* limited by memory; only the given range */
    expect_near(average[0], 0.5);
    expect_near(average[1], 1.001);
}

static void schedules(void **state)
{
    (void)state;
    struct config_training t = {.learning_rate = 0.1, .schedule = SCHEDULE_COSINE, .warmup = 10};
    expect_near(learning_rate(&t, 5, 0.01, 1), 0.05);
    expect_near(learning_rate(&t, 20, 0, 1), 0.1);
    expect_near(learning_rate(&t, 20, 0.5, 0.5), 0.025);
    expect_near(learning_rate(&t, 20, 1.0 / 3, 1), 0.075);
    expect_near(learning_rate(&t, 20, 1.1, 1), 0);
    t.schedule = SCHEDULE_INVERSE_SQRT;
    expect_near(learning_rate(&t, 40, 0.5, 1), 0.05);
    t.schedule = SCHEDULE_CONSTANT;
    expect_near(learning_rate(&t, 40, 0.5, 1), 0.1);
    t.cooldown = 0.25;
    expect_near(learning_rate(&t, 40, 0.75, 1), 0.1);
    expect_near(learning_rate(&t, 40, 0.9, 1), 0.04);
    expect_near(learning_rate(&t, 40, 1.1, 1), 0);
    t.warmup = 100; /* a training that ends before its warm-up does */
    expect_near(learning_rate(&t, 40, 0.75, 1), 0.04);
    expect_near(learning_rate(&t, 50, 0.9, 1), 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_step_and_weight_decay),
        cmocka_unit_test(average_follows),
        cmocka_unit_test(schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The steps of a distillation, and how they share its time and what disk they need. */
#include "check.h"

#include "distill_choice.h"
#include "distill_plan.h"
#include "distill_steps.h"

#include <math.h>
#include <string.h>

static void expect_steps(int forward, int right_to_left, int backward, int students, const char *names)
{
    const struct distill_options options = {.teachers = {forward, right_to_left, backward},
                                            .students = students};
    struct distill_steps steps;
    char text[1024] = "";
    distill_steps_list(&steps, &options, &(struct distill_text){.pairs = 100});
    for (int i = 0; i < steps.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", steps.items[i].name);
    assert_string_equal(text, names);
}

static void steps_are_in_order(void **state)
{
    (void)state;
    expect_steps(1, 0, 1, 1, "forward-1 translate-forward-1 backward-1 translate-backward-1 pairs student");
    expect_steps(2, 0, 0, 1, "forward-1 forward-2 translate-ensemble pairs student");
    expect_steps(2, 0, 1, 2,
                 "forward-1 translate-forward-1 forward-2 translate-forward-2 backward-1 "
                 "translate-backward-1 pairs student-1 student-2 choice");
    expect_steps(1, 0, 0, 1, "forward-1 translate-forward-1 pairs student");
    expect_steps(
        2, 1, 0, 1,
        "forward-1 forward-2 translate-ensemble right-to-left-1 translate-right-to-left-1 pairs student");
    expect_steps(1, 1, 1, 1,
                 "forward-1 translate-forward-1 right-to-left-1 translate-right-to-left-1 backward-1 "
                 "translate-backward-1 pairs student");
    struct distill_steps most;
    distill_steps_list(
        &most,
        &(struct distill_options){.teachers = {DISTILL_MOST_MODELS, DISTILL_MOST_MODELS, DISTILL_MOST_MODELS},
                                  .students = DISTILL_MOST_STUDENTS},
        &(struct distill_text){.pairs = 100, .lines = {5, 50}});
    assert_int_equal(most.count, DISTILL_MOST_STEPS);
}

static void monolingual_text_is_translated_before_pairs(void **state)
{
    const struct distill_options options = {.teachers = {2, 0, 2}, .students = 1};
    struct distill_steps steps;
    (void)state;
    distill_steps_list(&steps, &options,
                       &(struct distill_text){.pairs = 100, .lines = {[SOURCE] = 50, [TARGET] = 300}});
    const struct distill_step *source = &steps.items[8], *target = source + 1;
    assert_string_equal(source->name, "translate-source");
    assert_int_equal(source->models, 2);
    assert_true(source->work == 1); /* two models, half of the text */
    assert_string_equal(target[0].name, "translate-target-1");
    assert_string_equal(target[1].name, "translate-target-2");
    assert_true(target->work == 1.5); /* half of three times the text */
    assert_string_equal(target[2].name, "pairs");
}

/* ---- time ---- */

static const struct distill_text plain = {.pairs = 100};

static void near(double a, double b)
{
    if (!(a > b - 1e-6 && a < b + 1e-6))
        fail_msg("%.9g is not %.9g", a, b);
}

/* Enters the next step as done in so many minutes, of which the limit was `limit`. */
static void do_step(struct distill_state *state, const struct distill_steps *steps, double minutes,
                    double limit)
{
    static struct distill_step_done done[DISTILL_MOST_STEPS];
    state->done = done;
    done[state->count] = (struct distill_step_done){.seconds = 60 * minutes, .minutes = limit};
    snprintf(done[state->count].name, sizeof done->name, "%s", steps->items[state->count].name);
    state->count++;
}

static void time_is_divided(void **unused)
{
    struct distill_state state = {.options = {.teachers = {1, 1, 2}, .students = 1, .minutes = 100}};
    struct distill_steps steps;
    (void)unused;
    distill_steps_list(&steps, &state.options, &plain);
    near(distill_plan_minutes(&steps, &state, 0),
         10); /* 50 minutes for four teachers and a quarter for each set */
    near(distill_plan_left(&steps, &state), 0);
    do_step(&state, &steps, 10, 10);
    near(distill_plan_translation(&steps, &state, 1), 60 * 5); /* half a teacher's time */
    state.done[0].seconds = 60;
    near(distill_plan_translation(&steps, &state, 1), 60 * (50 - 4) / 4.0); /* what short ones leave */
    state.done[0].seconds = 600;
    do_step(&state, &steps, 5, 0);
    near(distill_plan_minutes(&steps, &state, 2), (35 - 3 * 5) / 3.0); /* translations take five each */
    near(distill_plan_left(&steps, &state), 60 * 3 * (10 + 5));
    near(distill_plan_translation(&steps, &(struct distill_state){.count = 0}, 1), 0);
    do_step(&state, &steps, 9, 7); /* two beyond the limit: of two teachers, one is expected */
    do_step(&state, &steps, 5, 0);
    near(distill_plan_minutes(&steps, &state, 4), (21 - 2 * 5) / 2.0 - 1);
    for (int i = 0; i < 2; i++) { /* much less than they might have */
        do_step(&state, &steps, 1, 4);
        do_step(&state, &steps, 5, 0);
    }
    do_step(&state, &steps, 0.5, 0);
    near(distill_plan_minutes(&steps, &state, 9), 100 - 41.5 - 0.5); /* the student has the rest */
    state.options.minutes = 20;
    near(distill_plan_minutes(&steps, &state, 9), 0.2); /* or a little, where there is none */
}

/* As many lines as there is time for. */
static void a_large_text_is_translated_in_part(void **unused)
{
    (void)unused;
    assert_int_equal(distill_plan_every(1000, 100, 10), 1);
    assert_int_equal(distill_plan_every(1001, 100, 10), 2);
    assert_int_equal(distill_plan_every(10000, 100, 10), 10);
    assert_int_equal(distill_plan_every(-1, 100, 0), 1);
    assert_int_equal(distill_plan_every(0, 100, -3), 1);
    assert_true(distill_plan_every(1e8, 100, 0) >= 100000000);
    assert_true(distill_plan_every(1e8, 1e-3, 1e-9) >= 100000000);
}

static void students_share_the_rest(void **unused)
{
    struct distill_state state = {.options = {.teachers = {2, 0, 0}, .students = 2, .minutes = 60}};
    struct distill_steps steps;
    (void)unused;
    distill_steps_list(&steps, &state.options, &plain);
    near(distill_plan_minutes(&steps, &state, 0), 30 / 2.5); /* two models make the set */
    near(distill_plan_student(&state.options), 15);
    do_step(&state, &steps, 10, 12);
    do_step(&state, &steps, 10, 12);
    do_step(&state, &steps, 6, 0);
    do_step(&state, &steps, 0, 0);
    near(distill_plan_minutes(&steps, &state, 4), 17);
    do_step(&state, &steps, 20, 17);
    near(distill_plan_minutes(&steps, &state, 5), 14 - 1); /* three beyond in three trainings */
}

/* A training without a limit says nothing about how far others go beyond theirs. */
static void only_limits_are_exceeded(void **unused)
{
    struct distill_state state = {.options = {.teachers = {1, 0, 1}, .students = 1, .minutes = 100}};
    struct distill_steps steps;
    (void)unused;
    distill_steps_list(&steps, &state.options, &plain);
    do_step(&state, &steps, 20, 0);
    do_step(&state, &steps, 5, 0);
    near(distill_plan_minutes(&steps, &state, 2), 25 - 5);
    do_step(&state, &steps, 22, 20);
    do_step(&state, &steps, 5, 0);
    do_step(&state, &steps, 0, 0);
    near(distill_plan_minutes(&steps, &state, 5), 48 - 2);
}

/* ---- disk ---- */

/* With a setting of the config, or NULL. */
static struct distill_disk disk_of_text(const char *setting, const struct distill_text *text, int teachers,
                                        int students)
{
    const struct distill_options options = {.teachers = {teachers, 0, teachers}, .students = students};
    struct distill_steps steps;
    struct config config;
    struct err err;
    config_init(&config);
    if (setting && config_set(&config, setting, &err))
        fail_msg("%s", err.text);
    distill_steps_list(&steps, &options, text);
    const struct distill_disk disk = distill_plan_disk(&steps, &config, &config, text);
    config_release(&config);
    return disk;
}

static struct distill_disk disk_with(const char *setting, int teachers, int students, double bytes)
{
    const struct distill_text text = {.pairs = 1000, .bytes = bytes};
    return disk_of_text(setting, &text, teachers, students);
}

static struct distill_disk disk_of(int teachers, int students, double bytes)
{
    return disk_with(NULL, teachers, students, bytes);
}

static void disk_grows_with_what_is_kept(void **state)
{
    (void)state;
    const struct distill_disk one = disk_of(1, 1, 1e8), two = disk_of(2, 1, 1e8), more = disk_of(1, 3, 1e8);
    const double weights = one.stays / 5; /* of a model, and of a checkpoint four times as much */
    near(two.stays, one.stays);
    near(two.need - one.need, 2 * weights + 2 * 1e8 * (1.5 + 1 + 4 / 3.0));
    near(more.need - one.need, 2 * one.stays);
    near(disk_with("training.keep_best=3", 1, 1, 1e8).stays, one.stays + 3 * 4 * weights);
    near(disk_with("training.keep_prepared=true", 1, 1, 1e8).stays, one.stays + 3 * 1e8 * 4 / 3.0);
    assert_true(disk_of(1, 1, 1e3).stays < one.stays); /* a small text has few words */
    /* monolingual text, three parts of four of all, makes one set, the rest two */
    const struct distill_text text = {.pairs = 1000, .lines = {0, 9000}, .bytes = 4e8, .monolingual = 3e8};
    near(disk_of_text(NULL, &text, 1, 1).need - one.need, 3e8 * (1.5 + 1 + 4 / 3.0));
    /* of a TSV there are swapped copies */
    near(disk_with("data.train.tsv=a.tsv", 1, 1, 1e8).need, one.need + 1e8);
    /* text, and both translations, as ids of characters */
    const struct distill_disk characters = disk_with("text.merges=0", 1, 1, 1e8);
    near(characters.need - characters.stays,
         one.need - one.stays + 3 * 1e8 * (4 - 4 / 3.0) - (one.stays - characters.stays) / 5 * 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_in_order),
        cmocka_unit_test(monolingual_text_is_translated_before_pairs),
        cmocka_unit_test(time_is_divided),
        cmocka_unit_test(a_large_text_is_translated_in_part),
        cmocka_unit_test(students_share_the_rest),
        cmocka_unit_test(only_limits_are_exceeded),
        cmocka_unit_test(disk_grows_with_what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A step of attention in double: its weights under every score, normalizer and mechanism. Gradients are those
 * of tests/gradcheck, which goes through the whole network. */
#include "check.h"

#include "arena.h"
#include "attention.h"
#include "mat.h"

#include <math.h>

enum { WIDTH = 4, SENTS = 2, ROWS = 3, STEPS = 6 };

static const size_t lengths[SENTS] = {STEPS, 3};
static const size_t source_rank[ROWS] = {0, 1, 1}; /* two rows ask one sentence */

struct fixture {
    struct arena arena;
    struct layout layout;
    struct attention attention;
    struct packed_seq seq;
    struct attention_source source;
    struct attention_weights weights;
    struct attention_acts acts;
    struct attention_step step;
    real params[300], annotations[(STEPS + 3) * WIDTH], states[ROWS * WIDTH];
};

static void fill(real *x, size_t count, double from)
{
    for (size_t i = 0; i < count; i++)
        x[i] = sin(from + 2 * (double)i);
}

static struct attention_choice plain_choice(void)
{
    return (struct attention_choice){.score = score_kinds[SCORE_ADDITIVE],
                                     .normalizer = normalizer_kinds[NORMALIZER_SOFTMAX],
                                     .units = WIDTH,
                                     .heads = 1,
                                     .window = 1,
                                     .temperature = 1};
}

/* Up to where a step can be run: keys are there, and memory for one step. */
static void fixture_init(struct fixture *f, const struct attention_choice *choice,
                         const struct hard_attention *hard)
{
    struct attention_source_weights source_weights;
    struct prepack_list list;
    memset(f, 0, sizeof *f);
    arena_init(&f->arena);
    attention_declare(&f->attention, &f->layout, "attention", WIDTH, WIDTH, choice);
    assert_true(f->layout.total <= sizeof f->params / sizeof f->params[0]);
    fill(f->params, f->layout.total, 1);
    fill(f->annotations, sizeof f->annotations / sizeof f->annotations[0], 2);
    fill(f->states, ROWS * WIDTH, 3);
    packed_seq_init(&f->seq, lengths, SENTS, &f->arena);
    prepack_list_init(&list, FORWARD, PRODUCTS_FLOAT32, NULL, &f->arena);
    attention_source_prepack(&source_weights, &f->attention, f->params, &list);
    attention_prepack(&f->weights, &f->attention, f->params, &list);
    prepack_list_fill(&list, 0, 1);
    attention_source_init(&f->source, &f->attention, &f->seq, &f->arena);
    attention_source_forward(&f->source, const_mat_of(f->annotations, f->seq.rows, WIDTH), &source_weights);
    attention_acts_init(&f->acts, &f->attention, 2 * ROWS, &f->seq, hard, &f->arena);
    f->acts.alpha = ARENA_ZERO(&f->arena, 2 * ROWS * choice->heads * STEPS, real);
    f->step = (struct attention_step){0, 0, ROWS, source_rank, &f->source};
}

/* Runs step `step` from 0, of rows that begin behind those of the step before. */
static void run_step(struct fixture *f, size_t step)
{
    const size_t previous = f->step.row;
    f->step.step = step;
    f->step.row = step * ROWS;
    if (step == 0)
        coverage_reset(&f->acts, &f->attention, &f->step);
    else
        coverage_advance(&f->acts, &f->attention, &f->step, previous);
    attention_forward(&f->acts, const_mat_of(f->states, ROWS, WIDTH), &f->step, &f->weights);
}

/* The weights of a row's head in the step that was run last. */
static const real *weights_of(const struct fixture *f, size_t row, size_t head)
{
    return f->acts.alpha + ((f->step.row + row) * f->attention.choice.heads + head) * STEPS;
}

static double sum_of(const real *weights, size_t begin, size_t end)
{
    double sum = 0;
    for (size_t j = begin; j < end; j++) {
        assert_true(weights[j] >= 0);
        sum += weights[j];
    }
    return sum;
}

static void weights_are_distributions_over_the_sentence(void **state)
{
    (void)state;
    for (int score = SCORE_ADDITIVE; score <= SCORE_CONCAT; score++)
        for (int normalizer = 0; normalizer <= NORMALIZER_SPARSEMAX; normalizer++)
            for (size_t heads = 1; heads <= 2; heads++) {
                struct fixture f;
                struct attention_choice choice = plain_choice();
                choice.score = score_kinds[score];
                choice.normalizer = normalizer_kinds[normalizer];
                choice.heads = heads;
                fixture_init(&f, &choice, NULL);
                run_step(&f, 0);
                for (size_t i = 0; i < ROWS * heads; i++) {
                    const size_t length = lengths[source_rank[i / heads]];
                    const real *weights = weights_of(&f, i / heads, i % heads);
                    assert_true(fabs(sum_of(weights, 0, length) - 1) < 1e-12);
                    assert_true(sum_of(weights, length, STEPS) == 0);
                }
                arena_release(&f.arena);
            }
}

/* Scores that are not finite must be noticed, whatever the normalizer. */
static void scores_that_are_not_finite_come_through(void **state)
{
    (void)state;
    const real bad[] = {(real)INFINITY, (real)NAN};
    for (int kind = 0; kind < 2; kind++)
        for (int b = 0; b < 2; b++)
            for (int at = 0; at < 3; at++) {
                real e[3] = {1, 2, (real)0.5}, sum = 0;
                e[at] = bad[b];
                (kind ? &normalizer_sparsemax : &normalizer_softmax)->forward(e, 3);
                for (int j = 0; j < 3; j++)
                    sum += e[j];
                assert_false(isfinite(sum));
            }
}

static void plain_attention_has_no_mechanism(void **state)
{
    (void)state;
    struct fixture f;
    struct attention_choice choice = plain_choice();
    fixture_init(&f, &choice, NULL);
    assert_int_equal(f.attention.mechanism_count, 0);
    arena_release(&f.arena);
    choice.scope = SCOPE_LOCAL_P;
    choice.coverage = COVERAGE_FERTILITY; /* coverage, and what divides it */
    choice.hard = choice.guided = true;
    fixture_init(&f, &choice, NULL);
    assert_int_equal(f.attention.mechanism_count, 5);
    arena_release(&f.arena);
}

static void local_attention_sees_its_window_alone(void **state)
{
    (void)state;
    struct fixture f;
    struct attention_choice choice = plain_choice();
    choice.scope = SCOPE_LOCAL_M;
    fixture_init(&f, &choice, NULL);
    run_step(&f, 1);
    for (size_t i = 0; i < ROWS; i++) /* positions 0 to 2 of window 1 around 1 */
        assert_true(fabs(sum_of(weights_of(&f, i, 0), 0, 3) - 1) < 1e-12);
    f.step = (struct attention_step){4, 0, ROWS, source_rank, &f.source};
    attention_forward(&f.acts, const_mat_of(f.states, ROWS, WIDTH), &f.step, &f.weights);
    assert_true(fabs(sum_of(weights_of(&f, 0, 0), 3, STEPS) - 1) < 1e-12);
    assert_true(fabs(sum_of(weights_of(&f, 1, 0), 1, 3) - 1) < 1e-12); /* as far as the source goes */
    arena_release(&f.arena);
}

static void predicted_windows_fade_towards_their_edges(void **state)
{
    (void)state;
    struct fixture f;
    struct attention_choice choice = plain_choice();
    choice.scope = SCOPE_LOCAL_P;
    choice.window = 2;
    fixture_init(&f, &choice, NULL);
    run_step(&f, 0);
    for (size_t i = 0; i < ROWS; i++) {
        const double centre = f.acts.centre[i], sum = sum_of(weights_of(&f, i, 0), 0, STEPS);
        assert_true(centre > 0 && centre < (double)lengths[source_rank[i]]);
        assert_true(sum > 0 && sum < 1);
        for (size_t j = 0; j < STEPS; j++)
            if (fabs((double)j - centre) > 2)
                assert_true(weights_of(&f, i, 0)[j] == 0);
    }
    arena_release(&f.arena);
}

static void coverage_sums_the_weights_of_steps_before(void **state)
{
    (void)state;
    struct fixture f;
    struct attention_choice choice = plain_choice();
    choice.coverage = COVERAGE_SUM;
    fixture_init(&f, &choice, NULL);
    run_step(&f, 0);
    run_step(&f, 1);
    const size_t size = ROWS * STEPS;
    for (size_t i = 0; i < size; i++)
        assert_true(f.acts.coverage[size + i] == f.acts.alpha[i]);
    assert_memory_not_equal(f.acts.alpha, f.acts.alpha + size, size * sizeof(real)); /* it moves the score */
    arena_release(&f.arena);
}

static void hard_attention_looks_at_one_position(void **state)
{
    (void)state;
    static const int forced[ROWS] = {4, 0, 2};
    struct attention_choice choice = plain_choice();
    choice.hard = true;
    for (int sampled = 0; sampled < 3; sampled++) {
        const struct hard_attention hard = {.sampled = sampled > 0, .forced = sampled == 2 ? forced : NULL};
        struct fixture f;
        fixture_init(&f, &choice, &hard);
        run_step(&f, 0);
        for (size_t i = 0; i < ROWS; i++) {
            const real *soft = f.acts.soft + i * STEPS;
            size_t chosen = 0;
            while (weights_of(&f, i, 0)[chosen] == 0)
                chosen++;
            assert_true(sum_of(weights_of(&f, i, 0), 0, STEPS) == 1 && soft[chosen] > 0);
            assert_true(fabs(sum_of(soft, 0, STEPS) - 1) < 1e-12);
            for (size_t j = 0; sampled == 0 && j < STEPS; j++)
                assert_true(soft[j] <= soft[chosen]);
            if (sampled == 2)
                assert_int_equal(chosen, forced[i]);
        }
        arena_release(&f.arena);
    }
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_distributions_over_the_sentence),
        cmocka_unit_test(scores_that_are_not_finite_come_through),
        cmocka_unit_test(plain_attention_has_no_mechanism),
        cmocka_unit_test(local_attention_sees_its_window_alone),
        cmocka_unit_test(predicted_windows_fade_towards_their_edges),
        cmocka_unit_test(coverage_sums_the_weights_of_steps_before),
        cmocka_unit_test(hard_attention_looks_at_one_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

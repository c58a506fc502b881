/* Teams of threads: each task runs once, its writes are visible, and waiting takes no processor time. */
#include "team.h"

#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#define TASKS 1000

struct count {
    atomic_int of[TASKS];
    atomic_int out_of_range;
    int members;
};

static void count_task(void *context, int task, int member)
{
    struct count *count = context;
    atomic_fetch_add(&count->of[task], 1);
    if (member < 0 || member >= count->members)
        atomic_fetch_add(&count->out_of_range, 1);
}

static void each_task_is_done_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        static struct count count;
        struct team *team = team_new(threads);
        memset(&count, 0, sizeof count);
        count.members = team_members(team);
        assert_true(count.members >= 1 && count.members <= threads);
        /* Also for late threads, while calls with few tasks follow each other. */
        for (int call = 0; call < 3000; call++)
            team_run(team, count_task, &count, call % 7);
        team_run(team, count_task, &count, TASKS);
        for (int task = 0; task < TASKS; task++) {
            int expected = 1;
            for (int call = 0; call < 3000; call++)
                expected += task < call % 7;
            assert_int_equal(count.of[task], expected);
        }
        assert_int_equal(count.out_of_range, 0);
        team_free(team);
    }
}

static void sum_up(void *context, int task, int member)
{
    long *numbers = context;
    (void)member;
    numbers[task + 1] = numbers[0] + task; /* what the caller has written before the call */
}

static void what_tasks_write_the_caller_sees(void **state)
{
    long numbers[9] = {0};
    struct team *team = team_new(4);
    (void)state;
    for (int call = 0; call < 2000; call++) {
        team_run(team, sum_up, numbers, 8);
        for (int task = 0; task < 8; task++)
            assert_int_equal(numbers[task + 1], numbers[0] + task);
        numbers[0] = numbers[8];
    }
    team_free(team);
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_for(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

static void last_one_sleeps(void *context, int task, int member)
{
    (void)context, (void)member;
    if (task == 0)
        sleep_for(0.3);
}

/* Neither idle members nor a waiting caller take time that others could use. */
static void waiting_takes_no_processor_time(void **state)
{
    struct count count = {.members = 4};
    struct team *team = team_new(4);
    (void)state;
    team_run(team, count_task, &count, 8);
    const double before = processor_seconds();
    sleep_for(0.3);
    team_run(team, last_one_sleeps, NULL, 4);
    assert_true(processor_seconds() - before < 0.1);
    team_free(team);
}

static void look_at_mask(void *context, int task, int member)
{
    atomic_int *open = context;
    sigset_t mask;
    (void)task;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    if (member && !sigismember(&mask, SIGTERM))
        atomic_fetch_add(open, 1);
    sleep_for(0.02); /* leaves tasks for the others */
}

/* Signal handlers must run in the program's own threads. */
static void members_take_no_signals(void **state)
{
    atomic_int open = 0;
    struct team *team = team_new(3);
    sigset_t mask;
    (void)state;
    team_run(team, look_at_mask, &open, 30);
    assert_int_equal(open, 0);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGTERM));
    team_free(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_is_done_once),
        cmocka_unit_test(what_tasks_write_the_caller_sees),
        cmocka_unit_test(waiting_takes_no_processor_time),
        cmocka_unit_test(members_take_no_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

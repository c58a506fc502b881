/* Deals out tasks to threads. One atomic number, the ticket, holds the call's number and how many of its
 * tasks are left. A thread takes a task by decreasing the ticket in one compare-and-swap, which fails if
 * the ticket is from an earlier call. Only the caller begins a call, and only after all tasks of the last
 * one are done: the fields of a call do not change while a thread holds one of its tasks. What the caller's
 * thread has, a guard and a sink for messages, the tasks have too. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "team.h"

#include "err.h"
#include "guard.h"
#include "log.h"
#include "machine.h"
#include "mem.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* Sleeping and waking cost tens of microseconds. Longer spinning gains nothing on an idle machine; shorter
 * spinning loses 1 to 2 % there. */
#define SPIN_SECONDS 100e-6
#define STACK_BYTES ((size_t)1 << 20)
#define TASK_BITS 24 /* of TEAM_MOST_TASKS */

struct member {
    struct team *team;
    int number;
};

struct team {
    int members;
    pthread_t *threads; /* [members - 1] */
    struct member *numbers;
    /* the current call: */
    team_task *work;
    void *context;
    int tasks;
    struct guard *guard;         /* the caller's, or NULL */
    const struct log_sink *sink; /* the caller's */
    atomic_uint_fast64_t ticket;
    atomic_int done; /* tasks finished in this call */
    /* sleeping threads: */
    pthread_mutex_t mutex;
    pthread_cond_t begun, ended;
    atomic_int sleepers;
    atomic_bool caller_sleeps;
    bool over; /* guarded by the mutex */
};

static int tasks_left(uint_fast64_t ticket)
{
    return (int)(ticket & TEAM_MOST_TASKS);
}

/* The next task, or -1. */
static int take_task(struct team *team)
{
    uint_fast64_t ticket = atomic_load(&team->ticket);
    while (tasks_left(ticket))
        if (atomic_compare_exchange_weak(&team->ticket, &ticket, ticket - 1))
            return team->tasks - tasks_left(ticket);
    return -1;
}

static void wake(struct team *team, pthread_cond_t *cond)
{
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(cond);
    pthread_mutex_unlock(&team->mutex);
}

/* A task that has been taken. */
struct taken {
    const struct team *team;
    int task, member;
};

static void do_work(void *context)
{
    const struct taken *taken = context;
    taken->team->work(taken->team->context, taken->task, taken->member);
}

static void do_task(const struct team *team, int task, int member)
{
    struct taken taken = {team, task, member};
    const struct log_sink *before = log_to(team->sink);
    if (team->guard)
        guard_run_task(team->guard, do_work, &taken);
    else
        do_work(&taken);
    log_to(before);
}

static void work_on(struct team *team, int member)
{
    int task;
    while ((task = take_task(team)) >= 0) {
        do_task(team, task, member);
        const int tasks = team->tasks; /* read first: after the last task is counted, the next call may
                                        * change it */
        if (atomic_fetch_add(&team->done, 1) + 1 == tasks && atomic_load(&team->caller_sleeps))
            wake(team, &team->ended);
    }
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

typedef bool team_condition(const struct team *team);

/* Spins for a while; true if the condition came true. */
static bool becomes_true(team_condition *condition, const struct team *team)
{
    const double until = clock_seconds() + SPIN_SECONDS;
    do {
        if (condition(team))
            return true;
        pause_briefly();
    } while (clock_seconds() < until);
    return false;
}

/* ---- the other threads ---- */

static bool has_work(const struct team *team)
{
    return tasks_left(atomic_load(&team->ticket)) > 0;
}

/* False when the team ends. */
static bool await_work(struct team *team)
{
    if (becomes_true(has_work, team))
        return true;
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (!has_work(team) && !team->over)
        pthread_cond_wait(&team->begun, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    const bool over = team->over;
    pthread_mutex_unlock(&team->mutex);
    return !over;
}

static void *member_main(void *argument)
{
    const struct member *member = argument;
    while (await_work(member->team))
        work_on(member->team, member->number);
    return NULL;
}

/* ---- the caller ---- */

static bool all_done(const struct team *team)
{
    return atomic_load(&team->done) == team->tasks;
}

static void await_end(struct team *team)
{
    if (becomes_true(all_done, team))
        return;
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->caller_sleeps, true);
    while (!all_done(team))
        pthread_cond_wait(&team->ended, &team->mutex);
    atomic_store(&team->caller_sleeps, false);
    pthread_mutex_unlock(&team->mutex);
}

void team_run(struct team *team, team_task *work, void *context, int tasks)
{
    if (tasks < 0 || tasks > TEAM_MOST_TASKS)
        BUG("%d tasks", tasks);
    if (team->members == 1 || tasks == 1) {
        for (int task = 0; task < tasks; task++)
            work(context, task, 0);
        return;
    }
    team->work = work;
    team->context = context;
    team->tasks = tasks;
    team->guard = guard_current();
    team->sink = log_sink();
    atomic_store(&team->done, 0);
    const uint_fast64_t call = (atomic_load(&team->ticket) >> TASK_BITS) + 1;
    atomic_store(&team->ticket, call << TASK_BITS | (uint_fast64_t)tasks);
    if (atomic_load(&team->sleepers))
        wake(team, &team->begun);
    work_on(team, 0);
    await_end(team);
    if (team->guard)
        guard_check_tasks();
}

/* ---- start and end ---- */

static bool start(struct team *team, int number)
{
    pthread_attr_t attributes;
    team->numbers[number] = (struct member){team, number};
    if (pthread_attr_init(&attributes))
        return false;
    const bool started =
        !pthread_attr_setstacksize(&attributes, STACK_BYTES) &&
        !pthread_create(&team->threads[number - 1], &attributes, member_main, &team->numbers[number]);
    pthread_attr_destroy(&attributes);
    return started;
}

/* Leaves a team that can only be freed. */
static void end_threads(void *argument)
{
    struct team *team = argument;
    pthread_mutex_lock(&team->mutex);
    team->over = true;
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->mutex);
    for (int i = 1; i < team->members; i++)
        pthread_join(team->threads[i - 1], NULL);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->begun);
    pthread_cond_destroy(&team->ended);
}

struct team *team_new(int threads)
{
    struct team *team = xcalloc(1, sizeof *team);
    sigset_t all, before;
    team->members = 1;
    team->threads = xcalloc((size_t)threads, sizeof *team->threads);
    team->numbers = xcalloc((size_t)threads, sizeof *team->numbers);
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->begun, NULL);
    pthread_cond_init(&team->ended, NULL);
    mem_track(team, end_threads);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team->members < threads && start(team, team->members))
        team->members++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return team;
}

void team_free(struct team *team)
{
    if (!team)
        return;
    mem_untrack(team);
    end_threads(team);
    xfree(team->threads);
    xfree(team->numbers);
    xfree(team);
}

int team_members(const struct team *team)
{
    return team->members;
}

/* Those on which the system may run this process. */
static int allowed_processors(void)
{
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set))
        return CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int team_processors(void)
{
    const int allowed = allowed_processors(),
              quota = machine_processor_quota(MACHINE_OWN_GROUP, MACHINE_GROUPS);
    return quota && quota < allowed ? quota : allowed;
}

int team_threads(int setting)
{
    return setting ? setting : team_processors();
}

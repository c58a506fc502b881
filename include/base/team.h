/* team: threads that share the tasks of one caller.
 *
 * Whichever thread is free takes the next task, the caller included: a thread that loses its core to
 * another process delays only its own task. An idle thread looks for work for 100 microseconds, then
 * sleeps, so that it does not burn a core that others need. Tasks are part of their caller's guarded work
 * (mem_guard.h), and their messages go where the caller's go (log.h). */
#ifndef NMT_TEAM_H
#define NMT_TEAM_H

struct team;

/* `member` is the thread's number in [0, team_members()); 0 is the caller. */
typedef void team_task(void *context, int task, int member);

/* Processors available to this process: those it may run on, at most as many as its control groups grant. */
int team_processors(void);
/* The number of threads for a setting; 0: one per processor. */
int team_threads(int setting);

/* Starts a team of `threads` threads, the caller included, or as many as the system grants. Those
 * that it starts block all signals. */
struct team *team_new(int threads);
void team_free(struct team *team);
int team_members(const struct team *team);
#define TEAM_MOST_TASKS ((1 << 24) - 1)
/* Calls work(context, task, member) for each task in [0, tasks), in that order, and returns when all are
 * done; at most TEAM_MOST_TASKS. One caller at a time, and not from within a task. */
void team_run(struct team *team, team_task *work, void *context, int tasks);

#endif

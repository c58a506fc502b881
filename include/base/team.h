/* team: threads that share the tasks of one caller.
 *
 * Tasks are taken one by one by whoever is free, the caller included, so that a thread that lost its core to
 * another process delays only the task that it holds. A thread with nothing to do looks for work for some
 * microseconds, then sleeps: it does not burn a core that somebody else needs. */
#ifndef NMT_TEAM_H
#define NMT_TEAM_H

struct team;

/* `member` is the thread's number, from 0 (the caller) to before team_members(). */
typedef void team_task(void *context, int task, int member);

/* Processors that this process may run on. */
int team_processors(void);
/* How many threads a setting means: 0 is one for each processor. */
int team_threads(int setting);

/* So many threads, or as many of them as the system grants; the caller is one of them. They take no signals.
 */
struct team *team_new(int threads);
void team_free(struct team *team);
int team_members(const struct team *team);
/* Calls work(context, task, member) for each task from 0 to before `tasks` (2^24 at most), beginning with the
 * first ones, and returns when all are done. One caller at a time, and not from inside of a task. */
void team_run(struct team *team, team_task *work, void *context, int tasks);

#endif

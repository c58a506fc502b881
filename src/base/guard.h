/* guard: the guards of mem_guard.h as the rest of this layer sees them: mem.c, whose blocks they keep; err.c;
 * and team.c, which takes them to other threads. */
#ifndef NMT_GUARD_H
#define NMT_GUARD_H

#include "mem_guard.h"

#include <stdbool.h>
#include <stddef.h>

struct guard;

/* The calling thread's guard, or NULL; then only guard_run_task may be called. */
struct guard *guard_current(void);

/* Makes room to keep one more block; false if there is no memory. */
bool guard_reserve(void);
/* Keeps a block, for which there must be room. */
void guard_add(void *block);
/* Keeps a block no longer, if it was. */
void guard_remove(void *block);
/* realloc; NULL and `old` as it was if there is no memory. What was kept is kept. */
void *guard_realloc(void *old, size_t bytes);

/* Ends the guard's work, for the reason given; `number` is an errno, or 0. */
_Noreturn void guard_fail(int number, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs a task of a guard's work, in any thread, unless one has failed already. */
void guard_run_task(struct guard *guard, guarded_work *work, void *context);
/* Ends the work of the calling thread's guard if one of its tasks has failed. */
void guard_check_tasks(void);

#endif

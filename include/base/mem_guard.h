/* mem_guard: runs work that fails when memory runs out, and then releases all that the work has allocated. A
 * library needs this, because it must not end its host; without a guard the process ends (mem.h).
 *
 * A guard tracks what is allocated under it: the blocks of xmalloc and its family until xfree, and other
 * resources from mem_track to mem_untrack. When memory runs out, or at a BUG(), resources are released, the
 * last one first, then blocks are freed, and no function between there and mem_guard returns. If the work
 * succeeds, what it has allocated stays and belongs to the caller.
 *
 * What was allocated before stays valid and with its owner: a block that xrealloc has resized, an arena with
 * the blocks that it has added. But nothing allocated under a guard may be put into what outlives the guard,
 * unless nothing can fail from there on; and no pointer there may be left to a freed block.
 *
 * The tasks of a team (team.h) are part of its caller's work. When one of them runs out of memory, tasks not
 * yet started are skipped, and the work ends when the others are done. A guard within a guard tracks its own
 * work only. */
#ifndef NMT_MEM_GUARD_H
#define NMT_MEM_GUARD_H

#include "err.h"

typedef void guarded_work(void *context);

/* Runs work(context). Returns 0, or -1 and the reason if the work was not finished: err->number is
 * ENOMEM, or 0 for a BUG(). `err` may be NULL. */
int mem_guard(guarded_work *work, void *context, struct err *err);

/* Under a guard: release(what) is called if the work fails before mem_untrack, and at once if there is no
 * memory for tracking. `what` must stay at its address, and be releasable at each allocation.
 * `release` must not allocate, and need not free blocks of xmalloc. Without a guard, nothing. */
void mem_track(void *what, void (*release)(void *what));
void mem_untrack(const void *what);

#endif

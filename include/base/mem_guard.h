/* mem_guard: work that ends, and gives back all that it has made, where there is no memory. A library works
 * so, for it must not end its host; without a guard the process ends (mem.h).
 *
 * A guard knows what has begun under it and not ended: the blocks of xmalloc and its family until xfree, and
 * other resources from mem_track to mem_untrack. If there is no memory, or at a BUG(), resources are
 * released, the last one first, then blocks are freed, and no function between there and mem_guard returns.
 * If the work succeeds, what it has made stays: it is the caller's.
 *
 * What has begun before stays with its owner, and valid: a block that xrealloc has resized, an arena with the
 * blocks that it has added. But nothing that begins under a guard may be put into what outlives the guard,
 * unless nothing can fail from there on; and a pointer there must not be left to a freed block.
 *
 * The tasks of a team (team.h) are part of its caller's work. Where one of them runs out of memory, tasks not
 * yet begun are left out, and the work ends when the others are done. A guard within a guard keeps its own
 * work's things, apart from the outer one's. */
#ifndef NMT_MEM_GUARD_H
#define NMT_MEM_GUARD_H

#include "err.h"

typedef void guarded_work(void *context);

/* Runs work(context). Returns 0, or -1 and the reason if the work did not come to its end: err->number is
 * ENOMEM, or 0 for a BUG(). `err` may be NULL. */
int mem_guard(guarded_work *work, void *context, struct err *err);

/* Under a guard: release(what) is called if the work fails before mem_untrack, and at once if there is no
 * memory to keep track. `what` must stay at its address, and be fit to be released at each allocation.
 * `release` must not allocate, and need not free blocks of xmalloc. Without a guard, nothing. */
void mem_track(void *what, void (*release)(void *what));
void mem_untrack(const void *what);

#endif

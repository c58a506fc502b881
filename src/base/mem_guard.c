/* Keeps track of what guarded work has made, and gives it back where the work ends early. setjmp is used
 * here alone. Each task of a team has a guard of its own, so that what lies on its thread's stack is released
 * before that stack unwinds; what it leaves when it succeeds goes to the guard of the team's caller. */
#include "mem_guard.h"

#include "block_set.h"
#include "guard.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct resource {
    void *what;
    void (*release)(void *what);
};

struct resources {
    struct resource *items; /* oldest first */
    size_t count, capacity;
};

struct guard {
    struct guard *outer;   /* whose work this work is part of, or merely within; may be another thread's */
    struct guard *before;  /* the thread's guard until now */
    pthread_mutex_t mutex; /* for the following, where this is the outer guard of tasks in other threads */
    struct block_set blocks;
    struct resources resources;
    struct err err; /* why the work, or a task of it, has failed; else empty */
    jmp_buf begin;
};

/* A library's thread-local variables are else allocated when a thread first uses them, and if there is no
 * memory the C library aborts. */
static _Thread_local struct guard *current __attribute__((tls_model("initial-exec")));

struct guard *guard_current(void)
{
    return current;
}

static void guard_init(struct guard *guard, struct guard *outer)
{
    *guard = (struct guard){.outer = outer, .before = current};
    pthread_mutex_init(&guard->mutex, NULL);
}

/* What is kept is kept no longer, but stays. */
static void guard_release(struct guard *guard)
{
    block_set_release(&guard->blocks);
    free(guard->resources.items);
    pthread_mutex_destroy(&guard->mutex);
}

/* ---- what is kept ---- */

/* Other threads' tasks may reach any guard but the one on top of a thread. */
static void lock(struct guard *guard)
{
    if (guard != current)
        pthread_mutex_lock(&guard->mutex);
}

static void unlock(struct guard *guard)
{
    if (guard != current)
        pthread_mutex_unlock(&guard->mutex);
}

bool guard_reserve(void)
{
    return block_set_reserve(&current->blocks, 1);
}

void guard_add(void *block)
{
    block_set_add(&current->blocks, block);
}

void guard_remove(void *block)
{
    bool removed = false;
    for (struct guard *guard = current; guard && !removed; guard = guard->outer) {
        lock(guard);
        removed = block_set_remove(&guard->blocks, block);
        unlock(guard);
    }
}

/* The block is out of the set while it is resized, or another thread could get its address, and add it. */
void *guard_realloc(void *old, size_t bytes)
{
    for (struct guard *guard = old ? current : NULL; guard; guard = guard->outer) {
        lock(guard);
        const bool kept = block_set_remove(&guard->blocks, old);
        void *block = kept ? realloc(old, bytes) : NULL;
        if (kept)
            block_set_add(&guard->blocks, block ? block : old);
        unlock(guard);
        if (kept)
            return block;
    }
    if (old || !guard_reserve())
        return old ? realloc(old, bytes) : NULL;
    void *block = malloc(bytes);
    if (block)
        guard_add(block);
    return block;
}

static bool resources_reserve(struct resources *resources, size_t more)
{
    const size_t need = resources->count + more;
    if (need <= resources->capacity)
        return true;
    struct resource *items = realloc(resources->items, 2 * need * sizeof *items);
    if (!items)
        return false;
    resources->items = items;
    resources->capacity = 2 * need;
    return true;
}

void mem_track(void *what, void (*release)(void *what))
{
    if (!current)
        return;
    struct resources *resources = &current->resources;
    if (!resources_reserve(resources, 1)) {
        release(what);
        guard_fail(ENOMEM, "out of memory");
    }
    resources->items[resources->count++] = (struct resource){what, release};
}

static bool resources_remove(struct resources *resources, const void *what)
{
    for (size_t i = resources->count; i-- > 0;)
        if (resources->items[i].what == what) {
            memmove(&resources->items[i], &resources->items[i + 1],
                    (--resources->count - i) * sizeof *resources->items);
            return true;
        }
    return false;
}

void mem_untrack(const void *what)
{
    bool removed = false;
    for (struct guard *guard = current; guard && !removed; guard = guard->outer) {
        lock(guard);
        removed = resources_remove(&guard->resources, what);
        unlock(guard);
    }
}

/* ---- the end ---- */

static void give_all_back(struct guard *guard)
{
    while (guard->resources.count) {
        const struct resource last = guard->resources.items[--guard->resources.count];
        last.release(last.what);
    }
    block_set_free_all(&guard->blocks);
}

static _Noreturn void end_work(void)
{
    give_all_back(current);
    longjmp(current->begin, 1);
}

_Noreturn void guard_fail(int number, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(current->err.text, sizeof current->err.text, format, args);
    va_end(args);
    current->err.number = number;
    end_work();
}

/* True if the work came to its end. */
static bool run_guarded(struct guard *guard, guarded_work *work, void *context)
{
    current = guard;
    if (setjmp(guard->begin)) {
        current = guard->before;
        return false;
    }
    work(context);
    current = guard->before;
    return true;
}

int mem_guard(guarded_work *work, void *context, struct err *err)
{
    struct guard guard;
    guard_init(&guard, current);
    const bool done = run_guarded(&guard, work, context);
    if (!done && err)
        *err = guard.err;
    guard_release(&guard);
    return done ? 0 : -1;
}

/* ---- tasks ---- */

/* Moves all that `from` keeps; false, and nothing moved, if there is no memory. */
static bool move_all(struct guard *to, const struct guard *from)
{
    if (!block_set_reserve(&to->blocks, from->blocks.count) ||
        !resources_reserve(&to->resources, from->resources.count))
        return false;
    for (size_t i = 0; from->blocks.count && i <= from->blocks.mask; i++)
        if (from->blocks.slots[i])
            block_set_add(&to->blocks, from->blocks.slots[i]);
    for (size_t i = 0; i < from->resources.count; i++)
        to->resources.items[to->resources.count++] = from->resources.items[i];
    return true;
}

struct task {
    guarded_work *work;
    void *context;
};

/* The guarded work of a task: its own, and passing on what that has made. */
static void run_task(void *context)
{
    const struct task *task = context;
    struct guard *outer = current->outer;
    task->work(task->context);
    lock(outer);
    const bool moved = move_all(outer, current);
    unlock(outer);
    if (!moved)
        guard_fail(ENOMEM, "out of memory");
}

static bool has_failed(struct guard *guard)
{
    pthread_mutex_lock(&guard->mutex);
    const bool failed = guard->err.text[0];
    pthread_mutex_unlock(&guard->mutex);
    return failed;
}

void guard_run_task(struct guard *guard, guarded_work *work, void *context)
{
    struct guard own;
    if (has_failed(guard))
        return;
    guard_init(&own, guard);
    if (!run_guarded(&own, run_task, &(struct task){work, context})) {
        pthread_mutex_lock(&guard->mutex);
        guard->err = own.err;
        pthread_mutex_unlock(&guard->mutex);
    }
    guard_release(&own);
}

void guard_check_tasks(void)
{
    if (has_failed(current))
        end_work();
}

/* Allocation that does not return without memory, pages for large blocks, and the system's limit on memory.
 * What guarded work has made is kept track of in mem_guard.c. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "mem.h"

#include "guard.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define ALIGNMENT ((size_t)64)
/* Blocks of this size and more use pages of 2 MiB: few pages per matrix, and so few TLB misses. */
#define HUGE_BYTES ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

void mem_init(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* else glibc raises it, and keeps freed blocks */
#endif
}

void mem_exhausted(size_t count, size_t size)
{
    if (guard_current())
        guard_fail(ENOMEM, "out of memory (%zu x %zu bytes)", count, size);
    fprintf(stderr, "nmt: out of memory (%zu x %zu bytes)\n", count, size);
    _exit(1); /* not exit(), whose handlers would free what other threads still use */
}

static size_t total_bytes(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - HUGE_PAGE)
        mem_exhausted(count, size);
    return bytes ? bytes : 1;
}

/* Only advice: may fail. */
static void advise_huge(void *block, size_t bytes, bool huge)
{
#ifdef MADV_HUGEPAGE
    madvise(block, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)block, (void)bytes, (void)huge;
#endif
}

void *xmalloc_unguarded(size_t count, size_t size)
{
    const size_t bytes = total_bytes(count, size), alignment = bytes < HUGE_BYTES ? ALIGNMENT : HUGE_PAGE;
    void *block;
    if (posix_memalign(&block, alignment, bytes))
        mem_exhausted(count, size);
    if (alignment == HUGE_PAGE) /* not of the last one, of which most may be unused */
        advise_huge(block, bytes / HUGE_PAGE * HUGE_PAGE, true);
    return block;
}

void *xmalloc(size_t count, size_t size)
{
    if (!guard_current())
        return xmalloc_unguarded(count, size);
    if (!guard_reserve())
        mem_exhausted(count, size);
    void *block = xmalloc_unguarded(count, size);
    guard_add(block);
    return block;
}

void *xcalloc(size_t count, size_t size)
{
    void *block = xmalloc(count, size);
    return memset(block, 0, total_bytes(count, size));
}

void xfree(void *block)
{
    if (block && guard_current())
        guard_remove(block);
    free(block);
}

void *xrealloc(void *old, size_t count, size_t size)
{
    const size_t bytes = total_bytes(count, size);
    void *block = guard_current() ? guard_realloc(old, bytes) : realloc(old, bytes);
    if (!block)
        mem_exhausted(count, size);
    return block;
}

void *xadopt(void *block, size_t bytes)
{
    if (block && guard_current() && !guard_reserve()) {
        free(block);
        block = NULL;
    }
    if (!block)
        mem_exhausted(bytes, 1);
    if (guard_current())
        guard_add(block);
    return block;
}

char *xstrndup(const char *text, size_t bytes)
{
    char *copy = xrealloc(NULL, bytes + 1, 1);
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return copy;
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

char *xasprintf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int bytes = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (bytes < 0)
        mem_exhausted(strlen(format), 1);
    char *text = xrealloc(NULL, (size_t)bytes + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)bytes + 1, format, args);
    va_end(args);
    return text;
}

size_t mem_grown(size_t capacity, size_t need)
{
    const size_t half_more = capacity + capacity / 2 + 16;
    return half_more > need ? half_more : need;
}

bool mem_is_limited(void)
{
    struct rlimit limit;
    return !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

bool mem_has_room(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages != MAP_FAILED && !munmap(pages, bytes);
}

void *mem_pages(size_t bytes, bool huge)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    advise_huge(pages, bytes, huge);
    return pages;
}

void mem_pages_forget(const void *from, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)from;
    const uintptr_t first = (at + page - 1) / page * page, end = (at + bytes) / page * page;
    char *block; /* an owner may let go what it only reads */
    memcpy(&block, &from, sizeof block);
    if (first < end)
        madvise(block + (first - at), end - first, MADV_DONTNEED);
}

void mem_pages_free(void *pages, size_t bytes)
{
    if (pages)
        munmap(pages, bytes);
}

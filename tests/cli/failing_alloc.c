/* Allocations of a program and its libraries that find no memory. Preloaded: number FAIL_ALLOC, from 1; if that is
 * 0, the file "allocations" says at the end how many there were. Linked to a program: those that it asks for
 * (failing_alloc.h). */
#define _GNU_SOURCE /* dladdr, MAP_ANONYMOUS */
#include "failing_alloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

static atomic_long calls, living, first_failing, last_failing;

void fail_allocations(long first, long last)
{
    atomic_store(&calls, 0);
    atomic_store(&first_failing, first);
    atomic_store(&last_failing, last);
}

long allocations_counted(void)
{
    return atomic_load(&calls);
}

long allocations_living(void)
{
    return atomic_load(&living);
}

static bool is_counted(void *caller)
{
    static const char *const names[] = {"/nmt",        "/api_example", "libnmt.so", "libcjson",
                                        "libutf8proc", "libz.so",      "/libc.so",  "/ld-linux"};
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(info.dli_fname, names[i]))
            return true;
    return false;
}

static bool fails(void *caller)
{
    if (!is_counted(caller))
        return false;
    const long number = atomic_fetch_add(&calls, 1) + 1;
    if (number < atomic_load(&first_failing) || number > atomic_load(&last_failing))
        return false;
    errno = ENOMEM;
    return true;
}

static void *count(void *block)
{
    atomic_fetch_add(&living, block != NULL);
    return block;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t bytes)
{
    return fails(CALLER) ? NULL : count(__libc_malloc(bytes));
}

void *calloc(size_t items, size_t size)
{
    return fails(CALLER) ? NULL : count(__libc_calloc(items, size));
}

void *realloc(void *old, size_t bytes)
{
    if (fails(CALLER))
        return NULL;
    return old ? __libc_realloc(old, bytes) : count(__libc_malloc(bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(CALLER) ? NULL : count(__libc_memalign(alignment, bytes));
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    *block = fails(CALLER) ? NULL : count(__libc_memalign(alignment, bytes));
    return *block ? 0 : ENOMEM;
}

void free(void *block)
{
    atomic_fetch_sub(&living, block != NULL);
    __libc_free(block);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (fails(CALLER))
        return MAP_FAILED;
    void *pages = mmap64(at, bytes, protection, flags, fd, offset); /* the C library's, by its other name */
    atomic_fetch_add(&living, pages != MAP_FAILED);
    return pages;
}

int munmap(void *pages, size_t bytes)
{
    const int status = (int)syscall(SYS_munmap, pages, bytes);
    atomic_fetch_sub(&living, status == 0);
    return status;
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_ALLOC");
    if (number)
        fail_allocations(strtol(number, NULL, 10), strtol(number, NULL, 10));
}

__attribute__((destructor)) static void say_how_many(void)
{
    const char *number = getenv("FAIL_ALLOC");
    FILE *file = number && !strcmp(number, "0") ? fopen("allocations", "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&calls));
        fclose(file);
    }
}

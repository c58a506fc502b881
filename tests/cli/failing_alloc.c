/* Allocations of a program and its libraries that find no memory. Preloaded: number FAIL_ALLOC, from 1; if
 * that is 0, the file "allocations" says at the end how many there were. Linked to a program: those that it
 * asks for (failing_alloc.h). SANITIZED: only those of objects that are linked with --wrap: the sanitizer has
 * its own allocator, and looks for leaks itself. */
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

#ifdef SANITIZED
#define NEW(name) __wrap_##name
#define OLD(name) __real_##name
#define OLD_MMAP __real_mmap
#define KNOWS_ALL false /* blocks of the libraries are freed by the program */
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
#else
#define NEW(name) name
#define OLD(name) __libc_##name
#define OLD_MMAP mmap64 /* the C library's, by its other name */
#define KNOWS_ALL true
#endif

void *OLD(malloc)(size_t bytes);
void *OLD(calloc)(size_t count, size_t size);
void *OLD(realloc)(void *old, size_t bytes);
void *OLD(memalign)(size_t alignment, size_t bytes);
void OLD(free)(void *block);

void *NEW(malloc)(size_t bytes);
void *NEW(calloc)(size_t items, size_t size);
void *NEW(realloc)(void *old, size_t bytes);
void *NEW(aligned_alloc)(size_t alignment, size_t bytes);
int NEW(posix_memalign)(void **block, size_t alignment, size_t bytes);
void NEW(free)(void *block);
void *NEW(mmap)(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int NEW(munmap)(void *pages, size_t bytes);

static atomic_bool counting;
static atomic_long calls, living, first_failing, last_failing;

void fail_allocations(long first, long last)
{
    atomic_store(&calls, 0);
    atomic_store(&first_failing, first);
    atomic_store(&last_failing, last);
    atomic_store(&counting, true);
}

long leave_allocations(void)
{
    atomic_store(&counting, false);
    return atomic_load(&calls);
}

long allocations_living(void)
{
    return KNOWS_ALL ? atomic_load(&living) : 0;
}

static bool is_counted(void *caller)
{
    static const char *const names[] = {"/nmt",      "/api_example", "/engine_out_of_memory",
                                        "libnmt.so", "libcjson",     "libutf8proc",
                                        "libz.so",   "/libc.so",     "/ld-linux"};
    Dl_info info;
    if (!KNOWS_ALL)
        return true;
    if (!dladdr(caller, &info) || !info.dli_fname)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(info.dli_fname, names[i]))
            return true;
    return false;
}

static bool fails(void *caller)
{
    if (!atomic_load(&counting) || !is_counted(caller))
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

void *NEW(malloc)(size_t bytes)
{
    return fails(CALLER) ? NULL : count(OLD(malloc)(bytes));
}

void *NEW(calloc)(size_t items, size_t size)
{
    return fails(CALLER) ? NULL : count(OLD(calloc)(items, size));
}

void *NEW(realloc)(void *old, size_t bytes)
{
    if (fails(CALLER))
        return NULL;
    return old ? OLD(realloc)(old, bytes) : count(OLD(malloc)(bytes));
}

void *NEW(aligned_alloc)(size_t alignment, size_t bytes)
{
    return fails(CALLER) ? NULL : count(OLD(memalign)(alignment, bytes));
}

int NEW(posix_memalign)(void **block, size_t alignment, size_t bytes)
{
    *block = fails(CALLER) ? NULL : count(OLD(memalign)(alignment, bytes));
    return *block ? 0 : ENOMEM;
}

void NEW(free)(void *block)
{
    atomic_fetch_sub(&living, block != NULL);
    OLD(free)(block);
}

void *NEW(mmap)(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (fails(CALLER))
        return MAP_FAILED;
    void *pages = OLD_MMAP(at, bytes, protection, flags, fd, offset);
    atomic_fetch_add(&living, pages != MAP_FAILED);
    return pages;
}

int NEW(munmap)(void *pages, size_t bytes)
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

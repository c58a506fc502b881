/* To be preloaded: allocation number FAIL_ALLOC, from 1, of the program, of libnmt and of the libraries that
 * it calls for its data finds no memory. Without that variable the file "allocations" says at the end how
 * many there were. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_long calls;

static bool is_counted(void *caller)
{
    static const char *const names[] = {"/nmt",     "/api_example", "libnmt.so",
                                        "libcjson", "libutf8proc",  "libz.so"};
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
    const char *number = getenv("FAIL_ALLOC");
    if (!is_counted(caller) || atomic_fetch_add(&calls, 1) + 1 != (number ? strtol(number, NULL, 10) : 0))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}

__attribute__((destructor)) static void say_how_many(void)
{
    FILE *file = getenv("FAIL_ALLOC") ? NULL : fopen("allocations", "w");
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&calls));
        fclose(file);
    }
}

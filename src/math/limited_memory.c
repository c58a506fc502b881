/* Prevents a hang under a memory limit (ulimit -v), before the libraries start.
 *
 * OpenBLAS starts a thread per processor when it is loaded, and each maps 128 MiB. If that fails it
 * retries forever, some versions before main is called. So the program disables the threads in its
 * environment and executes itself again; it ends if not even one such buffer fits. */
#include "mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__) && defined(NMT_OPENBLAS)

/* One buffer, and what all libraries need before main is called. */
#define LEAST_BYTES ((size_t)(128 + 16) << 20)
#define THREADS "OPENBLAS_NUM_THREADS="
#define ONE_THREAD THREADS "1"

/* A copy of the environment in which the threads are disabled. */
static char **forbid_blas_threads(char **environment)
{
    static char one_thread[] = ONE_THREAD;
    size_t count = 0, kept = 0;
    while (environment[count])
        count++;
    char **changed = xmalloc(count + 2, sizeof *changed);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environment[i], THREADS, sizeof THREADS - 1) != 0)
            changed[kept++] = environment[i];
    changed[kept++] = one_thread;
    changed[kept] = NULL;
    return changed;
}

/* libc's own variables are not set yet: the environment must be passed in. */
static void before_libraries(int argc, char **argv, char **environment)
{
    (void)argc;
    if (!mem_is_limited())
        return;
    bool forbidden = false;
    for (char **variable = environment; *variable; variable++)
        forbidden |= !strcmp(*variable, ONE_THREAD);
    char self[PATH_MAX];
    if (!forbidden && realpath("/proc/self/exe", self))
        execve(self, argv, forbid_blas_threads(environment)); /* on failure, continue as it is */
    if (!mem_has_room(LEAST_BYTES))
        mem_exhausted(1, LEAST_BYTES);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = before_libraries;

#endif

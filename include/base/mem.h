/* mem: allocation that cannot fail, with overflow checks. Without memory it does not return: it reports and
 * ends the process, or the work of a guard (mem_guard.h). */
#ifndef NMT_MEM_H
#define NMT_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* Call at program start: large blocks then return to the system when freed. */
void mem_init(void);
/* Allocates count * size bytes, aligned to 64 (a cache line, and the widest vector), not cleared; xfree
 * it. */
void *xmalloc(size_t count, size_t size);
void *xcalloc(size_t count, size_t size);
/* Frees memory of these functions; NULL is none. */
void xfree(void *block);
/* Resizes memory of xrealloc (not of xmalloc: the alignment would be lost). NULL is an empty block. */
void *xrealloc(void *old, size_t count, size_t size);
/* As xmalloc, but no guard frees the block: its owner does, also where guarded work fails. */
void *xmalloc_unguarded(size_t count, size_t size);
/* Takes over what another library has made by malloc; NULL is that library's lack of memory for `bytes`. */
void *xadopt(void *block, size_t bytes);
char *xstrdup(const char *text);
/* Copies the first `bytes` bytes of `text` and adds a NUL. */
char *xstrndup(const char *text, size_t bytes);
/* printf into new memory. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Grows `array` to hold `need` items, by half at least; `capacity` is updated. */
#define GROW(array, need, capacity)                                                                          \
    do {                                                                                                     \
        if ((need) > (capacity)) {                                                                           \
            const size_t grown = mem_grown((capacity), (need));                                              \
            (array) = xrealloc((array), grown, sizeof *(array));                                             \
            (capacity) = grown; /* now: xrealloc may not return */                                           \
        }                                                                                                    \
    } while (0)
size_t mem_grown(size_t capacity, size_t need);

/* Maps zeroed pages for one large block; NULL and errno on failure. `huge`: of 2 MiB, for a block that is
 * filled; else of the smallest size, for one of which most is never touched and takes no memory. */
void *mem_pages(size_t bytes, bool huge);
/* Returns the whole pages within these bytes to the system; their content is lost. */
void mem_pages_forget(const void *from, size_t bytes);
void mem_pages_free(void *pages, size_t bytes);

/* Is the process's address space limited (ulimit -v)? */
bool mem_is_limited(void);
/* Does that limit allow `bytes` more? */
bool mem_has_room(size_t bytes);
/* What happens where there is no memory for count * size bytes. */
_Noreturn void mem_exhausted(size_t count, size_t size);

#endif

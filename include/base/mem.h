/* mem: allocation that cannot fail (it reports and exits instead), with overflow checks. */
#ifndef NMT_MEM_H
#define NMT_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* At the start of a program: large blocks go back to the system as soon as they are freed. */
void mem_init(void);
/* count * size bytes; aligned to 64 bytes (a cache line and the widest vector), not cleared; free() it. */
void *xmalloc(size_t count, size_t size);
void *xcalloc(size_t count, size_t size);
/* Grows or shrinks memory of xrealloc (not of xmalloc: the alignment would be lost). NULL is an empty block.
 */
void *xrealloc(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
/* The first `bytes` bytes of `text`, closed by a NUL. */
char *xstrndup(const char *text, size_t bytes);
/* printf into fresh memory. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Makes room for `need` items in `array`, whose capacity is `room`; grows by half at least. */
#define GROW(array, need, capacity)                                                                          \
    do {                                                                                                     \
        if ((need) > (capacity)) {                                                                           \
            (capacity) = mem_grown((capacity), (need));                                                      \
            (array) = xrealloc((array), (capacity), sizeof *(array));                                        \
        }                                                                                                    \
    } while (0)
size_t mem_grown(size_t capacity, size_t need);

/* Cleared pages of the system for one large block; NULL and errno where there are not so many. */
void *mem_pages(size_t bytes);
/* Gives the whole pages among these bytes back to the system. What was in them is lost. */
void mem_pages_forget(void *from, size_t bytes);
void mem_pages_free(void *pages, size_t bytes);

/* Is the process's address space limited (ulimit -v)? */
bool mem_is_limited(void);
/* Does that limit leave room for `bytes` more? */
bool mem_has_room(size_t bytes);
/* Reports that there is no memory for count * size bytes, and exits. */
_Noreturn void mem_exhausted(size_t count, size_t size);

#endif

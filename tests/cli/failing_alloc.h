/* failing_alloc: allocations that fail on demand, for a program that is linked with it. Counted are those of
 * libnmt, of the libraries that it calls for its data, and of the C library on their behalf. */
#ifndef NMT_TEST_FAILING_ALLOC_H
#define NMT_TEST_FAILING_ALLOC_H

/* Counts from now on: allocations number first to last, from 1, find no memory; 0: none. */
void fail_allocations(long first, long last);
/* Counts no more, and returns how many there were. */
long leave_allocations(void);
/* Blocks and mappings that are not freed; 0 with a sanitizer. */
long allocations_living(void);

#endif

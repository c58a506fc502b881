/* failing_alloc: allocations that fail on demand, for a program that is linked with it. Counted are those of
 * libnmt, of the libraries that it calls for its data, and of the C library on their behalf. */
#ifndef NMT_TEST_FAILING_ALLOC_H
#define NMT_TEST_FAILING_ALLOC_H

/* From now on, allocations number first to last, from 1, find no memory; 0: none. */
void fail_allocations(long first, long last);
/* Allocations counted since then. */
long allocations_counted(void);
/* Blocks and mappings that are not freed. */
long allocations_living(void);

#endif

/* line_window: lines of a stream that are read ahead and translated together, sorted by length, and by all
 * ranks under mpirun. */
#ifndef NMT_LINE_WINDOW_H
#define NMT_LINE_WINDOW_H

#include "fileio.h"
#include "lines.h"
#include "ranks.h"

#define WINDOW_LINES 2048

struct line_window {
    struct lines lines;
    struct lines prefixes; /* of the translations, one per line; empty without has_prefixes */
    bool has_prefixes;
    size_t capacity; /* WINDOW_LINES per rank */
    long first;      /* number of the first line, from 0 */
    bool failed;     /* what follows the last line is wrong, with error `failure` */
    struct err failure;
};

/* Line `first` is the next one of the stream. */
void line_window_init(struct line_window *window, bool prefixes, long first, const struct ranks *ranks);
void line_window_release(struct line_window *window);
/* Rank 0 reads lines until the window is full or has 64 MiB, or the input ends or would block; then all
 * ranks get them. 1: there may be more; 0: end; -1: error, returned once the lines before it have been;
 * only rank 0 fills `err`. Only rank 0's `reader` and `prefixes` (may be NULL) are used. */
int line_window_read(struct line_window *window, struct reader *reader, struct reader *prefixes,
                     const struct ranks *ranks, struct err *err);

#endif

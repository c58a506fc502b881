/* line_window: lines of a stream that are read ahead to be translated together: sorted by length, and by all
 * ranks under mpirun. */
#ifndef NMT_LINE_WINDOW_H
#define NMT_LINE_WINDOW_H

#include "fileio.h"
#include "lines.h"
#include "ranks.h"

#define WINDOW_LINES 2048

struct line_window {
    struct lines lines;
    struct lines prefixes; /* of their translations, as many; none without has_prefixes */
    bool has_prefixes;
    size_t capacity; /* WINDOW_LINES for each rank */
    long first;      /* number of the first line, from 0 */
    bool failed;     /* behind the last line, by what `failure` says */
    struct err failure;
};

/* Line `first` is the next one of the stream. */
void line_window_init(struct line_window *window, bool prefixes, long first, const struct ranks *ranks);
void line_window_release(struct line_window *window);
/* The first rank takes lines until the window is full, or has 64 MiB, the input ends or would have to be
 * waited for; then all ranks have them. 1: there may be more; 0: the end; -1: error, told by the first rank,
 * once the lines before it were taken. `reader` and `prefixes` (NULL: none) are the first rank's. */
int line_window_read(struct line_window *window, struct reader *reader, struct reader *prefixes,
                     const struct ranks *ranks, struct err *err);

#endif

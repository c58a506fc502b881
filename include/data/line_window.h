/* line_window: lines that are read ahead to be translated together: sorted by length, and by all ranks under
 * mpirun. */
#ifndef NMT_LINE_WINDOW_H
#define NMT_LINE_WINDOW_H

#include "corpus.h"
#include "ranks.h"

#define WINDOW_LINES 2048

struct line_window {
    char **lines;
    size_t *lengths;
    char **prefixes; /* of the translations; NULL where there are none */
    int room;        /* WINDOW_LINES for each rank */
    int count;
    long first;  /* number of its first line, from 0 */
    bool failed; /* behind its last line, by what `failure` says */
    struct err failure;
};

void line_window_init(struct line_window *window, bool prefixes, long first, const struct ranks *ranks);
void line_window_release(struct line_window *window);
/* The first rank takes lines until the window is full, or has 64 MiB, the input ends or would have to be
 * waited for; then all ranks have them. 1: there may be more; 0: the end; -1: error, told by the first rank,
 * once the lines before it were taken. `reader` and `prefixes` (NULL: none) are the first rank's. */
int line_window_read(struct line_window *window, struct reader *reader, struct reader *prefixes,
                     const struct ranks *ranks, struct err *err);

#endif

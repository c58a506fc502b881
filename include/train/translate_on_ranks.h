/* translate_on_ranks: translates a text with the processes of one command under mpirun, each a part. */
#ifndef NMT_TRANSLATE_ON_RANKS_H
#define NMT_TRANSLATE_ON_RANKS_H

#include "ranks.h"
#include "translate.h"

/* Appends the best translation of each line to `best`. Each rank translates a part; all get the result. The
 * watch, which may be NULL, must not cancel. */
void translate_on_ranks(struct lines *best, struct translator *translator, const struct lines *lines,
                        const struct ranks *ranks, const struct translation_watch *watch);
/* Warns how many lines, on all ranks, ended because the models' numbers are no longer finite, and how many
 * sentences each judge could not read. */
void translator_warn(const struct translator *translator, const struct ranks *ranks);

#endif

/* shared_letters: do two languages have the same letters, so that they may share words? */
#ifndef NMT_SHARED_LETTERS_H
#define NMT_SHARED_LETTERS_H

#include "lines.h"

/* The part, from 0 to 1, of the letters of the target lines that are the source's, too: letters that are at
 * least a quarter as frequent there, so that some foreign words in the source do not count. 0 where a side
 * has no letters. */
double shared_letters(const struct lines *source, const struct lines *target);

#endif

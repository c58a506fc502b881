/* edit_distance: how unlike two names are, to suggest what a mistyped one was meant to be. */
#ifndef NMT_EDIT_DISTANCE_H
#define NMT_EDIT_DISTANCE_H

/* More than any distance. */
#define EDIT_DISTANCE_NONE (1 << 20)

/* Levenshtein distance: the fewest bytes to insert, delete and replace; EDIT_DISTANCE_NONE - 1 if one of them
 * has 64 bytes or more. */
int edit_distance(const char *a, const char *b);

#endif

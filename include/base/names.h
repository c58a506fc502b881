/* names: lists of names as text, "gru|lstm|rnn_tanh", and what a mistyped name may have meant. */
#ifndef NMT_NAMES_H
#define NMT_NAMES_H

#include "edit_distance.h"

#include <stdbool.h>

/* For lists of choices (choices.h): &(LIST(NAMES_BAR))[1] is their names as such a text. */
#define NAMES_BAR(constant, name) "|" #name

/* The index of a name in the list, or -1. */
int names_index(const char *list, const char *name);
/* Are the two similar enough for a typing error? */
bool names_similar(const char *mistyped, const char *name);
/* Is `name` nearer to the mistyped one than all names before? `*best` holds the smallest edit distance so
 * far, EDIT_DISTANCE_NONE at first. */
bool names_nearer(int *best, const char *mistyped, const char *name);

#endif

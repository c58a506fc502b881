/* names: lists of names as text, "gru|lstm|rnn_tanh", and what a mistyped name may have meant. */
#ifndef NMT_NAMES_H
#define NMT_NAMES_H

#include <stdbool.h>

/* For lists of choices (choices.h): &(LIST(NAMES_BAR))[1] is their names as such a text. */
#define NAMES_BAR(constant, name) "|" #name

/* The index of a name in the list, or -1. */
int names_index(const char *list, const char *name);
/* Is one so like the other that it may be a slip of the fingers? */
bool names_similar(const char *mistyped, const char *name);

#endif

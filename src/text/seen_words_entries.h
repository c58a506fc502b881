/* seen_words_entries: the entries of which seen_words_observe makes its lines, and which are counted. That
 * of a word is the number of its shape, whether it is a copy, and its key: "0-window". */
#ifndef NMT_SEEN_WORDS_ENTRIES_H
#define NMT_SEEN_WORDS_ENTRIES_H

#include "seen_words.h"

#define COPIED '+'
#define NOT_COPIED '-'

/* What begins the others: signs, strings that may be exceptions, words forgotten, words that a further
 * translation of their sentence does not hold, and words of sentences that a machine made. */
#define SIGN '='
#define STRING '#'
#define FORGOTTEN '~'
#define TRANSLATED '!'
#define SYNTHETIC '*'

/* Says whether a translation holds a string that may be an exception. */
struct string_entry {
    char text[3];
};

static inline struct string_entry string_entry(enum copy_exception exception, bool copied)
{
    return (struct string_entry){{STRING, (char)('a' + (int)exception), copied ? COPIED : NOT_COPIED}};
}

#endif

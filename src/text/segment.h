/* segment: words and signs of a text as seen_words.h counts them, and what makes a word unseen. */
#ifndef NMT_SEGMENT_H
#define NMT_SEGMENT_H

#include "scan.h"
#include "seen_words.h"
#include "user_words.h"

/* A run of letters and digits in a script with blanks, or any other character with the marks on it. */
struct segment {
    size_t begin, end;
    bool is_word; /* of at least two letters, or a whole number of at least two digits */
    enum word_shape shape;
};

/* The character at a place as it is read (seen_words_sign), 0 if it is not; and the one before a place that
 * decides whether a word begins there, 0 at the beginning. */
int32_t segment_code(const struct scan *s, size_t at);
int32_t segment_code_before(const struct scan *s, size_t at);
/* Finds the segment at a place where no word goes on; false at a blank or the end. */
bool segment_at(struct segment *segment, const struct scan *s, size_t at);
/* Finds the first segment from a place on, and moves the place behind it; false at the end. */
bool segment_next(struct segment *segment, const struct scan *s, size_t *at);
/* Finds the segment that a hyphen connects with this one; false if there is none. */
bool segment_behind_hyphen(struct segment *next, const struct segment *segment, const struct scan *s);
/* Has the word a capital, as names do? */
bool segment_is_name(const struct segment *segment);
/* Appends its normal form, as it is read. */
void segment_add_normal(struct strbuf *out, const struct scan *s, const struct segment *segment);
/* Is it one of the words that were seen? */
bool segment_is_seen(const struct segment *segment, const struct scan *s);
/* Is it protected? */
bool segment_is_unseen(const struct segment *segment, const struct scan *s);

#endif

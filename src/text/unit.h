/* unit: words and signs of a text as seen_words.h counts them, and what makes a word unseen. */
#ifndef NMT_UNIT_H
#define NMT_UNIT_H

#include "scan.h"
#include "seen_words.h"
#include "told_words.h"

/* A run of letters and digits in a script with blanks, or any other character with the marks on it. */
struct unit {
    size_t begin, end;
    bool is_word; /* of at least two characters, with letters among them */
    enum word_shape shape;
};

/* Finds the unit at a place where no word goes on; false at a blank or the end. */
bool unit_at(struct unit *unit, const struct scan *s, size_t at);
/* Finds the first unit from a place on, and moves the place behind it; false at the end. */
bool unit_next(struct unit *unit, const struct scan *s, size_t *at);
/* Appends its normal form, and that in lower case. */
void unit_add_normal(struct strbuf *out, const struct scan *s, const struct unit *unit);
void unit_add_key(struct strbuf *out, const struct scan *s, const struct unit *unit);
/* Is it one of the words that were seen? */
bool unit_is_seen(const struct unit *unit, const struct scan *s);
/* Is it protected? */
bool unit_is_unseen(const struct unit *unit, const struct scan *s);

#endif

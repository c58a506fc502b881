/* spelling: words that are written in two ways within a language, of which the training has seen one. */
#ifndef NMT_SPELLING_H
#define NMT_SPELLING_H

#include "seen_words.h"

/* Appends a word without its zero-width joiners and non-joiners; false, and nothing appended, if it has none
 * or consists of them. */
bool spelling_add_bare(struct strbuf *out, const char *word, size_t bytes);
/* Appends a word, which the training has not seen, as it has seen it: Vietnamese with the tone mark on the
 * other vowel ("hoà", "hòa"), Esperanto as keyboards type it ("ŝanĝi", "sxangxi"), Malayalam, Yiddish,
 * Armenian, Persian and Kurdish with the other codes of some letters, any with or without joiners; in
 * lower case, German with the other one of "ß" and "ss", Russian of "ё" and "е". Any word with characters
 * that it has not seen is appended in the way that has none, but for "ux" and letters of Esperanto. False,
 * and nothing appended, for all others. */
bool spelling_find(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes);

/* Makes *out of a word with the next of its letters that German and Russian write in two ways, from *at on,
 * in the other way; false if there is none, and of words longer than those of these languages. */
bool spelling_exchange(struct strbuf *out, const char *word, size_t bytes, size_t *at);

#endif

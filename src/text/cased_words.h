/* cased_words: the words of a text, and how they are written: in capitals, with one in front, or small. */
#ifndef NMT_CASED_WORDS_H
#define NMT_CASED_WORDS_H

#include "patterns.h"
#include "seen_words.h"

/* A text that is read word by word. Addresses, markup and the like have no words, nor has what is unseen. */
struct cased_reading {
    const char *text;
    size_t bytes, at;
    struct patterns patterns;
    struct pattern_string string; /* the next one of a pattern */
    bool begun;                   /* with a word or an unseen string */
    bool capital;                 /* the last word has one at its beginning, or is joined to such a word */
};

struct cased_word {
    size_t begin, end; /* bytes */
    int characters, upper, lower, caseless;
    bool capital;  /* at its beginning */
    bool first;    /* of a sentence */
    bool counted;  /* by a number before it, as in "10 files" */
    bool joined;   /* to a word with a capital, as in "L'alçada" and "Well-known" */
    bool prefixed; /* all capitals but letters in front, as Irish has it: "tSÚIL" */
};

/* Begins with valid UTF-8 text. `seen` may be NULL: then nothing is unseen. */
void cased_reading_init(struct cased_reading *reading, const struct seen_words *seen, const char *text,
                        size_t bytes);
/* The next word; false at the end. */
bool cased_reading_next(struct cased_word *word, struct cased_reading *reading);

#endif

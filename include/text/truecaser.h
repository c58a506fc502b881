/* truecaser: gives the words of a text the case that they usually have, so that a headline or a shouted line
 * reads to a model like the text that it was trained on (Lita et al. 2003, tRuEcasIng).
 *
 * What is usual is learned from text: for each word, its most frequent form within a sentence. A word is what
 * stands between characters that are no letters. */
#ifndef NMT_TRUECASER_H
#define NMT_TRUECASER_H

#include "casing.h"
#include "model_files.h"
#include "seen_words.h"
#include "strmap.h"

#include <stdbool.h>

/* How the words of a text are written. */
enum text_case {
    CASE_USUAL,
    CASE_UPPER, /* in capitals, against their usual case */
    CASE_TITLE  /* with capitals at the beginning, against their usual case */
};

struct truecaser {
    bool learned;        /* from a training text, or a model's file; else all that follows is empty */
    struct strmap words; /* folded by the casing, those that are usually written otherwise … */
    struct strmap forms; /* … and how, under the same number */
    bool capital;        /* sentences begin with a capital */
    bool brief;          /* words are short: a small one, however short, is not of a title */
    bool titles;         /* the text has many lines in title case: models read them as they are */
    enum casing casing;  /* of the language */
};

void truecaser_init(struct truecaser *truecaser);
void truecaser_release(struct truecaser *truecaser);
/* Learns from lines of valid UTF-8. The truecaser must be as after truecaser_init. It stays so if most lines
 * are in capitals: then these are what a model reads. */
void truecaser_learn(struct truecaser *truecaser, enum casing casing, const char *const *lines,
                     const size_t *bytes, size_t count);
/* Loads a model's file into one that is as after truecaser_init, and on failure is so again. */
int truecaser_load(struct truecaser *truecaser, const struct model_files *files, const char *name,
                   struct err *err);
/* Appends the text of the file: "capital" or "small", how sentences begin, behind it a casing that is not the
 * common one, "brief", and "titles"; in each line after it a form. */
void truecaser_print(struct strbuf *text, const struct truecaser *truecaser);

/* How valid UTF-8 text is written. What is protected because it is not among `seen`, which may be NULL, makes
 * no title: a list of names is none. */
enum text_case truecaser_case(const struct truecaser *truecaser, const struct seen_words *seen,
                              const char *text, size_t bytes);
/* Appends valid UTF-8 text in its usual case, in NFC. Words without one get lower case; in a title, what is
 * protected because it is not among `seen` stays as it is. `seen`, which may be NULL, also tells which words
 * of Turkish text in capitals are foreign. */
void truecaser_apply(struct strbuf *out, const struct truecaser *truecaser, const struct seen_words *seen,
                     bool title, const char *text, size_t bytes);

#endif

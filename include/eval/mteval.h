/* mteval: preprocessing of lines for metrics: lower-cased on request, and split into words by one of
 * sacreBLEU's tokenizers.
 *
 * 13a is the tokenizer of NIST's mteval-v13a.pl as applied by sacreBLEU 2; "none" splits at Unicode white
 * space; "char" makes every character but white space a word. */
#ifndef NMT_MTEVAL_H
#define NMT_MTEVAL_H

#include "choices.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

#define MTEVAL_KINDS(ROW)                                                                                    \
    ROW(MTEVAL_13A, 13a)                                                                                     \
    ROW(MTEVAL_NONE, none)                                                                                   \
    ROW(MTEVAL_CHAR, char)
enum mteval_kind { MTEVAL_KINDS(CHOICE_CONSTANT) };

/* Appends the words of valid UTF-8 text, separated by single blanks. */
void mteval_words(struct strbuf *out, const char *text, size_t bytes, enum mteval_kind kind, bool lowercase);
/* Appends the text without white space, for chrF. */
void mteval_characters(struct strbuf *out, const char *text, size_t bytes, bool lowercase);
/* "13a", "none" or "char". */
const char *mteval_name(enum mteval_kind kind);

#endif

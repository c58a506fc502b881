/* mteval: preprocessing of lines for metrics: lower-cased on request, and split into words by one of
 * sacreBLEU's tokenizers.
 *
 * 13a is the tokenizer of NIST's mteval-v13a.pl as applied by sacreBLEU 2; "none" splits at Unicode white
 * space; "char" makes every character but white space a word. */
#ifndef NMT_MTEVAL_H
#define NMT_MTEVAL_H

#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

enum mteval_kind { MTEVAL_13A, MTEVAL_NONE, MTEVAL_CHAR };

/* Appends the words of valid UTF-8 text, separated by single blanks. */
void mteval_words(struct strbuf *out, const char *text, size_t bytes, enum mteval_kind kind, bool lowercase);
/* Appends the text without white space, for chrF. */
void mteval_characters(struct strbuf *out, const char *text, size_t bytes, bool lowercase);
/* "13a", "none" or "char". */
const char *mteval_name(enum mteval_kind kind);
/* The kind with that name, or -1. */
int mteval_kind_of(const char *name);

#endif

/* mteval: how metrics see a line: lower-cased on request, cut into words by one of sacreBLEU's tokenizers.
 *
 * 13a is the tokenizer of NIST's mteval-v13a.pl as sacreBLEU 2 applies it; "none" splits at Unicode white
 * space; "char" takes every character but white space. */
#ifndef NMT_MTEVAL_H
#define NMT_MTEVAL_H

#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

enum mteval_kind { MTEVAL_13A, MTEVAL_NONE, MTEVAL_CHAR };

/* Appends the words of valid UTF-8 text, separated by single blanks. */
void mteval_words(struct strbuf *out, const char *text, size_t bytes, enum mteval_kind kind, bool lowercase);
/* Appends the text without any white space: what chrF compares. */
void mteval_characters(struct strbuf *out, const char *text, size_t bytes, bool lowercase);
/* "13a", "none" or "char". */
const char *mteval_name(enum mteval_kind kind);
/* The kind of that name, or -1. */
int mteval_kind_of(const char *name);

#endif

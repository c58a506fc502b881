/* mteval: preprocessing of lines for metrics: lower-cased on request, and split into words by one of
 * sacreBLEU 2's tokenizers.
 *
 * 13a: NIST's mteval-v13a.pl, which knows ASCII symbols alone; intl: mteval-v14.pl, which goes by the
 * Unicode categories; zh: every Chinese character is a word, the rest as in 13a; char: every character but
 * white space is a word; none: split at Unicode white space. intl differs from sacreBLEU's for characters
 * that utf8proc's version of Unicode and that of Python's regex do not both have. */
#ifndef NMT_MTEVAL_H
#define NMT_MTEVAL_H

#include "choices.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* A line as metrics compare it, in NFC, which models write and sacreBLEU leaves to its users; the caller
 * frees it. */
char *mteval_normal(const char *text);
/* Appends the words of valid UTF-8 text, separated by single blanks. */
void mteval_words(struct strbuf *out, const char *text, size_t bytes, enum mteval_kind kind, bool lowercase);
/* Appends the text without white space, for chrF. */
void mteval_characters(struct strbuf *out, const char *text, size_t bytes, bool lowercase);
/* "13a", "intl" … */
const char *mteval_name(enum mteval_kind kind);

#endif

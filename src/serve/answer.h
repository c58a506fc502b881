/* answer: what a server answers, as LibreTranslate's JSON. */
#ifndef NMT_ANSWER_H
#define NMT_ANSWER_H

#include "http.h"
#include "job.h"
#include "model_set.h"
#include "request.h"

/* Sets the answer {"error": "text"}; with 503, the client may try again after a second. */
void answer_error(struct answer *answer, int status, const char *text);
/* Sets an answer of JSON, or another type; takes over the text. */
void answer_text(struct answer *answer, int status, const char *type, const struct strbuf *text);
/* Appends a language that a text may be in, as {"confidence": 97, "language": "en"}. */
void answer_add_guess(struct strbuf *out, const char *code, double confidence);
/* Sets the answer of a job that is done. */
void answer_job(struct answer *answer, const struct job *job, const struct wishes *wishes);

#endif

/* detail: what is known of a text's translation: its sentences, their translations, words and attention. */
#ifndef NMT_DETAIL_H
#define NMT_DETAIL_H

#include "job.h"
#include "json.h"

/* The object of a text of a job that is done, with the fields that configs/serve.md lists. */
struct json *detail_of(const struct job *job, size_t text);

#endif

/* result: the translations of a call as nmt.h shows them. */
#ifndef NMT_API_RESULT_H
#define NMT_API_RESULT_H

#include "nmt.h"

#include "translate.h"

/* All have no translations yet. */
struct nmt_result *result_new(size_t lines);
/* Sets those of a line. `alignment`: links are made. */
void result_set(struct nmt_result *result, size_t line, const struct translations *translations,
                bool alignment);

#endif

/* rescore: n-best lists with the scores of models added, for a reranker. */
#ifndef NMT_RESCORE_H
#define NMT_RESCORE_H

#include "lines.h"
#include "models.h"

#include <stdbool.h>

struct rescore_settings {
    const char *source, *list; /* files; the numbers of the list's sentences are lines of the source */
    bool normalize;            /* divide each score by the number of target tokens */
    int threads;
};

/* Passes each line of the list to `take`, with a feature for each model: the log-probability of the
 * translation. The models need not see text in the same words. */
int rescore_list(const struct rescore_settings *settings, const struct models *models,
                 int (*take)(void *context, const struct strbuf *line, struct err *err), void *context,
                 struct err *err);

#endif

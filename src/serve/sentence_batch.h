/* sentence_batch: translates the sentences of a batch in a worker's thread. */
#ifndef NMT_SENTENCE_BATCH_H
#define NMT_SENTENCE_BATCH_H

#include "queue.h"

/* The translators of a worker: one for each model of a set that it has used. All zero: none. */
struct worker_translators {
    struct model_set *set;                 /* shared; NULL: none */
    struct translator *of_model[LIST_MAX]; /* NULL: not used so far */
};

enum batch_result { BATCH_DONE, BATCH_CANCELLED, BATCH_FAILED };

/* Translates, and gives each sentence its translations; or none of them one, and if it fails, `err` says why.
 * Ends early if nobody waits for any of the sentences any more. */
enum batch_result sentence_batch_run(struct sentence_batch *batch, struct worker_translators *translators,
                                     struct err *err);
void worker_translators_release(struct worker_translators *translators);

#endif

/* backward: a model of the other direction that judges translations, too (noisy channel; Yee, Dauphin and
 * Auli 2019, arXiv:1908.05731): the score of each hypothesis y of a source x becomes
 *
 *   score(y | x) + λ log p(x | y) / |x|
 *
 * where score(y | x) is that of the search, λ decoding.backward_weight, and |x| the source's tokens with the
 * end mark. Unlike the score of a search, it falls where a translation leaves something out. */
#ifndef NMT_BACKWARD_H
#define NMT_BACKWARD_H

#include "translate.h"

/* Of one caller. */
struct backward {
    struct loaded_model loaded;
    struct ensemble ensemble;
    struct translator translator;
    long unread; /* sentences that were not judged, since the model cannot read their translations */
};

/* Opens the model at `path` beside the one that translates, `forward`; without a path, sets NULL. -1 also if
 * it is the same model, or their languages do not fit; then there is nothing to close. */
int backward_open(struct backward **backward, const char *path, const struct loaded_model *forward,
                  int threads, struct err *err);
/* NULL is allowed. */
void backward_close(struct backward *backward);

/* Judges all hypotheses of each source by options->backward, sorts them by their new scores, those that
 * overflowed last, and keeps the n-best of the options. translations [sources->count]. What has one
 * hypothesis, an empty source, or a hypothesis that the model cannot read (which is counted) keeps its scores.
 * -1, with nothing changed, only if `watch` (may be NULL) says that it is cancelled. */
int backward_rank(struct translations *const *translations, const struct lines *sources,
                  const struct translate_options *options, const struct translation_watch *watch);

#endif

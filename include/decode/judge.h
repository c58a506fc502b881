/* judge: other models that judge translations, beside the one that makes them. The score of each hypothesis y
 * of a source x becomes
 *
 *   score(y | x) + λ log p_b(x | y) / |x|_b + μ log p_r(y | x) / |y|_r
 *
 * where score(y | x) is that of the search; p_b the probability by a model of the other direction (noisy
 * channel; Yee, Dauphin and Auli 2019, arXiv:1908.05731), and λ decoding.backward_weight; p_r that by a model
 * which makes translations from right to left (Liu et al. 2016, Agreement on Target-bidirectional Neural
 * Machine Translation), and μ decoding.right_to_left_weight. Lengths are tokens of that model with the end
 * mark. */
#ifndef NMT_JUDGE_H
#define NMT_JUDGE_H

#include "translate.h"

#include <stddef.h>

/* What belongs to each kind. */
struct judge_kind_names {
    const char *option;      /* names the model */
    const char *weight_name; /* key in `decoding` … */
    size_t weight_offset;    /* … and where it is in struct config_decoding, a double */
    const char *score_name;  /* field of JSON */
};
extern const struct judge_kind_names judge_kinds[JUDGE_KINDS];

double judge_weight(const struct config_decoding *decoding, enum judge_kind kind);

/* One model that judges, for one caller at a time. One from right to left reads the source with the tag of
 * the model that translates, if it knows that; else, and backward ones, with decoding.tag of its own
 * config. */
struct judge {
    struct loaded_model loaded;
    struct ensemble ensemble;
    struct translator translator;
    long unread; /* sentences that were not judged, since the model cannot read their translations */
};

struct judges {
    struct judge *of[JUDGE_KINDS]; /* NULL: none of that kind */
};

/* Opens the models at `paths` (NULL: none of that kind) beside those that translate, `forward` [count]. -1
 * also if one is among these, or if its languages or its order do not fit the first of them. On failure there
 * is nothing to close. */
int judges_open(struct judges *judges, const char *const paths[JUDGE_KINDS],
                const struct loaded_model *forward, int count, int threads, struct err *err);
void judges_close(struct judges *judges);
/* Is there a path? */
bool judges_are_named(const char *const paths[JUDGE_KINDS]);
/* Is there one, of that kind? NULL has none. */
bool judges_are_open(const struct judges *judges);
bool judges_have(const struct judges *judges, enum judge_kind kind);

/* Lets options->judges judge all hypotheses of each source, sorts them by their scores, those that overflowed
 * last, and keeps the n-best of the options. translations [sources->count]. What has one hypothesis, an empty
 * source, or a hypothesis that a model cannot read (which it counts) is not judged by it.
 * -1, with no score changed by the model that was interrupted, only if `watch` (may be NULL) says that it is
 * cancelled. */
int judges_rank(struct translations *const *translations, const struct lines *sources,
                const struct translate_options *options, const struct translation_watch *watch);

#endif

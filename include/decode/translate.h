/* translate: raw lines in, raw lines out, by a model or by an ensemble. */
#ifndef NMT_TRANSLATE_H
#define NMT_TRANSLATE_H

#include "beam.h"
#include "lines.h"
#include "model_dir.h"
#include "ranks.h"
#include "strmap.h"

struct translate_options {
    struct beam_options beam;
    int threads;
    int batch;            /* sentences in a batch, at most */
    int max_tokens;       /* longer source lines are cut here (and counted) */
    bool replace_unknown; /* an unknown word becomes the most attended source word, or its dictionary entry */
    const struct strmap *dictionary_words; /* NULL: none; word number i means dictionary_texts[i] */
    char *const *dictionary_texts;
};

/* The translation of a line. translations_release frees the strings. */
struct translation {
    char *text;     /* raw text */
    char *subwords; /* what the model wrote */
    char *source;   /* the line as subwords; only with alpha */
    double score;
    bool overflowed;           /* it ends where the model's numbers are no longer finite */
    struct score_terms terms;  /* of the score */
    int source_length, length; /* tokens with the end marks */
    float
        *alpha; /* [1 + heads][length][source_length]: the mean and each head's; NULL unless beam.alignment */
    int heads;  /* 0 unless beam.each_head */
};

struct translations {
    struct translation *best; /* n-best, by falling score */
    int count;
};

/* Defaults out of a model's config. */
void translate_options_init(struct translate_options *options, const struct config *config);

/* Bytes that all threads take at most, with sentences of no more than average length. */
double translator_bytes(const struct seq2seq *model, const struct translate_options *options);

/* Translates with one model, which may be in training, or with an ensemble. */
struct translator {
    const struct language_pair *pair;
    struct ensemble ensemble;
    struct translate_options options;
    struct arena shared;  /* of the weights */
    struct arena *arenas; /* [threads] */
    struct team *team;
    long cut_lines;        /* lines that had more than max_tokens */
    long repaired_lines;   /* lines that were not UTF-8 */
    long overflowed_lines; /* lines whose translation ends where the model's numbers are no longer finite */
    long source_tokens;    /* all so far */
};

void translator_init(struct translator *translator, const struct language_pair *pair,
                     const struct seq2seq *model, const real *params,
                     const struct translate_options *options);
void translator_release(struct translator *translator);
/* Says of how many lines of all ranks the translation ends where the models' numbers are no longer finite. */
void translator_warn_overflowed(const struct translator *translator, const struct ranks *ranks);
/* Who follows the progress of a translation. */
struct translation_watch {
    void (*done)(void *context, int lines); /* called after each batch with the number of finished lines */
    void *context;
};

/* Translates lines (any bytes); a blank one becomes an empty one. Sorted by length inside, in order outside.
 * `prefixes` (may be NULL): valid texts that the translations begin with, whole words. `watch` may be NULL.
 * out [lines->count]. */
void translator_run(struct translator *translator, struct translations *out, const struct lines *lines,
                    const struct lines *prefixes, const struct translation_watch *watch);
void translations_release(struct translations *translations);
/* Likewise, but appends to `best` the best translation of each line alone. Each rank translates a part of the
 * lines, and all get all. */
void translator_best(struct lines *best, struct translator *translator, const struct lines *lines,
                     const struct ranks *ranks, const struct translation_watch *watch);

/* A translator of one model or of an ensemble, all of which must see text in the same words and live as long.
 * On failure there is nothing to release. */
int translator_open(struct translator *translator, const struct loaded_model *members, int count,
                    const struct translate_options *options, struct err *err);
/* From now on `members`, in the order of translator_open, only translate: the memory of weights that are
 * prepacked is given back, and weights.values may not be used any more. */
void translator_take_weights(const struct translator *translator, struct loaded_model *members);

#endif

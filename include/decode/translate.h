/* translate: translates raw lines to raw lines, with a model or an ensemble. */
#ifndef NMT_TRANSLATE_H
#define NMT_TRANSLATE_H

#include "beam.h"
#include "lines.h"
#include "strmap.h"

struct translate_options {
    struct beam_options beam;
    int threads;
    int batch;            /* limit on the sentences in a batch */
    int max_tokens;       /* longer source lines are cut here (and counted) */
    const char *tag;      /* put before each source line, for which see language_pair_check_tag; or NULL */
    bool replace_unknown; /* replace an unknown word by the most attended source word, or its dictionary
                           * entry */
    const struct strmap *dictionary_words; /* NULL: none; word number i means dictionary_texts[i] */
    char *const *dictionary_texts;
};

/* The translation of a line. translations_release frees the strings. */
struct translation {
    char *text;     /* raw text */
    char *subwords; /* the model's output */
    char *source;   /* the source as subwords; only with alpha */
    double score;
    bool overflowed;           /* ended because the model's numbers are no longer finite */
    struct score_terms terms;  /* of the score */
    int source_length, length; /* tokens with end marks */
    float
        *alpha; /* [1 + heads][length][source_length]: the mean, then each head; NULL unless beam.alignment */
    int heads;  /* 0 unless beam.each_head */
};

struct translations {
    struct translation *best; /* n-best, by falling score */
    int count;
};

/* Sets the defaults from a model's config, which must outlive the options. */
void translate_options_init(struct translate_options *options, const struct config *config);

/* Upper bound on the bytes of all threads, if sentences are not longer than average; without the prepacked
 * weights, which the threads share. */
double translator_bytes(const struct seq2seq *model, const struct translate_options *options);

/* What one caller needs to translate with an ensemble, which others may use at the same time. */
struct translator {
    const struct ensemble *ensemble;
    struct translate_options options;
    struct tokenizer source; /* the pair's, with the tag of the options */
    struct arena *arenas;    /* [threads] */
    struct team *team;
    long cut_lines;        /* lines of more than max_tokens */
    long repaired_lines;   /* lines that were not UTF-8 */
    long overflowed_lines; /* lines whose translation ends because the model's numbers are no longer finite */
    long source_tokens;    /* total so far */
};

/* The ensemble must outlive it. */
void translator_init(struct translator *translator, const struct ensemble *ensemble,
                     const struct translate_options *options);
void translator_release(struct translator *translator);
/* Callback for progress. */
struct translation_watch {
    void (*done)(void *context, int lines); /* called after each batch with the number of finished lines */
    void *context;
};

/* Translates lines (any bytes), in order; a blank line gives an empty one. `prefixes` (may be NULL): valid
 * texts of whole words that the translations begin with. `watch` may be NULL. out [lines->count]. */
void translator_run(struct translator *translator, struct translations *out, const struct lines *lines,
                    const struct lines *prefixes, const struct translation_watch *watch);
void translations_release(struct translations *translations);

#endif

/* translate: translates raw lines to raw lines, with a model or an ensemble, or scores given translations. */
#ifndef NMT_TRANSLATE_H
#define NMT_TRANSLATE_H

#include "lines.h"
#include "terms.h"
#include "translate_options.h"

/* The translation of a line. That of a blank line is empty, without tokens; if strings are protected, a line
 * without letters outside of them is its own translation but for its digits (copied_text.h), without tokens,
 * too, unless it has a term of the glossary. translations_release frees all memory. */
struct translation {
    char *text;     /* raw text */
    char *subwords; /* the model's output */
    char *source;   /* the source as subwords; only with alpha or keep_source */
    double score;
    enum hypothesis_end end;
    bool repaired; /* the line, or what was given with it, was not UTF-8 */
    bool too_long; /* it was to be scored, and has more than SCORED_MOST_TOKENS: it is empty */
    bool divided;  /* a sentence of it is longer than translate_sentence_limit */
    int parts; /* of the line that were translated or copied: sentences, pieces of those that are too long;
                * 0: blank */
    struct score_terms terms;  /* of the score */
    int source_length, length; /* tokens with end marks */
    size_t *token_begin;       /* [length]: where each token begins in `subwords`; the last: past the end */
    float *token_log_probabilities; /* [length], as in struct hypothesis */
    float
        *alpha; /* [1 + heads][length][source_length]: the mean, then each head; NULL unless beam.alignment */
    int heads;  /* 0 unless beam.each_head */
    struct term *glossary_terms; /* [glossary_term_count] of the line; with a glossary, from translator_run */
    int glossary_term_count;
};

struct translations {
    struct translation *best; /* n-best, by falling score */
    int count;
};

/* What one caller needs to translate with an ensemble, which others may use at the same time. */
struct translator {
    const struct ensemble *ensemble;
    struct translate_options options;
    struct tokenizer source;      /* the pair's, with the tag of the options */
    struct user_words user_words; /* the source tokenizer points to it */
    struct terms terms;           /* of the glossary, if there is one */
    struct strmap zeros;          /* of digits that are copied (copied_text.h) */
    struct arena *arenas;         /* [threads] */
    struct team *team;
    long divided_lines;    /* lines with a sentence that was too long, and was divided */
    long unaligned_lines;  /* lines of several parts that are too long for their attention to be kept */
    long repaired_lines;   /* lines that, or whose prefix or given translation, were not UTF-8 */
    long overflowed_lines; /* lines whose translation ends because the model's numbers are no longer finite */
    long missed_terms;     /* of the glossary, in best translations */
    long source_tokens;    /* total so far */
};

/* The ensemble must outlive it. */
void translator_init(struct translator *translator, const struct ensemble *ensemble,
                     const struct translate_options *options);
void translator_release(struct translator *translator);
/* Upper bound on the bytes of all threads, if sentences are not longer than average; without the prepacked
 * weights, which the threads share. */
double translator_bytes(const struct seq2seq *model, const struct translate_options *options);

/* Calls of a run, from any of its threads, but one at a time. Either may be NULL. */
struct translation_watch {
    void (*done)(void *context, int lines); /* after each batch, and at the end: how many lines are done */
    bool (*cancelled)(void *context);       /* while lines are read, and before each step of a search: if
                                             * true, the run fails */
    void *context;
};

/* Translates lines (any bytes), in order; a blank line gives an empty one. With options.split, a line may be
 * translated in several parts: its translation is theirs, joined with what stood between them, and its
 * tokens, attention and score are those of the whole line. The end marks within it are no tokens: their
 * probability is part of the token before, and the attention to them is that to the line's end mark.
 * `prefixes` (may be NULL): texts of whole words that the translations begin with. out [lines->count]. -1,
 * with nothing to release, only if `watch` (may be NULL) says that it is cancelled. */
int translator_run(struct translator *translator, struct translations *out, const struct lines *lines,
                   const struct lines *prefixes, const struct translation_watch *watch, struct err *err);
/* Scores given translations of lines, blank ones too: out [lines->count] has one of each, with the text and
 * the subwords of the target. Unlike in a search, no word is excluded from the probabilities: they are those
 * of nmt score, but for an int8 model, which that multiplies in float32. Otherwise as translator_run. */
int translator_score(struct translator *translator, struct translations *out, const struct lines *lines,
                     const struct lines *targets, const struct translation_watch *watch, struct err *err);
/* Number of the terms of the glossary that it lacks. */
int translation_missed_terms(const struct translation *translation);
/* By score, but those that overflowed come last. */
bool translation_is_better(const struct translation *a, const struct translation *b);
void translation_release(struct translation *translation);
void translations_release(struct translations *translations);

#endif

/* translate_options: how a translator works, from a model's config, and by name. */
#ifndef NMT_TRANSLATE_OPTIONS_H
#define NMT_TRANSLATE_OPTIONS_H

#include "beam.h"
#include "glossary.h"
#include "language_pair.h"
#include "strmap.h"

#define DEFAULT_BATCH 32 /* sentences: more are hardly faster, and take memory */
#define DEFAULT_MAX_TOKENS 500

struct judges;

struct translate_options {
    struct beam_options beam;
    const struct judges *judges; /* models that judge translations, too (judge.h); NULL or empty: none */
    int threads;
    int batch;             /* limit on the sentences in a batch */
    int max_tokens;        /* longer lines and sentences are divided (and counted) */
    enum split_kind split; /* SPLIT_OFF by default, whatever the config says: each line is one search */
    const char *tag;  /* put before each source sentence or part of text (language_pair_check_tag); or NULL */
    bool truecase;    /* lines in capitals or title case are read in their usual case, where the model knows
                            * it; what was in capitals is translated in capitals */
    bool tokens;      /* lines, prefixes and targets are subwords, separated by blanks */
    bool keep_source; /* keep the source's subwords even without alignment */
    bool replace_unknown; /* replace an unknown word by the most attended source word, or its dictionary
                           * entry */
    bool forbid_unknown; /* as of text to train on: no unknown word, not of models without subwords, either */
    const struct strmap *dictionary_words; /* NULL: none; word number i means dictionary_texts[i] */
    char *const *dictionary_texts;
    const struct glossary *glossary; /* terms that translations must hold; NULL: none */
};

/* Sets the defaults from a model's config, which must outlive the options. */
void translate_options_init(struct translate_options *options, const struct config *config);
/* What splits lines into sentences; NULL: they are taken as they are. */
const struct splitter *translate_splitter(const struct language_pair *pair, enum split_kind split);
/* What divides sentences that are longer than all that the model has seen and than 20 tokens, or than
 * max_tokens. */
struct sentence_limit translate_sentence_limit(const struct language_pair *pair, int max_tokens);
/* What of the options needs each line to be one search, by its long name: "n-best", "tokens" or, if there are
 * prefixes, "prefix"; or NULL. Then SPLIT_AUTO means SPLIT_OFF, and SPLIT_ON is wrong. */
const char *translate_options_unsplit(const struct translate_options *options, bool prefixes);
/* -1 if they use attention, and one of the models has none; if they need words in their order, and one
 * translates from right to left; if they want terms in samples, or a choice of one hypothesis. */
int translate_options_check(const struct translate_options *options, const struct loaded_model *loaded,
                            int count, struct err *err);

#endif

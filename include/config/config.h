/* config: everything that a user can choose, from a strict JSON file, `--set path=value` and defaults.
 *
 * All keys are rows of one table in config_keys.c, which drives parsing, checking, help, the resolved copy
 * in the model directory and configs/schema.json. */
#ifndef NMT_CONFIG_H
#define NMT_CONFIG_H

#include "choices.h"
#include "err.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Paths are absolute after loading; NULL where not given. */
struct config_pairs {
    char *source, *target; /* two files of equal line count, … */
    char *tsv;             /* … or one file with a tab in each line */
    double weight;         /* training only: how often an epoch has each pair; 2 twice, 0.5 half of them */
    char *alignment;       /* training only: gold word alignment, or NULL */
    char *tag;             /* training only: a word put before each source sentence, or NULL */
    bool synthetic;        /* training only: one side was translated by a machine */
};

struct config_data {
    char *source_language, *target_language; /* BCP 47; NULL where not given */
    struct config_pairs train, valid, test;
    struct config_pairs *more; /* further training corpora, where data.train is a list */
    int more_count;
    char *monolingual, *monolingual_source; /* for nmt distill: text in the target and the source language */
    int max_length;                         /* tokens; longer training pairs are dropped */
    double concatenate;                     /* the share of an epoch's pairs that are joined by twos */
    int tokens_in_memory;                   /* training text beyond this is shuffled in parts */
    enum invalid_action on_invalid;
};

struct config_text {
    enum tokenize_kind tokenizer;
    enum utf8_form normalize;
    enum subword_kind subword;
    bool lowercase;
    int merges;
    bool reverse_target;
    bool joint; /* one set of merges for both languages */
    int vocabulary_threshold;
    int vocabulary_size; /* largest vocabulary; 0: no limit */
    unsigned protect;    /* a set of kinds of strings (PATTERN_SET) */
    struct {
        double source, target;
    } bpe_dropout;
};

struct config_dropout {
    double embedding, annotation, readout, state, layer, source_word, target_word;
};

struct config_model {
    int embedding;
    enum tie_kind tie;
    struct {
        enum cell_kind cell;
        int units, layers, transitions;
        bool bidirectional, lexical;
    } encoder;
    struct {
        enum cell_kind cell;
        int units, layers, transitions;
        enum summary_kind init;
    } decoder;
    struct {
        enum score_kind score;
        enum attention_kind kind;
        int units, heads;
        enum attention_scope scope;
        int window;
        enum normalizer_kind normalizer;
        enum attention_coverage coverage;
        enum feed_kind feed;
        double temperature;
        bool input_feeding;
    } attention;
    bool layer_norm;
    struct config_dropout dropout;
};

struct config_training {
    char *init_from; /* directory, or NULL */
    int threads, shards, batch_sentences, batch_tokens, accumulate;
    enum optimizer_kind optimizer;
    double learning_rate;
    enum schedule_kind schedule;
    int warmup;
    double cooldown;
    double beta1, beta2, weight_decay, average, clip_norm, label_smoothing, attention_entropy,
        attention_discount, attention_expected, guided_alignment;
    double r_drop, sampling_scale, least_teacher_forcing; /* these and … */
    enum sampling_kind scheduled_sampling;                /* … this are retired (config_keys.h) */
    int max_epochs, max_updates;
    double max_minutes;
    int validate_every, validation_beam, checkpoint_every, keep_best, keep_last, patience, halve_patience;
    enum metric_kind metric;
    enum mteval_kind tokenize; /* in a model's config, auto is that of a training before the key was there */
    enum training_precision precision;
    enum exchange_kind exchange;
    enum divergence_action on_divergence;
    bool keep_prepared, tune;
};

struct config_decoding {
    enum length_normalization normalization;
    enum split_kind split;
    enum decoding_precision precision;
    bool shortlist;
    bool truecase;
    int beam, min_length, block_ngrams, max_repetitions, top_k, seed;
    bool sample;
    double temperature, nucleus;
    double length_penalty, coverage_penalty, backward_weight, right_to_left_weight, max_length_ratio;
    char *tag; /* as config_pairs.tag */
};

struct config {
    char *model_dir;
    int64_t seed;
    struct config_data data;
    struct config_text text;
    struct config_model model;
    struct config_training training;
    struct config_decoding decoding;
    unsigned automatic; /* a set of keys: those that are auto, whose values are preliminary (config_auto.h) */
};

void config_init(struct config *config); /* sets all defaults */
void config_release(struct config *config);
/* A copy with texts of its own. */
void config_copy(struct config *copy, const struct config *from);
/* Gives it the network and the search of another config: all keys of `model`, also as far as they are auto,
 * and of `decoding` but the tag, which goes with the text. */
void config_take_model(struct config *config, const struct config *from);
/* Keeps the first corpora of data.train, one at least. */
void config_limit_train(struct config *config, int count);
/* Adds a copy of the corpus to data.train. */
void config_add_train(struct config *config, const struct config_pairs *pairs);
/* Makes it the config of a training in the other direction: sources become targets. Word alignments, a model
 * to start from and the target's BLEU tokenizer are dropped. A tsv stays as it is: the caller names
 * another. */
void config_swap_sides(struct config *config);
/* Makes a model's config that of one from right to left, without alignments and training.init_from. */
void config_reverse_target(struct config *config);
/* Sets what the file gives, over the defaults of config_init. Paths are relative to its directory, or to the
 * working directory if it is no regular file. Errors name key, line and the nearest valid key. */
int config_load(struct config *config, const char *path, struct err *err);
/* The same from a text; `name` is its name in messages, and paths in it are relative to `dir`. */
int config_read(struct config *config, const struct strbuf *text, const char *name, const char *dir,
                struct err *err);
/* Where no model_dir is set: models/NAME under the working directory, for a config file NAME.json. What is
 * not a regular file gives no name. */
void config_name_model_dir(struct config *config, const char *path);
/* Sets one key: "training.learning_rate=0.001"; paths are relative to the working directory. */
int config_set(struct config *config, const char *assignment, struct err *err);
/* The value of a key as config_set takes it, which the caller frees; "" for a path or word that is not given;
 * NULL if there is no such key. */
char *config_get(const struct config *config, const char *path, struct err *err);
/* Training corpus i, from 0; NULL past the last one. */
const struct config_pairs *config_train(const struct config *config, int i);
/* Does the config name this text? */
bool config_pairs_given(const struct config_pairs *pairs);
bool config_has_test_set(const struct config *config);
/* Has its network attention, which alignments, glossaries and the coverage penalty are made of? */
bool config_has_attention(const struct config *config);
/* File i of all files of training text, from 0; NULL past the last one. */
const char *config_train_file(const struct config *config, int i);
/* Has a training corpus a word alignment? */
bool config_is_aligned(const struct config *config);
/* Where one has, a training reads text without placeholders, since links are of words as they are: sets
 * text.protect so. Was it otherwise? */
bool config_settle_protect(struct config *config);
/* Checks over several keys: complete pairs of files and so on. Which network settings go together is
 * checked by network_check of the model layer. */
int config_check(const struct config *config, struct err *err);
/* -1 if learning rates go by the end of a training, and the config has none. */
int config_check_end(const struct config *config, struct err *err);
/* Is `decoding.tag`, if there is one, that of a training corpus? */
bool config_trains_tag(const struct config *config);
/* -1 if words are to be learned from text of which no corpus has `decoding.tag`. Other models know their tags
 * themselves (language_pair_check_tag). */
int config_check_tag(const struct config *config, struct err *err);
/* 0 if a training begun with `begun` can be resumed with `config`: all keys that a resumed training must
 * keep are the same. */
int config_check_resume(const struct config *config, const struct config *begun, struct err *err);
/* Do both split text alike, and tie embeddings alike? Values that are auto in the first do not count. */
bool config_same_text(const struct config *config, const struct config *other);
/* Appends a line for each key that differs: "
 *   training.max_epochs: 80, was 60". */
void config_print_changes(const struct config *now, const struct config *before, struct strbuf *out);
/* The first key that names a file or directory, or NULL. */
const char *config_names_file(const struct config *config);
/* Prints all keys with their values as indented JSON. */
void config_print(const struct config *config, struct strbuf *out);
/* Prints what a packed file keeps: the keys that translation needs. */
void config_print_packed(const struct config *config, struct strbuf *out);
/* Prints all, with paths relative to `dir`. */
void config_print_from(const struct config *config, const char *dir, struct strbuf *out);
/* Writes what config_print prints to a file, replacing it. */
int config_save(const struct config *config, const char *path, struct err *err);
/* Prints the table of keys with types, defaults, ranges and help: as Markdown, a table per section, or as
 * plain text. */
void config_print_help(struct strbuf *out, bool markdown);
/* What a user is told of a key. */
struct config_key_info {
    const char *path, *help;
    const char *fallback; /* the default; NULL: none */
    const char *choices;  /* "gru|lstm", "true|false"; NULL: any value of its type */
    char values[192];     /* "a whole number from 1 to 8192" */
    bool is_path, kept_on_resume;
};
/* Key i of all that are shown, from 0; false past the last one. */
bool config_key_describe(struct config_key_info *info, size_t i);
/* Prints a JSON Schema of the config file. */
void config_print_schema(struct strbuf *out);
/* The name of a choice in the config: config_choice("model.tie", TIE_ALL).name is "all". */
struct choice {
    char name[32];
};
struct choice config_choice(const char *path, unsigned value);

#endif

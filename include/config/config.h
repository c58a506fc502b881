/* config: everything that a user can choose, from a strict JSON file, `--set path=value` and defaults.
 *
 * The keys stand in one table in config_keys.c, from which parsing, checking, help, the resolved copy in the
 * model directory and configs/schema.json all come. */
#ifndef NMT_CONFIG_H
#define NMT_CONFIG_H

#include "choices.h"
#include "err.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* Paths are absolute after loading; NULL where not given. */
struct config_pairs {
    char *source, *target; /* two files of equal line count … */
    char *tsv;             /* … or one with a tab in each line */
    double weight;         /* of training text: how often an epoch has each pair; 2 twice, 0.5 half of them */
    char *alignment;       /* of training text: its right word alignment, or NULL */
    char *tag;             /* of training text: put before each source sentence, a word of its own; or NULL */
};

struct config_data {
    struct config_pairs train, valid, test;
    struct config_pairs *more; /* further training corpora, where data.train is a list */
    int more_count;
    int max_length;       /* tokens, longer pairs are dropped in training */
    int tokens_in_memory; /* of training text; what is more is shuffled in parts */
    enum invalid_action on_invalid;
};

struct config_text {
    enum tokenize_kind tokenizer;
    enum utf8_form normalize;
    enum subword_kind subword;
    bool lowercase;
    int merges;
    bool joint; /* one set of merges for both languages */
    int vocabulary_threshold;
    int vocabulary_size; /* most words, 0: no limit */
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
        attention_discount, attention_expected, r_drop, guided_alignment;
    enum sampling_kind scheduled_sampling;
    double sampling_scale, least_teacher_forcing;
    int max_epochs, max_updates;
    double max_minutes;
    int validate_every, validation_beam, checkpoint_every, keep_best, keep_last, patience, halve_patience;
    enum metric_kind metric;
    enum exchange_kind exchange;
    enum divergence_action on_divergence;
    bool keep_prepared, tune;
};

struct config_decoding {
    enum length_normalization normalization;
    int beam, min_length, block_ngrams, top_k, seed;
    bool sample;
    double temperature, nucleus;
    double length_penalty, coverage_penalty, max_length_ratio;
    char *tag; /* as of training text; or NULL */
};

struct config {
    char *model_dir;
    int64_t seed;
    struct config_data data;
    struct config_text text;
    struct config_model model;
    struct config_training training;
    struct config_decoding decoding;
};

void config_init(struct config *config); /* all defaults */
void config_release(struct config *config);
/* Over the defaults of config_init. Errors name key, line and the nearest valid key. */
int config_load(struct config *config, const char *path, struct err *err);
/* "training.learning_rate=0.001"; paths are relative to the working directory. */
int config_set(struct config *config, const char *assignment, struct err *err);
/* Training corpus i, from 0, or NULL behind the last one. */
const struct config_pairs *config_train(const struct config *config, int i);
/* File i of all that training text comes from, or NULL behind the last one. */
const char *config_train_file(const struct config *config, int i);
/* What no single key shows: training pairs that are complete and so on. Which settings of the network go
 * together, network_check of the model says. */
int config_check(const struct config *config, struct err *err);
/* 0 where a training begun with `begun` can go on with `config`: keys that a resumed training keeps are the
 * same. */
int config_check_resume(const struct config *config, const struct config *begun, struct err *err);
/* A line for each key that is not what it was before: "\n  training.max_epochs: 80, was 60". */
void config_print_changes(const struct config *now, const struct config *before, struct strbuf *out);
/* All keys with their values, indented JSON. */
void config_print(const struct config *config, struct strbuf *out);
/* The same with paths as they are seen from a directory. */
void config_print_from(const struct config *config, const char *dir, struct strbuf *out);
/* The same into a file, in place of what it was. */
int config_save(const struct config *config, const char *path, struct err *err);
/* For people: the table of keys with types, defaults, ranges and help; as Markdown, a table for
 * each section, or as plain text. */
void config_print_help(struct strbuf *out, bool markdown);
/* A JSON Schema of the file. */
void config_print_schema(struct strbuf *out);
/* The written name of a choice: config_choice("model.tie", TIE_ALL).name is "all". */
struct choice {
    char name[32];
};
struct choice config_choice(const char *path, unsigned value);

#endif

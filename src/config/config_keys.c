/* The table of all config keys, and look-ups in it. The names of choices are lists in choices.h; setting
 * and checking values is in config_values.c, printing in config_print.c. */
#include "config_keys.h"

#include "names.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(enum score_kind) == sizeof(unsigned), "choices are read and written as unsigned");

/* The largest whole number that cJSON prints exactly. */
#define MAX_SEED 999999999999999.0

/* A key's path is the name of its field. */
/* clang-format off */
#define AT(field) .path = #field, .offset = offsetof(struct config, field)
#define INT(field, fallback_, min_, max_, ...) \
    {AT(field), .type = KEY_INT, .fallback = fallback_, .min = min_, .max = max_, .help = __VA_ARGS__}
#define REAL(field, fallback_, min_, max_, ...) \
    {AT(field), .type = KEY_REAL, .fallback = fallback_, .min = min_, .max = max_, .help = __VA_ARGS__}
#define BOOL(field, fallback_, ...) {AT(field), .type = KEY_BOOL, .fallback = fallback_, .help = __VA_ARGS__}
#define CHOICE(field, fallback_, list, ...) \
    {AT(field), .type = KEY_CHOICE, .fallback = fallback_, .choices = &(list(NAMES_BAR))[1], \
     .help = __VA_ARGS__}
#define FILENAME(field, help_) {AT(field), .type = KEY_PATH, .help = help_}
#define WORD(field, help_) {AT(field), .type = KEY_WORD, .help = help_}
#define LANGUAGE(field, help_) {AT(field), .type = KEY_LANGUAGE, .help = help_}
/* Written after the help text. */
#define KEPT .kept_on_resume = true
#define RETIRED .retired = true
/* clang-format on */

const struct key config_keys[] = {
    FILENAME(model_dir,
             "directory of the model: weights, vocabularies, checkpoints, log; left out, models/NAME "
             "under the working directory, of a config NAME.json"),
    {AT(seed), .type = KEY_SEED, .fallback = "1", .max = MAX_SEED,
     .help = "seed of all randomness; same seed and threads, same bytes"},
    LANGUAGE(data.source_language, "the source language, such as en or pt-BR (BCP 47); for those who get the "
                                   "model"),
    LANGUAGE(data.target_language, "the target language"),
    FILENAME(data.train.source, "training text in the source language, a sentence a line"),
    FILENAME(data.train.target, "its translation, line by line"),
    FILENAME(data.train.tsv, "or both in one file: source, a tab, target"),
    REAL(
        data.train.weight, "1", 0, 1000,
        "how often an epoch has each pair: 2 twice, 0.5 half of them, others every time; data.train may be a "
        "list of corpora"),
    FILENAME(data.train.alignment, "its right word alignment, for guided alignment: links i-j of words as "
                                   "nmt tokenize --words has them"),
    WORD(data.train.tag,
         "a word put before each source sentence of this corpus, such as <synthetic>; never split"),
    FILENAME(data.valid.source, "validation text: chooses the best model"),
    FILENAME(data.valid.target, "its translation"),
    FILENAME(data.valid.tsv, "or both in one file"),
    FILENAME(data.test.source, "test text: what nmt eval translates by default"),
    FILENAME(data.test.target, "its reference translation"),
    FILENAME(data.test.tsv, "or both in one file"),
    INT(data.max_length, "100", 1, 10000,
        "tokens; training pairs with a longer side are dropped (and counted)"),
    INT(data.tokens_in_memory, "30000000", 1000, 2000000000,
        "tokens of training text in memory at a time (four bytes each); a larger text is shuffled in blocks "
        "and comes in parts"),
    CHOICE(data.on_invalid, "stop", INVALID_ACTIONS,
           "invalid UTF-8 in training data: stop, skip the pair, or put U+FFFD"),
    CHOICE(text.tokenizer, "script", TOKENIZERS,
           "how text becomes words: by Unicode category and script, where Han characters stand alone; by "
           "category only; at blanks (text is tokenized already); or characters",
           KEPT),
    CHOICE(text.normalize, "nfc", UTF8_FORMS, "Unicode normalisation before tokenizing", KEPT),
    BOOL(text.lowercase, "false", "train on lower-case text", KEPT),
    CHOICE(text.subword, "bpe", SUBWORDS, "byte-pair encoding, or whole words", KEPT),
    INT(text.merges, "8000", 0, 1000000, "BPE merge operations", KEPT),
    BOOL(text.joint, "true", "one set of merges for both languages", KEPT),
    REAL(text.bpe_dropout.source, "0", 0, 0.9,
         "BPE-dropout on the training source: every epoch segments words anew, leaving out merges with this "
         "chance",
         KEPT),
    REAL(text.bpe_dropout.target, "0", 0, 0.9, "the same on the training target", KEPT),
    INT(text.vocabulary_threshold, "0", 0, 1000000, "subwords seen less often are split further", KEPT),
    INT(text.vocabulary_size, "0", 0, 10000000, "most words in a vocabulary, the frequent ones first; 0: all",
        KEPT),
    INT(model.embedding, "256", 1, 8192, "E: width of word embeddings and readout", KEPT),
    CHOICE(model.tie, "target", TIES,
           "share the target embedding with the output layer, or all three tables (one joint vocabulary)",
           KEPT),
    CHOICE(model.encoder.cell, "gru", CELLS, "recurrent cell of the encoder", KEPT),
    INT(model.encoder.units, "256", 1, 8192, "H: encoder units per direction", KEPT),
    INT(model.encoder.layers, "1", 1, 4, "encoder layers; each above the first adds to what it reads", KEPT),
    INT(model.encoder.transitions, "1", 1, 8,
        "cells that a step of the encoder runs through, one after the other; only the first reads the input",
        KEPT),
    BOOL(model.encoder.bidirectional, "true", "read the source in both directions", KEPT),
    BOOL(model.encoder.lexical, "false",
         "annotations end with the word's own embedding: the decoder sees which word it was", KEPT),
    CHOICE(model.decoder.cell, "gru", CELLS, "recurrent cell of the decoder", KEPT),
    INT(model.decoder.units, "512", 1, 8192, "D: decoder units", KEPT),
    INT(model.decoder.layers, "1", 1, 4,
        "decoder layers; the first asks for contexts, each above it adds to what it reads", KEPT),
    INT(model.decoder.transitions, "1", 1, 8,
        "cells that a step of the decoder runs through, from the one that reads the context on", KEPT),
    CHOICE(model.decoder.init, "mean", SUMMARIES,
           "what the first decoder state is made of: the mean annotation, the last state of the backward "
           "encoder, both directions' last states, or nothing; without attention, all that the decoder gets",
           KEPT),
    CHOICE(model.attention.score, "additive", SCORES,
           "how well a position matches; none: plain encoder and decoder", KEPT),
    CHOICE(model.attention.kind, "soft", ATTENTION_KINDS,
           "look at all positions with their weights, or at one: drawn in training (REINFORCE), the "
           "likeliest in "
           "translation",
           KEPT),
    INT(model.attention.units, "256", 1, 8192, "A: attention units", KEPT),
    INT(model.attention.heads, "1", 1, 16, "heads, each with its own part of the units and annotations",
        KEPT),
    CHOICE(model.attention.scope, "global", SCOPES,
           "all positions, or a window around one that moves on with each word, or around a predicted one",
           KEPT),
    INT(model.attention.window, "10", 1, 10000, "positions of a local window to each side of its centre",
        KEPT),
    CHOICE(model.attention.normalizer, "softmax", NORMALIZERS, "from scores to weights", KEPT),
    REAL(model.attention.temperature, "1", 0.01, 100, "scores are divided by it", KEPT),
    CHOICE(model.attention.coverage, "none", COVERAGES,
           "let the score see how much of a position was attended to before, plainly or as part of what the "
           "position is good for",
           KEPT),
    CHOICE(
        model.attention.feed, "conditional", FEEDS,
        "where the context goes: beside the previous word into the decoder cell; in that word's place; "
        "between two cells, of which the first reads the word and asks for the context and the second reads "
        "it; or behind the cell, to the readout alone",
        KEPT),
    BOOL(model.attention.input_feeding, "false",
         "with feed output: the cell also reads the readout of the step before", KEPT),
    BOOL(model.layer_norm, "true", "layer normalisation of all products in the recurrent cells", KEPT),
    REAL(model.dropout.embedding, "0.3", 0, 0.95,
         "dropout on word embeddings; one mask for each word of a batch, wherever it stands"),
    REAL(model.dropout.annotation, "0.3", 0, 0.95, "dropout on annotations"),
    REAL(model.dropout.readout, "0.3", 0, 0.95, "dropout before the output layer"),
    REAL(model.dropout.state, "0.2", 0, 0.95, "dropout on recurrent states, one mask per sentence"),
    REAL(model.dropout.layer, "0", 0, 0.95, "dropout on what a layer above the first reads"),
    REAL(model.dropout.source_word, "0", 0, 0.95,
         "chance that a source word's whole embedding is 0, wherever in the batch it stands"),
    REAL(model.dropout.target_word, "0", 0, 0.95, "the same for the previous words that the decoder reads"),
    FILENAME(training.init_from,
             "directory of a trained model to begin with; words of both vocabularies keep their embeddings"),
    INT(training.threads, "0", 0, 1024, "worker threads; 0: one per core"),
    INT(training.shards, "0", 0, 1024,
        "parts that each batch is cut into; the same number gives the same bytes with any number of threads; "
        "0: one per thread"),
    INT(training.batch_sentences, "160", 0, 65536, "sentence pairs in a batch; 0: batch_tokens decides"),
    INT(training.batch_tokens, "0", 0, 10000000,
        "target tokens in a batch, at most; 0: batch_sentences decides"),
    INT(training.accumulate, "1", 1, 1000, "batches whose gradients make one update"),
    CHOICE(training.optimizer, "adam", OPTIMIZERS, "how gradients become steps", KEPT),
    REAL(training.learning_rate, "0.01", 1e-9, 10, "learning rate, at its highest"),
    CHOICE(training.schedule, "constant", SCHEDULES,
           "learning rate: constant; falling with the root of the update number after warm-up; along half a "
           "cosine to 0 at the end (of max_epochs, max_updates or max_minutes, by the clock); halved when "
           "validation stops improving"),
    INT(training.warmup, "200", 0, 10000000, "updates in which the learning rate rises from 0"),
    REAL(
        training.cooldown, "0.25", 0, 1,
        "the last part of the training, in which the learning rate falls to 0 along a straight line, besides "
        "the schedule"),
    REAL(training.beta1, "0.9", 0, 0.999999, "memory of the mean gradient in Adam, momentum in SGD"),
    REAL(training.beta2, "0.98", 0, 0.999999,
         "memory of the squared gradient in Adam and Adadelta (0.95 is common there)"),
    REAL(training.weight_decay, "0.1", 0, 1,
         "every update takes so much of each weight, times the learning rate (with Adam: AdamW)"),
    REAL(training.average, "0.998", 0, 0.999999,
         "moving average of the weights, which is then what is validated and saved: its memory (0.999 is "
         "common); 0: none"),
    REAL(training.clip_norm, "1", 0, 1e6, "most gradient norm, over all parameters; 0: no clipping"),
    REAL(training.label_smoothing, "0.1", 0, 0.9, "probability that is spread over all words"),
    REAL(training.r_drop, "0", 0, 100, "weight of R-Drop (Liang et al. 2021)", RETIRED),
    REAL(training.guided_alignment, "0", 0, 100,
         "weight of the loss that pulls the attention to data.train.alignment"),
    REAL(training.attention_entropy, "0.1", 0, 100,
         "hard attention: weight of the entropy that keeps it from settling too early"),
    REAL(training.attention_discount, "0", 0, 1,
         "hard attention: what is drawn for a word is credited with the loss of that word, and with so much "
         "of it of the next, and so on; 1: of all alike, which has no bias and needs more text"),
    REAL(training.attention_expected, "0.5", 0, 1,
         "hard attention: part of the sentences that read the mean of what could be drawn, as soft attention "
         "does (Xu et al. 2015)"),
    CHOICE(
        training.scheduled_sampling, "none", SAMPLINGS,
        "let the decoder now and then read its own word instead of the right one, more and more often: the "
        "right one with probability 1 - i/k, exp(-i/k) or k/(k + exp(i/k)) in update i"),
    REAL(training.sampling_scale, "1000", 1, 1e9, "k of scheduled sampling"),
    REAL(training.least_teacher_forcing, "0.75", 0, 1,
         "the right word's probability that scheduled sampling ends with"),
    INT(training.max_epochs, "30", 0, 1000000, "stop after so many epochs; 0: no limit"),
    INT(training.max_updates, "0", 0, 1000000000, "stop after so many updates; 0: no limit"),
    REAL(training.max_minutes, "0", 0, 1e6, "stop after so many minutes; 0: no limit"),
    INT(training.validate_every, "0", 0, 1000000000, "updates between validations; 0: once an epoch"),
    INT(training.validation_beam, "1", 1, 1000, "beam of the translations in a validation"),
    INT(training.checkpoint_every, "500", 1, 1000000000, "updates between checkpoints"),
    INT(training.keep_best, "1", 1, 1000,
        "best checkpoints to keep; 1: none, model.safetensors is the best one"),
    INT(training.keep_last, "1", 1, 1000,
        "newest checkpoints to keep when the training has ended, one to go on from, more for nmt average; "
        "while it runs two at least"),
    BOOL(training.keep_prepared, "false",
         "keep the text as it was prepared when the training has ended: an early start for --restart and "
         "--resume"),
    INT(training.patience, "8", 0, 1000000,
        "so many validations without a better one begin the cooldown, or end the training if it has none; 0: "
        "never"),
    INT(training.halve_patience, "2", 1, 1000000,
        "plateau: halve the learning rate after so many validations without a better one"),
    CHOICE(training.metric, "bleu", METRICS, "what makes a validation better"),
    CHOICE(training.exchange, "float32", EXCHANGES,
           "how gradients go from machine to machine: as they are, or rounded, in half the bytes"),
    CHOICE(training.on_divergence, "rollback", DIVERGENCE_ACTIONS,
           "a loss that is not finite or explodes: back to the last good checkpoint with half the learning "
           "rate (three "
           "times at most), or stop"),
    BOOL(training.tune, "false",
         "at the end, choose beam, length and coverage penalty on the validation set as nmt tune does, "
         "whatever 'decoding' says of them"),
    INT(decoding.beam, "5", 1, 1000, "hypotheses in beam search; 1: greedy"),
    REAL(decoding.length_penalty, "1", 0, 10, "scores are divided by length to this power; 0: not at all"),
    CHOICE(decoding.normalization, "plain", LENGTH_NORMALIZATIONS,
           "what is taken to that power: the length, or (5 + length) / 6 (Wu et al. 2016)"),
    INT(decoding.min_length, "0", 0, 10000, "fewest target tokens"),
    INT(decoding.block_ngrams, "0", 0, 100, "no sequence of so many tokens comes twice; 0: it may"),
    REAL(decoding.coverage_penalty, "0", 0, 10, "weight of the coverage penalty of Wu et al. 2016"),
    BOOL(decoding.sample, "false", "draw words at random; the beam is how many translations are drawn"),
    REAL(decoding.temperature, "1", 0.01, 100, "sampling: probabilities are taken to the power 1 / this"),
    INT(decoding.top_k, "0", 0, 1000000, "sampling: only so many of the most probable words; 0: all"),
    REAL(decoding.nucleus, "1", 0, 1, "sampling: only the most probable words that have so much together"),
    INT(decoding.seed, "1", 0, 1000000000, "sampling: same seed and same sentence, same translation"),
    WORD(decoding.tag, "a tag of data.train: put before each sentence that is translated"),
    REAL(decoding.max_length_ratio, "2", 0.1, 100, "most target tokens for each source token (plus ten)"),
};

const size_t config_key_count = sizeof config_keys / sizeof config_keys[0];

const struct key *config_key_find(const char *path)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (!strcmp(config_keys[i].path, path))
            return &config_keys[i];
    return NULL;
}

bool config_is_section(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < config_key_count; i++) {
        const char *key = config_keys[i].path;
        if (!strncmp(key, path, length) && key[length] == '.')
            return true;
    }
    return false;
}

struct key_name config_key_nearest(const char *path)
{
    struct key_name nearest = {""};
    int parts = 1, best = EDIT_DISTANCE_NONE;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.'))
        parts++;
    for (size_t i = 0; i < config_key_count; i++) {
        struct key_name candidate;
        if (config_keys[i].retired)
            continue;
        snprintf(candidate.path, sizeof candidate.path, "%s", config_keys[i].path);
        char *cut = candidate.path;
        for (int part = 0; cut && part < parts; part++)
            cut = strchr(cut + (part > 0), '.');
        if (cut)
            *cut = '\0';
        if (names_nearer(&best, path, candidate.path))
            nearest = candidate;
    }
    return nearest;
}

bool config_key_in_list(const struct key *key)
{
    return !strncmp(key->path, CONFIG_LIST ".", sizeof CONFIG_LIST);
}

bool config_key_is_text(const struct key *key)
{
    return key->type == KEY_PATH || key->type == KEY_WORD || key->type == KEY_LANGUAGE;
}

bool config_key_is_packed(const struct key *key)
{
    static const char *const kept[] = {"data.source_language", "data.target_language", "text.", "model.",
                                       "decoding."};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (!strncmp(key->path, kept[i], strlen(kept[i])))
            return true;
    return false;
}

void *config_field(struct config *config, const struct key *key)
{
    return (char *)config + key->offset;
}

const void *config_const_field(const struct config *config, const struct key *key)
{
    return (const char *)config + key->offset;
}

/* ---- choices ---- */

struct choice choice_name(const char *choices, unsigned index)
{
    struct choice choice;
    for (; index > 0; index--)
        choices = strchr(choices, '|') + 1;
    snprintf(choice.name, sizeof choice.name, "%.*s", (int)strcspn(choices, "|"), choices);
    return choice;
}

struct choice config_choice(const char *path, unsigned value)
{
    return choice_name(config_key_find(path)->choices, value);
}

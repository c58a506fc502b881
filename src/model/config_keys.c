#include "config_keys.h"

#include <stdio.h>
#include <string.h>

/* Whole numbers up to here survive being printed by cJSON. */
#define MAX_SEED 999999999999999.0

#define AT(field) offsetof(struct config, field)
#define INT(path, field, fallback, min, max, help)                                                           \
    {                                                                                                        \
        path, KEY_INT, AT(field), fallback, min, max, NULL, help                                             \
    }
#define REAL(path, field, fallback, min, max, help)                                                          \
    {                                                                                                        \
        path, KEY_REAL, AT(field), fallback, min, max, NULL, help                                            \
    }
#define BOOL(path, field, fallback, help)                                                                    \
    {                                                                                                        \
        path, KEY_BOOL, AT(field), fallback, 0, 1, NULL, help                                                \
    }
#define CHOICE(path, field, fallback, choices, help)                                                         \
    {                                                                                                        \
        path, KEY_CHOICE, AT(field), fallback, 0, 0, choices, help                                           \
    }
#define FILENAME(path, field, help)                                                                          \
    {                                                                                                        \
        path, KEY_PATH, AT(field), NULL, 0, 0, NULL, help                                                    \
    }

const struct key config_keys[] = {
    FILENAME("model_dir", model_dir, "directory of the model: weights, vocabularies, checkpoints, log"),
    {"seed", KEY_SEED, AT(seed), "1", 0, MAX_SEED, NULL,
     "seed of all randomness; same seed and threads, same bytes"},
    FILENAME("data.train.source", data.train.source,
             "training text in the source language, a sentence a line"),
    FILENAME("data.train.target", data.train.target, "its translation, line by line"),
    FILENAME("data.train.tsv", data.train.tsv, "or both in one file: source, a tab, target"),
    FILENAME("data.valid.source", data.valid.source, "validation text: chooses the best model"),
    FILENAME("data.valid.target", data.valid.target, "its translation"),
    FILENAME("data.valid.tsv", data.valid.tsv, "or both in one file"),
    FILENAME("data.test.source", data.test.source, "test text: what nmt eval translates by default"),
    FILENAME("data.test.target", data.test.target, "its reference translation"),
    FILENAME("data.test.tsv", data.test.tsv, "or both in one file"),
    INT("data.max_length", data.max_length, "100", 1, 10000,
        "tokens; training pairs with a longer side are dropped (and counted)"),
    CHOICE("data.on_invalid", data.on_invalid, "stop", "stop|skip|replace",
           "invalid UTF-8 in training data: stop, skip the pair, or put U+FFFD"),
    CHOICE(
        "text.tokenizer", text.tokenizer, "unicode", "unicode|whitespace|char",
        "how text becomes words: by Unicode category, at blanks (text is tokenized already), or characters"),
    CHOICE("text.normalize", text.normalize, "nfc", "none|nfc|nfkc",
           "Unicode normalisation before tokenizing"),
    BOOL("text.lowercase", text.lowercase, "false", "train on lower-case text"),
    CHOICE("text.subword", text.subword, "bpe", "bpe|word", "byte-pair encoding, or whole words"),
    INT("text.merges", text.merges, "8000", 0, 1000000, "BPE merge operations"),
    BOOL("text.joint", text.joint, "true", "one set of merges for both languages"),
    INT("text.vocabulary_threshold", text.vocabulary_threshold, "0", 0, 1000000,
        "subwords seen less often are split further"),
    INT("text.vocabulary_size", text.vocabulary_size, "0", 0, 10000000,
        "most words in a vocabulary, the frequent ones first; 0: all"),
    INT("model.embedding", model.embedding, "256", 1, 8192, "E: width of word embeddings and readout"),
    CHOICE("model.tie", model.tie, "target", "none|target|all",
           "share the target embedding with the output layer, or all three tables (one joint vocabulary)"),
    CHOICE("model.encoder.cell", model.encoder.cell, "gru", "gru", "recurrent cell of the encoder"),
    INT("model.encoder.units", model.encoder.units, "256", 1, 8192, "H: encoder units per direction"),
    INT("model.encoder.layers", model.encoder.layers, "1", 1, 1, "encoder layers"),
    BOOL("model.encoder.bidirectional", model.encoder.bidirectional, "true",
         "read the source in both directions"),
    CHOICE("model.decoder.cell", model.decoder.cell, "gru", "gru", "recurrent cell of the decoder"),
    INT("model.decoder.units", model.decoder.units, "512", 1, 8192, "D: decoder units"),
    INT("model.decoder.layers", model.decoder.layers, "1", 1, 1, "decoder layers"),
    CHOICE("model.decoder.init", model.decoder.init, "mean", "mean",
           "first decoder state: from the mean annotation"),
    CHOICE("model.attention.score", model.attention.score, "additive", "additive",
           "how well a position matches"),
    INT("model.attention.units", model.attention.units, "512", 1, 8192, "A: attention units"),
    CHOICE("model.attention.feed", model.attention.feed, "input", "input",
           "where the context goes: beside the previous word, into the decoder cell"),
    REAL("model.dropout.embedding", model.dropout.embedding, "0.3", 0, 0.95, "dropout on word embeddings"),
    REAL("model.dropout.annotation", model.dropout.annotation, "0.3", 0, 0.95, "dropout on annotations"),
    REAL("model.dropout.readout", model.dropout.readout, "0.3", 0, 0.95, "dropout before the output layer"),
    REAL("model.dropout.state", model.dropout.state, "0", 0, 0.95,
         "dropout on recurrent states, one mask per sentence"),
    INT("training.threads", training.threads, "0", 0, 1024, "worker threads; 0: one per core"),
    INT("training.batch_sentences", training.batch_sentences, "64", 0, 65536,
        "sentence pairs in a batch; 0: batch_tokens decides"),
    INT("training.batch_tokens", training.batch_tokens, "0", 0, 10000000,
        "target tokens in a batch, at most; 0: batch_sentences decides"),
    CHOICE("training.optimizer", training.optimizer, "adam", "adam", "how gradients become steps"),
    REAL("training.learning_rate", training.learning_rate, "0.0005", 1e-9, 10,
         "learning rate, at its highest"),
    CHOICE("training.schedule", training.schedule, "plateau", "constant|inverse_sqrt|plateau",
           "learning rate: constant; falling with the root of the update number after warm-up; halved when "
           "validation stops improving"),
    INT("training.warmup", training.warmup, "0", 0, 10000000,
        "updates in which the learning rate rises from 0"),
    REAL("training.beta1", training.beta1, "0.9", 0, 0.999999, "Adam: memory of the mean gradient"),
    REAL("training.beta2", training.beta2, "0.999", 0, 0.999999, "Adam: memory of the squared gradient"),
    REAL("training.clip_norm", training.clip_norm, "1", 0, 1e6,
         "most gradient norm, over all parameters; 0: no clipping"),
    REAL("training.label_smoothing", training.label_smoothing, "0.1", 0, 0.9,
         "probability that is spread over all words"),
    INT("training.max_epochs", training.max_epochs, "30", 0, 1000000,
        "stop after so many epochs; 0: no limit"),
    INT("training.max_updates", training.max_updates, "0", 0, 1000000000,
        "stop after so many updates; 0: no limit"),
    REAL("training.max_minutes", training.max_minutes, "0", 0, 1e6,
         "stop after so many minutes; 0: no limit"),
    INT("training.validate_every", training.validate_every, "0", 0, 1000000000,
        "updates between validations; 0: once an epoch"),
    INT("training.validation_beam", training.validation_beam, "1", 1, 1000,
        "beam of the translations in a validation"),
    INT("training.checkpoint_every", training.checkpoint_every, "500", 1, 1000000000,
        "updates between checkpoints"),
    INT("training.keep_best", training.keep_best, "1", 1, 1000, "best checkpoints to keep"),
    INT("training.keep_last", training.keep_last, "2", 1, 1000, "newest checkpoints to keep"),
    INT("training.patience", training.patience, "8", 0, 1000000,
        "stop after so many validations without a better one; 0: never"),
    INT("training.halve_patience", training.halve_patience, "2", 1, 1000000,
        "plateau: halve the learning rate after so many validations without a better one"),
    CHOICE("training.metric", training.metric, "bleu", "bleu|chrf|perplexity",
           "what makes a validation better"),
    CHOICE("training.on_divergence", training.on_divergence, "rollback", "rollback|stop",
           "a loss that is not finite or explodes: back to the last good checkpoint with half the learning "
           "rate (three "
           "times at most), or stop"),
    INT("decoding.beam", decoding.beam, "5", 1, 1000, "hypotheses in beam search; 1: greedy"),
    REAL("decoding.length_penalty", decoding.length_penalty, "1", 0, 10,
         "scores are divided by length to this power; 0: not at all"),
    REAL("decoding.coverage_penalty", decoding.coverage_penalty, "0", 0, 10,
         "weight of the coverage penalty of Wu et al. 2016"),
    REAL("decoding.max_length_ratio", decoding.max_length_ratio, "2", 0.1, 100,
         "most target tokens for each source token (plus ten)"),
};

const size_t config_key_count = sizeof config_keys / sizeof config_keys[0];

const struct key *config_key_find(const char *path)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (!strcmp(config_keys[i].path, path))
            return &config_keys[i];
    return NULL;
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

int choice_index(const char *choices, const char *name)
{
    const size_t length = strlen(name);
    int index = 0;
    for (const char *at = choices; at; index++) {
        const char *bar = strchr(at, '|');
        const size_t here = bar ? (size_t)(bar - at) : strlen(at);
        if (here == length && !memcmp(at, name, length))
            return index;
        at = bar ? bar + 1 : NULL;
    }
    return -1;
}

void choice_name(const char *choices, int index, char *name, size_t bytes)
{
    for (; index > 0; index--)
        choices = strchr(choices, '|') + 1;
    snprintf(name, bytes, "%.*s", (int)strcspn(choices, "|"), choices);
}

const char *config_choice_name(const char *path, int value)
{
    /* Choices are separated in the table; a name of its own is kept for each, once. */
    static _Thread_local char name[32];
    choice_name(config_key_find(path)->choices, value, name, sizeof name);
    return name;
}

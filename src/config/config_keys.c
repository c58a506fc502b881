/* The table of all config keys, and look-ups in it. The names of choices are lists in choices.h; setting
 * and checking values is in config_values.c, printing in config_print.c. */
#include "config_keys.h"

#include "names.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(enum score_kind) == sizeof(unsigned), "choices are read and written as unsigned");

/* The largest whole number of 15 digits: they are always written without an exponent (json.c). */
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
#define CHOICE_OR_AUTO(field, list, ...) \
    {AT(field), .type = KEY_CHOICE, .fallback = AUTO, .choices = &(list(NAMES_BAR))[1], \
     .choices_or_auto = AUTO list(NAMES_BAR), .help = __VA_ARGS__}
#define SET(field, fallback_, list, truth_, ...) \
    {AT(field), .type = KEY_SET, .fallback = fallback_, .choices = &(list(NAMES_BAR))[1], .truth = truth_, \
     .help = __VA_ARGS__}
#define FILENAME(field, help_) {AT(field), .type = KEY_PATH, .help = help_}
#define WORD(field, help_) {AT(field), .type = KEY_WORD, .help = help_}
#define LANGUAGE(field, help_) {AT(field), .type = KEY_LANGUAGE, .help = help_}
/* Written after the help text. */
#define KEPT .kept_on_resume = true
/* The default of keys that are chosen unless given (config_auto.h). */
#define AUTO "auto"
#define RETIRED .retired = true
/* clang-format on */

const struct key config_keys[] = {
    FILENAME(model_dir, "model directory: weights, vocabularies, checkpoints, log; default: models/NAME in "
                        "the working directory, for a config NAME.json"),
    {AT(seed), .type = KEY_SEED, .fallback = "1", .max = MAX_SEED,
     .help = "seed of all randomness; same seed and threads, same bytes"},
    LANGUAGE(data.source_language,
             "source language, such as en or pt-BR (BCP 47); informs users of the "
             "model, and decides about capitals: Turkish and others with its two letters i, "
             "Greek, Armenian"),
    LANGUAGE(data.target_language, "target language; likewise"),
    FILENAME(data.train.source, "training text in the source language, one sentence per line"),
    FILENAME(data.train.target, "its translation, line by line"),
    FILENAME(data.train.tsv, "or both in one file: source, a tab, target"),
    REAL(data.train.weight, "1", 0, 1000,
         "how often an epoch uses each pair: 2 is twice, 0.5 is half of the pairs, different ones each time; "
         "data.train may be a list of corpora"),
    FILENAME(data.train.alignment, "its correct word alignment, for guided alignment: links i-j between the "
                                   "words that nmt tokenize --words prints"),
    WORD(data.train.tag,
         "word put before each source sentence of this corpus, such as <synthetic>; never split"),
    BOOL(data.train.synthetic, "false",
         "one side of this corpus was translated by a machine: which unseen words are copied, other corpora "
         "tell"),
    FILENAME(data.valid.source, "validation text: chooses the best model"),
    FILENAME(data.valid.target, "its translation"),
    FILENAME(data.valid.tsv, "or both in one file"),
    FILENAME(data.test.source, "test text: what nmt eval translates by default"),
    FILENAME(data.test.target, "its reference translation"),
    FILENAME(data.test.tsv, "or both in one file"),
    FILENAME(data.monolingual,
             "text in the target language, which nmt distill translates back to more training text"),
    FILENAME(data.monolingual_source, "text in the source language, which nmt distill translates"),
    INT(data.max_length, "100", 1, 10000,
        "most tokens per sentence; training pairs with a longer side are dropped and counted"),
    REAL(
        data.concatenate, AUTO, 0, 1,
        "the share of the pairs that an epoch joins, each with another one, so that sentences stand in other "
        "places; different ones each time; not with text.tokenizer char; auto: by the number of pairs"),
    INT(data.tokens_in_memory, "30000000", 1000, 2000000000,
        "tokens of training text in memory at a time (four bytes each); a larger text is shuffled in blocks "
        "and read in parts"),
    CHOICE(data.on_invalid, "stop", INVALID_ACTIONS,
           "invalid UTF-8 in training data: stop, skip the pair, or replace it with U+FFFD"),
    CHOICE(text.tokenizer, "script", TOKENIZERS,
           "how text is split into words: by Unicode category and script, where Han characters stand alone; "
           "by category only; at blanks (text is tokenized already); or into characters",
           KEPT),
    CHOICE(text.normalize, "nfc", UTF8_FORMS, "Unicode normalisation before tokenizing", KEPT),
    BOOL(text.reverse_target, "false",
         "words of the target text from the last to the first: a model from right to left, to judge the "
         "translations of another (nmt distill makes one by itself)",
         KEPT),
    BOOL(text.lowercase, "false", "train on lower-case text", KEPT),
    CHOICE(text.subword, "bpe", SUBWORDS, "byte-pair encoding, or whole words", KEPT),
    INT(text.merges, AUTO, 0, 1000000, "BPE merge operations; auto: by the number of pairs", KEPT),
    BOOL(text.joint, "true", "one set of merges for both languages", KEPT),
    REAL(text.bpe_dropout.source, "0", 0, 0.9,
         "BPE-dropout on the training source: every epoch splits words anew and skips each merge with this "
         "probability",
         KEPT),
    REAL(text.bpe_dropout.target, "0", 0, 0.9, "the same on the training target", KEPT),
    INT(text.vocabulary_threshold, "0", 0, 1000000, "subwords that occur less often are split further", KEPT),
    INT(text.vocabulary_size, "0", 0, 10000000,
        "most words in a vocabulary; the most frequent are kept; 0: all", KEPT),
    SET(text.protect, "true", PATTERNS, PROTECTED,
        "strings that a translation keeps as they are, such as addresses, tags and dates: the network "
        "sees placeholders; true: all kinds but identifier, or none with data.train.alignment",
        KEPT),
    INT(model.embedding, AUTO, 1, 8192,
        "E: width of word embeddings and readout; auto: by the number of pairs or by training.max_minutes",
        KEPT),
    CHOICE_OR_AUTO(model.tie, TIES,
                   "share the target embedding with the output layer, or all three tables (one joint "
                   "vocabulary); auto: all if text.joint and at least half of the letters of the target text "
                   "are the source's, too, else target",
                   KEPT),
    CHOICE(model.encoder.cell, "gru", CELLS, "recurrent cell of the encoder", KEPT),
    INT(model.encoder.units, AUTO, 1, 8192,
        "H: encoder units per direction; auto: by the number of pairs or by training.max_minutes", KEPT),
    INT(model.encoder.layers, "1", 1, 4,
        "encoder layers; each one above the first adds its output to its input", KEPT),
    INT(model.encoder.transitions, "1", 1, 8,
        "cells per encoder step, one after the other; only the first reads the input", KEPT),
    BOOL(model.encoder.bidirectional, "true", "read the source in both directions", KEPT),
    BOOL(model.encoder.lexical, AUTO,
         "append the word's own embedding to its annotation, so that the decoder sees which word it was; "
         "auto: if model.tie is auto and becomes all, unless model.attention.score is dot",
         KEPT),
    CHOICE(model.decoder.cell, "gru", CELLS, "recurrent cell of the decoder", KEPT),
    INT(model.decoder.units, AUTO, 1, 8192,
        "D: decoder units; auto: by the number of pairs or by training.max_minutes", KEPT),
    INT(model.decoder.layers, "1", 1, 4,
        "decoder layers; the first asks for the context, each one above adds its output to its input", KEPT),
    INT(model.decoder.transitions, "1", 1, 8,
        "cells per decoder step, one after the other, beginning with the one that reads the context", KEPT),
    CHOICE(model.decoder.init, "mean", SUMMARIES,
           "what the first decoder state is computed from: the mean annotation, the last state of the "
           "backward encoder, the last states of both directions, or nothing; without attention, it is all "
           "that the decoder gets",
           KEPT),
    CHOICE(model.attention.score, "additive", SCORES,
           "how a position is scored; none: encoder and decoder without attention", KEPT),
    CHOICE(model.attention.kind, "soft", ATTENTION_KINDS,
           "attend to all positions by their weights, or to one: sampled in training (REINFORCE), the "
           "likeliest in translation",
           KEPT),
    INT(model.attention.units, AUTO, 1, 8192,
        "A: attention units; auto: by the number of pairs or by training.max_minutes", KEPT),
    INT(model.attention.heads, "1", 1, 16,
        "attention heads, each with its own part of the units and annotations", KEPT),
    CHOICE(model.attention.scope, "global", SCOPES,
           "all positions, a window around a position that moves on with each word, or a window around a "
           "predicted one",
           KEPT),
    INT(model.attention.window, "10", 1, 10000, "positions of a local window on each side of its centre",
        KEPT),
    CHOICE(model.attention.normalizer, "softmax", NORMALIZERS, "how scores become weights", KEPT),
    REAL(model.attention.temperature, "1", 0.01, 100, "scores are divided by it", KEPT),
    CHOICE(model.attention.coverage, "none", COVERAGES,
           "let the score depend on how much attention a position has had so far: the sum, or the sum "
           "relative to the position's fertility",
           KEPT),
    CHOICE(model.attention.feed, "conditional", FEEDS,
           "where the context goes: into the decoder cell, beside the previous word or instead of it; "
           "between two cells, the first of which reads the word and asks for the context, the second of "
           "which reads it; or only into the readout",
           KEPT),
    BOOL(model.attention.input_feeding, "false",
         "with feed output: the cell also reads the readout of the previous step", KEPT),
    BOOL(model.layer_norm, "true", "layer normalisation of all products in the recurrent cells", KEPT),
    REAL(model.dropout.embedding, AUTO, 0, 0.95,
         "dropout on word embeddings; one mask per word of a batch, the same wherever it occurs; auto: by "
         "the number of pairs; less with fewer units or epochs than suit so many"),
    REAL(model.dropout.annotation, AUTO, 0, 0.95, "dropout on annotations; auto: likewise"),
    REAL(model.dropout.readout, AUTO, 0, 0.95, "dropout before the output layer; auto: likewise"),
    REAL(model.dropout.state, AUTO, 0, 0.95,
         "dropout on recurrent states, one mask per sentence; auto: likewise"),
    REAL(model.dropout.layer, "0", 0, 0.95, "dropout on the input of layers above the first"),
    REAL(model.dropout.source_word, "0", 0, 0.95,
         "probability that a source word's whole embedding is 0, wherever in the batch it occurs"),
    REAL(model.dropout.target_word, "0", 0, 0.95, "the same for the previous words that the decoder reads"),
    FILENAME(training.init_from, "trained model to start from, with its words unless text.merges is given"),
    INT(training.threads, "0", 0, 1024,
        "worker threads; 0: one per processor that nmt may use (two for a core with hyper-threading)"),
    INT(training.shards, "0", 0, 1024,
        "parts that each batch is split into; the same number gives the same bytes with any number of "
        "threads; 0: one per thread"),
    INT(training.batch_sentences, AUTO, 0, 65536,
        "sentence pairs per batch; 0 and auto: batch_tokens decides"),
    INT(training.batch_tokens, AUTO, 0, 10000000,
        "most target tokens per batch (source tokens: twice as many); auto: by the number of pairs, or 0 if "
        "batch_sentences is given; 0: batch_sentences decides"),
    INT(training.accumulate, "1", 1, 1000, "batches per update, whose gradients are accumulated"),
    CHOICE(training.optimizer, "adam", OPTIMIZERS, "how gradients become updates", KEPT),
    REAL(training.learning_rate, AUTO, 1e-9, 10, "highest learning rate; auto: by the number of pairs"),
    CHOICE(training.schedule, "constant", SCHEDULES,
           "learning rate: constant; falling with the inverse square root of the update number after the "
           "warm-up; falling along half a cosine to 0 at the end (of max_epochs, max_updates or max_minutes, "
           "by the clock); halved when validation stops improving"),
    INT(training.warmup, AUTO, 0, 10000000,
        "updates over which the learning rate rises from 0; auto: 200, but at most a sixth of the training"),
    REAL(training.cooldown, "0.25", 0, 1,
         "last part of the training, over which the learning rate falls linearly to 0, on top of the "
         "schedule"),
    REAL(training.beta1, "0.9", 0, 0.999999, "decay of the mean gradient in Adam, momentum in SGD"),
    REAL(training.beta2, "0.98", 0, 0.999999,
         "decay of the mean squared gradient in Adam and Adadelta (where 0.95 is common)"),
    REAL(training.weight_decay, AUTO, 0, 1,
         "part of each weight that an update takes off, times the learning rate (with Adam: AdamW); auto: by "
         "the number of pairs"),
    REAL(training.average, AUTO, 0, 0.999999,
         "decay of the moving average of the weights, which is what is validated and saved (0.999 is "
         "common); auto: by the number of pairs; 0: no average"),
    REAL(training.clip_norm, "1", 0, 1e6, "largest gradient norm, over all parameters; 0: no clipping"),
    REAL(training.label_smoothing, "0.1", 0, 0.9, "probability spread over all words"),
    REAL(training.r_drop, "0", 0, 100, "weight of R-Drop (Liang et al. 2021)", RETIRED),
    REAL(training.guided_alignment, "0", 0, 100,
         "weight of the loss that pulls attention towards data.train.alignment"),
    REAL(training.attention_entropy, "0.1", 0, 100,
         "hard attention: weight of the entropy, which keeps it from settling too early"),
    REAL(training.attention_discount, "0", 0, 1,
         "hard attention: how much of the next word's loss counts for the position sampled for this word, "
         "and so on from word to word; 1: all losses alike, which has no bias and needs more text"),
    REAL(training.attention_expected, "0.5", 0, 1,
         "hard attention: part of the sentences that read the expected context, as soft attention does (Xu "
         "et al. 2015)"),
    CHOICE(training.scheduled_sampling, "none", SAMPLINGS,
           "let the decoder read its own words (Bengio et al. 2015)", RETIRED),
    REAL(training.sampling_scale, "1000", 1, 1e9, "k of scheduled sampling", RETIRED),
    REAL(training.least_teacher_forcing, "0.75", 0, 1, "in scheduled sampling", RETIRED),
    INT(training.max_epochs, AUTO, 0, 1000000,
        "stop after this many epochs; auto: by the number of pairs, no limit if max_updates or max_minutes "
        "is given; 0: no limit"),
    INT(training.max_updates, "0", 0, 1000000000, "stop after this many updates; 0: no limit"),
    REAL(training.max_minutes, "0", 0, 1e6, "stop after this many minutes; 0: no limit"),
    INT(training.validate_every, "0", 0, 1000000000, "updates between validations; 0: once per epoch"),
    INT(training.validation_beam, "1", 1, 1000, "beam for the translations of a validation"),
    INT(training.checkpoint_every, "500", 1, 1000000000, "updates between checkpoints"),
    INT(training.keep_best, "1", 1, 1000, "best checkpoints to keep; 1: none besides model.safetensors"),
    INT(training.keep_last, "1", 1, 1000,
        "newest checkpoints to keep after training: one to resume from, more for nmt average; at least two "
        "while it runs"),
    BOOL(training.keep_prepared, "false",
         "keep the prepared text after training, so that --restart and --resume start sooner"),
    INT(training.patience, "8", 0, 1000000,
        "validations without improvement, neither by metric nor of perplexity by 0.1 %, until the cooldown "
        "begins, or until training ends if it has none; 0: never"),
    INT(training.halve_patience, "2", 1, 1000000,
        "plateau: validations without improvement until the learning rate is halved"),
    CHOICE(training.metric, "bleu", METRICS, "what decides which validation is best"),
    CHOICE(training.tokenize, "auto", BLEU_TOKENIZERS_OR_AUTO,
           "tokenizer of BLEU in validations, and in nmt eval and reports of this model; auto: none for "
           "tokenized "
           "text; zh or char where the validation target has no blanks between words; else 13a"),
    CHOICE_OR_AUTO(training.precision, TRAINING_PRECISIONS,
                   "numbers that are multiplied; bfloat16: rounded, and added as float32, on processors with "
                   "AVX512-BF16; weights, their averages and validations stay float32; auto: float32; with "
                   "training.max_minutes, bfloat16 if it is faster by a quarter"),
    CHOICE(training.exchange, "float32", EXCHANGES,
           "how gradients are sent between machines: as they are, or rounded to half the bytes"),
    CHOICE(training.on_divergence, "rollback", DIVERGENCE_ACTIONS,
           "when the loss explodes or is not finite: return to the last good checkpoint with half the "
           "learning rate (three times at most), or stop"),
    BOOL(training.tune, "false",
         "after training, choose beam, length and coverage penalty on the validation set as nmt tune does, "
         "whatever 'decoding' says"),
    INT(decoding.beam, "5", 1, 1000, "hypotheses in beam search; 1: greedy"),
    REAL(decoding.length_penalty, "1.2", 0, 10, "scores are divided by length to this power; 0: not at all"),
    CHOICE(decoding.normalization, "plain", LENGTH_NORMALIZATIONS,
           "what is raised to that power: the length, or (5 + length) / 6 (Wu et al. 2016)"),
    INT(decoding.min_length, "0", 0, 10000, "least number of target tokens"),
    INT(decoding.block_ngrams, "0", 0, 100, "no sequence of this many tokens occurs twice; 0: it may"),
    INT(decoding.max_repetitions, "2", 0, 100,
        "most times in a row that a sequence of up to 32 tokens occurs, unless one of the source occurs more "
        "often; 0: any number"),
    REAL(decoding.coverage_penalty, "0", 0, 10, "weight of the coverage penalty of Wu et al. 2016"),
    REAL(decoding.backward_weight, "0.2", 0, 10,
         "--backward-model: weight of the log-probability of the source, per token, given the translation"),
    REAL(decoding.right_to_left_weight, "0.5", 0, 10,
         "--right-to-left-model: weight of the log-probability of the translation, per token, by that model"),
    BOOL(decoding.sample, "false",
         "sample words at random; the beam is the number of translations sampled; validations and nmt tune "
         "never do"),
    REAL(decoding.temperature, "1", 0.01, 100, "sampling: probabilities are raised to the power 1 / this"),
    INT(decoding.top_k, "0", 0, 1000000, "sampling: only from this many of the most probable words; 0: all"),
    REAL(decoding.nucleus, "1", 0, 1,
         "sampling: only from the most probable words that together have this probability"),
    INT(decoding.seed, "1", 0, 1000000000, "sampling: same seed and same sentence, same translation"),
    WORD(decoding.tag, "tag of data.train to put before each sentence; empty: none"),
    REAL(decoding.max_length_ratio, "2", 0.1, 100, "most target tokens per source token (plus ten)"),
    CHOICE(decoding.split, "auto", SPLITS,
           "nmt translate: translate each sentence of a line by itself; auto: if most training lines are "
           "one; off: translate lines as they are; only beyond 500 tokens are they divided"),
    CHOICE(
        decoding.precision, "auto", DECODING_PRECISIONS,
        "numbers that are multiplied; auto: int8 if the model's file is of nmt pack --precision int8, else "
        "float32"),
    BOOL(decoding.shortlist, "true",
         "choose only among the words that nmt pack --shortlist found for the sentence, if the model's file "
         "has them; false: among all"),
    BOOL(decoding.truecase, "true",
         "read a line in capitals, or in title case if that is rare, as its words are usually written; what "
         "was in capitals is translated in capitals"),
};

const size_t config_key_count = sizeof config_keys / sizeof config_keys[0];

const struct key *config_key_find(const char *path)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (!strcmp(config_keys[i].path, path))
            return &config_keys[i];
    return NULL;
}

bool config_key_in_section(const struct key *key, const char *section)
{
    const size_t bytes = strlen(section);
    return !strncmp(key->path, section, bytes) && key->path[bytes] == '.';
}

bool config_is_section(const char *path)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (config_key_in_section(&config_keys[i], path))
            return true;
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

/* An auto among a key's own choices is a value like the others. */
bool config_key_may_be_auto(const struct key *key)
{
    return key->fallback && !strcmp(key->fallback, AUTO) &&
           (!key->choices || names_index(key->choices, AUTO) < 0);
}

unsigned config_key_auto_bit(const struct key *key)
{
    unsigned bit = 1;
    if (!config_key_may_be_auto(key))
        return 0;
    for (const struct key *earlier = config_keys; earlier < key; earlier++)
        if (config_key_may_be_auto(earlier))
            bit <<= 1;
    return bit;
}

bool config_key_is_auto(const struct config *config, const struct key *key)
{
    return config->automatic & config_key_auto_bit(key);
}

bool config_key_in_list(const struct key *key)
{
    return config_key_in_section(key, CONFIG_LIST);
}

bool config_key_is_text(const struct key *key)
{
    return key->type == KEY_PATH || key->type == KEY_WORD || key->type == KEY_LANGUAGE;
}

bool config_key_is_packed(const struct key *key)
{
    static const char *const kept[] = {
        "data.source_language", "data.target_language", "text.", "model.", "training.tokenize", "decoding."};
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

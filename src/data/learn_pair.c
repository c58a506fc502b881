/* Learns subwords and vocabularies from word counts. bpe_learn.c learns the merges, words.c counts the
 * words. */
#include "learn_pair.h"

#include "log.h"
#include "mem.h"
#include "plural.h"
#include "word_counts.h"

/* Not the training's: those that differ in their seeds have the same vocabulary, and can be an ensemble. */
#define VOCABULARY_SEED 1
#define DROPOUT_SAMPLES 16 /* BPE-dropout: segmentations of each word that the vocabulary covers */

/* Placeholders have their own ids, with marks or without, and are not split. */
static bool is_placeholder(const struct tokenizer *tokenizer, const struct word_table *table, size_t word)
{
    return tokenizer_placeholder(tokenizer, strmap_text(&table->words, (int)word),
                                 strmap_length(&table->words, (int)word)) > 0;
}

static void learn_subwords(struct language_pair *pair, const struct word_tables *tables,
                           const struct config *config)
{
    for (int side = 0; side < SIDES; side++) {
        if (pair->tokenizer[side].bpe != &pair->bpe[side])
            continue;
        const struct word_table *table = tables->side[side];
        const double begin = clock_seconds();
        int64_t *counts = xcalloc(table->words.count, sizeof *counts);
        for (size_t i = 0; i < table->words.count; i++)
            if (!is_placeholder(&pair->tokenizer[side], table, i))
                counts[i] = table->counts[SOURCE][i] + table->counts[TARGET][i];
        for (size_t t = 0; t < pair->tags.count; t++) { /* tags are not split */
            const int tag = strmap_find(&table->words, strmap_text(&pair->tags, (int)t),
                                        strmap_length(&pair->tags, (int)t));
            if (tag >= 0)
                counts[tag] = 0;
        }
        bpe_learn(&pair->bpe[side], &table->words, counts, config->text.merges);
        log_info("subwords: %zu merge%s from %zu different word%s in %.2f s", pair->bpe[side].count,
                 plural((double)pair->bpe[side].count), table->words.count,
                 plural((double)table->words.count), clock_seconds() - begin);
        xfree(counts);
    }
}

/* Counts the subwords of one side; with BPE-dropout, also those of random segmentations. */
static void count_subwords(struct word_counts *counts, const struct language_pair *pair,
                           const struct word_tables *tables, int side, const struct config *config,
                           bool broken)
{
    const struct word_table *table = tables->side[side];
    struct bpe_dropout dropout = {.rate = language_pair_dropout(config, side)};
    struct strbuf subwords;
    strbuf_init(&subwords);
    for (size_t i = 0; i < table->words.count; i++) {
        const int64_t times = is_placeholder(&pair->tokenizer[side], table, i) ? 0 : table->counts[side][i];
        const int samples =
            dropout.rate > 0 && broken ? (int)(times < DROPOUT_SAMPLES ? times : DROPOUT_SAMPLES) : 0;
        rng_init(&dropout.rng, VOCABULARY_SEED, RNG_SEGMENT, (uint64_t)side, i);
        for (int s = -1; s < samples && times; s++) {
            strbuf_reset(&subwords);
            tokenizer_subwords(&subwords, &pair->tokenizer[side], strmap_text(&table->words, (int)i),
                               strmap_length(&table->words, (int)i), s < 0 ? NULL : &dropout);
            word_counts_add(counts, subwords.text, subwords.length, s < 0 ? times : 1);
        }
    }
    strbuf_release(&subwords);
}

/* The same for all sides that share subwords with `side`: both, or that one alone. */
static void count_shared(struct word_counts *counts, const struct language_pair *pair,
                         const struct word_tables *tables, int side, bool joint, const struct config *config,
                         bool broken)
{
    word_counts_init(counts);
    for (int other = 0; other < SIDES; other++)
        if (joint || other == side)
            count_subwords(counts, pair, tables, other, config, broken);
}

/* Allows only subwords seen at least as often as the threshold. */
static void forbid_rare(struct language_pair *pair, const struct word_tables *tables,
                        const struct config *config)
{
    for (int side = 0; side < SIDES; side++) {
        if (pair->tokenizer[side].bpe != &pair->bpe[side])
            continue;
        struct word_counts counts;
        count_shared(&counts, pair, tables, side, pair->joint_bpe, config, false);
        for (size_t i = 0; i < counts.words.count; i++)
            if (counts.counts[i] >= config->text.vocabulary_threshold)
                strmap_intern(&pair->bpe[side].allowed, strmap_text(&counts.words, (int)i),
                              strmap_length(&counts.words, (int)i));
        word_counts_release(&counts);
    }
}

/* Copies the counts, with 0 for words that are not in `kept`. */
static int64_t *counts_within(const struct strmap *words, const int64_t *counts, const struct strmap *kept)
{
    int64_t *within = xcalloc(words->count, sizeof *within);
    for (size_t i = 0; i < words->count; i++)
        if (strmap_find(kept, strmap_text(words, (int)i), strmap_length(words, (int)i)) >= 0)
            within[i] = counts[i];
    return within;
}

/* Chooses words from both sides together. Those of the target side come first, then those of the source
 * side alone. */
static void build_joint_vocabulary(struct language_pair *pair, const struct word_tables *tables,
                                   const struct config *config, int64_t least)
{
    struct word_counts both, target;
    count_shared(&both, pair, tables, SOURCE, true, config, true);
    count_shared(&target, pair, tables, TARGET, false, config, true);
    struct vocab chosen;
    vocab_init(&chosen);
    if (config->text.protect)
        vocab_add_placeholders(&chosen);
    vocab_build(&chosen, &both.words, both.counts, (size_t)config->text.vocabulary_size, least);
    int64_t *known = counts_within(&both.words, both.counts, &chosen.words);
    int64_t *in_target = counts_within(&both.words, known, &target.words);
    for (int side = 0; side < SIDES; side++)
        vocab_build(&pair->vocab[side], &both.words, in_target, 0, 1);
    vocab_build(&pair->vocab[SOURCE], &both.words, known, 0, 1);
    xfree(in_target);
    xfree(known);
    vocab_release(&chosen);
    word_counts_release(&target);
    word_counts_release(&both);
}

static void build_vocabularies(struct language_pair *pair, const struct word_tables *tables,
                               const struct config *config)
{
    const int64_t least = pair->tokenizer[SOURCE].bpe ? 0 : config->text.vocabulary_threshold;
    if (pair->joint_vocab) {
        build_joint_vocabulary(pair, tables, config, least);
        return;
    }
    for (int side = 0; side < SIDES; side++) {
        struct word_counts counts;
        count_shared(&counts, pair, tables, side, false, config, true);
        vocab_build(&pair->vocab[side], &counts.words, counts.counts, (size_t)config->text.vocabulary_size,
                    least);
        word_counts_release(&counts);
    }
}

/* Fails if the threshold left no words. */
static int check_threshold(const struct language_pair *pair, const struct word_tables *tables,
                           const struct config *config, struct err *err)
{
    for (int side = 0; side < SIDES; side++) {
        const struct bpe *bpe = pair->tokenizer[side].bpe;
        const int fixed = config->text.protect ? VOCAB_PLACEHOLDER(PLACEHOLDERS) + 1 : VOCAB_SPECIALS;
        const bool none = bpe ? !bpe->allowed.count : vocab_size(&pair->vocab[side]) == fixed;
        if (none && tables->side[side]->words.count)
            return err_set(err, "config key 'text.vocabulary_threshold' is %d, but no %s is seen so often",
                           config->text.vocabulary_threshold, bpe ? "subword" : "word");
    }
    return 0;
}

int learn_pair(struct language_pair *pair, const struct word_tables *tables, const struct config *config,
               struct err *err)
{
    learn_subwords(pair, tables, config);
    if (config->text.vocabulary_threshold > 0)
        forbid_rare(pair, tables, config);
    build_vocabularies(pair, tables, config);
    return config->text.vocabulary_threshold > 0 ? check_threshold(pair, tables, config, err) : 0;
}

/* Iterates over the prepared text epoch by epoch: which blocks, how often each pair, segmented into which
 * subwords. batch.c orders the pairs of a part. */
#include "training_set.h"

#include "batch.h"
#include "concatenate.h"
#include "guides.h"
#include "mem.h"
#include "prepare.h"

#include <math.h>
#include <string.h>

static bool has_dropout(const struct config *config)
{
    return language_pair_dropout(config, SOURCE) > 0 || language_pair_dropout(config, TARGET) > 0;
}

/* The share of an epoch's pairs that are joined. Between characters, a blank would be missing. */
static double concatenated(const struct config *config)
{
    return config->text.tokenizer == TOKENIZE_CHAR ? 0 : config->data.concatenate;
}

static bool is_whole(double weight)
{
    return weight == floor(weight);
}

static bool is_sampled(const struct config *config)
{
    for (int c = 0; config_train(config, c); c++)
        if (!is_whole(config_train(config, c)->weight))
            return true;
    return has_dropout(config) || concatenated(config) > 0;
}

/* ---- opening ---- */

static int damaged(const struct training_set *set, struct err *err)
{
    return err_set(err, "cannot read '%s': the file is damaged", set->file.path);
}

static bool *mark_pieces(const struct tokenizer *tokenizer)
{
    const int count = vocab_size(tokenizer->vocab);
    bool *is_continued = xcalloc((size_t)count, sizeof *is_continued);
    for (int id = VOCAB_SPECIALS; id < count && tokenizer->bpe; id++) {
        const char *word = vocab_word(tokenizer->vocab, id);
        is_continued[id] = bpe_is_continued(word, strlen(word));
    }
    return is_continued;
}

int training_set_open(struct training_set *set, struct language_pair *pair, struct config *config,
                      enum pair_origin origin, struct err *err)
{
    memset(set, 0, sizeof *set);
    set->config = config;
    set->pair = pair;
    set->file.fd = -1;
    if (prepare_training(&set->file, pair, config, origin, err))
        return -1;
    for (size_t i = 0; i < set->file.end.blocks; i++)
        if (!config_train(config, (int)set->file.blocks[i].corpus))
            return damaged(set, err);
    set->blocks = xmalloc(set->file.end.blocks, sizeof *set->blocks);
    for (int side = 0; side < SIDES; side++)
        set->is_continued[side] = mark_pieces(&pair->tokenizer[side]);
    return 0;
}

void training_set_close(struct training_set *set)
{
    if (set->config)
        corpus_file_close(&set->file);
    xfree(set->blocks);
    xfree(set->part);
    for (int side = 0; side < SIDES; side++)
        xfree(set->is_continued[side]);
    memset(set, 0, sizeof *set);
}

/* ---- epochs and their parts ---- */

/* A block's tokens in an epoch, without those that BPE-dropout adds; of a weight that is no whole number, as
 * many as are to be expected: of some thousand pairs, few more or less. */
static double block_tokens(const struct training_set *set, size_t block)
{
    const struct corpus_block *b = &set->file.blocks[block];
    return config_train(set->config, (int)b->corpus)->weight * (double)b->tokens;
}

double training_set_tokens(const struct training_set *set)
{
    double tokens = 0;
    for (size_t i = 0; i < set->file.end.blocks; i++)
        tokens += block_tokens(set, i);
    return tokens;
}

static void begin_part(struct training_set *set, size_t block)
{
    GROW(set->part, set->parts + 2, set->parts_capacity);
    set->part[set->parts++] = block;
}

void training_set_begin(struct training_set *set, long epoch)
{
    const size_t blocks = set->file.end.blocks;
    const double most = set->config->data.tokens_in_memory;
    for (size_t i = 0; i < blocks; i++)
        set->blocks[i] = (int)i;
    if (training_set_tokens(set) > most) {
        struct rng rng;
        rng_init(&rng, (uint64_t)set->config->seed, RNG_BLOCKS, (uint64_t)epoch, 0);
        rng_shuffle(&rng, set->blocks, (int)blocks);
    }
    set->parts = 0;
    begin_part(set, 0);
    double tokens = 0;
    for (size_t i = 0; i < blocks; i++) {
        const double more = block_tokens(set, (size_t)set->blocks[i]);
        if (tokens > 0 && tokens + more > most) {
            begin_part(set, i);
            tokens = 0;
        }
        tokens += more;
    }
    set->part[set->parts] = blocks;
}

bool training_set_is_one(const struct training_set *set)
{
    return set->parts == 1 && !is_sampled(set->config);
}

int training_set_longest(const struct training_set *set, int side)
{
    const int longest = (int)set->file.end.totals.longest[side];
    const int most = set->config->data.max_length + 1 + (side == TARGET);
    if (language_pair_dropout(set->config, side) > 0)
        return most;
    return concatenated(set->config) <= 0 ? longest : 2 * longest < most ? 2 * longest : most;
}

/* The most tokens in memory at a time, without those that BPE-dropout adds. */
static double tokens_at_a_time(const struct training_set *set)
{
    double tokens = 0, most = 0;
    for (size_t i = 0; i < set->file.end.blocks; i++) {
        const double more = block_tokens(set, i);
        tokens += more;
        most = fmax(most, more);
    }
    return fmin(tokens, fmax(most, set->config->data.tokens_in_memory));
}

double training_set_bytes(const struct training_set *set)
{
    const struct corpus_totals *totals = &set->file.end.totals;
    const double tokens = tokens_at_a_time(set),
                 pairs = totals->tokens ? tokens * (double)totals->pairs / (double)totals->tokens : 0;
    /* Each pair as many as it has tokens: a good alignment has fewer. */
    const double links = set->config->training.guided_alignment > 0 ? tokens : 0;
    const double times = concatenated(set->config) > 0 ? 2 : 1; /* the pairs and what is made of them */
    return times *
               (tokens * sizeof(int) + links * sizeof(struct link) + pairs * (SIDES + 1) * sizeof(size_t)) +
           batch_order_bytes(pairs);
}

/* ---- reading a part ---- */

struct loading {
    const struct training_set *set;
    struct corpus *corpus;
    long epoch;
    uint64_t number; /* index of the pair */
    double weight;
    struct ids sides[SIDES]; /* the pair as segmented for this epoch */
};

/* How many times the pair occurs in the epoch, given its corpus's weight. */
static int times_in_epoch(const struct loading *loading)
{
    struct rng rng;
    if (is_whole(loading->weight))
        return (int)loading->weight;
    rng_init(&rng, (uint64_t)loading->set->config->seed, RNG_CORPUS, (uint64_t)loading->epoch,
             loading->number);
    return (int)floor(loading->weight + rng_uniform(&rng));
}

static int check_ids(const struct loading *loading, const int *ids, int count, int side, struct err *err)
{
    const int vocabulary = vocab_size(loading->set->pair->tokenizer[side].vocab);
    for (int i = 0; i < count; i++)
        if (ids[i] < 0 || ids[i] >= vocabulary)
            return damaged(loading->set, err);
    return 0;
}

/* Appends the ids of a word after new segmentation; a word with an unknown piece stays as it is. */
static void resegment_word(struct ids *out, const struct training_set *set, int side, const int *ids,
                           int count, struct bpe_dropout *dropout)
{
    const struct tokenizer *tokenizer = &set->pair->tokenizer[side];
    struct strbuf pieces, word, subwords;
    bool known = true;
    strbuf_init(&pieces);
    strbuf_init(&word);
    strbuf_init(&subwords);
    for (int i = 0; i < count; i++) {
        known &= ids[i] != VOCAB_UNKNOWN;
        strbuf_addf(&pieces, "%s%s", i ? " " : "", vocab_word(tokenizer->vocab, ids[i]));
    }
    if (known) {
        bpe_join(&word, pieces.text, pieces.length);
        tokenizer_subwords(&subwords, tokenizer, word.text, word.length, dropout);
        tokenizer_ids(out, tokenizer, subwords.text, subwords.length);
    } else {
        for (int i = 0; i < count; i++)
            ids_add(out, ids[i]);
    }
    strbuf_release(&pieces);
    strbuf_release(&word);
    strbuf_release(&subwords);
}

/* Segments a sentence for this epoch, unless it would be too long so. */
static void segment(struct loading *loading, int side, const int *ids, int count)
{
    const struct training_set *set = loading->set;
    struct ids *out = &loading->sides[side];
    struct bpe_dropout dropout = {.rate = language_pair_dropout(set->config, side)};
    rng_init(&dropout.rng, (uint64_t)set->config->seed, RNG_SEGMENT, (uint64_t)loading->epoch,
             SIDES * loading->number + (uint64_t)side);
    out->count = 0;
    int begin = 0;
    for (int i = 0; i < count; i++)
        if (dropout.rate <= 0) {
            ids_add(out, ids[i]);
        } else if (!set->is_continued[side][ids[i]] || i + 1 == count) {
            resegment_word(out, set, side, ids + begin, i + 1 - begin, &dropout);
            begin = i + 1;
        }
    if (out->count <= (size_t)set->config->data.max_length)
        return;
    out->count = 0;
    for (int i = 0; i < count; i++)
        ids_add(out, ids[i]);
}

/* word_of [tokens]: the word of each token. The caller frees it. */
static int *words_of(const struct training_set *set, int side, const struct ids *ids)
{
    int *word_of = xmalloc(ids->count, sizeof *word_of), word = 0;
    for (size_t i = 0; i < ids->count; i++) {
        word_of[i] = word;
        word += !set->is_continued[side][ids->items[i]];
    }
    return word_of;
}

/* Of a piece of a word that the vocabulary does not have, nobody knows whether the word goes on. */
static bool has_unknown_piece(const struct training_set *set, const struct ids *sides)
{
    bool has = false;
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < sides[side].count && set->pair->tokenizer[side].bpe; i++)
            has |= sides[side].items[i] == VOCAB_UNKNOWN;
    return has;
}

static void add_links(const struct loading *loading, const struct corpus_pair *pair)
{
    const struct ids *sides = loading->sides;
    if (has_unknown_piece(loading->set, sides)) /* no links rather than wrong ones */
        return;
    const struct corpus_pair now = {.links = pair->links,
                                    .source_count = (int)sides[SOURCE].count,
                                    .target_count = (int)sides[TARGET].count,
                                    .link_count = pair->link_count};
    int *source = words_of(loading->set, SOURCE, &sides[SOURCE]);
    int *target = words_of(loading->set, TARGET, &sides[TARGET]);
    guides_apply(loading->corpus, &now, source, target);
    xfree(source);
    xfree(target);
}

static int take_pair(void *context, const struct corpus_pair *pair, struct err *err)
{
    struct loading *loading = context;
    const struct config *config = loading->set->config;
    const struct ids *sides = loading->sides;
    const int times = times_in_epoch(loading);
    if (check_ids(loading, pair->source, pair->source_count, SOURCE, err) ||
        check_ids(loading, pair->target, pair->target_count, TARGET, err))
        return -1;
    if (times) {
        segment(loading, SOURCE, pair->source, pair->source_count);
        segment(loading, TARGET, pair->target, pair->target_count);
    }
    for (int t = 0; t < times; t++)
        if (corpus_add_ids(loading->corpus, sides[SOURCE].items, (int)sides[SOURCE].count,
                           sides[TARGET].items, (int)sides[TARGET].count, config->data.max_length) &&
            config->training.guided_alignment > 0)
            add_links(loading, pair);
    loading->number++;
    return 0;
}

int training_set_load(const struct training_set *set, struct corpus *corpus, long epoch, long part,
                      struct err *err)
{
    struct loading loading = {.set = set, .corpus = corpus, .epoch = epoch};
    double tokens = 0;
    for (size_t i = set->part[part]; i < set->part[part + 1]; i++)
        tokens += block_tokens(set, (size_t)set->blocks[i]);
    corpus_reset(corpus, (size_t)tokens);
    int status = 0;
    for (size_t i = set->part[part]; i < set->part[part + 1] && !status; i++) {
        const size_t block = (size_t)set->blocks[i];
        loading.number = set->file.blocks[block].first;
        loading.weight = config_train(set->config, (int)set->file.blocks[block].corpus)->weight;
        status = corpus_file_read(&set->file, block, take_pair, &loading, err);
    }
    for (int side = 0; side < SIDES; side++)
        ids_release(&loading.sides[side]);
    if (!status && concatenated(set->config) > 0) {
        struct rng rng;
        rng_init(&rng, (uint64_t)set->config->seed, RNG_CONCATENATE, (uint64_t)epoch, (uint64_t)part);
        concatenate(corpus, set->pair, concatenated(set->config), set->config->data.max_length, &rng);
    }
    return status;
}

#include "prepare.h"

#include "log.h"
#include "mem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_DROPOUT (-1L)

struct pair_files files_of(const struct config_pairs *pairs)
{
    return (struct pair_files){pairs->source, pairs->target, pairs->tsv};
}

void training_text_init(struct training_text *lines)
{
    memset(lines, 0, sizeof *lines);
    strbuf_init(&lines->text);
}

void training_text_release(struct training_text *lines)
{
    strbuf_release(&lines->text);
    free(lines->begin);
    free(lines->corpora);
    guides_release(&lines->guides);
    memset(lines, 0, sizeof *lines);
}

/* What is added to `text` next belongs to a new line. */
static struct strbuf *lines_begin(struct training_text *lines)
{
    GROW(lines->begin, lines->count + 1, lines->room);
    lines->begin[lines->count++] = lines->text.length;
    return &lines->text;
}

static const char *line_at(const struct training_text *lines, size_t i, size_t *bytes)
{
    const size_t end = i + 1 < lines->count ? lines->begin[i + 1] : lines->text.length;
    *bytes = end - lines->begin[i];
    return lines->text.text + lines->begin[i];
}

static int count_of(const struct training_text *lines, size_t i)
{
    size_t bytes;
    const char *text = line_at(lines, i, &bytes);
    return word_count(text, bytes);
}

/* The right alignment of the pair that was added last, read from its file, if there is one. */
static int read_guide(struct training_text *words, struct guide_reader *guide,
                      const struct config_pairs *pairs, int64_t number, struct err *err)
{
    const int tag = pairs->tag ? 1 : 0;
    if (!pairs->alignment) {
        guides_skip(&words->guides);
        return 0;
    }
    return guide_reader_add(&words->guides, guide, number, count_of(words, words->count - 2) - tag,
                            count_of(words, words->count - 1), tag, err);
}

/* Adds to `words` and to the counts. */
static int read_corpus(struct training_text *words, struct pair_counts *counts,
                       const struct language_pair *pair, const struct config *config,
                       const struct config_pairs *pairs, struct err *err)
{
    struct pair_reader reader;
    struct guide_reader guide;
    const struct pair_files files = files_of(pairs);
    if (pairs->alignment && guide_reader_open(&guide, pairs->alignment, err))
        return -1;
    int status = pair_reader_open(&reader, &files, (enum invalid_action)config->data.on_invalid, err);
    if (status) {
        if (pairs->alignment)
            guide_reader_close(&guide);
        return status;
    }
    while ((status = pair_reader_next(&reader, err)) > 0) {
        struct strbuf *source = lines_begin(words);
        if (pairs->tag)
            strbuf_addf(source, "%s ", pairs->tag);
        tokenizer_words(source, &pair->tokenizer[SOURCE], reader.source_line.text, reader.source_line.length);
        tokenizer_words(lines_begin(words), &pair->tokenizer[TARGET], reader.target_line.text,
                        reader.target_line.length);
        if (read_guide(words, &guide, pairs, reader.source.line, err)) {
            status = -1;
            break;
        }
    }
    if (status == 0 && pairs->alignment)
        status = guide_reader_end(&guide, reader.source.line, err);
    pair_counts_add(counts, &reader.counts);
    pair_reader_close(&reader);
    if (pairs->alignment)
        guide_reader_close(&guide);
    return status;
}

static int read_words(struct training_text *words, struct pair_counts *counts,
                      const struct language_pair *pair, const struct config *config, struct err *err)
{
    int status = 0;
    memset(counts, 0, sizeof *counts);
    for (int c = 0; config_train(config, c) && !status; c++) {
        GROW(words->corpora, words->corpus_count + 1, words->corpora_room);
        words->corpora[words->corpus_count++] =
            (struct corpus_part){words->count, config_train(config, c)->weight};
        status = read_corpus(words, counts, pair, config, config_train(config, c), err);
    }
    return status;
}

/* Counts the words (or subwords) of one side, or of both with side SIDES. */
static void count_words(struct word_counts *counts, const struct training_text *lines, int side)
{
    for (size_t i = 0; i < lines->count; i++) {
        size_t bytes;
        const char *text = line_at(lines, i, &bytes);
        if (side == SIDES || (int)(i % 2) == side)
            word_counts_add(counts, text, bytes, 1);
    }
}

/* The dropout of one line in one epoch; NULL where the config wants none. */
static struct bpe_dropout *dropout_of(struct bpe_dropout *dropout, const struct config *config, size_t line,
                                      long epoch)
{
    dropout->rate = line % 2 == SOURCE ? config->text.bpe_dropout.source : config->text.bpe_dropout.target;
    if (epoch == NO_DROPOUT || dropout->rate <= 0)
        return NULL;
    rng_init(&dropout->rng, (uint64_t)config->seed, RNG_SEGMENT, (uint64_t)epoch, line);
    return dropout;
}

/* Appends the subwords of all lines. */
static void split_lines(struct training_text *subwords, const struct training_text *words,
                        const struct language_pair *pair, const struct config *config, long epoch)
{
    for (size_t i = 0; i < words->count; i++) {
        size_t bytes;
        const char *text = line_at(words, i, &bytes);
        struct bpe_dropout dropout;
        tokenizer_subwords(lines_begin(subwords), &pair->tokenizer[i % 2], text, bytes,
                           dropout_of(&dropout, config, i, epoch));
    }
}

static void learn_subwords(struct language_pair *pair, const struct training_text *words,
                           const struct config *config)
{
    for (int side = 0; side < SIDES; side++) {
        if (pair->tokenizer[side].bpe != &pair->bpe[side])
            continue;
        struct word_counts counts;
        const double begin = clock_seconds();
        word_counts_init(&counts);
        count_words(&counts, words, pair->joint_bpe ? SIDES : side);
        for (size_t t = 0; t < pair->tags.count; t++) { /* tags stay whole */
            const int tag = strmap_find(&counts.words, strmap_text(&pair->tags, (int)t),
                                        strmap_length(&pair->tags, (int)t));
            if (tag >= 0)
                counts.counts[tag] = 0;
        }
        bpe_learn(&pair->bpe[side], &counts.words, counts.counts, config->text.merges);
        log_info("subwords: %zu merges from %zu different words in %.2f s", pair->bpe[side].count,
                 counts.words.count, clock_seconds() - begin);
        word_counts_release(&counts);
    }
}

/* Subwords seen less often than the threshold are not to be used; text has to be split again afterwards. */
static void forbid_rare(struct language_pair *pair, const struct training_text *subwords, int threshold)
{
    for (int side = 0; side < SIDES; side++) {
        if (pair->tokenizer[side].bpe != &pair->bpe[side])
            continue;
        struct word_counts counts;
        word_counts_init(&counts);
        count_words(&counts, subwords, pair->joint_bpe ? SIDES : side);
        for (size_t i = 0; i < counts.words.count; i++)
            if (counts.counts[i] >= threshold)
                strmap_intern(&pair->bpe[side].allowed, strmap_text(&counts.words, (int)i),
                              strmap_length(&counts.words, (int)i));
        word_counts_release(&counts);
    }
}

static void build_vocabularies(struct language_pair *pair, const struct training_text *subwords,
                               const struct config *config)
{
    for (int side = 0; side < SIDES; side++) {
        if (pair->tokenizer[side].vocab != &pair->vocab[side])
            continue;
        struct word_counts counts;
        word_counts_init(&counts);
        count_words(&counts, subwords, pair->joint_vocab ? SIDES : side);
        const bool bpe = pair->tokenizer[side].bpe != NULL;
        vocab_build(&pair->vocab[side], &counts.words, counts.counts, (size_t)config->text.vocabulary_size,
                    bpe ? 0 : config->text.vocabulary_threshold);
        word_counts_release(&counts);
    }
}

static bool has_dropout(const struct config *config)
{
    return config->text.subword == SUBWORD_BPE &&
           (config->text.bpe_dropout.source > 0 || config->text.bpe_dropout.target > 0);
}

static bool is_whole(double weight)
{
    return weight == floor(weight);
}

bool prepare_is_sampled(const struct config *config)
{
    for (int c = 0; config_train(config, c); c++)
        if (!is_whole(config_train(config, c)->weight))
            return true;
    return has_dropout(config);
}

int prepare_training(struct training_text *words, struct pair_counts *counts, struct language_pair *pair,
                     const struct config *config, bool learn, struct err *err)
{
    if (read_words(words, counts, pair, config, err))
        return -1;
    if (!learn)
        return 0;
    struct training_text subwords;
    training_text_init(&subwords);
    learn_subwords(pair, words, config);
    split_lines(&subwords, words, pair, config, NO_DROPOUT);
    if (config->text.vocabulary_threshold > 0) {
        forbid_rare(pair, &subwords, config->text.vocabulary_threshold);
        training_text_release(&subwords);
        training_text_init(&subwords);
        split_lines(&subwords, words, pair, config, NO_DROPOUT);
    }
    if (has_dropout(config)) /* the vocabulary needs the pieces of broken words, too */
        split_lines(&subwords, words, pair, config, 0);
    build_vocabularies(pair, &subwords, config);
    training_text_release(&subwords);
    return 0;
}

/* How often the pair whose source is line i is in that epoch, by the weight of its corpus. */
static int times_in_epoch(const struct training_text *words, size_t i, const struct config *config,
                          long epoch)
{
    size_t c = words->corpus_count;
    while (words->corpora[c - 1].begin > i)
        c--;
    const double weight = words->corpora[c - 1].weight;
    if (is_whole(weight))
        return (int)weight;
    struct rng rng;
    rng_init(&rng, (uint64_t)config->seed, RNG_CORPUS, (uint64_t)epoch, i);
    return (int)floor(weight + rng_uniform(&rng));
}

void prepare_epoch(struct corpus *corpus, const struct training_text *words, const struct language_pair *pair,
                   const struct config *config, long epoch)
{
    struct strbuf sides[SIDES];
    strbuf_init(&sides[SOURCE]);
    strbuf_init(&sides[TARGET]);
    corpus_release(corpus);
    for (size_t i = 0; i + 1 < words->count; i += 2) {
        const int times = times_in_epoch(words, i, config, epoch);
        if (!times)
            continue;
        for (int side = 0; side < SIDES; side++) {
            size_t bytes;
            const char *text = line_at(words, i + (size_t)side, &bytes);
            struct bpe_dropout dropout;
            strbuf_reset(&sides[side]);
            tokenizer_subwords(&sides[side], &pair->tokenizer[side], text, bytes,
                               dropout_of(&dropout, config, i + (size_t)side, epoch));
        }
        for (int t = 0; t < times; t++) {
            const size_t before = corpus->pairs;
            corpus_add(corpus, &pair->tokenizer[SOURCE], sides[SOURCE].text, sides[SOURCE].length,
                       &pair->tokenizer[TARGET], sides[TARGET].text, sides[TARGET].length,
                       config->data.max_length);
            if (corpus->pairs > before && config->training.guided_alignment > 0)
                guides_apply(corpus, &words->guides, i / 2, &sides[SOURCE], &sides[TARGET]);
        }
    }
    strbuf_release(&sides[SOURCE]);
    strbuf_release(&sides[TARGET]);
}

void prepare_report(const struct corpus *corpus, const struct pair_counts *counts,
                    const struct config *config)
{
    log_info("training pairs: %zu of %lld lines", corpus->pairs, (long long)counts->pairs);
    if (counts->empty)
        log_warn("%lld pairs with an empty side skipped", (long long)counts->empty);
    if (counts->invalid)
        log_warn("%lld pairs with invalid text %s", (long long)counts->invalid,
                 config->data.on_invalid == INVALID_SKIP ? "skipped" : "repaired");
    if (corpus->too_long)
        log_warn("%lld pairs longer than %d tokens dropped", (long long)corpus->too_long,
                 config->data.max_length);
    if (counts->crlf || counts->boms)
        log_info("%lld line ends CRLF and %lld byte-order marks removed", (long long)counts->crlf,
                 (long long)counts->boms);
}

/* ---- evaluation ---- */

static void raw_add(struct raw_pairs *raw, const struct strbuf *source, const struct strbuf *target)
{
    GROW(raw->source, raw->count + 1, raw->room);
    GROW(raw->target, raw->count + 1, raw->target_room);
    GROW(raw->source_bytes, raw->count + 1, raw->bytes_room);
    raw->source[raw->count] = xstrndup(source->text, source->length);
    raw->source_bytes[raw->count] = source->length;
    raw->target[raw->count++] = xstrndup(target->text, target->length);
}

void raw_pairs_release(struct raw_pairs *raw)
{
    for (size_t i = 0; i < raw->count; i++) {
        free(raw->source[i]);
        free(raw->target[i]);
    }
    free(raw->source);
    free(raw->target);
    free(raw->source_bytes);
    memset(raw, 0, sizeof *raw);
}

int prepare_evaluation(struct corpus *corpus, struct raw_pairs *raw, const struct language_pair *pair,
                       const struct config_pairs *files, struct err *err)
{
    struct pair_reader reader;
    const struct pair_files names = files_of(files);
    if (pair_reader_open(&reader, &names, PAIR_STOP, err))
        return -1;
    struct strbuf source, target;
    strbuf_init(&source);
    strbuf_init(&target);
    int status;
    while ((status = pair_reader_next(&reader, err)) > 0) {
        strbuf_reset(&source);
        strbuf_reset(&target);
        tokenizer_split(&source, &pair->tokenizer[SOURCE], reader.source_line.text,
                        reader.source_line.length);
        tokenizer_split(&target, &pair->tokenizer[TARGET], reader.target_line.text,
                        reader.target_line.length);
        corpus_add(corpus, &pair->tokenizer[SOURCE], source.text, source.length, &pair->tokenizer[TARGET],
                   target.text, target.length, INT_MAX);
        raw_add(raw, &reader.source_line, &reader.target_line);
    }
    if (status == 0 && raw->count == 0)
        status = err_set(err, "cannot use '%s': no sentence pairs", pair_reader_path(&reader, false));
    strbuf_release(&source);
    strbuf_release(&target);
    pair_reader_close(&reader);
    return status;
}

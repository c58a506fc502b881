#include "prepare.h"

#include "log.h"
#include "mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct pair_files files_of(const struct config_pairs *pairs)
{
    return (struct pair_files){pairs->source, pairs->target, pairs->tsv};
}

/* Lines of both sides in turn, in one block. */
struct lines {
    struct strbuf text;
    size_t *begin;
    size_t count, room;
};

static void lines_init(struct lines *lines)
{
    memset(lines, 0, sizeof *lines);
    strbuf_init(&lines->text);
}

static void lines_release(struct lines *lines)
{
    strbuf_release(&lines->text);
    free(lines->begin);
}

/* What is added to `text` next belongs to a new line. */
static struct strbuf *lines_begin(struct lines *lines)
{
    GROW(lines->begin, lines->count + 1, lines->room);
    lines->begin[lines->count++] = lines->text.length;
    return &lines->text;
}

static const char *line_at(const struct lines *lines, size_t i, size_t *bytes)
{
    const size_t end = i + 1 < lines->count ? lines->begin[i + 1] : lines->text.length;
    *bytes = end - lines->begin[i];
    return lines->text.text + lines->begin[i];
}

static int read_words(struct lines *words, struct pair_counts *counts, const struct language_pair *pair,
                      const struct config *config, struct err *err)
{
    struct pair_reader reader;
    const struct pair_files files = files_of(&config->data.train);
    if (pair_reader_open(&reader, &files, (enum invalid_action)config->data.on_invalid, err))
        return -1;
    int status;
    while ((status = pair_reader_next(&reader, err)) > 0) {
        tokenizer_words(lines_begin(words), &pair->tokenizer[SOURCE], reader.source_line.text,
                        reader.source_line.length);
        tokenizer_words(lines_begin(words), &pair->tokenizer[TARGET], reader.target_line.text,
                        reader.target_line.length);
    }
    *counts = reader.counts;
    pair_reader_close(&reader);
    return status;
}

/* Counts the words (or subwords) of one side, or of both with side SIDES. */
static void count_words(struct word_counts *counts, const struct lines *lines, int side)
{
    for (size_t i = 0; i < lines->count; i++) {
        size_t bytes;
        const char *text = line_at(lines, i, &bytes);
        if (side == SIDES || (int)(i % 2) == side)
            word_counts_add(counts, text, bytes, 1);
    }
}

static void split_lines(struct lines *subwords, const struct lines *words, const struct language_pair *pair)
{
    lines_release(subwords);
    lines_init(subwords);
    for (size_t i = 0; i < words->count; i++) {
        size_t bytes;
        const char *text = line_at(words, i, &bytes);
        tokenizer_subwords(lines_begin(subwords), &pair->tokenizer[i % 2], text, bytes);
    }
}

static void learn_subwords(struct language_pair *pair, const struct lines *words, const struct config *config)
{
    for (int side = 0; side < SIDES; side++) {
        if (pair->tokenizer[side].bpe != &pair->bpe[side])
            continue;
        struct word_counts counts;
        const double begin = clock_seconds();
        word_counts_init(&counts);
        count_words(&counts, words, pair->joint_bpe ? SIDES : side);
        bpe_learn(&pair->bpe[side], &counts.words, counts.counts, config->text.merges);
        log_info("subwords: %zu merges from %zu different words in %.2f s", pair->bpe[side].count,
                 counts.words.count, clock_seconds() - begin);
        word_counts_release(&counts);
    }
}

/* Subwords seen less often than the threshold are not to be used; text has to be split again afterwards. */
static void forbid_rare(struct language_pair *pair, const struct lines *subwords, int threshold)
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

static void build_vocabularies(struct language_pair *pair, const struct lines *subwords,
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

int prepare_training(struct corpus *corpus, struct pair_counts *counts, struct language_pair *pair,
                     const struct config *config, bool learn, struct err *err)
{
    struct lines words, subwords;
    lines_init(&words);
    lines_init(&subwords);
    int status = read_words(&words, counts, pair, config, err);
    if (!status) {
        if (learn)
            learn_subwords(pair, &words, config);
        split_lines(&subwords, &words, pair);
        if (learn && config->text.vocabulary_threshold > 0) {
            forbid_rare(pair, &subwords, config->text.vocabulary_threshold);
            split_lines(&subwords, &words, pair);
        }
        if (learn)
            build_vocabularies(pair, &subwords, config);
    }
    for (size_t i = 0; i + 1 < subwords.count && !status; i += 2) {
        size_t source_bytes, target_bytes;
        const char *source = line_at(&subwords, i, &source_bytes),
                   *target = line_at(&subwords, i + 1, &target_bytes);
        corpus_add(corpus, &pair->tokenizer[SOURCE], source, source_bytes, &pair->tokenizer[TARGET], target,
                   target_bytes, config->data.max_length);
    }
    lines_release(&words);
    lines_release(&subwords);
    return status;
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

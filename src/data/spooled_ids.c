/* Converts the spooled words to ids on all threads, and writes them. Each distinct word is split into
 * subwords once. */
#include "lexicon.h"
#include "mem.h"
#include "placeholder_examples.h"
#include "spooled_text.h"

#include <string.h>

/* The ids of all counted words of a side. */
struct word_ids {
    struct ids ids;
    size_t *begin; /* [words + 1] */
};

static void add_subword_ids(struct ids *ids, const struct tokenizer *tokenizer, const char *words,
                            size_t bytes)
{
    struct strbuf subwords;
    strbuf_init(&subwords);
    tokenizer_subwords(&subwords, tokenizer, words, bytes, NULL);
    tokenizer_ids(ids, tokenizer, subwords.text, subwords.length);
    strbuf_release(&subwords);
}

static void word_ids_make(struct word_ids *known, const struct word_table *table,
                          const struct tokenizer *tokenizer, int side)
{
    memset(known, 0, sizeof *known);
    known->begin = xmalloc(table->words.count + 1, sizeof *known->begin);
    for (size_t i = 0; i < table->words.count; i++) {
        known->begin[i] = known->ids.count;
        if (table->counts[side][i])
            add_subword_ids(&known->ids, tokenizer, strmap_text(&table->words, (int)i),
                            strmap_length(&table->words, (int)i));
    }
    known->begin[table->words.count] = known->ids.count;
}

static void word_ids_release(struct word_ids *known)
{
    ids_release(&known->ids);
    xfree(known->begin);
}

/* Looks up the ids of a line of a side. A word that is not counted, or was forgotten as too rare and may have
 * come again on the other side alone, is split here. */
static void find_ids(struct ids *ids, const struct word_ids *known, const struct word_table *table,
                     const struct tokenizer *tokenizer, const struct strbuf *words, int side)
{
    size_t at = 0, length;
    ids->count = 0;
    for (const char *word; (word = next_word(words->text, words->length, &at, &length));) {
        const int number = strmap_find(&table->words, word, length);
        if (number < 0 || !table->counts[side][number])
            add_subword_ids(ids, tokenizer, word, length);
        else
            for (size_t i = known->begin[number]; i < known->begin[number + 1]; i++)
                ids_add(ids, known->ids.items[i]);
    }
}

/* ---- chunks ---- */

/* A chunk of the text, and the ids of its words. */
struct chunk_ids {
    struct spooled_text *text;
    const struct language_pair *pair;
    struct word_ids known[SIDES];
    struct ids (*ids)[SIDES]; /* [SPOOL_CHUNK] */
    const struct config *config;
    const struct lexicon *lexicon; /* for examples of placeholders; NULL: none */
    int max_length;                /* tokens of a side; longer pairs are left out */
};

static void chunk_ids_init(struct chunk_ids *chunk, struct spooled_text *text,
                           const struct language_pair *pair)
{
    chunk->text = text;
    chunk->pair = pair;
    chunk->ids = xcalloc(SPOOL_CHUNK, sizeof *chunk->ids);
    for (int side = 0; side < SIDES; side++)
        word_ids_make(&chunk->known[side], text->tables.side[side], &pair->tokenizer[side], side);
}

static void chunk_ids_release(struct chunk_ids *chunk)
{
    for (int i = 0; i < SPOOL_CHUNK; i++)
        for (int side = 0; side < SIDES; side++)
            ids_release(&chunk->ids[i][side]);
    for (int side = 0; side < SIDES; side++)
        word_ids_release(&chunk->known[side]);
    xfree(chunk->ids);
}

/* May the pair become an example of placeholders? Their time is quadratic, and a pair that is too long is
 * left out in the end. */
static bool may_be_example(const struct chunk_ids *chunk, const struct pair_words *words)
{
    return chunk->lexicon && pair_words_fit(words, chunk->max_length);
}

static void find_pair_ids(void *context, int i)
{
    const struct chunk_ids *chunk = context;
    struct pair_words *words = &chunk->text->chunk[i];
    if (may_be_example(chunk, words)) {
        struct rng rng;
        rng_init(&rng, (uint64_t)chunk->config->seed, RNG_PLACEHOLDERS, (uint64_t)(chunk->text->written + i),
                 0);
        placeholder_examples_add(words, config_train(chunk->config, words->corpus)->tag, chunk->lexicon,
                                 &rng);
    }
    for (int side = 0; side < SIDES; side++)
        find_ids(&chunk->ids[i][side], &chunk->known[side], chunk->text->tables.side[side],
                 &chunk->pair->tokenizer[side], &words->side[side], side);
}

static void count_tokens(struct token_counts counts[SIDES], const struct ids ids[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        counts[side].all += (int64_t)ids[side].count;
        for (size_t i = 0; i < ids[side].count; i++)
            counts[side].unknown += ids[side].items[i] == VOCAB_UNKNOWN;
    }
}

/* Writes pair i of the chunk. */
static int write_pair(struct corpus_writer *writer, const struct chunk_ids *chunk, int i, struct err *err)
{
    const struct ids *ids = chunk->ids[i];
    const struct pair_words *words = &chunk->text->chunk[i];
    const int source_count = (int)ids[SOURCE].count, target_count = (int)ids[TARGET].count;
    if (source_count > chunk->max_length || target_count > chunk->max_length) {
        if (writer)
            writer->end.totals.too_long++;
        return 0;
    }
    count_tokens(chunk->text->tokens[words->corpus], ids);
    if (!writer)
        return 0;
    const struct corpus_pair pair = {ids[SOURCE].items, ids[TARGET].items, words->links.items,
                                     source_count,      target_count,      (int)words->links.count};
    return corpus_writer_add(writer, &pair, words->corpus, err);
}

static int write_chunks(struct corpus_writer *writer, struct chunk_ids *chunk, struct err *err)
{
    struct spooled_text *text = chunk->text;
    int status, count;
    do {
        status = word_spool_chunk(&text->spool, text->chunk, SPOOL_CHUNK, &count, err);
        if (status < 0)
            return -1;
        spooled_text_each(text, count, find_pair_ids, chunk);
        for (int i = 0; i < count; i++)
            if (write_pair(writer, chunk, i, err))
                return -1;
        text->written += count;
        progress_count(&text->progress, (double)text->written, (double)text->pairs, "pair");
    } while (status > 0);
    return 0;
}

int spooled_text_write(struct spooled_text *text, struct corpus_writer *writer,
                       const struct language_pair *pair, const struct config *config, struct err *err)
{
    struct chunk_ids chunk;
    struct lexicon lexicon = {.count = 0};
    const bool adds_examples = writer && config->text.protect;
    if (adds_examples &&
        lexicon_learn(&lexicon, &text->spool, &text->tables, text->pairs, config->text.reverse_target, err))
        return -1;
    progress_begin(&text->progress, "splitting into subwords", 0);
    text->tokens = xcalloc((size_t)config->data.more_count + 1, sizeof *text->tokens);
    chunk_ids_init(&chunk, text, pair);
    chunk.lexicon = adds_examples ? &lexicon : NULL;
    chunk.config = config;
    chunk.max_length = config->data.max_length;
    const int status = write_chunks(writer, &chunk, err);
    progress_end(&text->progress);
    chunk_ids_release(&chunk);
    lexicon_release(&lexicon);
    return status;
}

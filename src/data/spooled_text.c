/* Reads the training corpora, splits them into words on all threads, spools and counts the words.
 * spooled_ids.c converts them to ids. */
#include "spooled_text.h"

#include "guides.h"
#include "plural.h"
#include "team.h"

#include <stdio.h>
#include <string.h>

#define BLOCK 64 /* pairs in one task of a thread */

int spooled_text_open(struct spooled_text *text, const char *dir, bool joint, struct err *err)
{
    memset(text, 0, sizeof *text);
    if (word_spool_open(&text->spool, dir, err))
        return -1;
    word_tables_init(&text->tables, joint);
    text->team = team_new(team_processors());
    for (int i = 0; i < SPOOL_CHUNK; i++)
        pair_words_init(&text->chunk[i]);
    return 0;
}

void spooled_text_close(struct spooled_text *text)
{
    team_free(text->team);
    line_sample_release(&text->sample);
    for (int i = 0; i < SPOOL_CHUNK; i++)
        pair_words_release(&text->chunk[i]);
    word_tables_release(&text->tables);
    word_spool_close(&text->spool);
}

void spooled_text_progress(struct spooled_text *text, int64_t done, int64_t total)
{
    char detail[64];
    if (!progress_due(&text->progress))
        return;
    snprintf(detail, sizeof detail, "%lld pair%s", (long long)done, plural((double)done));
    progress_update(&text->progress, (double)done, (double)total, detail);
}

/* ---- a chunk on all threads ---- */

struct walk {
    void (*take)(void *context, int i);
    void *context;
    int count;
};

static void take_block(void *context, int block, int member)
{
    const struct walk *walk = context;
    (void)member;
    for (int i = block * BLOCK; i < (block + 1) * BLOCK && i < walk->count; i++)
        walk->take(walk->context, i);
}

void spooled_text_each(struct spooled_text *text, int count, void (*take)(void *context, int i),
                       void *context)
{
    team_run(text->team, take_block, &(struct walk){take, context, count}, (count + BLOCK - 1) / BLOCK);
}

/* ---- one corpus ---- */

/* A corpus that is being read. */
struct spooling {
    struct spooled_text *text;
    const struct language_pair *pair;
    const char *tag;            /* put before each source sentence, or NULL */
    struct guide_reader *guide; /* reference alignments, or NULL */
    int corpus;                 /* its index in data.train */
};

/* Reads a chunk of raw pairs; returns their number, or -1. */
static int read_chunk(struct spooled_text *text, struct pair_reader *reader, struct err *err)
{
    int count = 0, status = 0;
    while (count < SPOOL_CHUNK && (status = pair_reader_next(reader, err)) > 0) {
        for (int side = 0; side < SIDES; side++) {
            strbuf_reset(&text->chunk[count].side[side]);
            strbuf_add(&text->chunk[count].side[side], reader->line[side].text, reader->line[side].length);
        }
        line_sample_add(&text->sample, reader->line[SOURCE].text, reader->line[SOURCE].length);
        text->lines[count++] = reader->number;
    }
    return status < 0 ? -1 : count;
}

/* Finds the protected strings of a pair, whose words will be without the strings. */
static void protect_both(struct protection *protection, const struct language_pair *pair,
                         const struct strbuf *sides)
{
    protect_pair(protection, &pair->tokenizer[SOURCE].protect,
                 (const char *const[SIDES]){sides[SOURCE].text, sides[TARGET].text},
                 (const size_t[SIDES]){sides[SOURCE].length, sides[TARGET].length});
    for (int side = 0; side < SIDES; side++)
        protection[side].bare = true;
}

/* Replaces the text of pair i by its words. */
static void make_words(void *context, int i)
{
    const struct spooling *spooling = context;
    struct strbuf *sides = spooling->text->chunk[i].side;
    struct protection protection[SIDES];
    protect_both(protection, spooling->pair, sides);
    for (int side = 0; side < SIDES; side++) {
        struct strbuf raw = sides[side];
        strbuf_init(&sides[side]);
        if (spooling->tag && side == SOURCE)
            strbuf_addf(&sides[side], "%s ", spooling->tag);
        tokenizer_words_around(&sides[side], &spooling->pair->tokenizer[side], raw.text, raw.length,
                               &protection[side]);
        strbuf_release(&raw);
    }
}

/* Reads the reference alignment of a pair. */
static int read_guide(const struct spooling *spooling, struct pair_words *words, int64_t line,
                      struct err *err)
{
    const struct strbuf *side = words->side;
    const bool tagged = spooling->tag != NULL;
    return guide_reader_next(spooling->guide, &words->links, line,
                             word_count(side[SOURCE].text, side[SOURCE].length) - tagged,
                             word_count(side[TARGET].text, side[TARGET].length), tagged, err);
}

static int spool_chunk(const struct spooling *spooling, int count, struct err *err)
{
    struct spooled_text *text = spooling->text;
    for (int i = 0; i < count; i++) {
        struct pair_words *words = &text->chunk[i];
        words->corpus = spooling->corpus;
        words->links.count = 0;
        if (spooling->guide && read_guide(spooling, words, text->lines[i], err))
            return -1;
        word_tables_add(&text->tables, words);
        if (word_spool_add(&text->spool, words, err))
            return -1;
    }
    return 0;
}

static int spool_pairs(struct spooling *spooling, struct pair_reader *reader, struct err *err)
{
    struct spooled_text *text = spooling->text;
    int count;
    while ((count = read_chunk(text, reader, err)) > 0) {
        spooled_text_each(text, count, make_words, spooling);
        if (spool_chunk(spooling, count, err))
            return -1;
        text->pairs += count;
        spooled_text_progress(text, text->pairs, 0);
    }
    return count;
}

/* As spool_pairs, with a file of reference alignments. */
static int spool_guided(struct spooling *spooling, struct pair_reader *reader, const char *alignment,
                        struct err *err)
{
    struct guide_reader guide;
    if (guide_reader_open(&guide, alignment, err))
        return -1;
    spooling->guide = &guide;
    int status = spool_pairs(spooling, reader, err);
    if (!status)
        status = guide_reader_end(&guide, reader->number, err);
    guide_reader_close(&guide);
    spooling->guide = NULL;
    return status;
}

static int spool_corpus(struct spooled_text *text, const struct language_pair *pair,
                        const struct config *config, int corpus, struct err *err)
{
    const struct config_pairs *pairs = config_train(config, corpus);
    const struct pair_files files = pair_files_of(pairs);
    struct spooling spooling = {.text = text, .pair = pair, .tag = pairs->tag, .corpus = corpus};
    struct pair_reader reader;
    if (pair_reader_open(&reader, &files, config->data.on_invalid, err))
        return -1;
    const int status = pairs->alignment ? spool_guided(&spooling, &reader, pairs->alignment, err)
                                        : spool_pairs(&spooling, &reader, err);
    pair_counts_add(&text->read, &reader.counts);
    pair_reader_close(&reader);
    return status;
}

int spooled_text_read(struct spooled_text *text, const struct language_pair *pair,
                      const struct config *config, struct err *err)
{
    int status = 0;
    progress_begin(&text->progress, "reading", 0);
    for (int c = 0; config_train(config, c) && !status; c++)
        status = spool_corpus(text, pair, config, c, err);
    progress_end(&text->progress);
    return status ? status : word_spool_rewind(&text->spool, err);
}

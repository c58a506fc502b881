#include "prepare.h"

#include "fileio.h"
#include "guides.h"
#include "learn_pair.h"
#include "log.h"
#include "mem.h"
#include "plural.h"
#include "team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IDS "corpus.ids"
#define CHUNK 2048 /* pairs that are read, split and written at a time */
#define BLOCK 64   /* of them, the task of a thread */

/* Where the prepared text lies, in the model directory. */
struct place {
    char *dir, *ids;
};

/* ---- from raw text to words ---- */

/* The training text on its way. */
struct text {
    struct word_spool spool;
    struct word_tables tables;
    struct pair_counts read;
    struct team *team;
    struct pair_words chunk[CHUNK];
    int64_t lines[CHUNK];   /* where the pairs of the chunk stand in their files */
    int64_t pairs, written; /* so far */
    struct progress progress;
};

static void show_progress(struct text *text, int64_t done, int64_t total)
{
    char detail[64];
    if (!progress_due(&text->progress))
        return;
    snprintf(detail, sizeof detail, "%lld pair%s", (long long)done, plural((double)done));
    progress_update(&text->progress, (double)done, (double)total, detail);
}

/* Reads pairs as they are: how many; -1 on failure. */
static int read_chunk(struct text *text, struct pair_reader *reader, struct err *err)
{
    int count = 0, status = 0;
    while (count < CHUNK && (status = pair_reader_next(reader, err)) > 0) {
        for (int side = 0; side < SIDES; side++) {
            strbuf_reset(&text->chunk[count].side[side]);
            strbuf_add(&text->chunk[count].side[side], reader->line[side].text, reader->line[side].length);
        }
        text->lines[count++] = reader->number;
    }
    return status < 0 ? -1 : count;
}

static int block_count(int pairs)
{
    return (pairs + BLOCK - 1) / BLOCK;
}

static int block_end(int block, int pairs)
{
    const int end = (block + 1) * BLOCK;
    return end < pairs ? end : pairs;
}

/* In place. */
static void make_words(struct pair_words *words, const struct language_pair *pair, const char *tag)
{
    for (int side = 0; side < SIDES; side++) {
        struct strbuf raw = words->side[side];
        strbuf_init(&words->side[side]);
        if (tag && side == SOURCE)
            strbuf_addf(&words->side[side], "%s ", tag);
        tokenizer_words(&words->side[side], &pair->tokenizer[side], raw.text, raw.length);
        strbuf_release(&raw);
    }
}

/* The lines of a chunk that become words. */
struct chunk_words {
    struct text *text;
    const struct language_pair *pair;
    const char *tag;
    int count;
};

static void make_block(void *context, int block, int member)
{
    const struct chunk_words *chunk = context;
    (void)member;
    for (int i = block * BLOCK; i < block_end(block, chunk->count); i++)
        make_words(&chunk->text->chunk[i], chunk->pair, chunk->tag);
}

/* The right alignment of a pair, read from its file. */
static int read_guide(struct pair_words *words, struct guide_reader *guide, int64_t line, bool tagged,
                      struct err *err)
{
    const struct strbuf *side = words->side;
    return guide_reader_next(guide, &words->links, line,
                             word_count(side[SOURCE].text, side[SOURCE].length) - tagged,
                             word_count(side[TARGET].text, side[TARGET].length), tagged, err);
}

static int spool_chunk(struct text *text, int count, const struct config_pairs *pairs,
                       struct guide_reader *guide, int corpus, struct err *err)
{
    for (int i = 0; i < count; i++) {
        struct pair_words *words = &text->chunk[i];
        words->corpus = corpus;
        words->links.count = 0;
        if (guide && read_guide(words, guide, text->lines[i], pairs->tag != NULL, err))
            return -1;
        word_tables_add(&text->tables, words);
        if (word_spool_add(&text->spool, words, err))
            return -1;
    }
    return 0;
}

static int spool_pairs(struct text *text, struct pair_reader *reader, const struct language_pair *pair,
                       const struct config_pairs *pairs, struct guide_reader *guide, int corpus,
                       struct err *err)
{
    int count;
    while ((count = read_chunk(text, reader, err)) > 0) {
        struct chunk_words chunk = {text, pair, pairs->tag, count};
        team_run(text->team, make_block, &chunk, block_count(count));
        if (spool_chunk(text, count, pairs, guide, corpus, err))
            return -1;
        text->pairs += count;
        show_progress(text, text->pairs, 0);
    }
    return count;
}

static int spool_corpus(struct text *text, const struct language_pair *pair, const struct config *config,
                        int corpus, struct err *err)
{
    const struct config_pairs *pairs = config_train(config, corpus);
    const struct pair_files files = pair_files_of(pairs);
    struct pair_reader reader;
    struct guide_reader guide;
    if (pair_reader_open(&reader, &files, config->data.on_invalid, err))
        return -1;
    int status = pairs->alignment ? guide_reader_open(&guide, pairs->alignment, err) : 0;
    if (!status) {
        status = spool_pairs(text, &reader, pair, pairs, pairs->alignment ? &guide : NULL, corpus, err);
        if (!status && pairs->alignment)
            status = guide_reader_end(&guide, reader.number, err);
        if (pairs->alignment)
            guide_reader_close(&guide);
    }
    pair_counts_add(&text->read, &reader.counts);
    pair_reader_close(&reader);
    return status;
}

static int text_open(struct text *text, const char *dir, bool joint, struct err *err)
{
    memset(text, 0, sizeof *text);
    if (word_spool_open(&text->spool, dir, err))
        return -1;
    word_tables_init(&text->tables, joint);
    text->team = team_new(team_processors());
    for (int i = 0; i < CHUNK; i++)
        pair_words_init(&text->chunk[i]);
    return 0;
}

static void text_close(struct text *text)
{
    team_free(text->team);
    for (int i = 0; i < CHUNK; i++)
        pair_words_release(&text->chunk[i]);
    word_tables_release(&text->tables);
    word_spool_close(&text->spool);
}

/* ---- from words to ids ---- */

/* The ids of every word of a side that was counted. */
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
    free(known->begin);
}

/* Of a line of words; a word that was forgotten is split here. */
static void find_ids(struct ids *ids, const struct word_ids *known, const struct word_table *table,
                     const struct tokenizer *tokenizer, const struct strbuf *words)
{
    size_t at = 0, length;
    ids->count = 0;
    for (const char *word; (word = next_word(words->text, words->length, &at, &length));) {
        const int number = strmap_find(&table->words, word, length);
        if (number < 0)
            add_subword_ids(ids, tokenizer, word, length);
        else
            for (size_t i = known->begin[number]; i < known->begin[number + 1]; i++)
                ids_add(ids, known->ids.items[i]);
    }
}

static int write_pair(struct corpus_writer *writer, const struct ids ids[SIDES], const struct links *links,
                      int corpus, int max_length, struct err *err)
{
    const int source_count = (int)ids[SOURCE].count, target_count = (int)ids[TARGET].count;
    if (source_count > max_length || target_count > max_length) {
        writer->end.totals.too_long++;
        return 0;
    }
    const struct corpus_pair pair = {ids[SOURCE].items, ids[TARGET].items, links->items,
                                     source_count,      target_count,      (int)links->count};
    return corpus_writer_add(writer, &pair, corpus, err);
}

/* The words of a chunk that become ids. */
struct chunk_ids {
    const struct text *text;
    const struct language_pair *pair;
    const struct word_ids *known; /* [SIDES] */
    struct ids (*ids)[SIDES];
    int count;
};

static void find_block(void *context, int block, int member)
{
    const struct chunk_ids *chunk = context;
    (void)member;
    for (int i = block * BLOCK; i < block_end(block, chunk->count); i++)
        for (int side = 0; side < SIDES; side++)
            find_ids(&chunk->ids[i][side], &chunk->known[side], chunk->text->tables.side[side],
                     &chunk->pair->tokenizer[side], &chunk->text->chunk[i].side[side]);
}

static int write_pairs(struct corpus_writer *writer, struct text *text, const struct language_pair *pair,
                       const struct config *config, struct err *err)
{
    struct ids(*ids)[SIDES] = xcalloc(CHUNK, sizeof *ids);
    struct word_ids known[SIDES];
    int status = 1;
    progress_begin(&text->progress, "splitting into subwords", 0);
    for (int side = 0; side < SIDES; side++)
        word_ids_make(&known[side], text->tables.side[side], &pair->tokenizer[side], side);
    while (status > 0) {
        int count = 0;
        while (count < CHUNK && (status = word_spool_next(&text->spool, &text->chunk[count], err)) > 0)
            count++;
        struct chunk_ids chunk = {text, pair, known, ids, count};
        team_run(text->team, find_block, &chunk, block_count(count));
        for (int i = 0; i < count && status >= 0; i++)
            if (write_pair(writer, ids[i], &text->chunk[i].links, text->chunk[i].corpus,
                           config->data.max_length, err))
                status = -1;
        text->written += count;
        show_progress(text, text->written, text->pairs);
    }
    progress_end(&text->progress);
    for (int i = 0; i < CHUNK; i++)
        for (int side = 0; side < SIDES; side++)
            ids_release(&ids[i][side]);
    for (int side = 0; side < SIDES; side++)
        word_ids_release(&known[side]);
    free(ids);
    return status;
}

/* ---- the file of ids ---- */

/* Everything in a config that the ids depend on, besides what files hold. */
static uint64_t settings_checksum(const struct config *config)
{
    struct config relevant;
    struct strbuf text;
    config_init(&relevant);
    relevant.seed = config->seed;
    relevant.data.train = config->data.train;
    relevant.data.more = config->data.more;
    relevant.data.more_count = config->data.more_count;
    relevant.data.max_length = config->data.max_length;
    relevant.data.on_invalid = config->data.on_invalid;
    relevant.text = config->text;
    relevant.model.tie = config->model.tie;
    strbuf_init(&text);
    config_print(&relevant, &text);
    const uint64_t sum = checksum_add(0, text.text, text.length);
    strbuf_release(&text);
    return sum;
}

/* Files that ids come from, and what they hold. */
struct origins {
    char **paths;
    struct file_stamp *stamps;
    size_t count, paths_room, stamps_room;
};

static void origins_add(struct origins *origins, char *path)
{
    GROW(origins->paths, origins->count + 1, origins->paths_room);
    origins->paths[origins->count++] = path;
}

static void origins_add_corpora(struct origins *origins, const struct config *config)
{
    const char *path;
    for (int i = 0; (path = config_train_file(config, i)); i++)
        origins_add(origins, xstrdup(path));
}

/* Subwords and vocabularies. */
static void origins_add_words(struct origins *origins, const char *dir)
{
    const char *names[LANGUAGE_PAIR_MOST_FILES + 1];
    language_pair_files(names, dir);
    for (int i = 0; names[i]; i++)
        origins_add(origins, path_join(dir, names[i]));
}

/* Of those from number `first` on. */
static void origins_stamp(struct origins *origins, size_t first)
{
    GROW(origins->stamps, origins->count, origins->stamps_room);
    for (size_t i = first; i < origins->count; i++) {
        struct err ignored;
        memset(&origins->stamps[i], 0, sizeof origins->stamps[i]);
        if (file_stamp_take(&origins->stamps[i], origins->paths[i], &ignored))
            origins->stamps[i].bytes = -1; /* a pipe: never the same again */
    }
}

static void origins_release(struct origins *origins)
{
    for (size_t i = 0; i < origins->count; i++)
        free(origins->paths[i]);
    free(origins->paths);
    free(origins->stamps);
}

/* Are the files still those that the ids were made from? */
static bool origins_hold(const struct origins *origins, const struct corpus_file *file)
{
    bool hold = true;
    for (size_t i = 0; i < origins->count && hold; i++)
        hold = file_stamp_holds(&file->stamps[i], origins->paths[i]);
    return hold;
}

/* Is what was prepared before still right? */
static bool still_holds(const struct corpus_file *file, const struct config *config, const char *dir)
{
    struct origins origins = {.count = 0};
    origins_add_corpora(&origins, config);
    origins_add_words(&origins, dir);
    const bool holds = file->end.settings == settings_checksum(config) &&
                       file->end.stamps == (uint64_t)origins.count && origins_hold(&origins, file);
    origins_release(&origins);
    return holds;
}

/* Does the pair that ids were made with equal the given one? With `learn` it takes its place. */
static bool same_words(struct language_pair *pair, const struct config *config, const char *dir, bool learn)
{
    struct err ignored;
    struct language_pair stored;
    if (learn) {
        language_pair_release(pair);
        if (!language_pair_load(pair, config, dir, &ignored))
            return true;
        language_pair_init(pair, config);
        return false;
    }
    if (language_pair_load(&stored, config, dir, &ignored))
        return false;
    const bool same = language_pair_same(&stored, pair);
    language_pair_release(&stored);
    return same;
}

/* Opens what an earlier run prepared, if it still fits. */
static bool reuse(struct corpus_file *file, struct language_pair *pair, const struct config *config,
                  const struct place *place, bool learn)
{
    struct err ignored;
    const bool there = !corpus_file_open(file, place->ids, &ignored);
    if (there && still_holds(file, config, place->dir) && same_words(pair, config, place->dir, learn))
        return true;
    if (there)
        corpus_file_close(file);
    return false;
}

static int write_ids(struct text *text, const struct language_pair *pair, const struct config *config,
                     const char *path, const struct origins *origins, struct err *err)
{
    struct corpus_writer writer;
    if (corpus_writer_open(&writer, path, err))
        return -1;
    writer.end.settings = settings_checksum(config);
    writer.end.totals.read = text->read;
    if (!write_pairs(&writer, text, pair, config, err))
        return corpus_writer_commit(&writer, origins->stamps, origins->count, err);
    corpus_writer_abort(&writer);
    return -1;
}

static int read_words(struct text *text, const struct language_pair *pair, const struct config *config,
                      struct err *err)
{
    int status = 0;
    progress_begin(&text->progress, "reading", 0);
    for (int c = 0; config_train(config, c) && !status; c++)
        status = spool_corpus(text, pair, config, c, err);
    progress_end(&text->progress);
    return status ? status : word_spool_rewind(&text->spool, err);
}

static int make(struct text *text, struct language_pair *pair, const struct config *config,
                const struct place *place, bool learn, struct err *err)
{
    struct origins origins = {.count = 0};
    origins_add_corpora(&origins, config);
    origins_stamp(&origins, 0); /* before they are read: a change meanwhile will be noticed */
    const size_t corpora = origins.count;
    int status = read_words(text, pair, config, err);
    if (!status && learn)
        status = learn_pair(pair, &text->tables, config, err);
    if (!status)
        status = language_pair_save(pair, place->dir, err);
    if (!status) {
        origins_add_words(&origins, place->dir);
        origins_stamp(&origins, corpora);
        status = write_ids(text, pair, config, place->ids, &origins, err);
    }
    origins_release(&origins);
    return status;
}

/* What was prepared for another text or other settings. */
static void remove_old(const struct place *place)
{
    unlink(place->ids);
    language_pair_remove(place->dir);
}

static int make_anew(struct corpus_file *file, struct language_pair *pair, const struct config *config,
                     const struct place *place, bool learn, struct err *err)
{
    struct text *text = xmalloc(1, sizeof *text);
    remove_old(place);
    int status = text_open(text, place->dir, pair->joint_bpe, err);
    if (!status) {
        status = make(text, pair, config, place, learn, err);
        text_close(text);
    }
    free(text);
    return status ? status : corpus_file_open(file, place->ids, err);
}

static void place_init(struct place *place, const char *model_dir)
{
    place->dir = path_join(model_dir, PREPARE_FOLDER);
    place->ids = path_join(place->dir, IDS);
}

static void place_release(struct place *place)
{
    free(place->ids);
    free(place->dir);
}

int prepare_training(struct corpus_file *file, struct language_pair *pair, const struct config *config,
                     bool learn, struct err *err)
{
    struct place place;
    place_init(&place, config->model_dir);
    int status = dir_make(place.dir, err);
    const bool reused = !status && reuse(file, pair, config, &place, learn);
    if (reused)
        log_info("training text: as prepared before");
    else if (!status)
        status = make_anew(file, pair, config, &place, learn, err);
    place_release(&place);
    return status;
}

bool prepare_can_repeat(const struct corpus_file *file, const struct config *config)
{
    struct origins origins = {.count = 0};
    origins_add_corpora(&origins, config);
    const bool can = origins_hold(&origins, file);
    origins_release(&origins);
    return can;
}

void prepare_remove(const char *model_dir)
{
    struct place place;
    place_init(&place, model_dir);
    remove_old(&place);
    rmdir(place.dir); /* stays where there is something else in it */
    place_release(&place);
}

void prepare_report(const struct corpus_totals *totals, const struct config *config)
{
    const struct pair_counts *read = &totals->read;
    log_info("training pairs: %lld of %lld line%s", (long long)totals->pairs, (long long)read->pairs,
             plural((double)read->pairs));
    if (read->empty)
        log_warn("%lld pair%s with an empty side skipped", (long long)read->empty,
                 plural((double)read->empty));
    if (read->invalid)
        log_warn("%lld pair%s with invalid text %s", (long long)read->invalid, plural((double)read->invalid),
                 config->data.on_invalid == INVALID_SKIP ? "skipped" : "repaired");
    if (totals->too_long)
        log_warn("%lld pair%s longer than %d tokens dropped", (long long)totals->too_long,
                 plural((double)totals->too_long), config->data.max_length);
    if (read->crlf || read->boms)
        log_info("%lld line end%s CRLF and %lld byte-order mark%s removed", (long long)read->crlf,
                 plural((double)read->crlf), (long long)read->boms, plural((double)read->boms));
}

/* Reads the training corpora, splits them into words on all threads, spools and counts the words.
 * spooled_ids.c converts them to ids. */
#include "spooled_text.h"

#include "guides.h"
#include "hashset.h"
#include "mem.h"
#include "team.h"
#include "utf8.h"
#include "word_counts.h"

#include <string.h>

#define BLOCK 64 /* pairs in one task of a thread */

int spooled_text_open(struct spooled_text *text, const char *dir, bool joint, struct err *err)
{
    memset(text, 0, sizeof *text);
    if (word_spool_open(&text->spool, dir, err))
        return -1;
    text->dir = dir;
    word_tables_init(&text->tables, joint);
    text->team = team_new(team_processors());
    for (int i = 0; i < SPOOL_CHUNK; i++)
        pair_words_init(&text->chunk[i]);
    return 0;
}

void spooled_text_close(struct spooled_text *text)
{
    team_free(text->team);
    for (int side = 0; side < SIDES; side++)
        line_sample_release(&text->sample[side]);
    for (int i = 0; i < SPOOL_CHUNK; i++)
        pair_words_release(&text->chunk[i]);
    word_tables_release(&text->tables);
    xfree(text->tokens);
    word_spool_close(&text->spool);
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
    const struct config *config;
    struct guide_reader *guide;  /* reference alignments, or NULL */
    struct first_reading *first; /* what a first reading finds; NULL: words are made at once */
    int corpus;                  /* its index in data.train */
};

/* Reads a chunk of raw pairs; returns their number, or -1. */
static int read_chunk(struct spooled_text *text, struct pair_reader *reader, int corpus, struct err *err)
{
    int count = 0, status = 0;
    while (count < SPOOL_CHUNK && (status = pair_reader_next(reader, err)) > 0) {
        for (int side = 0; side < SIDES; side++) {
            strbuf_reset(&text->chunk[count].side[side]);
            strbuf_add(&text->chunk[count].side[side], reader->line[side].text, reader->line[side].length);
            line_sample_add(&text->sample[side], reader->line[side].text, reader->line[side].length);
        }
        text->chunk[count].corpus = corpus;
        text->chunk[count].links.count = 0;
        text->lines[count++] = reader->number;
    }
    return status < 0 ? -1 : count;
}

/* Finds the protected strings of a pair, whose words will be without the strings. */
static void protect_both(struct protection *protection, const struct protect *kinds,
                         const struct strbuf *sides)
{
    protect_pair(protection, kinds, (const char *const[SIDES]){sides[SOURCE].text, sides[TARGET].text},
                 (const size_t[SIDES]){sides[SOURCE].length, sides[TARGET].length});
    for (int side = 0; side < SIDES; side++)
        protection[side].bare = true;
}

/* Makes the words of a pair with those kinds of protected strings: words [SIDES], to be released. */
static void words_of(struct strbuf *words, const struct spooling *spooling, const struct pair_words *pair,
                     const struct protect *kinds)
{
    const char *tag = config_train(spooling->config, pair->corpus)->tag;
    struct protection protection[SIDES];
    protect_both(protection, kinds, pair->side);
    for (int side = 0; side < SIDES; side++) {
        strbuf_init(&words[side]);
        if (tag && side == SOURCE)
            strbuf_addf(&words[side], "%s ", tag);
        tokenizer_words_around(&words[side], &spooling->pair->tokenizer[side], pair->side[side].text,
                               pair->side[side].length, &protection[side]);
    }
}

/* Replaces the text of pair i by its words. */
static void make_words(void *context, int i)
{
    const struct spooling *spooling = context;
    struct pair_words *pair = &spooling->text->chunk[i];
    struct strbuf words[SIDES];
    words_of(words, spooling, pair, &spooling->pair->tokenizer[SOURCE].protect);
    for (int side = 0; side < SIDES; side++) {
        strbuf_release(&pair->side[side]);
        pair->side[side] = words[side];
    }
}

/* Reads the reference alignment of a pair. */
static int read_guide(const struct spooling *spooling, struct pair_words *words, int64_t line,
                      struct err *err)
{
    const struct strbuf *side = words->side;
    const bool tagged = config_train(spooling->config, spooling->corpus)->tag != NULL;
    return guide_reader_next(spooling->guide, &words->links, line,
                             word_count(side[SOURCE].text, side[SOURCE].length) - tagged,
                             word_count(side[TARGET].text, side[TARGET].length), tagged, err);
}

/* Makes the words of a chunk, counts and spools them. Pairs that training drops do not count: a line of junk
 * would take the subwords. */
static int spool_chunk(struct spooling *spooling, int count, struct err *err)
{
    struct spooled_text *text = spooling->text;
    spooled_text_each(text, count, make_words, spooling);
    for (int i = 0; i < count; i++) {
        struct pair_words *words = &text->chunk[i];
        if (spooling->guide && read_guide(spooling, words, text->lines[i], err))
            return -1;
        if (pair_words_fit(words, spooling->config->data.max_length))
            word_tables_add(&text->tables, words);
        if (word_spool_add(&text->spool, words, err))
            return -1;
    }
    return 0;
}

/* ---- a first reading, where unseen words are protected ---- */

/* What words a text has is known at its end: until then, it is spooled as it is. */
struct first_reading {
    struct word_spool raw;
    struct hashset sources; /* sentences */
    struct word_counts counts;
    struct strbuf observed[SPOOL_CHUNK];
};

/* Will training take a pair? By words, of which unseen ones are not protected yet, and subwords are not
 * known; but for what a normal form makes longer, each has a byte at least. */
static bool pair_fits(const struct spooling *spooling, const struct pair_words *pair)
{
    const int most = spooling->config->data.max_length;
    struct protect kinds = spooling->pair->tokenizer[SOURCE].protect;
    struct pair_words made = {.corpus = pair->corpus};
    if (pair->side[SOURCE].length < (size_t)most && pair->side[TARGET].length < (size_t)most) /* with a tag */
        return true;
    kinds.kinds &= ~PATTERN_SET(PATTERN_UNSEEN);
    words_of(made.side, spooling, pair, &kinds);
    const bool fits = pair_words_fit(&made, most);
    for (int side = 0; side < SIDES; side++)
        strbuf_release(&made.side[side]);
    return fits;
}

/* Of a pair that training drops, no word is seen. */
static void observe_pair(void *context, int i)
{
    const struct spooling *spooling = context;
    const struct strbuf *sides = spooling->text->chunk[i].side;
    strbuf_reset(&spooling->first->observed[i]);
    if (!pair_fits(spooling, &spooling->text->chunk[i]))
        return;
    seen_words_observe(
        &spooling->first->observed[i], (const char *const[SIDES]){sides[SOURCE].text, sides[TARGET].text},
        (const size_t[SIDES]){sides[SOURCE].length, sides[TARGET].length}, spooling->config->text.protect);
}

/* Sets `key` to the words of a sentence, small, by which copies of it are told that differ in capitals, signs
 * or blanks; of one without words, to itself. */
static void copy_key(struct strbuf *key, const struct strbuf *sentence)
{
    struct strbuf lower;
    int32_t code;
    bool parted = false;
    strbuf_init(&lower);
    strbuf_reset(key);
    utf8_lower(&lower, sentence->text, sentence->length);
    for (size_t at = 0, used; at < lower.length; at += used) {
        used = utf8_decode(lower.text + at, lower.length - at, &code);
        const enum utf8_class class = utf8_class_of(code);
        if (class != UTF8_LETTER && class != UTF8_DIGIT) {
            parted = key->length > 0;
            continue;
        }
        if (parted)
            strbuf_addch(key, ' ');
        parted = false;
        strbuf_add(key, lower.text + at, used);
    }
    if (!key->length)
        strbuf_add(key, sentence->text, sentence->length);
    strbuf_release(&lower);
}

/* Is it no copy of a sentence before? */
static bool is_new(struct first_reading *first, const struct strbuf *sentence)
{
    struct strbuf key;
    strbuf_init(&key);
    copy_key(&key, sentence);
    const bool is = hashset_add(&first->sources, key.text, key.length);
    strbuf_release(&key);
    return is;
}

static int spool_raw(struct spooling *spooling, int count, struct err *err)
{
    struct first_reading *first = spooling->first;
    int status = 0;
    spooled_text_each(spooling->text, count, observe_pair, spooling);
    for (int i = 0; i < count && !status; i++) {
        const struct pair_words *pair = &spooling->text->chunk[i];
        if (!first->observed[i].length) /* dropped, or without words */
            ;
        else if (config_train(spooling->config, pair->corpus)->synthetic)
            seen_words_count_synthetic(&first->counts, &first->observed[i]);
        else if (is_new(first, &pair->side[SOURCE]))
            seen_words_count(&first->counts, &first->observed[i]);
        else
            seen_words_count_further(&first->counts, &first->observed[i]);
        status = word_spool_add(&first->raw, pair, err);
    }
    return status;
}

static int spool_pairs(struct spooling *spooling, struct pair_reader *reader, struct err *err)
{
    struct spooled_text *text = spooling->text;
    int count;
    while ((count = read_chunk(text, reader, spooling->corpus, err)) > 0) {
        if (spooling->first ? spool_raw(spooling, count, err) : spool_chunk(spooling, count, err))
            return -1;
        text->pairs += count;
        progress_count(&text->progress, (double)text->pairs, 0, "pair");
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

static int spool_corpus(struct spooling *spooling, int corpus, struct err *err)
{
    const struct config *config = spooling->config;
    const struct config_pairs *pairs = config_train(config, corpus);
    const struct pair_files files = pair_files_of(pairs);
    const int64_t before = spooling->text->pairs;
    struct pair_reader reader;
    spooling->corpus = corpus;
    if (pair_reader_open(&reader, &files, config->data.on_invalid, err))
        return -1;
    const int status = pairs->alignment ? spool_guided(spooling, &reader, pairs->alignment, err)
                                        : spool_pairs(spooling, &reader, err);
    spooling->text->weighted += pairs->weight * (double)(spooling->text->pairs - before);
    pair_counts_add(&spooling->text->read, &reader.counts);
    pair_reader_close(&reader);
    return status;
}

static int spool_corpora(struct spooling *spooling, struct err *err)
{
    int status = 0;
    for (int c = 0; config_train(spooling->config, c) && !status; c++)
        status = spool_corpus(spooling, c, err);
    return status;
}

/* Makes words of the text that the first reading has spooled. */
static int spool_again(struct spooling *spooling, struct word_spool *raw, struct err *err)
{
    int more, count;
    if (word_spool_rewind(raw, err))
        return -1;
    do {
        more = word_spool_chunk(raw, spooling->text->chunk, SPOOL_CHUNK, &count, err);
        if (more < 0 || spool_chunk(spooling, count, err))
            return -1;
    } while (more);
    return 0;
}

/* Learns which words the text has; a pair that knows words already keeps them, and its rules. */
static void learn_seen(struct seen_words *seen, const struct word_counts *counts)
{
    struct seen_words learned;
    if (!seen->words.count) {
        seen_words_learn(seen, counts);
        return;
    }
    seen_words_init(&learned);
    seen_words_learn(&learned, counts);
    for (int i = 0; i < (int)learned.words.count; i++)
        seen_words_add(seen, strmap_text(&learned.words, i), strmap_length(&learned.words, i));
    seen_words_release(&learned);
}

/* Reads the corpora twice: the first time to learn which words they have. */
static int spool_twice(struct spooling *spooling, struct language_pair *pair, const char *dir,
                       struct err *err)
{
    struct first_reading *first = xmalloc(1, sizeof *first);
    if (word_spool_open(&first->raw, dir, err)) {
        xfree(first);
        return -1;
    }
    first->sources = (struct hashset){.slots = NULL};
    word_counts_init(&first->counts);
    for (int i = 0; i < SPOOL_CHUNK; i++)
        strbuf_init(&first->observed[i]);
    spooling->first = first;
    int status = spool_corpora(spooling, err);
    spooling->first = NULL;
    hashset_release(&first->sources);
    if (!status) {
        learn_seen(&pair->seen, &first->counts);
        status = spool_again(spooling, &first->raw, err);
    }
    for (int i = 0; i < SPOOL_CHUNK; i++)
        strbuf_release(&first->observed[i]);
    word_counts_release(&first->counts);
    word_spool_close(&first->raw);
    xfree(first);
    return status;
}

int spooled_text_read(struct spooled_text *text, struct language_pair *pair, const struct config *config,
                      bool learn, struct err *err)
{
    struct spooling spooling = {.text = text, .pair = pair, .config = config};
    const bool twice = learn && (config->text.protect & PATTERN_SET(PATTERN_UNSEEN)) != 0;
    progress_begin(&text->progress, "reading", 0);
    const int status = twice ? spool_twice(&spooling, pair, text->dir, err) : spool_corpora(&spooling, err);
    progress_end(&text->progress);
    return status ? status : word_spool_rewind(&text->spool, err);
}

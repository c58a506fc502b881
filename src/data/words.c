/* Spools the words of the training text to the disk, and counts them in bounded memory. Text is split into
 * words by the tokenizer. */
#include "words.h"

#include "fileio.h"
#include "mem.h"
#include "tokenize.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_WORDS ((size_t)1 << 20)
#define MOST_WORD_BYTES 2048 /* some 680 letters of a script without blanks */

void pair_words_init(struct pair_words *pair)
{
    memset(pair, 0, sizeof *pair);
    for (int side = 0; side < SIDES; side++)
        strbuf_init(&pair->side[side]);
}

void pair_words_release(struct pair_words *pair)
{
    for (int side = 0; side < SIDES; side++)
        strbuf_release(&pair->side[side]);
    links_release(&pair->links);
}

void pair_words_reverse_target(struct pair_words *pair)
{
    struct strbuf *target = &pair->side[TARGET], reversed;
    strbuf_init(&reversed);
    words_add_reversed(&reversed, target->text, target->length);
    strbuf_release(target);
    *target = reversed;
}

bool pair_words_fit(const struct pair_words *pair, int max_length)
{
    bool fit = true;
    for (int side = 0; side < SIDES && fit; side++)
        fit = word_count(pair->side[side].text, pair->side[side].length) <= max_length;
    return fit;
}

/* ---- the spool ---- */

/* The header of each pair in the file. */
struct spooled {
    uint32_t bytes[SIDES];
    uint32_t links;
    int32_t corpus;
};

int word_spool_open(struct word_spool *spool, const char *dir, struct err *err)
{
    const int fd = temporary_open(&spool->path, dir, 0600);
    if (fd >= 0)
        unlink(spool->path); /* the file disappears with the process, however it ends */
    spool->file = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (spool->file)
        return 0;
    err_set_errno(err, "cannot write '%s'", spool->path);
    if (fd >= 0)
        close(fd);
    word_spool_close(spool);
    return -1;
}

void word_spool_close(struct word_spool *spool)
{
    if (spool->file)
        fclose(spool->file);
    xfree(spool->path);
    memset(spool, 0, sizeof *spool);
}

int word_spool_add(struct word_spool *spool, const struct pair_words *pair, struct err *err)
{
    const struct spooled head = {{(uint32_t)pair->side[SOURCE].length, (uint32_t)pair->side[TARGET].length},
                                 (uint32_t)pair->links.count,
                                 pair->corpus};
    bool ok = fwrite(&head, sizeof head, 1, spool->file) == 1;
    for (int side = 0; side < SIDES; side++)
        ok = ok && fwrite(pair->side[side].text, 1, pair->side[side].length, spool->file) ==
                       pair->side[side].length;
    if (pair->links.count)
        ok = ok && fwrite(pair->links.items, sizeof *pair->links.items, pair->links.count, spool->file) ==
                       pair->links.count;
    return ok ? 0 : err_set_errno(err, "cannot write '%s'", spool->path);
}

int word_spool_rewind(struct word_spool *spool, struct err *err)
{
    if (fflush(spool->file) || fseek(spool->file, 0, SEEK_SET))
        return err_set_errno(err, "cannot write '%s'", spool->path);
    return 0;
}

static bool read_text(struct strbuf *text, size_t bytes, FILE *file)
{
    GROW(text->text, bytes + 1, text->capacity);
    text->length = fread(text->text, 1, bytes, file);
    text->text[text->length] = '\0';
    return text->length == bytes;
}

int word_spool_next(struct word_spool *spool, struct pair_words *pair, struct err *err)
{
    struct spooled head;
    if (fread(&head, sizeof head, 1, spool->file) != 1)
        return ferror(spool->file) ? err_set_errno(err, "cannot read '%s'", spool->path) : 0;
    bool ok = true;
    for (int side = 0; side < SIDES; side++)
        ok = ok && read_text(&pair->side[side], head.bytes[side], spool->file);
    GROW(pair->links.items, head.links, pair->links.capacity);
    pair->links.count = head.links;
    if (head.links)
        ok = ok && fread(pair->links.items, sizeof *pair->links.items, head.links, spool->file) == head.links;
    pair->corpus = head.corpus;
    return ok ? 1 : err_set_errno(err, "cannot read '%s'", spool->path);
}

int word_spool_chunk(struct word_spool *spool, struct pair_words *pairs, int most, int *count,
                     struct err *err)
{
    int status = 1;
    *count = 0;
    while (*count < most && (status = word_spool_next(spool, &pairs[*count], err)) > 0)
        ++*count;
    return status;
}

/* ---- counting ---- */

void word_tables_init(struct word_tables *tables, bool joint)
{
    memset(tables, 0, sizeof *tables);
    for (int side = 0; side < SIDES; side++) {
        strmap_init(&tables->own[side].words);
        tables->side[side] = &tables->own[joint ? SOURCE : side];
    }
}

static void release_table(struct word_table *table)
{
    strmap_release(&table->words);
    for (int side = 0; side < SIDES; side++)
        xfree(table->counts[side]);
}

void word_tables_release(struct word_tables *tables)
{
    for (int side = 0; side < SIDES; side++)
        release_table(&tables->own[side]);
}

static void count(struct word_table *table, const char *word, size_t bytes, const int64_t times[SIDES])
{
    const size_t known = table->words.count;
    const size_t id = (size_t)strmap_intern(&table->words, word, bytes);
    for (int side = 0; side < SIDES; side++) {
        GROW(table->counts[side], id + 1, table->capacity[side]);
        table->counts[side][id] = (id == known ? 0 : table->counts[side][id]) + times[side];
    }
}

/* Forgets the least frequent words, at least half of them. */
static void forget_rare(struct word_table *table)
{
    struct word_table kept;
    int64_t least = 1;
    do {
        least *= 2;
        memset(&kept, 0, sizeof kept);
        for (size_t i = 0; i < table->words.count; i++) {
            const int64_t times[SIDES] = {table->counts[SOURCE][i], table->counts[TARGET][i]};
            if (times[SOURCE] + times[TARGET] >= least)
                count(&kept, strmap_text(&table->words, (int)i), strmap_length(&table->words, (int)i), times);
        }
        const bool few = kept.words.count <= MOST_WORDS / 2;
        release_table(few ? table : &kept);
        if (few)
            *table = kept;
    } while (table->words.count > MOST_WORDS / 2);
}

void word_tables_add(struct word_tables *tables, const struct pair_words *pair)
{
    for (int side = 0; side < SIDES; side++) {
        struct word_table *table = tables->side[side];
        const int64_t once[SIDES] = {side == SOURCE, side == TARGET};
        size_t at = 0, length;
        for (const char *word;
             (word = next_word(pair->side[side].text, pair->side[side].length, &at, &length));)
            if (length <= MOST_WORD_BYTES)
                count(table, word, length, once);
        if (table->words.count > MOST_WORDS)
            forget_rare(table);
    }
}

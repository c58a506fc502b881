/* Writes and reads files of ids block by block, and detects damage. Whether a file still fits its text is
 * decided in prepare.c, the order of blocks in training_set.c. */
#include "corpus_file.h"

#include "fileio.h"
#include "mem.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "nmtids5\n" /* the number changes whenever the same text gives other ids */
#define BLOCK_PAIRS 4096
#define BLOCK_IDS 262144
#define PAIR_COUNTS 3 /* numbers stored before the ids of a pair */

/* ---- writing ---- */

int corpus_writer_open(struct corpus_writer *writer, const char *path, struct err *err)
{
    memset(writer, 0, sizeof *writer);
    memcpy(writer->end.magic, MAGIC, sizeof writer->end.magic);
    return writer_open(&writer->file, path, err);
}

static void release_writer(struct corpus_writer *writer)
{
    xfree(writer->blocks);
    ids_release(&writer->ids);
}

void corpus_writer_abort(struct corpus_writer *writer)
{
    writer_abort(&writer->file);
    release_writer(writer);
}

static int end_block(struct corpus_writer *writer, struct err *err)
{
    struct corpus_block *block = &writer->block;
    if (!block->pairs)
        return 0;
    block->bytes = writer->ids.count * sizeof *writer->ids.items;
    block->checksum = checksum_add(0, writer->ids.items, block->bytes);
    GROW(writer->blocks, writer->end.blocks + 1, writer->capacity);
    writer->blocks[writer->end.blocks++] = *block;
    const int status = writer_write(&writer->file, writer->ids.items, block->bytes, err);
    *block = (struct corpus_block){.offset = block->offset + block->bytes,
                                   .first = block->first + block->pairs,
                                   .corpus = block->corpus};
    writer->ids.count = 0;
    return status;
}

static void add_ids(struct ids *ids, const int *from, int count)
{
    GROW(ids->items, ids->count + (size_t)count, ids->capacity);
    if (count)
        memcpy(ids->items + ids->count, from, (size_t)count * sizeof *from);
    ids->count += (size_t)count;
}

static void extend_longest(int64_t *longest, int length)
{
    *longest = length > *longest ? length : *longest;
}

int corpus_writer_add(struct corpus_writer *writer, const struct corpus_pair *pair, int corpus,
                      struct err *err)
{
    struct corpus_block *block = &writer->block;
    struct corpus_totals *totals = &writer->end.totals;
    const int counts[PAIR_COUNTS] = {pair->source_count, pair->target_count, pair->link_count};
    const int tokens = pair->source_count + 1 + pair->target_count + 2;
    const bool full = block->pairs == BLOCK_PAIRS || writer->ids.count >= BLOCK_IDS;
    if ((full || block->corpus != (uint32_t)corpus) && end_block(writer, err))
        return -1;
    block->corpus = (uint32_t)corpus;
    add_ids(&writer->ids, counts, PAIR_COUNTS);
    add_ids(&writer->ids, pair->source, pair->source_count);
    add_ids(&writer->ids, pair->target, pair->target_count);
    for (int l = 0; l < pair->link_count; l++)
        add_ids(&writer->ids, (const int[]){pair->links[l].source, pair->links[l].target}, 2);
    block->pairs++;
    block->tokens += (uint64_t)tokens;
    totals->pairs++;
    totals->tokens += tokens;
    extend_longest(&totals->longest[0], pair->source_count + 1);
    extend_longest(&totals->longest[1], pair->target_count + 2);
    return 0;
}

/* The checksum of the index and of the end record up to its own checksum. */
static uint64_t index_checksum(const struct corpus_end *end, const struct corpus_block *blocks,
                               const struct file_stamp *stamps)
{
    uint64_t sum = checksum_add(0, blocks, end->blocks * sizeof *blocks);
    sum = checksum_add(sum, stamps, end->stamps * sizeof *stamps);
    return checksum_add(sum, end, offsetof(struct corpus_end, checksum));
}

int corpus_writer_commit(struct corpus_writer *writer, const struct file_stamp *stamps, size_t count,
                         struct err *err)
{
    struct corpus_end *end = &writer->end;
    int status = end_block(writer, err);
    end->index = writer->block.offset;
    end->stamps = count;
    end->checksum = index_checksum(end, writer->blocks, stamps);
    if (!status)
        status = writer_write(&writer->file, writer->blocks, end->blocks * sizeof *writer->blocks, err);
    if (!status)
        status = writer_write(&writer->file, stamps, count * sizeof *stamps, err);
    if (!status)
        status = writer_write(&writer->file, end, sizeof *end, err);
    status = writer_end(&writer->file, status, err);
    release_writer(writer);
    return status;
}

/* ---- reading ---- */

static int damaged(const struct corpus_file *file, struct err *err)
{
    return err_set(err, "cannot read '%s': the file is damaged", file->path);
}

static int read_at(const struct corpus_file *file, void *to, size_t bytes, uint64_t offset, struct err *err)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(file->fd, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got < 0)
            return err_set_errno(err, "cannot read '%s'", file->path);
        if (got == 0)
            return damaged(file, err);
        done += (size_t)got;
    }
    return 0;
}

static int read_index(struct corpus_file *file, uint64_t bytes, struct err *err)
{
    struct corpus_end *end = &file->end;
    if (bytes < sizeof *end || read_at(file, end, sizeof *end, bytes - sizeof *end, err))
        return damaged(file, err);
    const uint64_t most = bytes / sizeof *file->stamps;
    if (memcmp(end->magic, MAGIC, sizeof end->magic) || end->blocks > most || end->stamps > most ||
        end->index + end->blocks * sizeof *file->blocks + end->stamps * sizeof *file->stamps + sizeof *end !=
            bytes)
        return damaged(file, err);
    file->blocks = xmalloc(end->blocks, sizeof *file->blocks);
    file->stamps = xmalloc(end->stamps, sizeof *file->stamps);
    const uint64_t stamps = end->index + end->blocks * sizeof *file->blocks;
    if (read_at(file, file->blocks, end->blocks * sizeof *file->blocks, end->index, err) ||
        read_at(file, file->stamps, end->stamps * sizeof *file->stamps, stamps, err))
        return -1;
    return end->checksum == index_checksum(end, file->blocks, file->stamps) ? 0 : damaged(file, err);
}

int corpus_file_open(struct corpus_file *file, const char *path, struct err *err)
{
    struct stat info;
    memset(file, 0, sizeof *file);
    file->path = xstrdup(path);
    file->fd = file_open_regular(path, O_RDONLY, err);
    int status = file->fd < 0 ? -1 : 0;
    if (!status && fstat(file->fd, &info) != 0)
        status = err_set_errno(err, "cannot open '%s'", path);
    if (!status)
        status = read_index(file, (uint64_t)info.st_size, err);
    if (status)
        corpus_file_close(file);
    return status;
}

void corpus_file_close(struct corpus_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    xfree(file->path);
    xfree(file->blocks);
    xfree(file->stamps);
    memset(file, 0, sizeof *file);
    file->fd = -1;
}

uint64_t corpus_file_checksum(const struct corpus_file *file)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < file->end.blocks; i++)
        sum = checksum_add(sum, &file->blocks[i].checksum, sizeof file->blocks[i].checksum);
    return sum;
}

/* Reads the pair at ids[*at], replacing `links`; -1 if it runs past ids[count]. */
static int next_pair(struct corpus_pair *pair, struct links *links, const int *ids, size_t count, size_t *at)
{
    if (count - *at < PAIR_COUNTS)
        return -1;
    const int *counts = ids + *at;
    size_t left = count - *at - PAIR_COUNTS;
    for (int i = 0; i < PAIR_COUNTS; i++) {
        const size_t wanted = i < 2 ? (size_t)counts[i] : 2 * (size_t)counts[i];
        if (counts[i] < 0 || wanted > left)
            return -1;
        left -= wanted;
    }
    pair->source_count = counts[0];
    pair->target_count = counts[1];
    pair->link_count = counts[2];
    pair->source = counts + PAIR_COUNTS;
    pair->target = pair->source + pair->source_count;
    const int *positions = pair->target + pair->target_count;
    links->count = 0;
    for (int l = 0; l < pair->link_count; l++)
        links_add(links, positions[2 * l], positions[2 * l + 1], true);
    pair->links = links->items;
    *at = count - left;
    return 0;
}

int corpus_file_read(const struct corpus_file *file, size_t block,
                     int (*take)(void *context, const struct corpus_pair *pair, struct err *err),
                     void *context, struct err *err)
{
    const struct corpus_block *b = &file->blocks[block];
    if (b->bytes > file->end.index)
        return damaged(file, err);
    const size_t count = b->bytes / sizeof(int);
    int *ids = xmalloc(count, sizeof *ids);
    int status = read_at(file, ids, count * sizeof *ids, b->offset, err);
    if (!status && checksum_add(0, ids, count * sizeof *ids) != b->checksum)
        status = damaged(file, err);
    size_t at = 0;
    struct links links = {0};
    for (uint32_t i = 0; i < b->pairs && !status; i++) {
        struct corpus_pair pair;
        status = next_pair(&pair, &links, ids, count, &at) ? damaged(file, err) : take(context, &pair, err);
    }
    links_release(&links);
    xfree(ids);
    return status;
}

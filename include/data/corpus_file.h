/* corpus_file: sentence pairs as token ids on the disk, so that the training text need not fit in memory.
 *
 * The file is written once, sequentially, and then read block by block in any order:
 *
 *     block   some thousand pairs of one corpus; for each pair, as int32:
 *               number of source tokens, target tokens and links
 *               source ids, target ids, without marks
 *               source and target word of each link
 *     index   struct corpus_block of each block
 *             struct file_stamp of each file that it was made from
 *     end     struct corpus_end
 *
 * Every block and the index have a checksum. Numbers are in the machine's format: if the file does not
 * fit, it is made again. */
#ifndef NMT_CORPUS_FILE_H
#define NMT_CORPUS_FILE_H

#include "checksum.h"
#include "config_auto.h"
#include "corpus.h"

struct corpus_block {
    uint64_t offset, bytes, checksum;
    uint64_t first;  /* index of its first pair */
    uint64_t tokens; /* marks included */
    uint32_t pairs;
    uint32_t corpus; /* index in data.train */
};

struct corpus_totals {
    struct pair_counts read;
    int64_t pairs, tokens, too_long;
    int64_t longest[2]; /* longest source and target in tokens, marks included */
};

struct corpus_end {
    struct corpus_totals totals;
    struct text_facts facts; /* of the text before it was split into subwords */
    uint64_t settings;       /* checksum of all settings that the ids depend on */
    uint64_t index;          /* its offset */
    uint64_t blocks, stamps;
    uint64_t checksum; /* of the index and all fields above */
    char magic[8];
};

struct corpus_pair {
    const int *source, *target; /* ids, without marks */
    const struct link *links;   /* between words; the file stores positions only */
    int source_count, target_count, link_count;
};

/* ---- writing ---- */

struct corpus_writer {
    struct writer file;
    struct corpus_end end;
    struct corpus_block *blocks;
    size_t capacity;
    struct corpus_block block; /* the block that is being filled */
    struct ids ids;            /* its content */
};

int corpus_writer_open(struct corpus_writer *writer, const char *path, struct err *err);
/* Adds a pair of corpus `corpus`; corpora come one after the other. */
int corpus_writer_add(struct corpus_writer *writer, const struct corpus_pair *pair, int corpus,
                      struct err *err);
/* Writes the index and the end, with `end`'s settings and counts as the caller has set them, and moves the
 * file into place. On failure it is removed. */
int corpus_writer_commit(struct corpus_writer *writer, const struct file_stamp *stamps, size_t count,
                         struct err *err);
void corpus_writer_abort(struct corpus_writer *writer);

/* ---- reading ---- */

struct corpus_file {
    char *path;
    int fd; /* -1: not open */
    struct corpus_end end;
    struct corpus_block *blocks;
    struct file_stamp *stamps;
};

int corpus_file_open(struct corpus_file *file, const char *path, struct err *err);
void corpus_file_close(struct corpus_file *file);
/* A checksum of all pairs, which does not depend on the files they came from. */
uint64_t corpus_file_checksum(const struct corpus_file *file);
/* Passes every pair of a block to `take`, which stops by returning -1 with an error. */
int corpus_file_read(const struct corpus_file *file, size_t block,
                     int (*take)(void *context, const struct corpus_pair *pair, struct err *err),
                     void *context, struct err *err);

#endif

/* corpus_file: sentence pairs as token ids on the disk, so that the training text need not fit in memory.
 *
 * The file is written once, from front to back, and then read block by block in any order:
 *
 *   block   some thousand pairs of one corpus; of each, as int32:
 *             number of source tokens, target tokens and links
 *             source ids, target ids, without marks
 *             source and target word of each link
 *   index   struct corpus_block of each block
 *           struct file_stamp of each file that it was made from
 *   end     struct corpus_end
 *
 * Every block and the index have a checksum. Numbers are as this machine writes them: where the file does not
 * fit, it is made anew. */
#ifndef NMT_CORPUS_FILE_H
#define NMT_CORPUS_FILE_H

#include "checksum.h"
#include "corpus.h"

struct corpus_block {
    uint64_t offset, bytes, checksum;
    uint64_t first;  /* number of its first pair */
    uint64_t tokens; /* with marks */
    uint32_t pairs;
    uint32_t corpus; /* which of data.train, from 0 */
};

struct corpus_totals {
    struct pair_counts read;
    int64_t pairs, tokens, too_long;
    int64_t longest[2]; /* source and target, tokens with marks */
};

struct corpus_end {
    struct corpus_totals totals;
    uint64_t settings; /* checksum of whatever else the ids depend on */
    uint64_t index;    /* its offset */
    uint64_t blocks, stamps;
    uint64_t checksum; /* of the index and of all that stands before this */
    char magic[8];
};

struct corpus_pair {
    const int *source, *target; /* ids, without marks */
    const struct link *links;   /* of words; the file has their positions alone */
    int source_count, target_count, link_count;
};

/* ---- writing ---- */

struct corpus_writer {
    struct writer file;
    struct corpus_end end;
    struct corpus_block *blocks;
    size_t capacity;
    struct corpus_block block; /* the one that is being filled */
    struct ids ids;            /* what is in it */
};

int corpus_writer_open(struct corpus_writer *writer, const char *path, struct err *err);
/* Adds a pair of that corpus; corpora come one after the other. */
int corpus_writer_add(struct corpus_writer *writer, const struct corpus_pair *pair, int corpus,
                      struct err *err);
/* Writes the end, with end.settings and the counts of what was read as they stand there, and puts the file in
 * its place. On failure it is gone. */
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
/* Of all pairs, wherever they came from. */
uint64_t corpus_file_checksum(const struct corpus_file *file);
/* Gives every pair of a block to `take`, which stops by returning -1 with an error. */
int corpus_file_read(const struct corpus_file *file, size_t block,
                     int (*take)(void *context, const struct corpus_pair *pair, struct err *err),
                     void *context, struct err *err);

#endif

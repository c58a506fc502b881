/* corpus: sentence pairs, as lines of files and as token ids in one flat block. */
#ifndef NMT_CORPUS_H
#define NMT_CORPUS_H

#include "choices.h"
#include "err.h"
#include "fileio.h"
#include "links.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stdint.h>

/* Where pairs come from: two files, or one with tabs. */
struct pair_files {
    const char *source, *target; /* or NULL: */
    const char *tsv;
};

/* The file that has that side. */
const char *pair_files_path(const struct pair_files *files, bool target);

/* What was met on the way; lines are counted from 1. */
struct pair_counts {
    int64_t pairs;   /* lines read */
    int64_t empty;   /* pairs with an empty side */
    int64_t invalid; /* pairs with invalid UTF-8 or NUL bytes */
    int64_t crlf;    /* lines that ended in \r\n */
    int64_t boms;
};

void pair_counts_add(struct pair_counts *counts, const struct pair_counts *more);

/* Reads pair after pair. */
struct pair_reader {
    struct pair_files files;
    enum invalid_action action;
    struct reader source, target; /* of a TSV only the first is used */
    struct strbuf source_line, target_line;
    struct pair_counts counts;
    bool source_open, target_open;
};

int pair_reader_open(struct pair_reader *reader, const struct pair_files *files, enum invalid_action action,
                     struct err *err);
/* The next pair whatever it holds. 1: in source_line and target_line; 0: both files ended; -1: error, such as
 * one file ending before the other, a line of a TSV without exactly one tab, a file in UTF-16. */
int pair_reader_raw(struct pair_reader *reader, struct err *err);
/* The next pair fit for training: invalid ones stop, are skipped or repaired; ones with an empty side
 * skipped. */
int pair_reader_next(struct pair_reader *reader, struct err *err);
void pair_reader_close(struct pair_reader *reader);
/* Names the file and line of the source or target just read, for messages. */
const char *pair_reader_path(const struct pair_reader *reader, bool target);

/* Where a line stops being text: offset of the first invalid byte or NUL, `bytes` where all is well;
 * `what` becomes "invalid UTF-8" or "NUL byte". */
size_t line_problem(const char *text, size_t bytes, const char **what);
/* -1 where line `number` of `path` has a problem. */
int line_check(const struct strbuf *line, const char *path, int64_t number, struct err *err);

/* Pairs as ids: source closed by the end mark, target between begin and end mark. */
struct corpus {
    int *ids;
    size_t ids_count, ids_room;
    size_t *begin; /* [2 pairs + 1]: of source and target in turn */
    size_t pairs, room;
    int64_t too_long;    /* dropped */
    struct links links;  /* right alignments of source and predicted target tokens, where they are known */
    size_t *links_begin; /* [pairs + 1]: of each pair in `links` */
    size_t links_begin_room;
};

void corpus_init(struct corpus *corpus);
void corpus_release(struct corpus *corpus);
/* Empties, keeps the memory, and takes what so many tokens need. */
void corpus_reset(struct corpus *corpus, size_t tokens);
/* Appends a pair given as ids without marks, unless a side has more than max_tokens: then it is counted, and
 * the result false. */
bool corpus_add_ids(struct corpus *corpus, const int *source, int source_count, const int *target,
                    int target_count, int max_tokens);
/* The same, given as subwords. */
bool corpus_add(struct corpus *corpus, const struct tokenizer *source, const char *source_subwords,
                size_t source_bytes, const struct tokenizer *target, const char *target_subwords,
                size_t target_bytes, int max_tokens);
/* Adds a link to the pair that was added last. */
void corpus_add_link(struct corpus *corpus, int source, int target);
/* Links of pair i, and their number. */
const struct link *corpus_links(const struct corpus *corpus, size_t i, int *count);
/* Ids of pair i, and their number with marks. */
const int *corpus_source(const struct corpus *corpus, size_t i, int *length);
const int *corpus_target(const struct corpus *corpus, size_t i, int *length);

#endif

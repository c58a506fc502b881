/* pair_reader: sentence pairs out of two files of as many lines, or of one with tabs. */
#ifndef NMT_PAIR_READER_H
#define NMT_PAIR_READER_H

#include "config.h"
#include "err.h"
#include "fileio.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* The sides of a sentence pair. */
enum side { SOURCE, TARGET, SIDES };

/* Where pairs come from: two files, or one with tabs. */
struct pair_files {
    const char *source, *target; /* or NULL: */
    const char *tsv;
};

/* Those that a config names. */
struct pair_files pair_files_of(const struct config_pairs *pairs);
/* The file that has that side. */
const char *pair_files_path(const struct pair_files *files, int side);

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
    struct reader file[SIDES]; /* of a TSV only the first is used */
    bool open[SIDES];
    struct strbuf line[SIDES]; /* the pair read last */
    int64_t number;            /* of its lines in their files, from 1 */
    struct pair_counts counts;
};

int pair_reader_open(struct pair_reader *reader, const struct pair_files *files, enum invalid_action action,
                     struct err *err);
/* The next pair whatever it holds. 1: in `line`; 0: both files ended; -1: error, such as
 * one file ending before the other, a line of a TSV without exactly one tab, a file in UTF-16. */
int pair_reader_raw(struct pair_reader *reader, struct err *err);
/* The next pair fit for training: invalid ones stop, are skipped or repaired; ones with an empty side
 * skipped. */
int pair_reader_next(struct pair_reader *reader, struct err *err);
void pair_reader_close(struct pair_reader *reader);
/* The file of that side, for messages. */
const char *pair_reader_path(const struct pair_reader *reader, int side);

#endif

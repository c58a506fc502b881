/* pair_reader: reads sentence pairs from two files of equal line count, or from a TSV. */
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

/* The files of a corpus: two, or one TSV. */
struct pair_files {
    const char *source, *target; /* or NULL: */
    const char *tsv;
};

/* The files that a config names. */
struct pair_files pair_files_of(const struct config_pairs *pairs);
/* The file that has this side. */
const char *pair_files_path(const struct pair_files *files, int side);

/* Is one of them standard input, a pipe or a device, which can be read only once? */
bool pair_files_are_streams(const struct pair_files *files);
/* 0 if they are regular files with pairs that can all be read: so they can be read again later. */
int pair_files_check(const struct pair_files *files, struct err *err);

/* Counts while reading; lines are numbered from 1. */
struct pair_counts {
    int64_t pairs;   /* lines read */
    int64_t empty;   /* pairs with an empty side */
    int64_t invalid; /* pairs with invalid UTF-8 or NUL bytes */
    int64_t crlf;    /* lines that ended in \r\n */
    int64_t boms;
};

void pair_counts_add(struct pair_counts *counts, const struct pair_counts *more);

/* Reads one pair after the other. */
struct pair_reader {
    struct pair_files files;
    enum invalid_action action;
    struct reader file[SIDES]; /* with a TSV, only the first is used */
    bool open[SIDES];
    struct strbuf line[SIDES]; /* the pair last read */
    int64_t number;            /* its line number, from 1 */
    struct pair_counts counts;
};

int pair_reader_open(struct pair_reader *reader, const struct pair_files *files, enum invalid_action action,
                     struct err *err);
/* The number of bytes before a side of the pair last read in its line: in a table, those of the source. */
size_t pair_reader_before(const struct pair_reader *reader, int side);
/* -1 if a side of the pair last read is invalid. */
int pair_reader_check(const struct pair_reader *reader, struct err *err);
/* Replaces the invalid bytes of the pair last read by U+FFFD. */
void pair_reader_repair(struct pair_reader *reader);
/* Reads the next pair, whatever its content, into `line`. 1: read; 0: end of both files; -1: error, such
 * as unequal lengths, a TSV line without exactly one tab, a file in UTF-16 or with line ends of old Macs. */
int pair_reader_raw(struct pair_reader *reader, struct err *err);
/* Reads the next usable pair. Invalid text stops, is skipped or repaired; pairs with an empty side are
 * skipped. */
int pair_reader_next(struct pair_reader *reader, struct err *err);
void pair_reader_close(struct pair_reader *reader);
/* The file of a side, for messages. */
const char *pair_reader_path(const struct pair_reader *reader, int side);

#endif

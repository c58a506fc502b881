/* check_print: prints what nmt check has found, as text or as JSON Lines. */
#ifndef NMT_CHECK_PRINT_H
#define NMT_CHECK_PRINT_H

#include "config.h"
#include "pair_reader.h"

#include <stdbool.h>
#include <stdint.h>

enum finding {
    INVALID_TEXT,
    EMPTY_SIDE,
    TOO_LONG,
    ODD_RATIO,
    QUOTED,
    SAME_TEXT,
    DUPLICATE,
    IN_TRAIN,
    FINDINGS,
};

/* Evidence about the encoding of a whole file. */
struct file_text {
    int64_t invalid, bytes; /* invalid lines, and how many of them look like an encoding of bytes */
    bool windows;           /* ... with bytes that ISO 8859 does not have */
    bool beyond_ascii;      /* some valid line is not ASCII */
    int side;               /* of the last invalid text: a table has both */
};

/* A corpus of the config. */
struct split {
    const char *name;
    const struct config_pairs *files;
    bool train, monolingual;
    int side; /* of monolingual text */
    int64_t pairs, counts[FINDINGS];
    int64_t invalid_pairs; /* counts[INVALID_TEXT] has each side */
    int64_t crlf, boms;    /* CRLF line ends and byte-order marks */
    int64_t first_same;    /* line of the first pair with equal sides */
    int64_t perhaps_quoted;
    struct file_text text[SIDES];
};

/* One finding in a line of `path`; `detail` may be empty. Of kinds that are only counted, nothing is
 * printed. */
void check_print_finding(const struct split *split, enum finding finding, const char *path, int64_t line,
                         const char *detail, bool json);
/* As text: what has been removed, and how many lines of each kind were found beyond the `shown` ones. In
 * JSON, the counts tell both. */
void check_print_rest(const struct split *split, int shown);
/* About a whole corpus; what stopped its reading. */
void check_print_warning(const struct split *split, const char *text, bool json);
void check_print_error(const struct split *split, const char *text, bool json);
/* The counts of all corpora. */
void check_print_counts(const struct split *splits, int count, bool json);

enum verdict { VERDICT_ACCEPTED, VERDICT_WARNED, VERDICT_REFUSED, VERDICT_DISTILL_REFUSED };
void check_print_verdict(enum verdict verdict, bool json);

#endif

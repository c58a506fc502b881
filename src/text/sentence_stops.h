/* sentence_stops: the stops of a line, with what closes behind them. Whether a sentence ends at one is
 * decided in sentences.c. */
#ifndef NMT_SENTENCE_STOPS_H
#define NMT_SENTENCE_STOPS_H

#include "sentence_signs.h"

/* A line that is being read, and the sentence that is open. */
struct line_scan {
    const struct splitter *splitter;
    const char *text;
    size_t bytes, begin; /* of the sentence */
    bool worded;         /* it has a letter or a digit */
    int32_t first;       /* its first letter; 0: none so far */
    bool quoted;         /* it has an odd number of straight quotes */
    bool lowercase;      /* small letters begin sentences: the line has no capital, or so it was learned */
    bool numbered;       /* the line has had a number with a point and a blank behind it */
};

/* One or several stops in a row. */
struct stop {
    size_t begin, after; /* of the signs */
    size_t end;          /* behind what closes */
    size_t next;         /* behind white space and its escapes */
    bool point;          /* a single full stop */
    struct span word;    /* that this belongs to */
    bool ellipsis;       /* several, or the sign */
    bool tight;          /* of a script that needs no blank */
};

/* The character at a position, with its length; -1 at the end of the line. */
int32_t at_of(const struct line_scan *scan, size_t at, size_t *length);
/* The end of white space. */
size_t skip_spaces(const struct line_scan *scan, size_t at);
/* Is there white space at a position, or the end? */
bool is_open_end(const struct line_scan *scan, size_t at);
/* Is the sentence written in a script, as its first letter or the one before the place is? */
bool is_in_script(const struct line_scan *scan, size_t at, bool (*is)(int32_t code));

/* Is the character at a position a stop? */
bool is_stop_at(const struct line_scan *scan, int32_t code, size_t at);
/* The stops that begin at a position, where there is one. */
struct stop find_stop(const struct line_scan *scan, size_t at);

#endif

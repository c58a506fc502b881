/* host_lines: lines of the host's, checked and copied. */
#ifndef NMT_HOST_LINES_H
#define NMT_HOST_LINES_H

#include "border.h"

#include "lines.h"

/* Appends a line, with a blank for each line end in it; `name` is its name in messages. NULL is wrong. */
enum nmt_error_code host_line(struct strbuf *out, const char *line, const char *name, struct err *err);

/* Adds `count` lines, called "`kind` 1" and so on; `may_lack`: NULL is an empty one. */
enum nmt_error_code host_lines(struct lines *out, const char *const *lines, size_t count, const char *kind,
                               bool may_lack, struct err *err);

#endif

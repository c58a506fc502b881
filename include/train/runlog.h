/* runlog: log.jsonl in the model directory: what happened, one JSON object per line. */
#ifndef NMT_RUNLOG_H
#define NMT_RUNLOG_H

#include "err.h"
#include "json.h"

#include <stdio.h>

#define RUNLOG_FILE "log.jsonl"

struct runlog {
    char *path;
    FILE *file;
};

/* Opens for appending. A resumed run first drops lines of updates after `keep_updates` (and a last line that
 * was cut off); -1 begins a new log. */
int runlog_open(struct runlog *log, const char *path, long keep_updates, struct err *err);
/* Writes the object as a line and frees it. */
int runlog_write(struct runlog *log, struct json *object, struct err *err);
/* All lines so far are on the disk. */
int runlog_sync(const struct runlog *log, struct err *err);
/* A new object with its "event". */
struct json *runlog_event(const char *event);
int runlog_close(struct runlog *log, struct err *err);

#endif

/* runlog: log.jsonl in the model directory: a training's events, one JSON object per line. */
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

/* Is the file empty, or does it begin with an event? */
bool runlog_is(const char *path);
/* Opens for appending. Drops events after update `keep_updates`, and lines that are not JSON, such as an
 * incomplete last one; -1 starts a new log. */
int runlog_open(struct runlog *log, const char *path, long keep_updates, struct err *err);
/* Writes the object as a line, and frees it. */
int runlog_write(struct runlog *log, struct json *object, struct err *err);
/* Syncs all lines to the disk. */
int runlog_sync(const struct runlog *log, struct err *err);
/* A new object with its "event". */
struct json *runlog_event(const char *event);
int runlog_close(struct runlog *log, struct err *err);

#endif

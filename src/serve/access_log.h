/* access_log: a line for each request, in the Common Log Format, with the seconds that the answer has taken
 * and the number of sentences behind it. It never waits: what cannot be written is dropped, and counted. */
#ifndef NMT_ACCESS_LOG_H
#define NMT_ACCESS_LOG_H

#include "err.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct access_log {
    const char *path; /* NULL: standard error */
    int fd;           /* under the mutex; -1: none */
    pthread_mutex_t mutex;
    long dropped; /* lines */
};

struct access {
    const char *address, *method, *path;
    bool old; /* HTTP/1.0 */
    int status;
    size_t bytes; /* of the answer */
    double seconds;
    size_t sentences;
    const char *text; /* as JSON, or NULL: not to be logged */
};

/* "-" or NULL: standard error; with `quiet`, none. */
int access_log_open(struct access_log *log, const char *path, bool quiet, struct err *err);
/* Opens the file again, which may have been renamed. */
int access_log_reopen(struct access_log *log, struct err *err);
void access_log_add(struct access_log *log, const struct access *access);
void access_log_close(struct access_log *log);

#endif

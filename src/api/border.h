/* border: where a host's thread enters the library and leaves it. All work runs there in the C locale, under
 * a guard against a lack of memory (mem_guard.h), pthread_cancel waits for its end, and its messages go to
 * the host alone. */
#ifndef NMT_BORDER_H
#define NMT_BORDER_H

#include "nmt.h"

#include "err.h"
#include "log.h"

/* A function of nmt.h. The library hides all others. */
#define EXPORT __attribute__((visibility("default")))

/* Why a call failed. */
struct failure {
    enum nmt_error_code code;
    struct err err;
};

/* The work of a call: its code, with the reason in `err` unless that is NMT_NO_ERROR. */
typedef enum nmt_error_code border_work(void *context, struct err *err);

/* Runs work(context). Returns 0, or -1 with `failure` set: what the work made is freed only where there was
 * no memory, or a bug ended it. */
int border_cross(border_work *work, void *context, const struct log_sink *sink, struct failure *failure);

/* Sets the reason, and returns NMT_WRONG_USE. */
enum nmt_error_code wrong_use(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies the reason of a failure, or "", to a place of the host's, if there is one: as much as fits. */
void give_error(const struct failure *failure, char *error, size_t error_bytes);

/* Copies a value to a place of the host's, as snprintf. Returns its length. */
int give_value(const char *text, char *value, size_t value_bytes);

#endif

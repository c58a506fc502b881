/* Formats error texts, and aborts at our own bugs, or ends guarded work. Errors are printed by src/cli. */
#include "err.h"

#include "guard.h"
#include "utf8_check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES_BEFORE_REASON 800 /* the system's, behind a name that may be long */

/* Room for a text, its NUL, and the first byte of what is cut off. */
#define FORMATTED_BYTES (ERR_MAX_BYTES + 1)

/* A text of more than `most` bytes ends with a whole character. */
static void format_cut(char text[FORMATTED_BYTES], size_t most, const char *format, va_list args)
{
    const int bytes = vsnprintf(text, FORMATTED_BYTES, format, args);
    if (bytes > (int)most)
        text[utf8_whole_bytes(text, most)] = '\0';
}

int err_set(struct err *err, const char *format, ...)
{
    if (!err)
        return -1;
    /* The arguments may point into the old text, so the new one is made in a buffer of its own. */
    char text[FORMATTED_BYTES];
    va_list args;
    va_start(args, format);
    format_cut(text, sizeof err->text - 1, format, args);
    va_end(args);
    memcpy(err->text, text, sizeof err->text);
    err->number = 0;
    return -1;
}

int err_set_errno(struct err *err, const char *format, ...)
{
    const int saved = errno;
    char text[FORMATTED_BYTES];
    va_list args;
    va_start(args, format);
    format_cut(text, MOST_BYTES_BEFORE_REASON, format, args);
    va_end(args);
    err_set(err, "%s: %s", text, strerror(saved));
    if (err)
        err->number = saved;
    return -1;
}

void bug_at(const char *file, int line, const char *format, ...)
{
    char text[ERR_MAX_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (guard_current())
        guard_fail(0, "internal error at %s:%d: %s", file, line, text);
    fprintf(stderr, "BUG: %s:%d: %s\n", file, line, text);
    abort();
}

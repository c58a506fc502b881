/* Formats error texts, and aborts at our own bugs, or ends guarded work. Errors are printed by src/cli. */
#include "err.h"

#include "guard.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int err_set(struct err *err, const char *format, ...)
{
    if (!err)
        return -1;
    /* The arguments may point into the old text, so the new one is made in a buffer of its own. */
    char text[ERR_MAX_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(err->text, text, sizeof text);
    err->number = 0;
    return -1;
}

int err_set_errno(struct err *err, const char *format, ...)
{
    const int saved = errno;
    char text[ERR_MAX_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err_set(err, "%.800s: %s", text, strerror(saved));
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

/* Enters and leaves the library. What is done inside is up to the callers. */
#include "border.h"

#include "c_locale.h"
#include "mem_guard.h"
#include "utf8_check.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct crossing {
    border_work *work;
    void *context;
    struct failure *failure;
};

static void run_work(void *context)
{
    const struct crossing *crossing = context;
    crossing->failure->code = crossing->work(crossing->context, &crossing->failure->err);
}

int border_cross(border_work *work, void *context, const struct log_sink *sink, struct failure *failure)
{
    static const struct log_sink nowhere = {NULL, NULL};
    struct crossing crossing = {work, context, failure};
    struct c_locale locale;
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    failure->err = (struct err){.text = ""};
    const struct log_sink *before = log_to(sink ? sink : &nowhere);
    c_locale_begin(&locale);
    if (mem_guard(run_work, &crossing, &failure->err))
        failure->code = NMT_INTERNAL_ERROR;
    if (failure->code != NMT_NO_ERROR && failure->err.number == ENOMEM) /* the guard's, or of a file */
        failure->code = NMT_OUT_OF_MEMORY;
    c_locale_end(&locale);
    log_to(before);
    pthread_setcancelstate(cancel_state, NULL);
    utf8_hide_controls(failure->err.text, ""); /* of names and values: an error is one line */
    if (failure->code != NMT_NO_ERROR)
        return -1;
    failure->err.text[0] = '\0';
    return 0;
}

enum nmt_error_code wrong_use(struct err *err, const char *format, ...)
{
    char text[ERR_MAX_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err_set(err, "%s", text);
    return NMT_WRONG_USE;
}

void give_error(const struct failure *failure, char *error, size_t error_bytes)
{
    if (!error || !error_bytes)
        return;
    const char *text = failure->err.text;
    const size_t bytes = strlen(text) < error_bytes ? strlen(text) : utf8_whole_bytes(text, error_bytes - 1);
    memcpy(error, text, bytes);
    error[bytes] = '\0';
}

int give_value(const char *text, char *value, size_t value_bytes)
{
    return snprintf(value, value ? value_bytes : 0, "%s", text);
}

/* translator: a translator's state, and its use by one call at a time. */
#ifndef NMT_API_TRANSLATOR_H
#define NMT_API_TRANSLATOR_H

#include "border.h"
#include "options.h"

#include <locale.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct nmt_translator {
    atomic_bool in_use; /* all that follows belongs to the call that has set it */
    struct nmt_model *model;
    struct options options;
    struct translator translator; /* once ready, until options change */
    bool ready;
    pid_t process;        /* that has the translator's threads */
    locale_t host_locale; /* of the thread that called */
    int cancel_state;     /* likewise: a thread that is cancelled during a call would not give it back */
    struct failure failure;
    void (*progress)(void *context, size_t done, size_t lines);
    int (*cancelled)(void *context);
    void (*log)(void *context, const char *message);
    void *progress_context, *cancel_context, *log_context;
};

/* Runs the work of one call: -1 if there is no translator, it is in use, or the work fails. `translates`: the
 * work finds translator->translator ready, as the options say. */
int translator_call(struct nmt_translator *translator, bool translates, border_work *work, void *context);

#endif

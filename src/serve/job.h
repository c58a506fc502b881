/* job: what one caller wants to have translated, and what has become of it. */
#ifndef NMT_JOB_H
#define NMT_JOB_H

#include "err.h"
#include "glossary.h"
#include "span.h"
#include "translate.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define LANGUAGE_AUTO "auto" /* a source language that is to be recognised */

/* How a job ends: constant, name in /metrics, status of the HTTP answer, what stands before the reason there.
 *
 *   DONE            all texts are translated
 *   WRONG           the wishes cannot be met: an unknown language, a prefix of several sentences, …
 *   TOO_LARGE       it has more sentences than a job may have
 *   BUSY            too many sentences are waiting, or the deadline has passed while it waited behind them
 *   LATE            the deadline has passed
 *   CANCELLED       by job_cancel, or the engine has been stopped
 *   OUT_OF_MEMORY
 *   FAILED          the model's numbers are not finite, or a bug in nmt */
#define JOB_STATUSES(ROW)                                                                                    \
    ROW(JOB_DONE, done, 200, "")                                                                             \
    ROW(JOB_WRONG, wrong, 400, "")                                                                           \
    ROW(JOB_TOO_LARGE, too_large, 400, "Invalid request: ")                                                  \
    ROW(JOB_BUSY, busy, 503, "Cannot translate text: ")                                                      \
    ROW(JOB_LATE, late, 503, "Cannot translate text: ")                                                      \
    ROW(JOB_CANCELLED, cancelled, 503, "Cannot translate text: ")                                            \
    ROW(JOB_OUT_OF_MEMORY, out_of_memory, 500, "Cannot translate text: ")                                    \
    ROW(JOB_FAILED, failed, 500, "Cannot translate text: ")
#define JOB_STATUS(constant, name, http_status, prefix) constant,
enum job_status { JOB_STATUSES(JOB_STATUS) JOB_STATUS_COUNT };

/* A sentence, and its translations. */
struct served_sentence {
    char *text;
    char *middle;                     /* its translation by the first of two models, else NULL */
    struct translations translations; /* by the last model; one without tokens where there is none */
    struct span source;               /* where it stands in the job's text … */
    struct span target; /* … and its best translation in the translated one; of HTML, with the tags in it */
};

/* A text, and its translation. */
struct served_text {
    const char *source; /* its language; valid while the job is */
    double confidence;  /* in that, from 0 to 1, where it was recognised; else 1 */
    char *text;         /* its translation */
    char *
        *alternatives; /* [n_best - 1]: made of the second best translations of all sentences, and so on; of a
                          * sentence that has fewer, the last */
    size_t alternative_count;          /* only those that differ */
    struct served_sentence *sentences; /* [sentence_count], in their order; with detail */
    size_t sentence_count;
};

struct job {
    /* What the caller wants. All memory is the job's. */
    char **texts; /* [count]: valid UTF-8 */
    size_t count;
    char *source, *target;         /* languages; the source may be LANGUAGE_AUTO */
    bool html;                     /* the texts are HTML */
    bool detail;                   /* sentences are wanted, with attention where the model has it */
    int n_best;                    /* translations of each sentence, at least 1 */
    int beam;                      /* 0: the model's; at least n_best in any case */
    char *prefix;                  /* of the translation of a single sentence; NULL: none */
    struct glossary *glossary;     /* from xcalloc; NULL: none */
    double deadline;               /* of clock_seconds(); 0: none */
    void (*done)(struct job *job); /* called once, by a thread of the engine, which does not know the job any
                                    * more */
    void *context;

    /* What has become of it, when it is done. */
    enum job_status status;
    struct err err;             /* why, unless JOB_DONE */
    struct served_text *served; /* [count]; of JOB_DONE */
    size_t sentence_count;      /* of all texts */

    atomic_bool cancelled;
    struct job_run *run; /* the engine's */
};

/* An empty job, with n_best 1. */
struct job *job_new(void);
void job_free(struct job *job);
/* Whoever waits for it has gone: it ends soon, as JOB_CANCELLED. From any thread, until it is done. */
void job_cancel(struct job *job);

#endif

/* job_run: a job in the engine: its texts as sentences, each on its way through one model or two. */
#ifndef NMT_JOB_RUN_H
#define NMT_JOB_RUN_H

#include "html_page.h"
#include "job.h"
#include "model_set.h"

/* A sentence of a job. */
struct job_sentence {
    struct job_run *run;
    struct job_sentence *next; /* of the same job, that waits */
    size_t text;               /* number of the text … */
    struct span span;          /* … and where the sentence stands in it, tags included */
    char *source;
    int hop;                             /* models that have translated it */
    struct translations translations[2]; /* [hop]: by each of them */
};

/* A text of a job: sentences, with what stands between them. */
struct job_text {
    const char *source; /* its language, as the models have it */
    double confidence;
    struct route route;
    struct html_page *page; /* of HTML that is translated; else NULL */
    size_t first, count;    /* its sentences: with a page, that one's */
};

struct job_run {
    struct job *job;
    struct model_set *set;  /* shared */
    struct job_text *texts; /* [job->count] */
    struct job_sentence *sentences;
    size_t sentence_count;

    /* Of the engine, under its mutex: */
    struct job_sentence *first, *last; /* sentences that wait */
    size_t open;                       /* sentences that are not translated */
    bool behind;                       /* others were open when it came, and none of its sentences is taken */
    struct job_run *before, *after; /* in the ring of jobs with sentences that wait, or `after` in a list */
    const atomic_bool *stopped;     /* all jobs are to end */
};

/* Does anybody still wait for the job? */
bool job_run_is_awaited(const struct job_run *run);

/* Recognises languages, finds routes and splits the texts into sentences, at most `most`. All memory comes at
 * once: where it runs out under a guard, the run is as before. Sets the job's status and error. Ends early
 * where nobody waits for the job any more: whether sentences are left out then, only job_run_is_awaited
 * tells. */
void job_run_split(struct job_run *run, size_t most);
/* What the next model reads of a sentence; NULL if none is left. */
const char *job_sentence_text(const struct job_sentence *sentence);
/* Joins the sentences' translations into job->served, in the same way. */
void job_run_join(struct job_run *run);
void job_run_release(struct job_run *run);

#endif

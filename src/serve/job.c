/* The life of a job. What is done with it is in job_run.c and engine.c. */
#include "job_run.h"

#include "mem.h"

struct job *job_new(void)
{
    struct job *job = xcalloc(1, sizeof *job);
    job->n_best = 1;
    atomic_init(&job->cancelled, false);
    job->run = xcalloc(1, sizeof *job->run);
    job->run->job = job;
    return job;
}

void job_cancel(struct job *job)
{
    atomic_store(&job->cancelled, true);
}

static void served_text_release(struct served_text *served)
{
    for (size_t i = 0; i < served->alternative_count; i++)
        xfree(served->alternatives[i]);
    for (size_t i = 0; i < served->sentence_count; i++) {
        xfree(served->sentences[i].text);
        xfree(served->sentences[i].middle);
        translations_release(&served->sentences[i].translations);
    }
    xfree(served->alternatives);
    xfree(served->sentences);
    xfree(served->text);
}

void job_free(struct job *job)
{
    if (!job)
        return;
    for (size_t i = 0; job->texts && i < job->count; i++)
        xfree(job->texts[i]);
    for (size_t i = 0; job->served && i < job->count; i++)
        served_text_release(&job->served[i]);
    if (job->glossary)
        glossary_release(job->glossary);
    xfree(job->glossary);
    xfree(job->served);
    xfree(job->texts);
    xfree(job->source);
    xfree(job->target);
    xfree(job->prefix);
    job_run_release(job->run);
    xfree(job->run);
    xfree(job);
}

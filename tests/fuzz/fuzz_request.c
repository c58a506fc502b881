/* The body of a request, as each kind in turn: the first byte says which, the first line is the Content-Type
 * or the query. What is taken becomes a job. */
#include "fuzz.h"
#include "mem.h"
#include "request.h"
#include "utf8_check.h"

#include <string.h>

static void check_job(const struct job *job, const struct wishes *wishes)
{
    MUST(job->count && (wishes->list || job->count == 1) && *job->source && *job->target && job->n_best >= 1);
    for (size_t i = 0; i < job->count; i++)
        MUST(utf8_valid(job->texts[i]));
    MUST(!job->prefix || utf8_valid(job->prefix));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char *const types[] = {"application/json", "application/x-www-form-urlencoded", NULL, NULL};
    const struct request_limits limits = {100, 1000, 10};
    struct wishes wishes;
    struct err err;
    const uint8_t *end = bytes ? memchr(data, '\n', bytes) : NULL;
    if (!end || memchr(data, 0, (size_t)(end - data)))
        return 0;
    const int kind = data[0] % 4;
    char *line = xstrndup((const char *)data + (end > data), end > data ? (size_t)(end - data) - 1 : 0);
    char *type = kind == 2 ? xasprintf("multipart/form-data;%s", line) : NULL;
    const struct request_body body = {.type = kind == 2 ? type : types[kind],
                                      .query = kind == 2 ? "" : line,
                                      .bytes = (const char *)end + 1,
                                      .count = (size_t)(data + bytes - end) - 1};
    struct json *fields = request_fields(&body, &err);
    struct job *job = fields ? request_job(fields, &limits, &wishes, &err) : NULL;
    if (job)
        check_job(job, &wishes);
    else
        MUST(utf8_valid(err.text));
    job_free(job);
    if (fields)
        json_free(fields);
    xfree(type);
    xfree(line);
    return 0;
}

/* Writes answers. */
#include "answer.h"

#include "detail.h"
#include "json.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void answer_text(struct answer *answer, int status, const char *type, const struct strbuf *text)
{
    const struct answer none = {.status = 0};
    struct strbuf old = answer->text;
    *answer = none;
    answer->status = status;
    answer->type = type;
    answer->text = *text;
    if (old.text)
        strbuf_release(&old);
}

static void set_error(struct answer *answer, int status, const char *text)
{
    struct strbuf out;
    strbuf_init(&out);
    strbuf_adds(&out, "{\"error\":");
    json_add_string(&out, text);
    strbuf_adds(&out, "}\n");
    answer_text(answer, status, "application/json", &out);
}

void answer_error(struct answer *answer, int status, const char *text)
{
    set_error(answer, status, text);
    if (status == 503)
        answer_add_header(answer, "Retry-After", "1");
}

/* ---- a job ---- */

/* Writes a part of the answer for one of the texts. */
typedef void text_writer(struct strbuf *out, const struct job *job, size_t text);

static void add_translation(struct strbuf *out, const struct job *job, size_t text)
{
    json_add_string(out, job->served[text].text);
}

void answer_add_guess(struct strbuf *out, const char *code, double confidence)
{
    strbuf_addf(out, "{\"confidence\":%.0f,\"language\":", 100 * confidence);
    json_add_string(out, code);
    strbuf_addch(out, '}');
}

static void add_detected(struct strbuf *out, const struct job *job, size_t text)
{
    answer_add_guess(out, job->served[text].source, job->served[text].confidence);
}

static void add_alternatives(struct strbuf *out, const struct job *job, size_t text)
{
    const struct served_text *served = &job->served[text];
    strbuf_addch(out, '[');
    for (size_t i = 0; i < served->alternative_count; i++) {
        if (i)
            strbuf_addch(out, ',');
        json_add_string(out, served->alternatives[i]);
    }
    strbuf_addch(out, ']');
}

static void add_detail(struct strbuf *out, const struct job *job, size_t text)
{
    struct json *detail = detail_of(job, text);
    json_print(detail, false, out);
    json_free(detail);
}

/* Adds a member: what is written for the only text, or a list of that for all. */
static void add_member(struct strbuf *out, const char *name, const struct job *job, bool list,
                       text_writer *add)
{
    strbuf_addf(out, "%c\"%s\":%s", out->length ? ',' : '{', name, list ? "[" : "");
    for (size_t i = 0; i < job->count; i++) {
        if (i)
            strbuf_addch(out, ',');
        add(out, job, i);
    }
    if (list)
        strbuf_addch(out, ']');
}

static void answer_done(struct answer *answer, const struct job *job, const struct wishes *wishes)
{
    struct strbuf out;
    strbuf_init(&out);
    add_member(&out, "translatedText", job, wishes->list, add_translation);
    if (!strcasecmp(job->source, LANGUAGE_AUTO))
        add_member(&out, "detectedLanguage", job, wishes->list, add_detected);
    if (wishes->alternatives)
        add_member(&out, "alternatives", job, wishes->list, add_alternatives);
    if (job->detail)
        add_member(&out, "detail", job, wishes->list, add_detail);
    strbuf_adds(&out, "}\n");
    answer_text(answer, 200, "application/json", &out);
}

#define ENTRY(constant, name, http_status, prefix) [constant] = {http_status, prefix},

void answer_job(struct answer *answer, const struct job *job, const struct wishes *wishes)
{
    static const struct {
        int status;
        const char *prefix;
    } ends[] = {JOB_STATUSES(ENTRY)};
    char text[ERR_MAX_BYTES + 64];
    if (job->status == JOB_DONE) {
        answer_done(answer, job, wishes);
        return;
    }
    snprintf(text, sizeof text, "%s%s", ends[job->status].prefix, job->err.text);
    /* What takes too long will mostly do so again. */
    (job->status == JOB_LATE ? set_error : answer_error)(answer, ends[job->status].status, text);
}

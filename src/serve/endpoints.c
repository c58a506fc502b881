/* What is done at each path of the interface. */
#include "endpoints.h"

#include "answer.h"
#include "json.h"
#include "language_names.h"
#include "mem.h"
#include "mem_guard.h"
#include "utf8.h"

#include <string.h>

#define DETECTED_BYTES 16384 /* of a text, which tell its language */
#define TYPING_MS 250        /* after the last key, until the page translates */

static struct request_limits limits_of(const struct service *service)
{
    const struct server_options *options = service->options;
    return (struct request_limits){options->max_sentences, options->max_characters, options->max_beam};
}

static void answer_made(struct exchange *exchange, const char *type, struct strbuf *text)
{
    answer_text(&exchange->answer, 200, type, text);
}

/* Answers with an object, and frees it. */
static void answer_object(struct exchange *exchange, struct json *object)
{
    struct strbuf text;
    strbuf_init(&text);
    json_add_line(&text, object);
    answer_made(exchange, "application/json", &text);
}

/* ---- models ---- */

static void release_models(void *set)
{
    model_set_release(set);
}

static struct model_set *models_begin(struct service *service)
{
    struct model_set *set = engine_models(service->engine);
    mem_track(set, release_models);
    return set;
}

static void models_end(struct model_set *set)
{
    mem_untrack(set);
    model_set_release(set);
}

/* ---- translation ---- */

struct making {
    struct exchange *exchange;
    const struct job *job;
};

static void make_answer(void *context)
{
    struct making *making = context;
    const struct call *call = making->exchange->context;
    answer_job(&making->exchange->answer, making->job, &call->wishes);
}

static void make_error(void *context)
{
    struct making *making = context;
    answer_error(&making->exchange->answer, 500, "Cannot translate text: out of memory");
}

/* In a thread of the engine. */
static void translated(struct job *job)
{
    struct making making = {job->context, job};
    struct call *call = making.exchange->context;
    if (mem_guard(make_answer, &making, NULL) && mem_guard(make_error, &making, NULL))
        making.exchange->answer = (struct answer){.status = 500, .bytes = "", .length = 0};
    service_add_headers(call->service, &making.exchange->answer);
    pthread_mutex_lock(&call->service->mutex);
    call->job = NULL;
    pthread_mutex_unlock(&call->service->mutex);
    call->sentences = job->sentence_count;
    job_free(job);
    http_answered(making.exchange);
}

void call_cancel(struct call *call)
{
    pthread_mutex_lock(&call->service->mutex);
    if (call->job)
        job_cancel(call->job);
    pthread_mutex_unlock(&call->service->mutex);
}

/* For the log, if it is to have texts. */
static void keep_text(const struct service *service, struct call *call)
{
    struct strbuf text;
    if (!service->options->log_text)
        return;
    strbuf_init(&text);
    json_print(json_member(call->fields, "q"), false, &text);
    call->text = strbuf_detach(&text);
}

static void serve_translate(struct service *service, struct exchange *exchange)
{
    struct call *call = exchange->context;
    const struct request_limits limits = limits_of(service);
    struct err err;
    struct job *job = request_job(call->fields, &limits, &call->wishes, &err);
    if (!job) {
        answer_error(&exchange->answer, 400, err.text);
        return;
    }
    keep_text(service, call);
    service->metrics.characters += (long)call->wishes.characters;
    job->deadline = exchange->begun + service->options->timeout;
    job->done = translated;
    job->context = exchange;
    call->translated = true;
    call->job = job;
}

/* ---- languages ---- */

/* Text without letters is taken for the first model's language, with no confidence. */
static void serve_detect(struct service *service, struct exchange *exchange)
{
    struct call *call = exchange->context;
    const struct request_limits limits = limits_of(service);
    struct err err;
    const char *text = request_text(call->fields, &limits, &err);
    if (!text) {
        answer_error(&exchange->answer, 400, err.text);
        return;
    }
    keep_text(service, call);
    size_t bytes = strlen(text);
    if (bytes > DETECTED_BYTES)
        for (bytes = DETECTED_BYTES; utf8_continues(text[bytes]); bytes--)
            ;
    struct model_set *set = models_begin(service);
    struct language_guess *guesses = xcalloc(set->language_count, sizeof *guesses);
    struct strbuf out;
    strbuf_init(&out);
    strbuf_addch(&out, '[');
    const size_t count = model_set_detect(guesses, set, text, bytes);
    for (size_t i = 0; i < count; i++) {
        if (i)
            strbuf_addch(&out, ',');
        answer_add_guess(&out, guesses[i].code, guesses[i].confidence);
    }
    if (!count)
        answer_add_guess(&out, set->models[0].source, 0);
    strbuf_adds(&out, "]\n");
    xfree(guesses);
    models_end(set);
    if (!count && utf8_has_letter(text, bytes)) {
        strbuf_release(&out);
        answer_error(&exchange->answer, 400, "the language cannot be recognised");
        return;
    }
    answer_made(exchange, "application/json", &out);
}

static void add_language(struct strbuf *out, const struct served_language *language)
{
    strbuf_adds(out, "{\"code\":");
    json_add_string(out, language->code);
    strbuf_adds(out, ",\"name\":");
    struct strbuf name;
    strbuf_init(&name);
    language_name_append(&name, language->code);
    json_add_string(out, name.text);
    strbuf_release(&name);
    strbuf_adds(out, ",\"targets\":[");
    for (size_t i = 0; i < language->target_count; i++) {
        if (i)
            strbuf_addch(out, ',');
        json_add_string(out, language->targets[i]);
    }
    strbuf_adds(out, "]}");
}

static void serve_languages(struct service *service, struct exchange *exchange)
{
    struct model_set *set = models_begin(service);
    struct strbuf out;
    strbuf_init(&out);
    strbuf_addch(&out, '[');
    for (size_t i = 0; i < set->language_count; i++) {
        if (i)
            strbuf_addch(&out, ',');
        add_language(&out, &set->languages[i]);
    }
    strbuf_adds(&out, "]\n");
    models_end(set);
    answer_made(exchange, "application/json", &out);
}

/* ---- the server ---- */

static void set_language(struct json *object, const char *key, const char *code)
{
    struct json *language = json_set_object(object, key);
    struct strbuf name;
    strbuf_init(&name);
    language_name_append(&name, code);
    json_set_string(language, "code", code);
    json_set_string(language, "name", name.text);
    strbuf_release(&name);
}

static void serve_settings(struct service *service, struct exchange *exchange)
{
    const struct server_options *options = service->options;
    struct json *object = json_new_object();
    struct model_set *set = models_begin(service);
    json_set_number(object, "charLimit", options->max_characters ? options->max_characters : -1);
    json_set_number(object, "frontendTimeout", TYPING_MS);
    json_set_bool(object, "apiKeys", options->keys != NULL);
    json_set_bool(object, "keyRequired", options->keys != NULL);
    json_set_bool(object, "suggestions", false);
    json_set_bool(object, "filesTranslation", false);
    json_set_strings(object, "supportedFilesFormat", &(const char *){NULL}, 0);
    json_set_number(object, "maxAlternatives", options->max_beam - 1);
    json_set_number(object, "maxBeam", options->max_beam);
    json_set_number(object, "maxTexts", options->max_sentences);
    struct json *language = json_set_object(object, "language");
    set_language(language, "source", set->models[0].source);
    set_language(language, "target", set->models[0].target);
    models_end(set);
    answer_object(exchange, object);
}

static void serve_health(struct service *service, struct exchange *exchange)
{
    struct json *object = json_new_object();
    (void)service;
    json_set_string(object, "status", "ok");
    answer_object(exchange, object);
}

static void serve_metrics(struct service *service, struct exchange *exchange);

static const struct endpoint table[] = {
    {"/translate", true, true, serve_translate},   {"/detect", true, true, serve_detect},
    {"/languages", false, false, serve_languages}, {"/frontend/settings", false, false, serve_settings},
    {"/health", false, false, serve_health},       {"/metrics", false, false, serve_metrics},
};
#define ENDPOINT_COUNT ((int)(sizeof table / sizeof *table))
_Static_assert(ENDPOINT_COUNT <= MOST_ENDPOINTS, "metrics counts each");

static void serve_metrics(struct service *service, struct exchange *exchange)
{
    const char *names[ENDPOINT_COUNT];
    struct engine_counts engine;
    struct http_counts http;
    struct strbuf out;
    for (int i = 0; i < ENDPOINT_COUNT; i++)
        names[i] = table[i].path;
    engine_count(service->engine, &engine);
    http_count(exchange->http, &http);
    strbuf_init(&out);
    server_metrics_print(&out, &service->metrics, names, ENDPOINT_COUNT, &engine, &http,
                         service->log.dropped);
    answer_made(exchange, "text/plain; version=0.0.4; charset=utf-8", &out);
}

int endpoint_find(const char *path)
{
    for (int i = 0; i < ENDPOINT_COUNT; i++)
        if (!strcmp(table[i].path, path))
            return i;
    return -1;
}

const struct endpoint *endpoint_at(int number)
{
    return &table[number];
}

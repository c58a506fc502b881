/* Says who may ask, hands requests to their endpoints, and logs them. */
#include "service.h"

#include "answer.h"
#include "endpoints.h"
#include "json.h"
#include "log.h"
#include "mem.h"
#include "mem_guard.h"
#include "page_files.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#define WAITING_PER_SENTENCE 8 /* sentences of all requests may wait for each that one may have */

/* ---- headers ---- */

void service_add_headers(const struct service *service, struct answer *answer)
{
    if (!service->options->cors)
        return;
    answer_add_header(answer, "Access-Control-Allow-Origin", service->options->cors);
    answer_add_header(answer, "Access-Control-Allow-Headers", "Authorization, Content-Type");
    answer_add_header(answer, "Access-Control-Allow-Methods", "GET, POST");
    answer_add_header(answer, "Access-Control-Max-Age", "86400");
    if (strcmp(service->options->cors, "*") != 0)
        answer_add_header(answer, "Vary", "Origin");
}

static void refuse_status(void *context, struct exchange *exchange, int status)
{
    const struct service *service = context;
    char text[96];
    switch (status) {
    case 400:
        snprintf(text, sizeof text, "Invalid request: it is not clear where its body ends");
        break;
    case 413:
        snprintf(text, sizeof text, "the request has more than %d bytes", service->options->max_body);
        break;
    case 503:
        snprintf(text, sizeof text, "the server is busy");
        break;
    default:
        snprintf(text, sizeof text, "out of memory");
        break;
    }
    answer_error(&exchange->answer, status, text);
    service_add_headers(service, &exchange->answer);
}

/* ---- who asks ---- */

/* The address that a proxy on this machine has added last, if it is one. */
static void set_address(const struct service *service, struct call *call, const struct exchange *exchange)
{
    unsigned char bytes[16];
    memcpy(call->address, exchange->address, sizeof call->address);
    const char *given =
        service->options->proxy && exchange->local ? exchange_last_header(exchange, "X-Forwarded-For") : NULL;
    if (!given)
        return;
    const char *last = strrchr(given, ',');
    last = last ? last + 1 : given;
    last += strspn(last, " ");
    if (strlen(last) < sizeof call->address &&
        (inet_pton(AF_INET, last, bytes) == 1 || inet_pton(AF_INET6, last, bytes) == 1))
        memcpy(call->address, last, strlen(last) + 1);
}

/* Whom a limit is for: of IPv6, a network of 64 bits, but for mapped addresses of IPv4. */
static void set_group(char group[48], const char *address)
{
    struct in6_addr six;
    snprintf(group, 48, "%s", address);
    if (inet_pton(AF_INET6, address, &six) != 1)
        return;
    const bool mapped = IN6_IS_ADDR_V4MAPPED(&six);
    if (!mapped)
        memset(six.s6_addr + 8, 0, 8);
    inet_ntop(mapped ? AF_INET : AF_INET6, six.s6_addr + (mapped ? 12 : 0), group, 48);
}

static bool has_rate(struct exchange *exchange, struct rate_limit *limit, const char *who, int per_minute)
{
    struct call *call = exchange->context;
    const double seconds = per_minute ? rate_limit_take(limit, who, per_minute, exchange->begun) : 0;
    char text[64];
    if (seconds == 0)
        return true;
    snprintf(text, sizeof text, "Slowdown: %d per 1 minute", per_minute);
    answer_error(&exchange->answer, 429, text);
    snprintf(call->retry_after, sizeof call->retry_after, "%.0f", ceil(seconds));
    answer_add_header(&exchange->answer, "Retry-After", call->retry_after);
    return false;
}

/* -1: not a key; else its limit. */
static int find_key(struct service *service, const char *text)
{
    pthread_mutex_lock(&service->mutex);
    const struct api_key *key = keys_find(&service->keys, text);
    const int per_minute = key ? key->per_minute : -1;
    pthread_mutex_unlock(&service->mutex);
    return per_minute;
}

/* May the client ask? Else sets the answer. Who guesses keys is slowed down as others are. */
static bool may_ask(struct service *service, struct exchange *exchange)
{
    const struct call *call = exchange->context;
    const char *key;
    char group[48];
    struct err err;
    if (request_string(&key, call->fields, "api_key", &err)) {
        answer_error(&exchange->answer, 400, err.text);
        return false;
    }
    const int per_minute = service->options->keys && key && *key ? find_key(service, key) : -1;
    if (per_minute >= 0)
        return has_rate(exchange, &service->key_uses, key, per_minute);
    set_group(group, call->address);
    if (!has_rate(exchange, &service->addresses, group, service->options->rate))
        return false;
    if (!service->options->keys)
        return true;
    if (key && *key)
        answer_error(&exchange->answer, 403, "Invalid API key");
    else
        answer_error(&exchange->answer, 400, "Please contact the server operator to get an API key");
    return false;
}

/* ---- files ---- */

static const struct page_file *find_file(const char *path)
{
    for (size_t i = 0; i < page_file_count; i++)
        if (!strcmp(page_files[i].path, path))
            return &page_files[i];
    return NULL;
}

/* Does a header's list (NULL: none) have the item, and not with a quality of zero, as ";q=0.0"? */
static bool lists(const char *header, const char *item)
{
    const size_t bytes = strlen(item);
    for (size_t length; header && *header; header += length) {
        header += strspn(header, ", \t");
        length = strcspn(header, ",");
        if (strncasecmp(header, item, bytes) != 0 || !strchr(", \t;", header[bytes]))
            continue;
        const char *quality = memchr(header, '=', length);
        return !quality || quality + 1 + strspn(quality + 1, "0. \t") < header + length;
    }
    return false;
}

static void serve_file(struct exchange *exchange, const struct page_file *file)
{
    struct answer *answer = &exchange->answer;
    const char *held = exchange_header(exchange, "If-None-Match");
    const bool gzip =
        lists(exchange_header(exchange, "Accept-Encoding"), "gzip") && file->gzip_count < file->count;
    const char *etag = gzip ? file->gzip_etag : file->etag;
    const bool same = held && (strstr(held, etag) || !strcmp(held, "*"));
    answer->status = same ? 304 : 200;
    answer->type = same ? NULL : file->type;
    answer->bytes = same ? "" : gzip ? file->gzip : file->bytes;
    answer->length = same ? 0 : gzip ? file->gzip_count : file->count;
    answer_add_header(answer, "ETag", etag);
    answer_add_header(answer, "Cache-Control", "no-cache");
    answer_add_header(answer, "Vary", "Accept-Encoding");
    if (gzip && !same)
        answer_add_header(answer, "Content-Encoding", "gzip");
    answer_add_header(answer, "Content-Security-Policy", "default-src 'self'; frame-ancestors 'self'");
    answer_add_header(answer, "X-Content-Type-Options", "nosniff");
    answer_add_header(answer, "Referrer-Policy", "no-referrer");
}

/* ---- requests ---- */

static bool is_get(const char *method)
{
    return !strcmp(method, "GET") || !strcmp(method, "HEAD");
}

static void check_method(struct exchange *exchange, bool post)
{
    const char *allowed = post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
    if (!strcmp(exchange->method, "OPTIONS")) {
        exchange->answer = (struct answer){.status = 204, .bytes = ""};
    } else if (post ? !strcmp(exchange->method, "POST") : is_get(exchange->method)) {
        return;
    } else {
        answer_error(&exchange->answer, 405, "Method not allowed");
    }
    answer_add_header(&exchange->answer, "Allow", allowed);
}

/* The path that is looked up: a request may name a scheme and a host before it (RFC 9112, 3.2.2), and clients
 * join a base that ends in '/' with a path that begins so. */
static const char *path_asked(const char *path)
{
    if (!strncasecmp(path, "http://", 7) || !strncasecmp(path, "https://", 8)) {
        path = strchr(strstr(path, "//") + 2, '/');
        path = path ? path : "/";
    }
    return *path == '/' ? path + strspn(path, "/") - 1 : path;
}

static void check(void *context, struct exchange *exchange)
{
    struct service *service = context;
    struct call *call = xmalloc_unguarded(1, sizeof *call);
    *call = (struct call){.service = service};
    exchange->context = call;
    const char *path = path_asked(exchange->path);
    call->endpoint = endpoint_find(path);
    call->file = find_file(path);
    set_address(service, call, exchange);
    if (call->endpoint < 0 && !call->file)
        answer_error(&exchange->answer, 404, "Not found");
    else
        check_method(exchange, call->endpoint >= 0 && endpoint_at(call->endpoint)->post);
    if (exchange->answer.status)
        service_add_headers(service, &exchange->answer);
}

static void serve_asked(struct service *service, struct exchange *exchange, const struct endpoint *endpoint)
{
    struct call *call = exchange->context;
    const struct request_body body = {
        .type = exchange_header(exchange, "Content-Type"),
        .encoding = exchange_header(exchange, "Content-Encoding"),
        .query = exchange->query,
        .bytes = exchange->body.text ? exchange->body.text : "",
        .count = exchange->body.length,
    };
    struct err err;
    struct json *fields = request_fields(&body, &err);
    if (!fields) {
        answer_error(&exchange->answer, 400, err.text);
        return;
    }
    call->fields = fields;
    if (may_ask(service, exchange))
        endpoint->serve(service, exchange);
    json_free(fields);
}

static void serve(void *context, struct exchange *exchange)
{
    struct service *service = context;
    const struct call *call = exchange->context;
    const struct endpoint *endpoint = call->endpoint < 0 ? NULL : endpoint_at(call->endpoint);
    if (!endpoint)
        serve_file(exchange, call->file);
    else if (endpoint->asks)
        serve_asked(service, exchange, endpoint);
    else
        endpoint->serve(service, exchange);
    if (exchange->answer.status)
        service_add_headers(service, &exchange->answer);
}

static void start(void *context, struct exchange *exchange)
{
    struct service *service = context;
    struct call *call = exchange->context;
    engine_submit(service->engine, call->job);
}

static void gone(void *context, struct exchange *exchange)
{
    (void)context;
    call_cancel(exchange->context);
}

/* ---- the end of a request ---- */

static void log_access(void *context)
{
    const struct exchange *exchange = context;
    const struct call *call = exchange->context;
    const struct access access = {
        .address = call->address,
        .method = exchange->method,
        .path = exchange->path,
        .old = exchange->old,
        .status = exchange->answer.status,
        .bytes = answer_bytes(&exchange->answer),
        .seconds = clock_seconds() - exchange->begun,
        .sentences = call->sentences,
        .text = call->text,
    };
    access_log_add(&call->service->log, &access);
}

static void end(void *context, struct exchange *exchange, bool sent)
{
    struct service *service = context;
    struct call *call = exchange->context;
    if (!call)
        return;
    if (!sent || !exchange->answer.status)
        exchange->answer.status = 499; /* as nginx logs a client that has gone */
    server_metrics_count(&service->metrics, call->endpoint, exchange->answer.status);
    if (call->translated)
        server_metrics_add_duration(&service->metrics, clock_seconds() - exchange->begun);
    mem_guard(log_access, exchange, NULL);
    xfree(call->text);
    xfree(call);
}

struct http_service service_functions(struct service *service)
{
    return (struct http_service){service, check, serve, start, gone, refuse_status, end};
}

/* ---- the life of a service ---- */

/* Is it "*", or a scheme and a host, without a path? Browsers compare it with what they send. */
static bool is_origin(const char *text)
{
    const char *host = strstr(text, "://");
    return !strcmp(text, "*") || (host && host > text && host[3] && !text[strcspn(text, "*, \t\r\n")] &&
                                  !strpbrk(host + 3, "/?#@"));
}

int service_init(struct service *service, const struct server_options *options, struct err *err)
{
    uint64_t seed[2];
    if (options->cors && !is_origin(options->cors))
        return err_set(err, "cannot allow the pages of '%s': an origin is https://example.org, or * for all",
                       options->cors);
    if (getrandom(seed, sizeof seed, 0) != sizeof seed)
        return err_set_errno(err, "cannot get random numbers");
    service->options = options;
    service->keys = (struct keys){NULL, 0, 0};
    service->metrics.started = clock_seconds();
    rate_limit_init(&service->addresses, seed[0]);
    rate_limit_init(&service->key_uses, seed[1]);
    pthread_mutex_init(&service->mutex, NULL);
    if (options->keys && keys_load(&service->keys, options->keys, err))
        return -1;
    if (access_log_open(&service->log, options->access_log, log_is_quiet(), err)) {
        keys_release(&service->keys);
        return -1;
    }
    service->engine_options =
        (struct engine_options){&options->models, &options->settings, options->threads,
                                options->max_sentences, options->max_sentences * WAITING_PER_SENTENCE};
    service->engine = engine_new(&service->engine_options, err);
    if (service->engine)
        return 0;
    service_release(service);
    return -1;
}

void service_release(struct service *service)
{
    engine_free(service->engine);
    access_log_close(&service->log);
    keys_release(&service->keys);
    pthread_mutex_destroy(&service->mutex);
}

struct reloading {
    struct service *service;
    struct keys keys;
    int failed;
    struct err err;
};

static void load_keys(void *context)
{
    struct reloading *reloading = context;
    reloading->failed = keys_load(&reloading->keys, reloading->service->options->keys, &reloading->err);
}

static int reload_keys(struct service *service, struct err *err)
{
    struct reloading reloading = {.service = service};
    if (mem_guard(load_keys, &reloading, &reloading.err) || reloading.failed) {
        *err = reloading.err;
        return -1;
    }
    pthread_mutex_lock(&service->mutex);
    struct keys old = service->keys;
    service->keys = reloading.keys;
    pthread_mutex_unlock(&service->mutex);
    keys_release(&old);
    return 0;
}

void service_reload(struct service *service)
{
    struct err err;
    if (engine_reload(service->engine, &err))
        log_warn("%s; the models stay as they were", err.text);
    else
        log_info("read the models again");
    if (service->options->keys && reload_keys(service, &err))
        log_warn("%s; the keys stay as they were", err.text);
    if (access_log_reopen(&service->log, &err))
        log_warn("%s; the log stays open as it was", err.text);
}

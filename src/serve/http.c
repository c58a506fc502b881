/* Runs libmicrohttpd in a loop of our own, beside the listening sockets and the connections whose clients
 * wait for an answer: all of that in one thread, and other threads only hand answers over. */
#include "http.h"

#include "log.h"
#include "mem.h"
#include "mem_guard.h"
#include "peers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define TICK_SECONDS 0.5          /* between looks at what is late */
#define CONNECTION_BYTES 65536    /* of libmicrohttpd, for a connection: all headers, and cookies once more */
#define SENT_PER_SECOND 16384.0   /* bytes that even a slow client takes, … */
#define MOST_SEND_SECONDS 300.0   /* … and for how long */
#define OPEN_ANSWERS (256u << 20) /* bytes of all answers: with more, only small ones are sent */
#define SMALL_ANSWER 65536
#define SKIPPED_BODY (16u << 20) /* most bytes of a body that are read for nothing */
#define OPEN_BODIES (256u << 20) /* bytes of all bodies that have not been served */
#define ACCEPTED_IN_TURN 64
#define PAUSE_SECONDS 0.1 /* in accepting, where there are no descriptors */

struct http {
    struct listeners *listeners;
    struct http_service service;
    struct http_options options;
    struct MHD_Daemon *daemon;
    struct peers peers;
    int epoll, wake;
    pthread_t thread;
    size_t body_bytes, answer_bytes;
    struct http_counts counts;
    double paused_until; /* accepting; 0: it goes on */
    double next_tick;
    atomic_bool draining;
    double drain_until; /* set before `draining` */
    pthread_mutex_t mutex;
    struct exchange *answered; /* under the mutex */
};

/* ---- answers ---- */

void answer_add_header(struct answer *answer, const char *name, const char *value)
{
    ASSERT(answer->header_count < MOST_ANSWER_HEADERS);
    answer->headers[answer->header_count++] = (struct answer_header){name, value};
}

size_t answer_bytes(const struct answer *answer)
{
    return answer->bytes ? answer->length : answer->text.length;
}

const char *exchange_header(const struct exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
}

struct wanted_header {
    const char *name, *last;
    bool again; /* there are several */
};

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct wanted_header *wanted = context;
    (void)kind;
    if (strcasecmp(name, wanted->name) != 0)
        return MHD_YES;
    wanted->again = wanted->last != NULL;
    wanted->last = value ? value : "";
    return MHD_YES;
}

static struct wanted_header find_header(const struct exchange *exchange, const char *name)
{
    struct wanted_header wanted = {name, NULL, false};
    MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, take_header, &wanted);
    return wanted;
}

const char *exchange_last_header(const struct exchange *exchange, const char *name)
{
    return find_header(exchange, name).last;
}

/* A function of the service, for a request. */
struct guarded_call {
    void (*function)(void *service, struct exchange *exchange);
    struct exchange *exchange;
};

static void make_call(void *context)
{
    const struct guarded_call *call = context;
    call->function(call->exchange->http->service.service, call->exchange);
}

static void refuse(struct exchange *exchange, int status);

static void call_guarded(struct exchange *exchange, void (*function)(void *, struct exchange *))
{
    struct guarded_call call = {function, exchange};
    if (mem_guard(make_call, &call, NULL))
        refuse(exchange, MHD_HTTP_INTERNAL_SERVER_ERROR);
}

struct refusal {
    struct exchange *exchange;
    int status;
};

static void make_refusal(void *context)
{
    const struct refusal *refusal = context;
    const struct http_service *service = &refusal->exchange->http->service;
    service->refuse(service->service, refusal->exchange, refusal->status);
}

static void refuse(struct exchange *exchange, int status)
{
    static const char no_memory[] = "{\"error\":\"out of memory\"}";
    struct refusal refusal = {exchange, status};
    if (!mem_guard(make_refusal, &refusal, NULL))
        return;
    struct answer *answer = &exchange->answer;
    *answer = (struct answer){.status = MHD_HTTP_INTERNAL_SERVER_ERROR, .type = "application/json"};
    answer->bytes = no_memory;
    answer->length = sizeof no_memory - 1;
}

/* Clients that do not read their answers could hold any memory. */
static void count_answer(struct exchange *exchange)
{
    struct http *http = exchange->http;
    struct answer *answer = &exchange->answer;
    if (answer->text.length > SMALL_ANSWER && http->answer_bytes > OPEN_ANSWERS) {
        strbuf_release(&answer->text);
        *answer = (struct answer){.status = 0};
        refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE);
    }
    exchange->answer_bytes = answer->text.length;
    http->answer_bytes += exchange->answer_bytes;
}

static enum MHD_Result send_answer(struct exchange *exchange)
{
    count_answer(exchange);
    const struct answer *answer = &exchange->answer;
    const size_t bytes = answer_bytes(answer);
    struct http *http = exchange->http;
    const char *from = answer->bytes ? answer->bytes : bytes ? answer->text.text : "";
    void *kept; /* by the exchange until it is sent; libmicrohttpd does not write to it */
    memcpy(&kept, &from, sizeof kept);
    struct MHD_Response *response = MHD_create_response_from_buffer(bytes, kept, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    bool complete = !answer->type || MHD_add_response_header(response, "Content-Type", answer->type);
    for (int i = 0; i < answer->header_count; i++)
        complete &= MHD_add_response_header(response, answer->headers[i].name, answer->headers[i].value);
    if (atomic_load(&http->draining) || exchange->peer->refused)
        MHD_add_response_header(response, "Connection", "close");
    const enum MHD_Result queued =
        complete ? MHD_queue_response(exchange->connection, (unsigned)answer->status, response) : MHD_NO;
    MHD_destroy_response(response);
    exchange->queued = queued == MHD_YES;
    exchange->peer->state = PEER_SENDING;
    exchange->peer->deadline = clock_seconds() + http->options.idle_seconds +
                               fmin((double)bytes / SENT_PER_SECOND, MOST_SEND_SECONDS);
    return queued;
}

/* ---- a request ---- */

/* The request line has come. Not xcalloc: without memory the connection is closed. */
static void *begin_exchange(void *context, const char *uri, struct MHD_Connection *connection)
{
    struct http *http = context;
    const char *query = strchr(uri, '?');
    const size_t bytes = query ? strlen(query + 1) : 0;
    struct exchange *exchange = calloc(1, sizeof *exchange + bytes + 1);
    if (!exchange)
        return NULL;
    exchange->http = http;
    exchange->connection = connection;
    exchange->query = memcpy(exchange + 1, query ? query + 1 : "", bytes + 1);
    exchange->peer = peers_find(
        &http->peers, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
    const char *nul = strstr(uri, "%00"); /* libmicrohttpd would end the path there */
    exchange->path = nul && (!query || nul < query) ? "(NUL)" : NULL;
    exchange->begun = clock_seconds();
    memcpy(exchange->address, exchange->peer->address, sizeof exchange->address);
    exchange->local = !exchange->peer->remote;
    return exchange;
}

static void end_exchange(void *context, struct MHD_Connection *connection, void **place,
                         enum MHD_RequestTerminationCode code)
{
    struct http *http = context;
    struct exchange *exchange = *place;
    (void)connection;
    (void)code; /* it may be an error where the client has read its answer and closed at once */
    if (!exchange)
        return;
    http->service.end(http->service.service, exchange, exchange->queued && !exchange->gone);
    http->body_bytes -= exchange->body.length;
    http->answer_bytes -= exchange->answer_bytes;
    exchange->peer->state = PEER_IDLE;
    exchange->peer->deadline = clock_seconds() + http->options.idle_seconds;
    if (exchange->body.text)
        strbuf_release(&exchange->body);
    if (exchange->answer.text.text)
        strbuf_release(&exchange->answer.text);
    free(exchange);
    *place = NULL;
}

/* Is it known to have a body over the limit? */
static bool is_too_large(const struct exchange *exchange)
{
    const char *length = exchange_header(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length && strtoull(length, NULL, 10) > exchange->http->options.max_body;
}

/* Might a proxy in front of us have seen another end of the body? RFC 9112, 6.1 and 6.3. */
static bool has_unclear_end(const struct exchange *exchange)
{
    const struct wanted_header length = find_header(exchange, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const struct wanted_header coding = find_header(exchange, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    return length.again || coding.again ||
           (coding.last && (length.last || strcasecmp(coding.last, "chunked") != 0));
}

/* The headers have come. */
static enum MHD_Result check(struct exchange *exchange)
{
    exchange->peer->state = PEER_RECEIVING;
    exchange->peer->deadline = clock_seconds() + exchange->http->options.idle_seconds;
    call_guarded(exchange, exchange->http->service.check);
    const bool unclear = has_unclear_end(exchange);
    if (!unclear && !is_too_large(exchange))
        return MHD_YES;
    if (!exchange->answer.status)
        refuse(exchange, unclear ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_CONTENT_TOO_LARGE);
    exchange->peer->refused = true;
    return send_answer(exchange);
}

struct piece {
    struct exchange *exchange;
    const char *bytes;
    size_t count;
};

static void add_piece(void *context)
{
    const struct piece *piece = context;
    strbuf_add(&piece->exchange->body, piece->bytes, piece->count);
}

static void drop_body(struct exchange *exchange, int status)
{
    exchange->http->body_bytes -= exchange->body.length;
    if (exchange->body.text)
        strbuf_release(&exchange->body);
    exchange->body = (struct strbuf){NULL, 0, 0};
    if (!exchange->answer.status)
        refuse(exchange, status);
}

/* A body that is refused is read to its end, for only then libmicrohttpd takes an answer. */
static enum MHD_Result receive(struct exchange *exchange, const char *bytes, size_t count)
{
    struct http *http = exchange->http;
    struct piece piece = {exchange, bytes, count};
    exchange->received += count;
    if (exchange->answer.status)
        return exchange->received > http->options.max_body + SKIPPED_BODY ? MHD_NO : MHD_YES;
    if (exchange->received > http->options.max_body)
        drop_body(exchange, MHD_HTTP_CONTENT_TOO_LARGE);
    else if (http->body_bytes + count > OPEN_BODIES + http->options.max_body)
        drop_body(exchange, MHD_HTTP_SERVICE_UNAVAILABLE);
    else if (mem_guard(add_piece, &piece, NULL))
        drop_body(exchange, MHD_HTTP_INTERNAL_SERVER_ERROR);
    else
        http->body_bytes += count;
    return MHD_YES;
}

/* All has come. At the first call, libmicrohttpd would still read from the connection before it sends the
 * answer, and close it if the client has closed its own half; it does no longer when it has to call
 * again. */
static enum MHD_Result serve(struct exchange *exchange)
{
    struct http *http = exchange->http;
    if (!exchange->complete) {
        exchange->complete = true;
        return MHD_YES;
    }
    if (!exchange->answer.status)
        call_guarded(exchange, http->service.serve);
    if (exchange->answer.status)
        return send_answer(exchange);
    exchange->waiting = true;
    MHD_suspend_connection(exchange->connection);
    peers_watch(&http->peers, exchange->peer, exchange);
    http->service.start(http->service.service, exchange);
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *bytes, size_t *count,
                              void **place)
{
    struct exchange *exchange = *place;
    (void)context;
    (void)connection;
    if (!exchange)
        return MHD_NO;
    if (!exchange->method) {
        exchange->method = method;
        if (!exchange->path)
            exchange->path = path;
        exchange->old = strcmp(version, MHD_HTTP_VERSION_1_1) != 0;
        return check(exchange);
    }
    if (*count) {
        const size_t received = *count;
        *count = 0;
        return receive(exchange, bytes, received);
    }
    return exchange->waiting ? send_answer(exchange) : serve(exchange);
}

/* ---- connections ---- */

static void notify(void *context, struct MHD_Connection *connection, void **place,
                   enum MHD_ConnectionNotificationCode code)
{
    struct http *http = context;
    (void)place;
    struct peer *peer = peers_find(
        &http->peers, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
    if (peer && code == MHD_CONNECTION_NOTIFY_CLOSED)
        peers_remove(&http->peers, peer);
}

/* False if there is nobody to accept. */
static bool accept_one(struct http *http, const struct listener *listener)
{
    struct sockaddr_storage address;
    socklen_t bytes = sizeof address;
    memset(&address, 0, sizeof address);
    const int fd = accept(listener->fd, (struct sockaddr *)(void *)&address, &bytes);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            http->paused_until = clock_seconds() + PAUSE_SECONDS;
        return errno == ECONNABORTED || errno == EINTR;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    struct sockaddr *from = (struct sockaddr *)(void *)&address;
    struct peer *peer = peers_add(&http->peers, fd, from);
    if (!peer) {
        http->counts.refused++;
        close(fd);
        return true;
    }
    peer->deadline = clock_seconds() + http->options.idle_seconds;
    http->counts.accepted++;
    if (MHD_add_connection(http->daemon, fd, from, bytes) != MHD_YES && peers_find(&http->peers, fd) == peer)
        peers_remove(&http->peers, peer);
    return true;
}

static void accept_some(struct http *http, const struct listener *listener, int most)
{
    while (most-- && !http->paused_until && accept_one(http, listener))
        ;
}

static void listen_on(struct http *http, int operation)
{
    for (int i = 0; i < http->listeners->count; i++) {
        const int fd = http->listeners->items[i].fd;
        struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};
        epoll_ctl(http->epoll, operation, fd, &event);
    }
}

/* ---- the loop ---- */

void http_answered(struct exchange *exchange)
{
    struct http *http = exchange->http;
    const uint64_t one = 1;
    pthread_mutex_lock(&http->mutex);
    exchange->next = http->answered;
    http->answered = exchange;
    /* Under the mutex: the exchange and its server may end as soon as it is unlocked. */
    if (!exchange->next && write(http->wake, &one, sizeof one) < 0)
        BUG("cannot wake the thread of http");
    pthread_mutex_unlock(&http->mutex);
}

static void resume_answered(struct http *http)
{
    pthread_mutex_lock(&http->mutex);
    struct exchange *exchange = http->answered;
    http->answered = NULL;
    pthread_mutex_unlock(&http->mutex);
    while (exchange) {
        struct exchange *next = exchange->next;
        peers_unwatch(&http->peers, exchange->peer);
        MHD_resume_connection(exchange->connection);
        exchange = next;
    }
}

static void handle_event(struct http *http, const struct epoll_event *event)
{
    const int fd = event->data.fd;
    uint64_t wakes;
    if (fd == http->wake) {
        if (read(fd, &wakes, sizeof wakes) < 0 && errno != EAGAIN)
            BUG("cannot read from an eventfd");
        return;
    }
    for (int i = 0; i < http->listeners->count; i++)
        if (http->listeners->items[i].fd == fd) {
            accept_some(http, &http->listeners->items[i], ACCEPTED_IN_TURN);
            return;
        }
    struct peer *peer = peers_find(&http->peers, fd);
    struct exchange *exchange = peer ? peer->exchange : NULL;
    if (peer && peers_event(&http->peers, peer, event->events, exchange && !exchange->old) && exchange) {
        exchange->gone = true;
        http->service.gone(http->service.service, exchange);
    }
}

static void tick(struct http *http)
{
    const double now = clock_seconds();
    if (now < http->next_tick)
        return;
    http->next_tick = now + TICK_SECONDS;
    http->counts.late += peers_end_late(&http->peers, now);
    if (http->paused_until && now >= http->paused_until) {
        http->paused_until = 0;
        listen_on(http, EPOLL_CTL_ADD);
    }
    if (atomic_load(&http->draining))
        peers_end_idle(&http->peers);
}

static void wait_and_handle(struct http *http)
{
    struct epoll_event events[64];
    MHD_UNSIGNED_LONG_LONG most;
    int milliseconds = (int)(TICK_SECONDS * 1000);
    if (MHD_get_timeout(http->daemon, &most) == MHD_YES && most < (unsigned)milliseconds)
        milliseconds = (int)most;
    const int count = epoll_wait(http->epoll, events, sizeof events / sizeof *events, milliseconds);
    for (int i = 0; i < count; i++)
        handle_event(http, &events[i]);
    resume_answered(http);
    MHD_run(http->daemon);
    if (http->paused_until)
        listen_on(http, EPOLL_CTL_DEL);
    tick(http);
}

static void cancel_watched(struct http *http)
{
    for (size_t fd = 0; fd < http->peers.most_fds; fd++)
        if (http->peers.of_fd[fd] && http->peers.of_fd[fd]->exchange)
            http->service.gone(http->service.service, http->peers.of_fd[fd]->exchange);
}

/* Whoever has been let in by the system, gets an answer; who comes later is refused at once. */
static void drain(struct http *http)
{
    for (int i = 0; i < http->listeners->count; i++)
        accept_some(http, &http->listeners->items[i], 1 << 16);
    listen_on(http, EPOLL_CTL_DEL); /* the system may hold their sockets open, too */
    listeners_close(http->listeners);
    MHD_run(http->daemon);
    http->next_tick = 0;
    while (http->peers.count && clock_seconds() < http->drain_until)
        wait_and_handle(http);
    cancel_watched(http);
    while (peers_watched(&http->peers))
        wait_and_handle(http);
    MHD_run(http->daemon);
}

static void *run_daemon(void *context)
{
    struct http *http = context;
    while (!atomic_load(&http->draining))
        wait_and_handle(http);
    drain(http);
    return NULL;
}

/* ---- the life of a server ---- */

static struct MHD_Daemon *start_daemon(struct http *http)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, http,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)http->peers.most + 1, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_BYTES, MHD_OPTION_NOTIFY_COMPLETED, end_exchange, http,
        MHD_OPTION_NOTIFY_CONNECTION, notify, http, MHD_OPTION_URI_LOG_CALLBACK, begin_exchange, http,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

static void watch_own(struct http *http)
{
    const int own[] = {http->wake, MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.fd = own[i]}};
        epoll_ctl(http->epoll, EPOLL_CTL_ADD, own[i], &event);
    }
}

struct http *http_new(struct listeners *listeners, const struct http_service *service,
                      const struct http_options *options, struct err *err)
{
    struct http *http = xcalloc(1, sizeof *http);
    http->listeners = listeners;
    http->service = *service;
    http->options = *options;
    http->epoll = epoll_create1(EPOLL_CLOEXEC);
    http->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    atomic_init(&http->draining, false);
    pthread_mutex_init(&http->mutex, NULL);
    peers_init(&http->peers, http->epoll);
    http->daemon = http->epoll < 0 || http->wake < 0 ? NULL : start_daemon(http);
    if (!http->daemon) {
        err_set_errno(err, "cannot start a server");
        http_free(http);
        return NULL;
    }
    watch_own(http);
    listen_on(http, EPOLL_CTL_ADD);
    if (!pthread_create(&http->thread, NULL, run_daemon, http))
        return http;
    err_set(err, "cannot start a thread");
    http_free(http);
    return NULL;
}

void http_count(const struct http *http, struct http_counts *counts)
{
    *counts = http->counts;
    counts->connections = http->peers.count;
}

void http_drain(struct http *http, double seconds)
{
    const uint64_t one = 1;
    http->drain_until = clock_seconds() + seconds;
    atomic_store(&http->draining, true);
    if (write(http->wake, &one, sizeof one) < 0)
        BUG("cannot wake the thread of http");
    pthread_join(http->thread, NULL);
}

void http_free(struct http *http)
{
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    peers_release(&http->peers);
    if (http->epoll >= 0)
        close(http->epoll);
    if (http->wake >= 0)
        close(http->wake);
    pthread_mutex_destroy(&http->mutex);
    xfree(http);
}

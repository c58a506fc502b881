/* http: HTTP/1.1 over listening sockets, in one thread, for a service that makes the answers. Knows nothing
 * of translation. The only user of libmicrohttpd.
 *
 * A request that is not there in time is closed, however slowly it drips. While an answer is being made
 * elsewhere, the client is watched: if it has gone, the service is told. A client that has only closed its
 * own half of the connection still gets its answer. */
#ifndef NMT_HTTP_H
#define NMT_HTTP_H

#include "err.h"
#include "listen.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

#define MOST_ANSWER_HEADERS 12

struct answer_header {
    const char *name;
    const char *value;
};

/* What the client gets: `text`, or `bytes` of somebody who keeps them. */
struct answer {
    int status;       /* 0: not known so far */
    const char *type; /* media type */
    struct strbuf text;
    const char *bytes; /* NULL: text */
    size_t length;     /* of bytes */
    struct answer_header headers[MOST_ANSWER_HEADERS];
    int header_count;
};

/* A name and a value that outlive the answer. */
void answer_add_header(struct answer *answer, const char *name, const char *value);
size_t answer_bytes(const struct answer *answer);

/* A request, and its answer. */
struct exchange {
    const char *method, *path; /* the path is decoded, and without what follows a '?' */
    char *query;               /* that, as it came; "" if there is none */
    char address[48];          /* the client's; "unix" for a Unix socket */
    bool local;                /* it comes over a Unix socket or from this machine */
    bool old;                  /* HTTP/1.0, which has no interim answers */
    struct strbuf body;
    double begun; /* clock_seconds() */
    struct answer answer;
    void *context; /* the service's; NULL at first */

    struct http *http; /* the rest is http's own */
    struct MHD_Connection *connection;
    struct peer *peer;
    struct exchange *next;
    size_t received;     /* bytes of the body, also of one that is too large */
    size_t answer_bytes; /* of the text that is being sent */
    bool complete;       /* its last byte has come */
    bool waiting;        /* the answer is being made, or has been */
    bool queued;         /* it has been given to be sent */
    bool gone;           /* the client had gone before */
};

/* A header of the request, or NULL. In the thread of http only. */
const char *exchange_header(const struct exchange *exchange, const char *name);
/* The last one of that name: what a proxy adds comes behind what the client has sent. */
const char *exchange_last_header(const struct exchange *exchange, const char *name);

/* What the service does, in the thread of http. `check`, `serve` and `refuse` run under a guard
 * (mem_guard.h): where memory runs out, the answer is 500. */
struct http_service {
    void *service;
    /* The headers have come: may set the answer, so that the body is not read. */
    void (*check)(void *service, struct exchange *exchange);
    /* The body has come: sets the answer, or leaves it to `start`. */
    void (*serve)(void *service, struct exchange *exchange);
    /* Begins what ends in http_answered. */
    void (*start)(void *service, struct exchange *exchange);
    /* The client has gone after `start` and before http_answered. */
    void (*gone)(void *service, struct exchange *exchange);
    /* Sets the answer to a request that cannot be served. */
    void (*refuse)(void *service, struct exchange *exchange, int status);
    /* The answer has been sent, or not. Releases the context. */
    void (*end)(void *service, struct exchange *exchange, bool sent);
};

struct http_options {
    size_t max_body;     /* bytes */
    double idle_seconds; /* until a request has come */
};

struct http_counts {
    size_t connections;
    long accepted, late, refused; /* connections: taken, closed as too slow or idle, closed at a limit */
};

/* Starts the thread. The sockets stay their owner's until http_drain. */
struct http *http_new(struct listeners *listeners, const struct http_service *service,
                      const struct http_options *options, struct err *err);
/* The exchange has its answer. From any thread, once after `start`. */
void http_answered(struct exchange *exchange);
/* In its thread. */
void http_count(const struct http *http, struct http_counts *counts);
/* Takes what still waits for acceptance, closes the listening sockets, answers all open requests, and ends
 * the thread; after `seconds` with those that are not answered. */
void http_drain(struct http *http, double seconds);
/* After http_drain. */
void http_free(struct http *http);

#endif

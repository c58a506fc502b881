/* endpoints: what a server answers at which path. To add one: write its function, and a row in
 * endpoints.c. */
#ifndef NMT_ENDPOINTS_H
#define NMT_ENDPOINTS_H

#include "page_files.h"
#include "request.h"
#include "service.h"

#include <stdbool.h>

struct endpoint {
    const char *path;
    bool post; /* POST, else GET and HEAD */
    bool asks; /* it needs a key, if there are keys, and counts for the limits */
    void (*serve)(struct service *service, struct exchange *exchange);
};

/* A request, as the service sees it: the context of an exchange. */
struct call {
    struct service *service;
    int endpoint;                 /* -1: none */
    const struct page_file *file; /* NULL: none */
    char address[48];
    struct json *fields;
    struct job *job; /* under the service's mutex, until it is done */
    struct wishes wishes;
    bool translated;
    size_t sentences;
    char *text;           /* as JSON, for the log; or NULL */
    char retry_after[16]; /* seconds */
};

/* The number of a path's endpoint; -1 if it has none, as the files of the page (page_files.h). */
int endpoint_find(const char *path);
const struct endpoint *endpoint_at(int number);
/* Ends a job whose client has gone, or leaves it. */
void call_cancel(struct call *call);

#endif

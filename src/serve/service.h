/* service: answers the requests that http receives: who may ask, and which of the endpoints. */
#ifndef NMT_SERVICE_H
#define NMT_SERVICE_H

#include "access_log.h"
#include "engine.h"
#include "http.h"
#include "keys.h"
#include "rate_limit.h"
#include "server.h"
#include "server_metrics.h"

#include <pthread.h>

struct service {
    const struct server_options *options;
    struct engine_options engine_options;
    struct engine *engine;
    struct access_log log;
    pthread_mutex_t mutex;
    struct keys keys; /* under the mutex; none: anybody may ask */
    /* Of the thread of http: */
    struct rate_limit addresses, key_uses;
    struct server_metrics metrics;
};

int service_init(struct service *service, const struct server_options *options, struct err *err);
void service_release(struct service *service);
/* Adds the headers by which browsers let pages of another origin ask (CORS), if one may. */
void service_add_headers(const struct service *service, struct answer *answer);
/* The functions that http calls. */
struct http_service service_functions(struct service *service);
/* Reads models and keys again, and reopens the log. What fails stays as it was, and is reported. From any
 * thread. */
void service_reload(struct service *service);

#endif

/* Puts a server together. */
#include "server.h"

#include "log.h"
#include "mem.h"
#include "service.h"

#define DRAIN_SECONDS 10 /* beside the timeout of a translation */

struct server {
    struct server_options options;
    struct listeners listeners;
    struct service service;
    struct http *http;
};

static void announce(const struct server *server)
{
    for (int i = 0; i < server->listeners.count; i++) {
        const struct listener *listener = &server->listeners.items[i];
        log_info("listening on %s", listener->name);
        if (!listener->local && !server->options.keys)
            log_warn("everybody who reaches %s may translate: there are no keys (--keys)", listener->name);
    }
}

static int start_http(struct server *server, struct err *err)
{
    const struct http_service functions = service_functions(&server->service);
    const struct http_options options = {(size_t)server->options.max_body, server->options.receive_timeout};
    if (listeners_open(&server->listeners, &server->options.listen, err))
        return -1;
    server->http = http_new(&server->listeners, &functions, &options, err);
    if (server->http)
        return 0;
    listeners_close(&server->listeners);
    return -1;
}

struct server *server_new(const struct server_options *options, struct err *err)
{
    struct server *server = xcalloc(1, sizeof *server);
    server->options = *options;
    if (service_init(&server->service, &server->options, err)) {
        xfree(server);
        return NULL;
    }
    if (start_http(server, err)) {
        service_release(&server->service);
        xfree(server);
        return NULL;
    }
    announce(server);
    return server;
}

void server_reload(struct server *server)
{
    service_reload(&server->service);
}

void server_free(struct server *server)
{
    http_drain(server->http, server->options.timeout + DRAIN_SECONDS);
    http_free(server->http);
    service_release(&server->service);
    xfree(server);
}

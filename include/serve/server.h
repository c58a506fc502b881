/* server: translation over HTTP, with LibreTranslate's interface. */
#ifndef NMT_SERVER_H
#define NMT_SERVER_H

#include "err.h"
#include "parseopt.h"

#include <stdbool.h>

/* What is not set is 0 or NULL. */
struct server_options {
    struct string_list models;   /* at least one */
    struct string_list settings; /* "decoding.beam=5" */
    struct string_list listen;   /* addresses; none: as listen.h says */
    int threads;                 /* that translate */
    int max_body;                /* bytes of a request */
    int max_sentences, max_beam; /* of a request */
    int max_characters;          /* of a request; 0: any number */
    double timeout;              /* seconds of a translation */
    double receive_timeout;      /* seconds until a request must have come */
    int rate;                    /* requests of an address in a minute; 0: any number */
    const char *keys;            /* file of API keys */
    const char *cors;            /* origin whose pages may ask; "*": all */
    const char *access_log;      /* file; NULL: standard error */
    bool log_text;               /* texts are logged, too */
    bool proxy;                  /* clients' addresses are those that a proxy names */
};

struct server;

/* Begins to serve, in threads of its own, and says on which addresses. NULL on failure. */
struct server *server_new(const struct server_options *options, struct err *err);
/* Reads models and keys again, and opens the log anew: requests go on meanwhile. What fails stays as it was,
 * with a warning. */
void server_reload(struct server *server);
/* Takes no new requests, answers those that are open, and ends. */
void server_free(struct server *server);

#endif

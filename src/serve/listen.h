/* listen: the sockets on which a server waits for connections. */
#ifndef NMT_LISTEN_H
#define NMT_LISTEN_H

#include "err.h"
#include "parseopt.h"

#include <stdbool.h>
#include <sys/types.h>

struct listener {
    int fd;
    char *name;   /* "http://127.0.0.1:5000" or "unix:PATH", with the port that it has got */
    char *path;   /* of a Unix socket of our own, which is removed in the end; else NULL */
    dev_t device; /* the socket there … */
    ino_t inode;
    bool local; /* reachable from this machine only */
};

struct listeners {
    struct listener items[LIST_MAX];
    int count;
};

#define DEFAULT_LISTEN "127.0.0.1:5000"

/* Opens "ADDRESS:PORT", "[IPV6]:PORT" and "unix:PATH", and takes the sockets that systemd passes
 * (LISTEN_FDS). If there are none of either, DEFAULT_LISTEN. */
int listeners_open(struct listeners *listeners, const struct string_list *addresses, struct err *err);
void listeners_close(struct listeners *listeners);

#endif

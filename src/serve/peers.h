/* peers: the connections of a server, beside what libmicrohttpd knows of them: when each is too late, how
 * many there are, which client has gone. All in one thread. */
#ifndef NMT_PEERS_H
#define NMT_PEERS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

enum peer_state {
    PEER_IDLE,      /* no request so far, or not all of its headers */
    PEER_RECEIVING, /* a body */
    PEER_WATCHED,   /* its answer is being made */
    PEER_SENDING,
    PEER_LINGERING /* closed but for what it still sends */
};

struct peer {
    int fd;
    enum peer_state state;
    double deadline; /* of clock_seconds(); 0: none */
    bool remote;     /* over TCP, from another machine */
    bool tcp;
    bool half_closed;
    bool refused;   /* its request is not read to its end */
    unsigned group; /* of addresses, whose number is limited */
    char address[48];
    struct exchange *exchange; /* while it is watched */
};

struct peers {
    int epoll;
    struct peer **of_fd; /* [most_fds] */
    size_t most_fds;
    size_t count, most; /* connections */
    unsigned *in_group; /* [PEER_GROUPS] */
};

/* Sees that files can be opened for many connections. `epoll`: events have a descriptor as their data. */
void peers_init(struct peers *peers, int epoll);
void peers_release(struct peers *peers);
/* A connection that has been accepted; NULL if there are too many, of that address or at all, or no
 * memory. */
struct peer *peers_add(struct peers *peers, int fd, const struct sockaddr *address);
/* The connection is about to be closed. One whose request has not been read to its end stays, so that the
 * client can read the answer before it learns that nobody reads the rest. */
void peers_remove(struct peers *peers, struct peer *peer);
/* NULL: not a connection. */
struct peer *peers_find(const struct peers *peers, int fd);
void peers_watch(struct peers *peers, struct peer *peer, struct exchange *exchange);
void peers_unwatch(struct peers *peers, struct peer *peer);
/* Is any watched? */
bool peers_watched(const struct peers *peers);
/* What epoll says of a watched or lingering one. True if the client has gone. */
bool peers_event(struct peers *peers, struct peer *peer, unsigned events, bool may_probe);
/* Ends the connections that are late; returns their number. */
long peers_end_late(struct peers *peers, double now);
/* Ends those from which nothing is expected. */
void peers_end_idle(struct peers *peers);

#endif

/* Keeps the table of connections. A client that has gone looks like one that has closed its own half only,
 * until something is sent to it: its machine then refuses that. */
#include "peers.h"

#include "log.h"
#include "mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_FILES 65536u  /* descriptors, if the system allows them */
#define OTHER_FILES 64u    /* that are no connections: models, logs, sockets */
#define PEER_GROUPS 4096u  /* of addresses */
#define GROUP_PART 4       /* a group may have the fourth part of all connections */
#define LINGER_SECONDS 2.0 /* until a refused request must have ended */

/* What may be sent before any answer, and means nothing to the client. */
static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";

static size_t raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return 1024;
    const rlim_t wanted = limit.rlim_max < MOST_FILES ? limit.rlim_max : MOST_FILES;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur < MOST_FILES ? (size_t)limit.rlim_cur : MOST_FILES;
}

void peers_init(struct peers *peers, int epoll)
{
    const size_t files = raise_file_limit();
    *peers = (struct peers){.epoll = epoll, .most_fds = files};
    peers->most = files > 2 * OTHER_FILES ? files - OTHER_FILES : files / 2;
    peers->of_fd = xcalloc(files, sizeof(struct peer *));
    peers->in_group = xcalloc(PEER_GROUPS, sizeof(unsigned));
}

void peers_release(struct peers *peers)
{
    for (size_t fd = 0; fd < peers->most_fds; fd++)
        if (peers->of_fd[fd]) {
            if (peers->of_fd[fd]->state == PEER_LINGERING)
                close((int)fd);
            free(peers->of_fd[fd]);
        }
    xfree(peers->of_fd);
    xfree(peers->in_group);
}

/* ---- addresses ---- */

static unsigned group_of(const unsigned char *bytes, size_t count)
{
    unsigned hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return (hash ^ hash >> 12) % PEER_GROUPS;
}

static void set_v4(struct peer *peer, const void *address)
{
    const unsigned char *bytes = address;
    inet_ntop(AF_INET, address, peer->address, sizeof peer->address);
    peer->remote = bytes[0] != 127;
    peer->group = group_of(bytes, 4);
}

/* Of IPv6, a group is a network of 64 bits, as one client may have. A socket for both, as systemd may pass,
 * has clients of IPv4 under mapped addresses. */
static void set_address(struct peer *peer, const struct sockaddr *address)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;
    if (address->sa_family == AF_INET) {
        set_v4(peer, &v4->sin_addr);
    } else if (address->sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
        set_v4(peer, v6->sin6_addr.s6_addr + 12);
    } else if (address->sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &v6->sin6_addr, peer->address, sizeof peer->address);
        peer->remote = !IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
        peer->group = group_of(v6->sin6_addr.s6_addr, 8);
    } else {
        memcpy(peer->address, "unix", sizeof "unix");
    }
    peer->tcp = address->sa_family != AF_UNIX;
}

/* ---- the table ---- */

/* Not xcalloc: without memory one connection is refused, and nothing ends. */
struct peer *peers_add(struct peers *peers, int fd, const struct sockaddr *address)
{
    if ((size_t)fd >= peers->most_fds || peers->count >= peers->most)
        return NULL;
    struct peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    peer->fd = fd;
    set_address(peer, address);
    if (peer->remote && peers->in_group[peer->group] >= peers->most / GROUP_PART) {
        free(peer);
        return NULL;
    }
    peers->in_group[peer->group] += peer->remote;
    peers->of_fd[fd] = peer;
    peers->count++;
    return peer;
}

struct peer *peers_find(const struct peers *peers, int fd)
{
    return fd >= 0 && (size_t)fd < peers->most_fds ? peers->of_fd[fd] : NULL;
}

static void forget(struct peers *peers, struct peer *peer)
{
    peers->of_fd[peer->fd] = NULL;
    peers->in_group[peer->group] -= peer->remote;
    peers->count--;
    free(peer);
}

static void listen_for(struct peers *peers, int operation, int fd, unsigned events)
{
    struct epoll_event event = {.events = events, .data = {.fd = fd}};
    epoll_ctl(peers->epoll, operation, fd, &event);
}

/* Goes on under another descriptor of the same socket. */
static bool linger(struct peers *peers, struct peer *peer)
{
    const int fd = dup(peer->fd);
    if (fd < 0 || (size_t)fd >= peers->most_fds) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    peers->of_fd[peer->fd] = NULL;
    peers->of_fd[fd] = peer;
    peer->fd = fd;
    peer->state = PEER_LINGERING;
    peer->deadline = clock_seconds() + LINGER_SECONDS;
    shutdown(fd, SHUT_WR);
    listen_for(peers, EPOLL_CTL_ADD, fd, EPOLLIN);
    return true;
}

void peers_remove(struct peers *peers, struct peer *peer)
{
    peers_unwatch(peers, peer);
    if (!peer->refused || !linger(peers, peer))
        forget(peers, peer);
}

static void end_lingering(struct peers *peers, struct peer *peer)
{
    close(peer->fd);
    forget(peers, peer);
}

/* ---- clients that have gone ---- */

void peers_watch(struct peers *peers, struct peer *peer, struct exchange *exchange)
{
    peer->state = PEER_WATCHED;
    peer->half_closed = false;
    peer->deadline = 0;
    peer->exchange = exchange;
    listen_for(peers, EPOLL_CTL_ADD, peer->fd, EPOLLRDHUP);
}

void peers_unwatch(struct peers *peers, struct peer *peer)
{
    if (peer->state != PEER_WATCHED)
        return;
    peer->state = PEER_SENDING;
    peer->exchange = NULL;
    listen_for(peers, EPOLL_CTL_DEL, peer->fd, 0);
}

bool peers_watched(const struct peers *peers)
{
    for (size_t fd = 0; fd < peers->most_fds; fd++)
        if (peers->of_fd[fd] && peers->of_fd[fd]->state == PEER_WATCHED)
            return true;
    return false;
}

static void read_away(struct peers *peers, struct peer *peer)
{
    char bytes[16384];
    const ssize_t got = recv(peer->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        end_lingering(peers, peer);
}

/* The part of an interim answer that has been sent would spoil the answer. */
static bool probe(const struct peer *peer)
{
    const ssize_t sent = send(peer->fd, interim, sizeof interim - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent == sizeof interim - 1 || (sent < 0 && (errno == EAGAIN || errno == EINTR));
}

bool peers_event(struct peers *peers, struct peer *peer, unsigned events, bool may_probe)
{
    if (peer->state != PEER_WATCHED) {
        if (peer->state == PEER_LINGERING)
            read_away(peers, peer);
        return false;
    }
    if (events & (EPOLLHUP | EPOLLERR)) {
        listen_for(peers, EPOLL_CTL_DEL, peer->fd, 0);
        return true;
    }
    if (!(events & EPOLLRDHUP) || peer->half_closed)
        return false;
    peer->half_closed = true;
    listen_for(peers, EPOLL_CTL_MOD, peer->fd, 0);
    return peer->tcp && may_probe && !probe(peer);
}

/* ---- late ones ---- */

long peers_end_late(struct peers *peers, double now)
{
    long ended = 0;
    for (size_t fd = 0, left = peers->count; left && fd < peers->most_fds; fd++) {
        struct peer *peer = peers->of_fd[fd];
        if (!peer)
            continue;
        left--;
        if (peer->deadline == 0 || now < peer->deadline)
            continue;
        if (peer->state == PEER_LINGERING) {
            end_lingering(peers, peer);
            continue;
        }
        shutdown(peer->fd, SHUT_RDWR);
        peer->deadline = 0;
        ended++;
    }
    return ended;
}

void peers_end_idle(struct peers *peers)
{
    for (size_t fd = 0; fd < peers->most_fds; fd++) {
        const struct peer *peer = peers->of_fd[fd];
        struct pollfd unread = {(int)fd, POLLIN, 0};
        if (peer && peer->state == PEER_IDLE && poll(&unread, 1, 0) == 0)
            shutdown((int)fd, SHUT_RDWR);
    }
}

/* Opens sockets. Addresses are numbers: a server asks nobody for names. */
#include "listen.h"

#include "mem.h"
#include "number.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FIRST_PASSED 3 /* descriptor: SD_LISTEN_FDS_START */
#define BACKLOG 1024

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
    struct sockaddr_storage space;
};

static socklen_t address_bytes(const union address *address)
{
    return address->any.sa_family == AF_INET    ? sizeof address->v4
           : address->any.sa_family == AF_INET6 ? sizeof address->v6
                                                : sizeof address->local;
}

/* ---- what is given ---- */

static int wrong_address(const char *text, struct err *err)
{
    return err_set(err, "cannot listen on '%s': an address is 127.0.0.1:5000, [::1]:5000 or unix:PATH", text);
}

static int parse_unix(union address *address, const char *path, struct err *err)
{
    address->local.sun_family = AF_UNIX;
    if (!*path)
        return wrong_address("unix:", err);
    if (strlen(path) >= sizeof address->local.sun_path)
        return err_set(err, "cannot listen on 'unix:%s': the path has more than %zu bytes", path,
                       sizeof address->local.sun_path - 1);
    memcpy(address->local.sun_path, path, strlen(path) + 1);
    return 0;
}

static int parse_ip(union address *address, const char *text, struct err *err)
{
    const char *colon = strrchr(text, ':');
    double port;
    if (!colon || number_read(&port, colon + 1) || port < 0 || port > 65535 || port != (int)port)
        return wrong_address(text, err);
    const bool six = text[0] == '[' && colon > text && colon[-1] == ']';
    char *host = xstrndup(text + six, (size_t)(colon - text) - (six ? 2 : 0));
    int found;
    if (six) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons((uint16_t)port);
        found = inet_pton(AF_INET6, host, &address->v6.sin6_addr);
    } else {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons((uint16_t)port);
        found = inet_pton(AF_INET, host, &address->v4.sin_addr);
    }
    xfree(host);
    return found == 1 ? 0 : wrong_address(text, err);
}

/* ---- what there is ---- */

static bool is_local(const union address *address)
{
    switch (address->any.sa_family) {
    case AF_INET:
        return ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
    case AF_INET6:
        return IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
    default:
        return true;
    }
}

static char *name_of(const union address *address)
{
    char host[INET6_ADDRSTRLEN];
    switch (address->any.sa_family) {
    case AF_INET:
        inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof host);
        return xasprintf("http://%s:%d", host, ntohs(address->v4.sin_port));
    case AF_INET6:
        inet_ntop(AF_INET6, &address->v6.sin6_addr, host, sizeof host);
        return xasprintf("http://[%s]:%d", host, ntohs(address->v6.sin6_port));
    default:
        return xasprintf("unix:%s", address->local.sun_path);
    }
}

/* Adds a socket that listens. */
static int add(struct listeners *listeners, int fd, const char *path, struct err *err)
{
    union address address;
    socklen_t bytes = sizeof address;
    memset(&address, 0, sizeof address);
    if (getsockname(fd, &address.any, &bytes))
        return err_set_errno(err, "cannot listen on descriptor %d", fd);
    if (listeners->count == LIST_MAX)
        return err_set(err, "cannot listen on more than %d sockets", LIST_MAX);
    struct stat stat = {.st_ino = 0};
    if (path && lstat(path, &stat))
        return err_set_errno(err, "cannot listen on 'unix:%s'", path);
    listeners->items[listeners->count++] = (struct listener){.fd = fd,
                                                             .name = name_of(&address),
                                                             .path = path ? xstrdup(path) : NULL,
                                                             .device = stat.st_dev,
                                                             .inode = stat.st_ino,
                                                             .local = is_local(&address)};
    return 0;
}

/* Removes a socket that nobody listens on any more, as one is left by a server that was killed. One that is
 * too busy to accept is not waited for. */
static void remove_stale(const union address *address)
{
    struct stat stat;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return;
    if (!lstat(address->local.sun_path, &stat) && S_ISSOCK(stat.st_mode) &&
        connect(fd, &address->any, sizeof address->local) && errno == ECONNREFUSED)
        unlink(address->local.sun_path);
    close(fd);
}

static int bind_and_listen(int fd, const union address *address)
{
    const int on = 1;
    if (address->any.sa_family == AF_UNIX)
        remove_stale(address);
    else
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->any.sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    return bind(fd, &address->any, address_bytes(address)) || listen(fd, BACKLOG) ? -1 : 0;
}

static int open_one(struct listeners *listeners, const char *text, struct err *err)
{
    union address address;
    const char *path = strncmp(text, "unix:", 5) == 0 ? text + 5 : NULL;
    memset(&address, 0, sizeof address);
    if (path ? parse_unix(&address, path, err) : parse_ip(&address, text, err))
        return -1;
    const int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind_and_listen(fd, &address)) {
        err_set_errno(err, "cannot listen on '%s'", text);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    if (!add(listeners, fd, path, err))
        return 0;
    close(fd);
    return -1;
}

/* ---- systemd's sockets: sd_listen_fds(3) ---- */

static int environment_number(const char *name)
{
    const char *text = getenv(name);
    double number;
    return text && !number_read(&number, text) && number > 0 && number < 1e9 ? (int)number : 0;
}

static int take_passed(struct listeners *listeners, struct err *err)
{
    const int count = environment_number("LISTEN_PID") == getpid() ? environment_number("LISTEN_FDS") : 0;
    for (int fd = FIRST_PASSED; fd < FIRST_PASSED + count; fd++) {
        int accepts = 0;
        socklen_t bytes = sizeof accepts;
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &bytes) || !accepts)
            return err_set(err, "cannot listen on descriptor %d of LISTEN_FDS: it is no socket that listens",
                           fd);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        if (add(listeners, fd, NULL, err))
            return -1;
    }
    return 0;
}

int listeners_open(struct listeners *listeners, const struct string_list *addresses, struct err *err)
{
    listeners->count = 0;
    int failed = take_passed(listeners, err);
    for (int i = 0; !failed && i < addresses->count; i++)
        failed = open_one(listeners, addresses->items[i], err);
    if (!failed && !listeners->count)
        failed = open_one(listeners, DEFAULT_LISTEN, err);
    if (failed)
        listeners_close(listeners);
    return failed;
}

/* Is it our socket that lies there, or another server's by now? */
static bool has_socket(const struct listener *listener)
{
    struct stat stat;
    return listener->path && !lstat(listener->path, &stat) && stat.st_dev == listener->device &&
           stat.st_ino == listener->inode;
}

void listeners_close(struct listeners *listeners)
{
    for (int i = 0; i < listeners->count; i++) {
        struct listener *listener = &listeners->items[i];
        const bool ours = has_socket(listener); /* while it is open, no other has its number */
        close(listener->fd);
        if (ours)
            unlink(listener->path);
        xfree(listener->path);
        xfree(listener->name);
    }
    listeners->count = 0;
}

/* bench_serve: asks a translation server on this machine for the lines of a file, one line a request, over
 * connections that stay open, each with one request at a time. Prints sentences per second, and how long
 * an answer takes. With the right translations, each answer is compared with that of its own question.
 *
 *     bench_serve --port 5000 --connections 64 --requests 5000 --source test.en
 *         [--expected test.fr] [--from en --to fr] */
#include "json.h"
#include "log.h"
#include "mem.h"
#include "parseopt.h"
#include "strbuf.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_LINES 100000
#define MOST_CONNECTIONS 10000
#define READ_BYTES 65536

struct text {
    char *lines[MOST_LINES];
    size_t count;
};

struct connection {
    int fd;
    size_t request; /* number of the one that is open */
    double begun;
    struct strbuf out, in;
    size_t sent;
};

struct load {
    int port, connections, requests;
    const char *source_path, *expected_path, *from, *to;
    struct text source, expected;
    struct connection *all; /* [connections] */
    int epoll;
    size_t begun, ended, wrong, failed;
    double *seconds; /* [requests] */
};

static void die(const char *what)
{
    fprintf(stderr, "bench_serve: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void read_text(struct text *text, const char *path)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        die(path);
    while (text->count < MOST_LINES && getline(&line, &bytes, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        text->lines[text->count++] = xstrdup(line);
    }
    free(line);
    fclose(file);
}

/* ---- a request ---- */

static void add_request(struct strbuf *out, const struct load *load, const char *text)
{
    struct json *body = json_new_object();
    struct strbuf line;
    strbuf_init(&line);
    json_set_string(body, "q", text);
    json_set_string(body, "source", load->from);
    json_set_string(body, "target", load->to);
    json_add_line(&line, body);
    strbuf_addf(out, "POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n");
    strbuf_addf(out, "Content-Length: %zu\r\n\r\n", line.length);
    strbuf_add(out, line.text, line.length);
    strbuf_release(&line);
}

static void send_rest(const struct load *load, struct connection *c)
{
    const ssize_t sent = send(c->fd, c->out.text + c->sent, c->out.length - c->sent, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN)
        die("cannot send");
    c->sent += sent > 0 ? (size_t)sent : 0;
    struct epoll_event event = {.events = EPOLLIN | (c->sent < c->out.length ? EPOLLOUT : 0u), .data.ptr = c};
    if (c->sent < c->out.length && epoll_ctl(load->epoll, EPOLL_CTL_MOD, c->fd, &event))
        die("epoll_ctl");
}

static void next_request(struct load *load, struct connection *c)
{
    strbuf_reset(&c->out);
    strbuf_reset(&c->in);
    c->sent = 0;
    if (load->begun == (size_t)load->requests)
        return;
    c->request = load->begun++;
    add_request(&c->out, load, load->source.lines[c->request % load->source.count]);
    c->begun = clock_seconds();
    send_rest(load, c);
}

/* ---- an answer ---- */

static void check_answer(struct load *load, size_t request, int status, const char *body, size_t bytes)
{
    struct err err;
    struct json *answer = json_parse(body, bytes, "answer", &err);
    const struct json *text = answer ? json_member(answer, "translatedText") : NULL;
    if (status != 200 || !text || json_kind(text) != JSON_STRING) {
        if (!load->failed++)
            fprintf(stderr, "bench_serve: answer %d: %.200s\n", status, body);
    } else if (load->expected.count &&
               strcmp(json_string(text), load->expected.lines[request % load->source.count]) != 0) {
        if (!load->wrong++)
            fprintf(stderr, "bench_serve: '%s' to '%s'\n", json_string(text),
                    load->source.lines[request % load->source.count]);
    }
    json_free(answer);
}

/* True if the whole answer is there. */
static bool take_answer(struct load *load, struct connection *c)
{
    const char *body = strstr(c->in.text, "\r\n\r\n"), *length = strstr(c->in.text, "Content-Length: ");
    if (!body || !length)
        return false;
    body += 4;
    const size_t bytes = strtoul(length + strlen("Content-Length: "), NULL, 10);
    if (c->in.length < (size_t)(body - c->in.text) + bytes)
        return false;
    load->seconds[c->request] = clock_seconds() - c->begun;
    check_answer(load, c->request, atoi(c->in.text + strlen("HTTP/1.1 ")), body, bytes);
    load->ended++;
    return true;
}

static void receive(struct load *load, struct connection *c)
{
    static char bytes[READ_BYTES];
    const ssize_t count = recv(c->fd, bytes, sizeof bytes, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN)) {
        errno = count ? errno : ECONNRESET;
        die("the server has closed a connection");
    }
    if (count > 0)
        strbuf_add(&c->in, bytes, (size_t)count);
    if (c->in.length && take_answer(load, c))
        next_request(load, c);
}

/* ---- all of them ---- */

static void connect_all(struct load *load)
{
    const struct sockaddr_in server = {.sin_family = AF_INET,
                                       .sin_port = htons((uint16_t)load->port),
                                       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    load->all = xcalloc((size_t)load->connections, sizeof *load->all);
    load->epoll = epoll_create1(0);
    for (int i = 0; i < load->connections; i++) {
        struct connection *c = &load->all[i];
        c->fd = socket(AF_INET, SOCK_STREAM, 0);
        if (c->fd < 0 || connect(c->fd, (const struct sockaddr *)&server, sizeof server))
            die("cannot connect");
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        strbuf_init(&c->out);
        strbuf_init(&c->in);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, c->fd, &event))
            die("epoll_ctl");
    }
}

static void ask_all(struct load *load)
{
    struct epoll_event events[256];
    for (int i = 0; i < load->connections; i++)
        next_request(load, &load->all[i]);
    while (load->ended < (size_t)load->requests) {
        const int count = epoll_wait(load->epoll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].events & EPOLLOUT)
                send_rest(load, events[i].data.ptr);
            if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
                receive(load, events[i].data.ptr);
        }
    }
}

static void close_all(struct load *load)
{
    for (int i = 0; i < load->connections; i++) {
        close(load->all[i].fd);
        strbuf_release(&load->all[i].out);
        strbuf_release(&load->all[i].in);
    }
    close(load->epoll);
    xfree(load->all);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static struct load load = {.port = 5000, .connections = 1, .requests = 1000, .from = "en", .to = "fr"};
    const struct option_spec options[] = {
        {"port", 0, OPTION_INT, &load.port, "N", "of the server", 1, 65535},
        {"connections", 0, OPTION_INT, &load.connections, "N", "at the same time", 1, MOST_CONNECTIONS},
        {"requests", 0, OPTION_INT, &load.requests, "N", "in all", 1, 10000000},
        {"source", 0, OPTION_STRING, &load.source_path, "FILE", "lines to translate", 0, 0},
        {"expected", 0, OPTION_STRING, &load.expected_path, "FILE", "their translations", 0, 0},
        {"from", 0, OPTION_STRING, &load.from, "LANGUAGE", "of the source", 0, 0},
        {"to", 0, OPTION_STRING, &load.to, "LANGUAGE", "of the translations", 0, 0},
        {.name = NULL},
    };
    const char *form;
    struct err err;
    if (parseopt(argc, argv, options, &form, &err) != PARSE_OK || !load.source_path) {
        fprintf(stderr,
                "usage: bench_serve --port N --connections N --requests N --source FILE [--expected FILE]\n");
        return 2;
    }
    read_text(&load.source, load.source_path);
    if (load.expected_path)
        read_text(&load.expected, load.expected_path);
    load.seconds = xcalloc((size_t)load.requests, sizeof *load.seconds);
    connect_all(&load);
    const double begun = clock_seconds();
    ask_all(&load);
    const double seconds = clock_seconds() - begun;
    close_all(&load);
    qsort(load.seconds, load.ended, sizeof *load.seconds, by_size);
    printf("%d connection%s: %.1f sentences/s, median %.2f ms, p99 %.2f ms, %zu wrong, %zu failed\n",
           load.connections, load.connections == 1 ? "" : "s", (double)load.ended / seconds,
           1e3 * load.seconds[load.ended / 2], 1e3 * load.seconds[load.ended * 99 / 100], load.wrong,
           load.failed);
    return load.wrong || load.failed;
}

/* nmt serve: translates for others over HTTP, until a signal ends it. */
#include "commands.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "parseopt.h"
#include "server.h"
#include "shared_options.h"
#include "team.h"

#ifdef NMT_SERVE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The signals that have come, each as a byte: a handler may run in any thread, as in those of OpenBLAS. */
static int signal_pipe[2] = {-1, -1};

static void on_signal(int number)
{
    const int saved = errno;
    const char byte = (char)number;
    if (write(signal_pipe[1], &byte, 1) < 0)
        errno = 0; /* full: there are enough */
    errno = saved;
}

/* SIGINT has its default action when it comes again, and so has SIGTERM: it ends the program. */
static int catch_signals(struct err *err)
{
    struct sigaction action;
    if (pipe(signal_pipe))
        return err_set_errno(err, "cannot make a pipe");
    for (int i = 0; i < 2; i++)
        fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
    fcntl(signal_pipe[1], F_SETFL, O_NONBLOCK);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGHUP, &action, NULL);
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return 0;
}

static char next_signal(void)
{
    struct pollfd some = {signal_pipe[0], POLLIN, 0};
    char number = SIGTERM;
    /* ThreadSanitizer puts a handler off while a thread reads, but not while it polls. */
    while ((poll(&some, 1, -1) < 0 || read(signal_pipe[0], &number, 1) < 0) && errno == EINTR)
        ;
    return number;
}

static int run_server(const struct server_options *options)
{
    struct err err;
    if (catch_signals(&err))
        return fail(&err);
    struct server *server = server_new(options, &err);
    if (!server)
        return fail(&err);
    while (next_signal() == SIGHUP)
        server_reload(server);
    log_info("ending: open requests are answered");
    server_free(server);
    return EXIT_DONE;
}
#endif

int cmd_serve(int argc, char **argv)
{
    struct server_options o = {
        .max_body = 1 << 20, .max_sentences = 1000, .max_beam = 10, .timeout = 60, .receive_timeout = 60};
    const struct option_spec options[] = {
        MODELS_OPTION(&o.models, "for several languages"),
        {"listen", 0, OPTION_LIST, &o.listen, "ADDRESS",
         "127.0.0.1:5000, [::1]:5000 or unix:PATH (default: the first); port 0: any that is free", 0, 0},
        {"keys", 0, OPTION_STRING, &o.keys, "FILE",
         "only who has one of these keys may translate: lines of a key, and its requests per minute", 0, 0},
        {"rate", 0, OPTION_INT, &o.rate, "N", "requests per minute of an address (default: any number)", 1,
         1000000},
        {"timeout", 0, OPTION_REAL, &o.timeout, "SECONDS", "longest time for a request (default: 60)", 0.001,
         86400},
        {"receive-timeout", 0, OPTION_REAL, &o.receive_timeout, "SECONDS",
         "a connection from which no request has come for so long is closed (default: 60)", 0.1, 86400},
        {"max-body", 0, OPTION_INT, &o.max_body, "N", "most bytes of a request (default: 1048576)", 1,
         1 << 30},
        {"max-characters", 0, OPTION_INT, &o.max_characters, "N",
         "most characters of a request (default: any number)", 1, 1 << 30},
        {"max-sentences", 0, OPTION_INT, &o.max_sentences, "N", "most sentences of a request (default: 1000)",
         1, 1000000},
        {"max-beam", 0, OPTION_INT, &o.max_beam, "N", "widest beam that a request may ask for (default: 10)",
         1, 1000},
        {"cors", 0, OPTION_STRING, &o.cors, "ORIGIN",
         "web pages from there may ask, as https://example.org; `*`: all pages (default: this server's "
         "own)",
         0, 0},
        {"proxy", 0, OPTION_FLAG, &o.proxy, NULL,
         "the address of a client is the one that a proxy on this machine adds to X-Forwarded-For", 0, 0},
        {"access-log", 0, OPTION_STRING, &o.access_log, "FILE",
         "log requests there (default: standard error)", 0, 0},
        {"log-text", 0, OPTION_FLAG, &o.log_text, NULL, "log the texts of requests, too", 0, 0},
        SET_DECODING_OPTION(&o.settings),
        THREADS_OPTION(&o.threads),
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt serve [--model MODEL]... [--listen ADDRESS]... [options]",
        "Translates over HTTP, with the interface of LibreTranslate, and shows a page for people. SIGHUP "
        "reads models "
        "and keys again; SIGTERM ends the server when all open requests are answered."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    struct err err;
#ifdef NMT_SERVE
    char *found = o.models.count ? NULL : model_dir_choose(NULL, &err);
    if (!o.models.count && !found)
        return fail(&err);
    if (found)
        o.models.items[o.models.count++] = found;
    o.threads = team_threads(o.threads);
    const int status = run_server(&o);
    xfree(found);
    return status;
#else
    err_set(&err, "nmt was built without libmicrohttpd, which nmt serve needs");
    return fail(&err);
#endif
}

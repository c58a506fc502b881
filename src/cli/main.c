/* nmt: a neural machine translation trainer. This file finds the command; the commands are in cmd_<name>.c.
 */
#include "commands.h"
#include "mem.h"
#include "parseopt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} commands[] = {
#define ENTRY(name, help) {#name, help, cmd_##name},
    COMMANDS(ENTRY)
#undef ENTRY
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

int fail(const struct err *err)
{
    fprintf(stderr, "nmt: %s\n", err->text);
    return EXIT_FAILED;
}

static void print_usage(FILE *to)
{
    fputs("usage: nmt COMMAND [options]\n\n"
          "Trains neural machine translation on a CPU and translates with it.\n\n",
          to);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].help);
    fputs("\n'nmt COMMAND --help' tells a command's options, 'nmt --version' the version.\n", to);
}

/* A full disk or a closed pipe must not pass for success. */
static int close_stdout(int status)
{
    const int earlier = ferror(stdout);
    if ((fclose(stdout) == 0 && !earlier) || status != EXIT_DONE)
        return status; /* a command that failed has said why */
    fprintf(stderr, "nmt: cannot write to standard output: %s\n", strerror(errno));
    return EXIT_FAILED;
}

static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(commands[i].name, argv[0]))
            return commands[i].run(argc, argv);
    fprintf(stderr, "nmt: unknown command '%s'\n\n", argv[0]);
    print_usage(stderr);
    return EXIT_WRONG_USE;
}

int main(int argc, char **argv)
{
    mem_init();
    /* Writing to a pipe that nobody reads, or beyond a limit, is an error like others, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_WRONG_USE;
    }
    int status = EXIT_DONE;
    if (!strcmp(argv[1], "--version"))
        printf("nmt %s\n", NMT_VERSION);
    else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        print_usage(stdout);
    else
        status = run_command(argc - 1, argv + 1);
    return close_stdout(status);
}

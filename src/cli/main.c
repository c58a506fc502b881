/* nmt: a neural machine translation trainer. Finds the command to run; the commands are in cmd_<name>.c. */
#include "commands.h"
#include "mem.h"
#include "output.h"
#include "parseopt.h"
#include "strbuf.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} commands[] = {
#define ENTRY(name, help) {#name, help, cmd_##name},
    COMMANDS(ENTRY)
#undef ENTRY
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void add_usage(struct strbuf *text)
{
    strbuf_adds(text, "usage: nmt COMMAND [options]\n\n"
                      "Trains neural machine translation on a CPU and translates with it.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        strbuf_addf(text, "  %-12s %s\n", commands[i].name, commands[i].help);
    strbuf_adds(text, "\n'nmt help COMMAND' and 'nmt COMMAND --help' tell a command's options.\n");
}

static int print_usage(bool asked_for)
{
    struct strbuf text;
    strbuf_init(&text);
    add_usage(&text);
    if (asked_for)
        output_add(text.text, text.length);
    else
        fputs(text.text, stderr);
    strbuf_release(&text);
    return asked_for ? EXIT_DONE : EXIT_WRONG_USE;
}

/* A full disk or a closed pipe is a failure. */
static int close_output(int status)
{
    struct err err;
    if (!output_close(&err) || status != EXIT_DONE)
        return status; /* the command has reported its error */
    return fail(&err);
}

static const struct command *find_command(const char *word)
{
    /* common options of other programs */
    static const struct {
        const char *option, *command;
    } synonyms[] = {{"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (!strcmp(synonyms[i].option, word))
            word = synonyms[i].command;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(commands[i].name, word))
            return &commands[i];
    return NULL;
}

static int run_command(int argc, char **argv)
{
    const struct command *command = find_command(argv[0]);
    if (command)
        return command->run(argc, argv);
    if (argv[0][0] == '-')
        fprintf(stderr, "nmt: unknown option '%s': options come after the command\n\n", argv[0]);
    else
        fprintf(stderr, "nmt: unknown command '%s'\n\n", argv[0]);
    return print_usage(false);
}

/* Opens /dev/null for each of the descriptors 0 to 2 that is missing: otherwise the first files to be
 * opened would get these numbers, and receive what is printed. They are opened the wrong way round, so
 * that using them fails. */
static int fill_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return -1;
    return 0;
}

static const struct option_spec no_options[] = {{NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};

int cmd_help(int argc, char **argv)
{
    const struct command_help help = {
        "nmt help [COMMAND]", "Tells what a command does and its options, as nmt COMMAND --help does."};
    const int named = argc > 1 && argv[1][0] != '-';
    PARSE_OR_RETURN(argc - named, argv + named, no_options, &help);
    if (named)
        return run_command(2, (char *[]){argv[1], (char[]){"--help"}, NULL});
    return print_usage(true);
}

int main(int argc, char **argv)
{
    if (fill_descriptors())
        return EXIT_FAILED;
    mem_init();
    /* Writing to a closed pipe, or beyond a size limit, is then an error instead of a signal that kills. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2)
        return print_usage(false);
    return close_output(run_command(argc - 1, argv + 1));
}

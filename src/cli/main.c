/* nmt: a neural machine translation trainer. Finds the command to run; the commands are in cmd_<name>.c. */
#include "commands.h"
#include "mem.h"
#include "output.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* A full disk or a closed pipe is a failure. */
static int close_output(int status)
{
    struct err err;
    if (!output_close(&err) || status != EXIT_DONE)
        return status; /* the command has reported its error */
    return fail(&err);
}

static int run_command(int argc, char **argv)
{
    const struct command *command = command_find(argv[0]);
    return command ? command->run(argc, argv) : unknown_command(argv[0]);
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

int main(int argc, char **argv)
{
    if (fill_descriptors())
        return EXIT_FAILED;
    mem_init();
    /* Writing to a closed pipe, or beyond a size limit, is then an error instead of a signal that kills. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2)
        return unknown_command(NULL);
    return close_output(run_command(argc - 1, argv + 1));
}

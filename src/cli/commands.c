/* What all commands share: parsing arguments, printing help and errors, running on all ranks. The commands
 * themselves are in cmd_<name>.c. */
#include "commands.h"

#include "log.h"
#include "output.h"

#include <errno.h>
#include <stdio.h>

static void print_help(const struct option_spec *options, const struct command_help *help)
{
    struct strbuf text;
    strbuf_init(&text);
    parseopt_help(&text, options, help);
    output_add(text.text, text.length);
    strbuf_release(&text);
}

enum parse_result parse_arguments(int argc, char **argv, const struct option_spec *options,
                                  const struct command_help *help)
{
    struct err err;
    const enum parse_result result = parseopt(argc, argv, options, &err);
    if (result == PARSE_HELP)
        print_help(options, help);
    else if (result == PARSE_WRONG)
        wrong_use(help, err.text);
    return result;
}

int wrong_use(const struct command_help *help, const char *wrong)
{
    fprintf(stderr, "nmt: %s\nusage: %s\n", wrong, help->usage);
    return EXIT_WRONG_USE;
}

int fail(const struct err *err)
{
    /* Silent if the reader closed the pipe early, as `head` does. */
    if (err->number == EPIPE && log_is_quiet())
        return EXIT_FAILED;
    log_clear_line();
    fprintf(stderr, "nmt: %s\n", err->text);
    return EXIT_FAILED;
}

int run_on_ranks(int (*command)(const void *settings, const struct ranks *ranks), const void *settings)
{
    struct ranks ranks;
    struct err err;
    if (ranks_begin(&ranks, &err))
        return fail(&err);
    if (!ranks_is_first(&ranks))
        log_set_level(LOG_QUIET);
    const int status = command(settings, &ranks);
    ranks_end(&ranks);
    return status;
}

int fail_once(const struct ranks *ranks, const struct err *err)
{
    return ranks_is_first(ranks) ? fail(err) : EXIT_FAILED;
}

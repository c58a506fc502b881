/* commands: the table of commands. To add one: write src/cli/cmd_<name>.c with a function cmd_<name>() and
 * src/cli/manual/<name>.md with the text of its manual page, and add a row to COMMANDS. */
#ifndef NMT_COMMANDS_H
#define NMT_COMMANDS_H

#include "err.h"
#include "parseopt.h"
#include "ranks.h"
#include "strbuf.h"

#include <stddef.h>

/* X(name, what it does) */
#define COMMANDS(X)                                                                                          \
    X(train, "train a model")                                                                                \
    X(distill, "train on translations by other models, too")                                                 \
    X(translate, "translate lines from standard input")                                                      \
    X(serve, "translate for others over HTTP, and on a web page")                                            \
    X(eval, "translate a test set and score it, or score a file")                                            \
    X(score, "print the log-probability of given translations")                                              \
    X(align, "show the attention of a model for given translations")                                         \
    X(report, "write an HTML page about a model: curves, scores, pictures")                                  \
    X(tune, "choose the settings of beam search on the validation set")                                      \
    X(average, "average the weights of a training's last checkpoints")                                       \
    X(pack, "pack a model into one file")                                                                    \
    X(unpack, "unpack a packed file into a model directory")                                                 \
    X(check, "check the corpora of a config")                                                                \
    X(tokenize, "split text into the tokens of a model")                                                     \
    X(detokenize, "turn tokens back into text")                                                              \
    X(info, "describe a model")                                                                              \
    X(selftest, "check the gradients of a small random network")                                             \
    X(completion, "print a completion script for a shell")                                                   \
    X(help, "show the manual page of a command")                                                             \
    X(version, "print the version and how nmt was built")

/* Each returns an exit status. argv[0] is the command's name. */
#define DECLARE(name, help) int cmd_##name(int argc, char **argv);
COMMANDS(DECLARE)
#undef DECLARE

struct command {
    const char *name, *summary;
    const char *text; /* of its manual page: manual/<name>.md */
    int (*run)(int argc, char **argv);
};

extern const struct command commands[];
extern const size_t command_count;

/* The command of that name, or for --help, -h, --version or -V; or NULL. */
const struct command *command_find(const char *word);
/* Adds the list of commands. */
void commands_add_list(struct strbuf *text);
/* Reports that there is no such command, and what may have been meant; NULL, where none was given: the list
 * of commands. EXIT_WRONG_USE. */
int unknown_command(const char *word);

/* The start of a command's --help and of its manual page. */
struct command_help {
    const char *usage;   /* "nmt train --config CONFIG [options]" */
    const char *summary; /* a paragraph */
};

/* All that is known of a command. */
struct command_table {
    const struct command *command;
    const struct command_help *help;
    const struct option_spec *options;
};

/* Prints a form of the command's help to standard output: "page", "man", or that of a shell's completion.
 * They are asked for by --help=FORM, since the table of options is the command's own. EXIT_DONE. */
int command_print(const struct command *command, const char *form);

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG_USE = 2 };

/* Parses a command's arguments at its start; returns from the command with an exit status if parsing ends
 * it. */
#define PARSE_OR_RETURN(argc, argv, options, help)                                                           \
    do {                                                                                                     \
        const enum parse_result parsed_ = parse_arguments((argc), (argv), (options), (help));                \
        if (parsed_ != PARSE_OK)                                                                             \
            return parsed_ == PARSE_HELP ? EXIT_DONE : EXIT_WRONG_USE;                                       \
    } while (0)

/* As parseopt, but prints the help to standard output, errors to standard error. argv[0] is the name of the
 * command. */
enum parse_result parse_arguments(int argc, char **argv, const struct option_spec *options,
                                  const struct command_help *help);
/* Reports options that contradict each other, with the command's usage. EXIT_WRONG_USE. */
int wrong_use(const struct command_help *help, const char *wrong);

/* Prints "nmt: text" on standard error (not, under --quiet, for a closed pipe); returns EXIT_FAILED. */
int fail(const struct err *err);
/* The same for options that do not fit what they meet, such as a model that is there; returns
 * EXIT_WRONG_USE. */
int fail_wrong_use(const struct err *err);

/* Runs `command` on every rank under mpirun; only rank 0 logs. Returns the exit status. */
int run_on_ranks(int (*command)(const void *settings, const struct ranks *ranks), const void *settings);
/* Reports a failure, or wrong use, of all ranks once, on rank 0. */
int fail_once(const struct ranks *ranks, const struct err *err);
int fail_wrong_use_once(const struct ranks *ranks, const struct err *err);
/* -1 if `path` (may be NULL) is standard input, which the first of several ranks alone has. */
int check_rank_input(const struct ranks *ranks, const char *path, struct err *err);

#endif

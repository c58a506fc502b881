/* commands: the table of commands. To add one: write src/cli/cmd_<name>.c with a function cmd_<name>(),
 * and add a row to COMMANDS. `help` is in main.c. */
#ifndef NMT_COMMANDS_H
#define NMT_COMMANDS_H

#include "err.h"
#include "parseopt.h"
#include "ranks.h"

/* X(name, what it does) */
#define COMMANDS(X)                                                                                          \
    X(train, "train a model")                                                                                \
    X(translate, "translate lines from standard input")                                                      \
    X(eval, "translate a test set and score it, or score a file")                                            \
    X(score, "say how probable given translations are")                                                      \
    X(align, "show what a model looks at while it reads given translations")                                 \
    X(report, "write a page about a model: curves, scores, pictures")                                        \
    X(tune, "find the settings of beam search on the validation set")                                        \
    X(average, "make a model out of the mean of a training's last checkpoints")                              \
    X(pack, "write a model as one file, to take along")                                                      \
    X(unpack, "make a model directory of such a file")                                                       \
    X(check, "look for trouble in the corpora of a config")                                                  \
    X(tokenize, "show text as a model sees it")                                                              \
    X(detokenize, "undo tokenize")                                                                           \
    X(info, "tell what a model is")                                                                          \
    X(selftest, "check the gradients of a small random network")                                             \
    X(help, "tell what a command does, and its options")                                                     \
    X(version, "tell the version")

/* Each returns an exit status. argv[0] is the command's name. */
#define DECLARE(name, help) int cmd_##name(int argc, char **argv);
COMMANDS(DECLARE)
#undef DECLARE

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG_USE = 2 };

/* Parses a command's arguments at its start; returns from the command with an exit status if parsing ends
 * it. */
#define PARSE_OR_RETURN(argc, argv, options, help)                                                           \
    do {                                                                                                     \
        const enum parse_result parsed_ = parse_arguments((argc), (argv), (options), (help));                \
        if (parsed_ != PARSE_OK)                                                                             \
            return parsed_ == PARSE_HELP ? EXIT_DONE : EXIT_WRONG_USE;                                       \
    } while (0)

/* As parseopt, but prints the help to standard output and errors to standard error. */
enum parse_result parse_arguments(int argc, char **argv, const struct option_spec *options,
                                  const struct command_help *help);
/* Reports options that contradict each other, with the command's usage. EXIT_WRONG_USE. */
int wrong_use(const struct command_help *help, const char *wrong);

/* Prints "nmt: text" on standard error (not, under --quiet, for a closed pipe); returns EXIT_FAILED. */
int fail(const struct err *err);

/* Runs `command` on every rank under mpirun; only rank 0 logs. Returns the exit status. */
int run_on_ranks(int (*command)(const void *settings, const struct ranks *ranks), const void *settings);
/* Reports a failure of all ranks once, on rank 0. */
int fail_once(const struct ranks *ranks, const struct err *err);

#endif

/* commands: the table of what nmt can do. To add a command: write src/cli/cmd_<name>.c with one cmd_<name>(),
 * and add a line to COMMANDS. `help` and `version` are main.c's. */
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

/* The form of all commands: returns the exit status when parsing ends the command. */
#define PARSE_OR_RETURN(argc, argv, options, help)                                                           \
    do {                                                                                                     \
        const enum parse_result parsed_ = parse_arguments((argc), (argv), (options), (help));                \
        if (parsed_ != PARSE_OK)                                                                             \
            return parsed_ == PARSE_HELP ? EXIT_DONE : EXIT_WRONG_USE;                                       \
    } while (0)

/* As parseopt; prints the help to standard output, or what is wrong to standard error. */
enum parse_result parse_arguments(int argc, char **argv, const struct option_spec *options,
                                  const struct command_help *help);
/* For what options together cannot mean: says what is wrong and how the command is used. EXIT_WRONG_USE. */
int wrong_use(const struct command_help *help, const char *wrong);

/* Prints "nmt: text" on standard error, but under --quiet nothing of a closed pipe; returns EXIT_FAILED. */
int fail(const struct err *err);

/* The frame of a command that may run under mpirun: every rank calls `command`, and only the first one logs.
 * Exit status. */
int run_on_ranks(int (*command)(const void *settings, const struct ranks *ranks), const void *settings);
/* A failure of all ranks, told by the first. */
int fail_once(const struct ranks *ranks, const struct err *err);

#endif

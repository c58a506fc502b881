/* commands: the table of what nmt can do. To add a command: write src/cli/cmd_<name>.c with one cmd_<name>(),
 * and add a line to COMMANDS. `help` and `version` are main.c's. */
#ifndef NMT_COMMANDS_H
#define NMT_COMMANDS_H

#include "err.h"

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

/* Prints "nmt: text" on standard error, but under --quiet nothing of a closed pipe; returns EXIT_FAILED. */
int fail(const struct err *err);

#endif

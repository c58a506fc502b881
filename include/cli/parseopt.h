/* parseopt: one table of options for each command, from which it is parsed and its --help printed. On
 * getopt_long.
 *
 * Every command also has --help and --quiet. Wrong use is exit 2. */
#ifndef NMT_PARSEOPT_H
#define NMT_PARSEOPT_H

#include <stdbool.h>

enum option_type {
    OPTION_FLAG,   /* bool: set to true */
    OPTION_INT,    /* int, in [min, max] */
    OPTION_REAL,   /* double, in [min, max] */
    OPTION_STRING, /* const char * */
    OPTION_LIST,   /* struct string_list, may be given several times */
    OPTION_FILES,  /* struct string_list: its argument, and then all arguments that belong to no option */
};

#define LIST_MAX 64

struct string_list {
    const char *items[LIST_MAX];
    int count;
};

struct option_spec {
    const char *name; /* long name, without dashes; NULL ends the table */
    char letter;      /* short name, 0: none */
    enum option_type type;
    void *value;
    const char *argument; /* its name in the help */
    const char *help;
    double min, max;
};

/* What --help begins with. */
struct command_help {
    const char *usage;   /* "nmt train --config FILE [options]" */
    const char *summary; /* a paragraph */
};

enum parse_result { PARSE_OK, PARSE_HELP, PARSE_WRONG };

/* Sets the values; prints help to stdout or what is wrong to stderr. */
enum parse_result parseopt(int argc, char **argv, const struct option_spec *options,
                           const struct command_help *help);

/* The form of all commands: returns the exit status when parsing ends the command. */
#define PARSE_OR_RETURN(argc, argv, options, help)                                                           \
    do {                                                                                                     \
        const enum parse_result parsed_ = parseopt((argc), (argv), (options), (help));                       \
        if (parsed_ != PARSE_OK)                                                                             \
            return parsed_ == PARSE_HELP ? EXIT_DONE : EXIT_WRONG_USE;                                       \
    } while (0)

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG_USE = 2 };

/* For what options together cannot mean: says what is wrong and how the command is used. EXIT_WRONG_USE. */
int wrong_use(const struct command_help *help, const char *wrong);

#endif

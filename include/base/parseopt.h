/* parseopt: tables of command-line options, which drive both parsing and --help. Every command also has
 * --help and --quiet. */
#ifndef NMT_PARSEOPT_H
#define NMT_PARSEOPT_H

#include "err.h"
#include "strbuf.h"

#include <stdbool.h>

enum option_type {
    OPTION_FLAG,    /* bool: set to true */
    OPTION_INT,     /* int, in [min, max] */
    OPTION_REAL,    /* double, in [min, max] */
    OPTION_STRING,  /* const char * */
    OPTION_OPERAND, /* const char *: its argument, or the one without an option */
    OPTION_LIST,    /* struct string_list, may be repeated */
    OPTION_FILES,   /* struct string_list: its argument and, if it is given, those without an option */
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
    const char *argument; /* its name in the help text */
    const char *help;
    double min, max;
};

/* The start of a command's --help. */
struct command_help {
    const char *usage;   /* "nmt train --config FILE [options]" */
    const char *summary; /* a paragraph */
};

enum parse_result { PARSE_OK, PARSE_HELP, PARSE_WRONG };

/* Parses the arguments and sets the values; --quiet sets the log level. PARSE_HELP if --help is given;
 * PARSE_WRONG on errors, described in `err`. */
enum parse_result parseopt(int argc, char **argv, const struct option_spec *options, struct err *err);

/* Prints the help text. */
void parseopt_help(struct strbuf *text, const struct option_spec *options, const struct command_help *help);

#endif

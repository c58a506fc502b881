/* parseopt: a command's table of options, by which its arguments are parsed and its --help is printed. Every
 * command also has --help and --quiet. */
#ifndef NMT_PARSEOPT_H
#define NMT_PARSEOPT_H

#include "err.h"
#include "strbuf.h"

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

/* Sets the values, and under --quiet the log's level. PARSE_HELP where --help is among the arguments;
 * PARSE_WRONG with what is wrong in `err`. */
enum parse_result parseopt(int argc, char **argv, const struct option_spec *options, struct err *err);

/* What --help prints. */
void parseopt_help(struct strbuf *text, const struct option_spec *options, const struct command_help *help);

#endif

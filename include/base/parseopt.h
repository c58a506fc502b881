/* parseopt: tables of command-line options, which drive parsing, --help, manual pages and completion. Every
 * command also has --help and --quiet. */
#ifndef NMT_PARSEOPT_H
#define NMT_PARSEOPT_H

#include "err.h"

#include <stdbool.h>

enum option_type {
    OPTION_FLAG,    /* bool: set to true */
    OPTION_INT,     /* int, in [min, max] */
    OPTION_REAL,    /* double, in [min, max] */
    OPTION_CHOICE,  /* int: the index in `argument`, which lists the choices */
    OPTION_STRING,  /* const char * */
    OPTION_OPERAND, /* const char *: its argument, or the one without an option */
    OPTION_LIST,    /* struct string_list, may be repeated */
    OPTION_FILES,   /* struct string_list: its argument, and those behind it up to an option with a value */
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
    /* What its value is, as the help shows it; NULL for a flag. Completion knows FILE, FILE..., DIR, MODEL (a
     * directory or packed file), CONFIG, KEY=VALUE, decoding.KEY=VALUE, TOPIC and choices, "pharaoh|soft". */
    const char *argument;
    const char *help;
    double min, max;
};

/* What every command has besides its table. */
extern const struct option_spec parseopt_common[];

enum parse_result { PARSE_OK, PARSE_HELP, PARSE_WRONG };

/* Parses the arguments and sets the values; --quiet sets the log level. PARSE_HELP if --help is given; `form`
 * is then what follows in --help=FORM, or NULL. PARSE_WRONG on errors, described in `err`. */
enum parse_result parseopt(int argc, char **argv, const struct option_spec *options, const char **form,
                           struct err *err);

#endif

#include "parseopt.h"

#include "err.h"
#include "log.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 40

static void print_option(char letter, const char *name, const char *argument, const char *help)
{
    char left[64];
    if (letter)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", letter, name, argument ? " " : "",
                 argument ? argument : "");
    else
        snprintf(left, sizeof left, "      --%s%s%s", name, argument ? " " : "", argument ? argument : "");
    printf("%-34s %s\n", left, help);
}

static void print_help(const struct option_spec *options, const struct command_help *help)
{
    printf("usage: %s\n\n%s\n\n", help->usage, help->summary);
    for (const struct option_spec *o = options; o->name; o++)
        print_option(o->letter, o->name, o->argument, o->help);
    print_option('q', "quiet", NULL, "say nothing but errors");
    print_option('h', "help", NULL, "print this help");
}

static int set_number(const struct option_spec *option, const char *text)
{
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    const bool whole = option->type == OPTION_INT;
    if (end == text || *end || errno || value != value) {
        fprintf(stderr, "nmt: option '--%s' needs a number, not '%s'\n", option->name, text);
        return -1;
    }
    if (value < option->min || value > option->max || (whole && value != (double)(int)value)) {
        fprintf(stderr, "nmt: option '--%s' is %s, must be a %s from %g to %g\n", option->name, text,
                whole ? "whole number" : "number", option->min, option->max);
        return -1;
    }
    if (whole)
        *(int *)option->value = (int)value;
    else
        *(double *)option->value = value;
    return 0;
}

static int set(const struct option_spec *option, const char *text)
{
    struct string_list *list = option->value;
    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)option->value = true;
        return 0;
    case OPTION_INT:
    case OPTION_REAL:
        return set_number(option, text);
    case OPTION_STRING:
        *(const char **)option->value = text;
        return 0;
    case OPTION_LIST:
    case OPTION_FILES:
        if (list->count == LIST_MAX) {
            fprintf(stderr, "nmt: option '--%s' given more than %d times\n", option->name, LIST_MAX);
            return -1;
        }
        list->items[list->count++] = text;
        return 0;
    }
    BUG("option '%s' has no type", option->name);
}

/* getopt's own tables out of ours; option i has value i + 1. */
static void make_tables(const struct option_spec *options, struct option *long_options, char *letters)
{
    int count = 0, used = 0;
    for (; options[count].name; count++) {
        if (count == MAX_OPTIONS)
            BUG("more than %d options", MAX_OPTIONS);
        const bool argument = options[count].type != OPTION_FLAG;
        long_options[count] = (struct option){options[count].name, argument, NULL, count + 256};
        if (options[count].letter) {
            letters[used++] = options[count].letter;
            if (argument)
                letters[used++] = ':';
        }
    }
    long_options[count++] = (struct option){"quiet", 0, NULL, 'q'};
    long_options[count++] = (struct option){"help", 0, NULL, 'h'};
    long_options[count] = (struct option){NULL, 0, NULL, 0};
    memcpy(letters + used, "qh", 3);
}

static const struct option_spec *find(const struct option_spec *options, int code)
{
    if (code >= 256)
        return &options[code - 256];
    for (; options->name; options++)
        if (options->letter == code)
            return options;
    return NULL;
}

/* The option that takes the arguments of none, if it was given. */
static const struct option_spec *find_files(const struct option_spec *options)
{
    for (; options->name; options++)
        if (options->type == OPTION_FILES && ((struct string_list *)options->value)->count)
            return options;
    return NULL;
}

int wrong_use(const struct command_help *help, const char *wrong)
{
    fprintf(stderr, "nmt: %s\nusage: %s\n", wrong, help->usage);
    return EXIT_WRONG_USE;
}

enum parse_result parseopt(int argc, char **argv, const struct option_spec *options,
                           const struct command_help *help)
{
    struct option long_options[MAX_OPTIONS + 3];
    char letters[2 * MAX_OPTIONS + 3];
    make_tables(options, long_options, letters);
    optind = 1;
    for (int code; (code = getopt_long(argc, argv, letters, long_options, NULL)) != -1;) {
        const struct option_spec *option = code == '?' ? NULL : find(options, code);
        if (code == 'h') {
            print_help(options, help);
            return PARSE_HELP;
        }
        if (code == 'q')
            log_set_level(LOG_QUIET);
        else if (!option || set(option, optarg))
            goto wrong;
    }
    const struct option_spec *files = find_files(options);
    for (; files && optind < argc; optind++)
        if (set(files, argv[optind]))
            goto wrong;
    if (optind == argc)
        return PARSE_OK;
    fprintf(stderr, "nmt: unexpected argument '%s'\n", argv[optind]);
wrong:
    fprintf(stderr, "usage: %s\n", help->usage);
    return PARSE_WRONG;
}

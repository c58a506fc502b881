#include "parseopt.h"

#include "err.h"
#include "log.h"
#include "output.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_OPTIONS 40
#define FIRST_CODE 256 /* behind all letters */

static void print_option(char letter, const char *name, const char *argument, const char *help)
{
    char left[64];
    if (letter)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", letter, name, argument ? " " : "",
                 argument ? argument : "");
    else
        snprintf(left, sizeof left, "      --%s%s%s", name, argument ? " " : "", argument ? argument : "");
    output_addf("%-34s %s\n", left, help);
}

static void print_help(const struct option_spec *options, const struct command_help *help)
{
    output_addf("usage: %s\n\n%s\n\n", help->usage, help->summary);
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

/* getopt's own tables out of ours; option i has value i + FIRST_CODE. */
static void make_tables(const struct option_spec *options, struct option *long_options, char *letters)
{
    int count = 0, used = 0;
    letters[used++] = ':'; /* a missing value is told apart, and getopt itself prints nothing */
    for (; options[count].name; count++) {
        if (count == MAX_OPTIONS)
            BUG("more than %d options", MAX_OPTIONS);
        const bool argument = options[count].type != OPTION_FLAG;
        long_options[count] = (struct option){options[count].name, argument, NULL, count + FIRST_CODE};
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
    if (code >= FIRST_CODE)
        return &options[code - FIRST_CODE];
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

/* What a long option that getopt stopped at is wrong in. */
static void refuse_long(const char *word, bool lacks_value, const struct option *long_options)
{
    int matches = 0;
    const int length = (int)strcspn(word, "=");
    for (const struct option *o = long_options; o->name; o++)
        if (!strncmp(o->name, word + 2, (size_t)length - 2))
            matches++;
    if (lacks_value)
        fprintf(stderr, "nmt: option '%s' needs a value\n", word);
    else if (matches > 1)
        fprintf(stderr, "nmt: option '%s' is ambiguous\n", word);
    else if (matches)
        fprintf(stderr, "nmt: option '%.*s' takes no value\n", length, word);
    else
        fprintf(stderr, "nmt: unknown option '%s'\n", word);
}

/* What getopt stopped at: a letter, which is in `optopt`, or a long option, the argument before `optind`. */
static void refuse_option(int code, char **argv, const struct option *long_options)
{
    if (optopt == 0 || optopt == 'q' || optopt == 'h' || optopt >= FIRST_CODE)
        refuse_long(argv[optind - 1], code == ':', long_options);
    else if (code == ':')
        fprintf(stderr, "nmt: option '-%c' needs a value\n", optopt);
    else if (optopt > ' ' && optopt < 0x7f)
        fprintf(stderr, "nmt: unknown option '-%c'\n", optopt);
    else /* the first byte of a longer character */
        fprintf(stderr, "nmt: unknown option '%s'\n", argv[optind] ? argv[optind] : argv[optind - 1]);
}

static bool has_option(const struct option_spec *options, const char *name)
{
    while (options->name && strcmp(options->name, name) != 0)
        options++;
    return options->name;
}

/* An argument that belongs to no option, and what was perhaps meant by it. */
static void refuse_argument(const char *argument, const struct option_spec *options)
{
    static const struct {
        const char *option, *use;
        bool is_dir;
    } meant[] = {{"input", "read", false}, {"config", "read", false}, {"model", "use", true}};
    struct stat file;
    const bool is_dir = stat(argument, &file) == 0 && S_ISDIR(file.st_mode);
    fprintf(stderr, "nmt: unexpected argument '%s'", argument);
    for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++)
        if (meant[i].is_dir == is_dir && has_option(options, meant[i].option)) {
            fprintf(stderr, ": give '--%s %s' to %s it", meant[i].option, argument, meant[i].use);
            break;
        }
    fputc('\n', stderr);
}

/* Of two single values one would be lost without a word. A number may be given anew, as in an alias. */
static int refuse_twice(const struct option_spec *option, const char *text, bool *given)
{
    const bool twice = option->type == OPTION_STRING && *given;
    *given = true;
    if (!twice)
        return 0;
    fprintf(stderr, "nmt: option '--%s' is given twice, as '%s' and '%s'\n", option->name,
            *(const char **)option->value, text);
    return -1;
}

enum parse_result parseopt(int argc, char **argv, const struct option_spec *options,
                           const struct command_help *help)
{
    struct option long_options[MAX_OPTIONS + 3];
    char letters[2 * MAX_OPTIONS + 4];
    bool given[MAX_OPTIONS] = {false};
    make_tables(options, long_options, letters);
    optind = 1;
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, letters, long_options, NULL)) != -1;) {
        if (code == 'h') {
            print_help(options, help);
            return PARSE_HELP;
        }
        if (code == ':' || code == '?') {
            refuse_option(code, argv, long_options);
            goto wrong;
        }
        if (code == 'q') {
            log_set_level(LOG_QUIET);
            continue;
        }
        const struct option_spec *option = find(options, code);
        if (refuse_twice(option, optarg, &given[option - options]) || set(option, optarg))
            goto wrong;
    }
    const struct option_spec *files = find_files(options);
    for (; files && optind < argc; optind++)
        if (set(files, argv[optind]))
            goto wrong;
    if (optind == argc)
        return PARSE_OK;
    refuse_argument(argv[optind], options);
wrong:
    fprintf(stderr, "usage: %s\n", help->usage);
    return PARSE_WRONG;
}

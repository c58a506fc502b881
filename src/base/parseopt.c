/* Parses a command's arguments by its table of options, with getopt_long. Errors are returned; the command
 * prints them and exits, and it prints the help. */
#include "parseopt.h"

#include "log.h"
#include "mem.h"
#include "names.h"
#include "number.h"
#include "safetensors.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_OPTIONS 40
#define FIRST_CODE 256 /* after all letters */
#define QUIET 'q'
#define HELP 'h'
#define WORD 1 /* getopt's code of an argument without an option */

const struct option_spec parseopt_common[] = {
    {"quiet", QUIET, OPTION_FLAG, NULL, NULL, "print only errors", 0, 0},
    {"help", HELP, OPTION_FLAG, NULL, NULL, "print this help", 0, 0},
    {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
};

static int set_number(const struct option_spec *option, const char *text, struct err *err)
{
    double value;
    const bool is_int = option->type == OPTION_INT;
    if (number_read(&value, text))
        return err_set(err, "option '--%s' needs a number, not '%s'", option->name, text);
    if (value < option->min || value > option->max || (is_int && value != (double)(int)value))
        return err_set(err, "option '--%s' is %s, must be a %s from %.15g to %.15g", option->name, text,
                       is_int ? "whole number" : "number", option->min, option->max);
    if (is_int)
        *(int *)option->value = (int)value;
    else
        *(double *)option->value = value;
    return 0;
}

static int set_choice(const struct option_spec *option, const char *text, struct err *err)
{
    const int index = names_index(option->argument, text);
    if (index < 0)
        return err_set(err, "option '--%s' is '%s', must be one of %s", option->name, text, option->argument);
    *(int *)option->value = index;
    return 0;
}

static int set_value(const struct option_spec *option, const char *text, struct err *err)
{
    struct string_list *list = option->value;
    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)option->value = true;
        return 0;
    case OPTION_INT:
    case OPTION_REAL:
        return set_number(option, text, err);
    case OPTION_CHOICE:
        return set_choice(option, text, err);
    case OPTION_STRING:
    case OPTION_OPERAND:
        *(const char **)option->value = text;
        return 0;
    case OPTION_LIST:
    case OPTION_FILES:
        if (list->count == LIST_MAX)
            return err_set(err, "option '--%s' given more than %d times", option->name, LIST_MAX);
        list->items[list->count++] = text;
        return 0;
    }
    BUG("option '%s' has no type", option->name);
}

/* Makes getopt's tables from ours; option i has value i + FIRST_CODE, common ones their letters. */
static void make_tables(const struct option_spec *options, struct option *long_options, char *letters)
{
    int count = 0, used = 0;
    letters[used++] = '-'; /* arguments without an option come in their order, as WORD */
    letters[used++] = ':'; /* reports a missing value by ':', and getopt prints nothing itself */
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
    for (const struct option_spec *common = parseopt_common; common->name; common++) {
        const int argument = common->letter == HELP ? optional_argument : no_argument;
        long_options[count++] = (struct option){common->name, argument, NULL, common->letter};
        letters[used++] = common->letter;
    }
    long_options[count] = (struct option){NULL, 0, NULL, 0};
    letters[used] = '\0';
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

/* The option that also takes an argument without an option, or NULL. */
static const struct option_spec *find_operand(const struct option_spec *options)
{
    while (options->name && options->type != OPTION_OPERAND)
        options++;
    return options->name ? options : NULL;
}

static int unknown_option(const char *word, int length, const struct option *long_options, struct err *err)
{
    const char *nearest = NULL;
    int best = EDIT_DISTANCE_NONE;
    char *name = xstrndup(word + 2, (size_t)length - 2);
    for (const struct option *o = long_options; o->name; o++)
        if (names_similar(name, o->name) && names_nearer(&best, name, o->name))
            nearest = o->name;
    xfree(name);
    return nearest ? err_set(err, "unknown option '%s'; did you mean '--%s'?", word, nearest)
                   : err_set(err, "unknown option '%s'", word);
}

/* Sets the error for a long option that getopt rejected. */
static int refuse_long(const char *word, bool lacks_value, const struct option *long_options, struct err *err)
{
    int matches = 0;
    const int length = (int)strcspn(word, "=");
    for (const struct option *o = long_options; o->name; o++)
        if (!strncmp(o->name, word + 2, (size_t)length - 2))
            matches++;
    if (lacks_value)
        return err_set(err, "option '%s' needs a value", word);
    if (matches > 1)
        return err_set(err, "option '%s' is ambiguous", word);
    if (matches)
        return err_set(err, "option '%.*s' takes no value", length, word);
    return unknown_option(word, length, long_options, err);
}

/* The long option that a word with a single dash names, or NULL. */
static const char *name_after_dash(const char *word, const struct option *long_options)
{
    if (!word || word[0] != '-' || word[1] == '-')
        return NULL;
    const size_t length = strcspn(word + 1, "=");
    for (const struct option *o = long_options; o->name; o++)
        if (strlen(o->name) == length && !strncmp(o->name, word + 1, length))
            return o->name;
    return NULL;
}

/* An option that getopt has taken for letters, though "-beam 3" means --beam: -1, and an error. */
static int refuse_single_dash(char **argv, const struct option *long_options, struct err *err)
{
    const bool apart = optarg && optarg == argv[optind - 1]; /* a value, which may be any word */
    const char *name = apart ? NULL : name_after_dash(argv[optind - 1], long_options);
    const char *word = argv[optind - 1];
    if (!name && !optarg) { /* there may be more letters in the same word */
        word = argv[optind];
        name = name_after_dash(word, long_options);
    }
    return name ? err_set(err, "unknown option '%s'; did you mean '--%s'?", word, name) : 0;
}

/* Sets the error for what getopt rejected: a letter, which is in `optopt`, or a long option, the argument
 * before `optind`. */
static int refuse_option(int code, char **argv, const struct option *long_options, struct err *err)
{
    if (optopt == 0 || optopt == QUIET || optopt == HELP || optopt >= FIRST_CODE)
        return refuse_long(argv[optind - 1], code == ':', long_options, err);
    if (code == ':')
        return err_set(err, "option '-%c' needs a value", optopt);
    if (optopt > ' ' && optopt < 0x7f)
        return err_set(err, "unknown option '-%c'", optopt);
    /* a letter that is the first byte of a longer character */
    return err_set(err, "unknown option '%s'", argv[optind] ? argv[optind] : argv[optind - 1]);
}

static bool has_option(const struct option_spec *options, const char *name)
{
    while (options->name && strcmp(options->name, name) != 0)
        options++;
    return options->name;
}

/* Sets the error for an argument without an option, and suggests what may have been meant. */
static int refuse_argument(const char *argument, const struct option_spec *options, struct err *err)
{
    static const struct {
        const char *option, *use;
        bool is_model;
    } meant[] = {{"input", "read", false}, {"config", "read", false}, {"model", "use", true}};
    struct stat file;
    const bool is_model =
        stat(argument, &file) == 0 && (S_ISDIR(file.st_mode) || safetensors_looks_like(argument));
    for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++)
        if (meant[i].is_model == is_model && has_option(options, meant[i].option))
            return err_set(err, "unexpected argument '%s': give '--%s %s' to %s it", argument,
                           meant[i].option, argument, meant[i].use);
    return err_set(err, "unexpected argument '%s'", argument);
}

/* A single value given twice would silently lose one. Numbers may be repeated, as in a shell alias. */
static int refuse_twice(const struct option_spec *option, const char *text, bool *given, struct err *err)
{
    const bool single = option->type == OPTION_STRING || option->type == OPTION_OPERAND;
    const bool twice = single && *given;
    *given = true;
    return twice ? err_set(err, "option '--%s' is given twice, as '%s' and '%s'", option->name,
                           *(const char **)option->value, text)
                 : 0;
}

/* Takes the arguments of no option, at most one. given [options]. */
static int take_rest(const struct string_list *rest, const struct option_spec *options, bool *given,
                     struct err *err)
{
    const struct option_spec *operand = find_operand(options);
    if (!rest->count)
        return 0;
    if (!operand)
        return refuse_argument(rest->items[0], options, err);
    if (rest->count > 1)
        return err_set(err, "unexpected argument '%s' after '%s'", rest->items[1], rest->items[0]);
    return refuse_twice(operand, rest->items[0], &given[operand - options], err) ||
                   set_value(operand, rest->items[0], err)
               ? -1
               : 0;
}

/* Takes an argument that is no option's value: one more file, behind an option of files; else it is kept. */
static int take_word(const char *word, const struct option_spec *files, struct string_list *rest,
                     struct err *err)
{
    if (files)
        return set_value(files, word, err);
    if (rest->count < LIST_MAX)
        rest->items[rest->count++] = word;
    return 0;
}

enum parse_result parseopt(int argc, char **argv, const struct option_spec *options, const char **form,
                           struct err *err)
{
    struct option long_options[MAX_OPTIONS + 3];
    char letters[2 * MAX_OPTIONS + 5];
    bool given[MAX_OPTIONS] = {false};
    struct string_list rest = {.count = 0};
    const struct option_spec *files = NULL; /* the last option with a value, if it takes files */
    make_tables(options, long_options, letters);
    optind = 0; /* resets getopt, even if it stopped inside an argument */
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, letters, long_options, NULL)) != -1;) {
        if (refuse_single_dash(argv, long_options, err))
            return PARSE_WRONG;
        if (code == HELP) {
            *form = optarg;
            return PARSE_HELP;
        }
        if (code == QUIET) {
            log_set_level(LOG_QUIET);
            continue;
        }
        if (code == ':' || code == '?') {
            refuse_option(code, argv, long_options, err);
            return PARSE_WRONG;
        }
        if (code == WORD) {
            if (take_word(optarg, files, &rest, err))
                return PARSE_WRONG;
            continue;
        }
        const struct option_spec *option = find(options, code);
        if (option->type != OPTION_FLAG)
            files = option->type == OPTION_FILES ? option : NULL;
        if (refuse_twice(option, optarg, &given[option - options], err) || set_value(option, optarg, err))
            return PARSE_WRONG;
    }
    for (; optind < argc; optind++) /* behind "--" */
        if (take_word(argv[optind], files, &rest, err))
            return PARSE_WRONG;
    return take_rest(&rest, options, given, err) ? PARSE_WRONG : PARSE_OK;
}

/* The table of commands, and what they share: parsing arguments, printing help and errors, running on all
 * ranks. The commands themselves are in cmd_<name>.c; what their pages say is in manual.c. */
#include "commands.h"

#include "completion.h"
#include "log.h"
#include "manual.h"
#include "mem.h"
#include "names.h"
#include "output.h"
#include "page.h"
#include "utf8_check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct command commands[] = {
#define ENTRY(name, summary) {#name, summary, manual_##name, cmd_##name},
    COMMANDS(ENTRY)
#undef ENTRY
};

const size_t command_count = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *word)
{
    /* common options of other programs */
    static const struct {
        const char *option, *command;
    } synonyms[] = {{"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (!strcmp(synonyms[i].option, word))
            word = synonyms[i].command;
    for (size_t i = 0; i < command_count; i++)
        if (!strcmp(commands[i].name, word))
            return &commands[i];
    return NULL;
}

void commands_add_list(struct strbuf *text)
{
    strbuf_adds(text, "usage: nmt COMMAND [options]\n\n"
                      "Trains neural machine translation on a CPU and translates with it.\n\n");
    for (size_t i = 0; i < command_count; i++)
        strbuf_addf(text, "  %-12s %s\n", commands[i].name, commands[i].summary);
    strbuf_adds(
        text, "\n'nmt COMMAND --help' lists a command's options, 'nmt help COMMAND' shows its manual page,\n"
              "'nmt help config' lists the keys of a config, 'nmt help model' the files of a model.\n");
}

/* The command or topic that a mistyped word may have meant, or NULL. */
static const char *nearest_name(const char *word)
{
    const char *nearest = NULL;
    int best = EDIT_DISTANCE_NONE;
    for (size_t i = 0; i < command_count + topic_count; i++) {
        const char *name = i < command_count ? commands[i].name : topics[i - command_count].name;
        if (names_similar(word, name) && names_nearer(&best, word, name))
            nearest = name;
    }
    return nearest;
}

/* What a user or a file has named may hold anything, such as commands to the terminal. */
static void print_error(const char *text)
{
    char *shown = xstrdup(text);
    utf8_hide_controls(shown, "\n\t");
    fprintf(stderr, "nmt: %s", shown);
    xfree(shown);
}

static void print_unknown(const char *word)
{
    const char *nearest = nearest_name(word);
    const char *help = nearest && !command_find(nearest) ? "nmt help " : ""; /* a topic is no command */
    struct err err;
    if (word[0] == '-')
        err_set(&err, "unknown option '%s': options come after the command", word);
    else if (nearest)
        err_set(&err, "unknown command '%s'; did you mean '%s%s'?", word, help, nearest);
    else
        err_set(&err, "unknown command '%s'", word);
    print_error(err.text);
    fputs("\n'nmt help' lists the commands\n", stderr);
}

int unknown_command(const char *word)
{
    struct strbuf list;
    if (word) {
        print_unknown(word);
        return EXIT_WRONG_USE;
    }
    strbuf_init(&list);
    commands_add_list(&list);
    fputs(list.text, stderr);
    strbuf_release(&list);
    return EXIT_WRONG_USE;
}

/* ---- help ---- */

static void add_page(struct strbuf *out, const struct command_table *table)
{
    struct page page;
    page_init_plain(&page, out, output_columns());
    manual_command(&page, table);
}

static void add_roff(struct strbuf *out, const struct command_table *table)
{
    struct page page;
    page_init_roff(&page, out);
    manual_command(&page, table);
}

static const struct help_form {
    const char *name;
    void (*add)(struct strbuf *out, const struct command_table *table);
} help_forms[] = {{"page", add_page},
                  {"man", add_roff},
                  {"bash", bash_add_command},
                  {"zsh", zsh_add_command},
                  {"fish", fish_add_command}};

/* The form of that name; the short help where none is named; or NULL. */
static const struct help_form *find_form(const char *name)
{
    static const struct help_form short_help = {NULL, manual_add_short};
    if (!name)
        return &short_help;
    for (size_t i = 0; i < sizeof help_forms / sizeof help_forms[0]; i++)
        if (!strcmp(help_forms[i].name, name))
            return &help_forms[i];
    return NULL;
}

int command_print(const struct command *command, const char *form)
{
    char *name = xstrdup(command->name), *request = xasprintf("--help=%s", form);
    const int status = command->run(2, (char *[]){name, request, NULL});
    xfree(name);
    xfree(request);
    return status;
}

/* ---- arguments ---- */

enum parse_result parse_arguments(int argc, char **argv, const struct option_spec *options,
                                  const struct command_help *help)
{
    struct err err;
    const char *name = NULL;
    enum parse_result result = parseopt(argc, argv, options, &name, &err);
    const struct help_form *form = find_form(name);
    if (result == PARSE_HELP && !form) {
        err_set(&err, "option '--help' takes no value");
        result = PARSE_WRONG;
    }
    if (result == PARSE_WRONG) {
        wrong_use(help, err.text);
    } else if (result == PARSE_HELP) {
        struct strbuf text;
        strbuf_init(&text);
        form->add(&text, &(struct command_table){command_find(argv[0]), help, options});
        output_add(text.text, text.length);
        strbuf_release(&text);
    }
    return result;
}

int wrong_use(const struct command_help *help, const char *wrong)
{
    print_error(wrong);
    fprintf(stderr, "\nusage: %s\n", help->usage);
    return EXIT_WRONG_USE;
}

int fail(const struct err *err)
{
    /* Silent if the reader closed the pipe early, as `head` does. */
    if (err->number == EPIPE && log_is_quiet())
        return EXIT_FAILED;
    log_clear_line();
    print_error(err->text);
    fputc('\n', stderr);
    return EXIT_FAILED;
}

int fail_wrong_use(const struct err *err)
{
    fail(err);
    return EXIT_WRONG_USE;
}

int run_on_ranks(int (*command)(const void *settings, const struct ranks *ranks), const void *settings)
{
    struct ranks ranks;
    struct err err;
    if (ranks_begin(&ranks, &err))
        return fail(&err);
    if (!ranks_is_first(&ranks))
        log_set_level(LOG_QUIET);
    const int status = command(settings, &ranks);
    ranks_end(&ranks);
    return status;
}

int fail_once(const struct ranks *ranks, const struct err *err)
{
    return ranks_is_first(ranks) ? fail(err) : EXIT_FAILED;
}

int fail_wrong_use_once(const struct ranks *ranks, const struct err *err)
{
    return ranks_is_first(ranks) ? fail_wrong_use(err) : EXIT_WRONG_USE;
}

int check_rank_input(const struct ranks *ranks, const char *path, struct err *err)
{
    return ranks->count > 1 && path && !strcmp(path, "-")
               ? err_set(err, "cannot read standard input in %d processes: give the name of a file",
                         ranks->count)
               : 0;
}

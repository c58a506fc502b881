/* nmt help: lists the commands and shows their manual pages, through man where it has them. */
#include "commands.h"
#include "fileio.h"
#include "manual.h"
#include "mem.h"
#include "output.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* ---- a page ---- */

/* A page by the name and section that man knows it by. */
struct man_page {
    char name[32];
    int section;
};

static struct man_page page_of_command(const struct command *command)
{
    struct man_page page = {.section = 1};
    snprintf(page.name, sizeof page.name, "nmt-%s", command->name);
    return page;
}

static struct man_page page_of_topic(const struct topic *topic)
{
    struct man_page page = {.section = topic->section};
    snprintf(page.name, sizeof page.name, "%s", topic->page);
    return page;
}

static bool man_finds(const struct man_page *page)
{
    char line[PATH_MAX] = "", *command = xasprintf("man -w %d %s 2>/dev/null", page->section, page->name);
    FILE *found = popen(command, "r");
    xfree(command);
    if (!found)
        return false;
    const bool is_path = fgets(line, sizeof line, found) && line[0] == '/';
    return pclose(found) == 0 && is_path;
}

/* Goes on as man; returns if there is no man or it has no such page. */
static void become_man(const struct man_page *page)
{
    char section[12];
    if (!man_finds(page))
        return;
    snprintf(section, sizeof section, "%d", page->section);
    signal(SIGPIPE, SIG_DFL); /* main.c ignores them, and so would man */
    signal(SIGXFSZ, SIG_DFL);
    execlp("man", "man", section, page->name, (char *)NULL);
}

static void print_topic(const struct topic *topic, bool roff)
{
    struct strbuf text;
    struct page page;
    strbuf_init(&text);
    if (roff)
        page_init_roff(&page, &text);
    else
        page_init_plain(&page, &text, output_columns());
    manual_topic(&page, topic);
    output_add(text.text, text.length);
    strbuf_release(&text);
}

static int show_command(const struct command *command)
{
    const struct man_page page = page_of_command(command);
    if (isatty(STDOUT_FILENO))
        become_man(&page);
    return command_print(command, "page");
}

static int show_topic(const struct topic *topic)
{
    const struct man_page page = page_of_topic(topic);
    if (isatty(STDOUT_FILENO))
        become_man(&page);
    print_topic(topic, false);
    return EXIT_DONE;
}

/* ---- all pages ---- */

/* Redirects standard output to the page's file, DIR/man1/nmt-train.1. */
static int begin_page(const char *dir, const struct man_page *page, struct err *err)
{
    long lines;
    char *folder = xasprintf("%s/man%d", dir, page->section),
         *path = xasprintf("%s/%s.%d", folder, page->name, page->section);
    const int status = dir_make(folder, err) || output_begin_file(&lines, path, false, err) ? -1 : 0;
    xfree(folder);
    xfree(path);
    return status;
}

static int write_pages(const char *dir, struct err *err)
{
    for (size_t i = 0; i < command_count; i++) {
        const struct man_page page = page_of_command(&commands[i]);
        if (begin_page(dir, &page, err))
            return -1;
        command_print(&commands[i], "man");
        if (output_flush(err))
            return -1;
    }
    for (size_t i = 0; i < topic_count; i++) {
        const struct man_page page = page_of_topic(&topics[i]);
        if (begin_page(dir, &page, err))
            return -1;
        print_topic(&topics[i], true);
        if (output_flush(err))
            return -1;
    }
    return 0;
}

/* ---- the command ---- */

static int print_list(void)
{
    struct strbuf text;
    strbuf_init(&text);
    commands_add_list(&text);
    output_add(text.text, text.length);
    strbuf_release(&text);
    return EXIT_DONE;
}

int cmd_help(int argc, char **argv)
{
    const char *word = NULL, *dir = NULL;
    const struct option_spec options[] = {
        {"topic", 0, OPTION_OPERAND, &word, "TOPIC", "a command, or nmt, config or model", 0, 0},
        {"write-pages", 0, OPTION_STRING, &dir, "DIR", "write all manual pages into DIR, for man", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt help [TOPIC]",
                                      "Shows the manual page of a command or topic, or lists the commands."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (dir && !*dir)
        return wrong_use(&help, "option '--write-pages' needs a directory");
    struct err err;
    if (dir)
        return write_pages(dir, &err) ? fail(&err) : EXIT_DONE;
    if (!word)
        return print_list();
    const struct command *command = command_find(word);
    const struct topic *topic = topic_find(word);
    return command ? show_command(command) : topic ? show_topic(topic) : unknown_command(word);
}

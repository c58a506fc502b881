/* What completion/nmt.zsh is told: descriptions for _describe, and the specs of _arguments by command. */
#include "completion.h"

#include <stdio.h>
#include <string.h>

/* Appends text that stands in single quotes; a quote ends them, is written, and begins them again. */
static void add_quoted(struct strbuf *out, const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            strbuf_adds(out, "'\\'");
        else if (strchr(escaped, *text))
            strbuf_addch(out, '\\');
        strbuf_addch(out, *text);
    }
}

static void add_name(struct strbuf *out, const char *name, const char *summary)
{
    strbuf_addf(out, "        '%s:", name);
    add_quoted(out, summary, "");
    strbuf_adds(out, "'\n");
}

static void add_key(struct strbuf *out, const struct config_key_info *key)
{
    const char *values = key->choices ? key->choices : key->is_path ? "path" : "-";
    strbuf_addf(out, "        '%s\t%s\t", key->path, values);
    add_quoted(out, key->help, "");
    strbuf_adds(out, "'\n");
}

const struct shell shell_zsh = {"zsh", completion_zsh, add_name, add_name, add_key};

/* How an argument is completed: the last part of a spec. */
static void add_action(struct strbuf *out, const char *argument)
{
    static const struct {
        const char *argument, *action;
    } actions[] = {
        {"FILE", "_files"},
        {"FILE...", "_files"},
        {"DIR", "_files -/"},
        {"MODEL", "_files -g \"*.nmt\""},
        {"CONFIG", "_files -g \"*.json\""},
        {"KEY=VALUE", "{_nmt_setting \"\"}"},
        {"decoding.KEY=VALUE", "{_nmt_setting decoding.}"},
        {"TOPIC", "_nmt_topics"},
    };
    const bool choices = strchr(argument, '|');
    strbuf_addf(out, ":%s:%s", choices ? "choice" : argument, choices ? "(" : "");
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (!strcmp(argument, actions[i].argument))
            strbuf_adds(out, actions[i].action);
    for (const char *c = argument; choices && *c; c++)
        strbuf_addch(out, *c == '|' ? ' ' : *c);
    strbuf_adds(out, choices ? ")" : "");
}

/* A spec of _arguments: '(-m --model)'{-m+,--model=}'[help]:MODEL:action', with '*' in front where it may be
 * repeated. */
static void add_option(struct strbuf *out, const struct option_spec *o)
{
    const char *sign = o->argument ? "=" : "";
    strbuf_adds(out, " \\\n            ");
    if (o->type == OPTION_LIST || o->type == OPTION_FILES)
        strbuf_adds(out, "'*'");
    else if (o->letter)
        strbuf_addf(out, "'(-%c --%s)'", o->letter, o->name);
    if (o->letter)
        strbuf_addf(out, "{-%c%s,--%s%s}'[", o->letter, o->argument ? "+" : "", o->name, sign);
    else
        strbuf_addf(out, "'--%s%s[", o->name, sign);
    add_quoted(out, o->help, "[]:\\");
    strbuf_adds(out, "]");
    if (o->argument)
        add_action(out, o->argument);
    strbuf_adds(out, "'");
}

/* The spec of what is given without an option. */
static void add_bare(struct strbuf *out, const struct option_spec *o)
{
    if (!o->argument || (o->type != OPTION_FILES && o->type != OPTION_OPERAND))
        return;
    strbuf_adds(out, o->type == OPTION_FILES ? " '*" : " '");
    add_action(out, o->argument);
    strbuf_adds(out, "'");
}

void zsh_add_command(struct strbuf *out, const struct command_table *table)
{
    strbuf_addf(out, "    %s)\n        _arguments -s", table->command->name);
    for (const struct option_spec *o = table->options; o->name; o++) {
        add_option(out, o);
        add_bare(out, o);
    }
    for (const struct option_spec *o = parseopt_common; o->name; o++)
        add_option(out, o);
    strbuf_adds(out, "\n        ;;\n");
}

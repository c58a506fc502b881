/* What completion/nmt.fish is told: a line of `complete` for each command and option. */
#include "completion.h"

#include <string.h>

/* Appends text that stands in single quotes. */
static void add_quoted(struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            strbuf_addch(out, '\\');
        strbuf_addch(out, *text);
    }
}

static void add_name(struct strbuf *out, const char *name, const char *summary)
{
    strbuf_addf(out, "complete -c nmt -n __nmt_no_command -a %s -d '", name);
    add_quoted(out, summary);
    strbuf_adds(out, "'\n");
}

static void add_topic(struct strbuf *out, const char *name, const char *summary)
{
    strbuf_addf(out, "%s\t", name);
    add_quoted(out, summary);
    strbuf_adds(out, "\n");
}

/* KEY=, and KEY=VALUE for each of its choices. */
static void add_key(struct strbuf *out, const struct config_key_info *key)
{
    const char *value = key->choices ? key->choices : "";
    for (bool more = true; more;) {
        const size_t bytes = strcspn(value, "|");
        more = value[bytes];
        strbuf_addf(out, "%s=%.*s\t", key->path, (int)bytes, value);
        add_quoted(out, key->help);
        strbuf_adds(out, "\n");
        value += bytes + more;
    }
}

const struct shell shell_fish = {"fish", completion_fish, add_name, add_topic, add_key};

/* The flags of `complete` that say how an argument is completed. */
static void add_action(struct strbuf *out, const char *argument)
{
    static const struct {
        const char *argument, *flags;
    } actions[] = {
        {"FILE", " -r -F"},
        {"FILE...", " -r -F"},
        {"DIR", " -x -a '(__fish_complete_directories)'"},
        {"MODEL", " -x -a '(__nmt_files .nmt)'"},
        {"CONFIG", " -x -a '(__nmt_files .json)'"},
        {"KEY=VALUE", " -x -a '(__nmt_settings \"\")'"},
        {"decoding.KEY=VALUE", " -x -a '(__nmt_settings decoding.)'"},
        {"TOPIC", " -a '(__nmt_topics)'"},
    };
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (!strcmp(argument, actions[i].argument)) {
            strbuf_adds(out, actions[i].flags);
            return;
        }
    strbuf_adds(out, " -x");
    if (!strchr(argument, '|'))
        return;
    strbuf_adds(out, " -a '");
    for (; *argument; argument++)
        strbuf_addch(out, *argument == '|' ? ' ' : *argument);
    strbuf_adds(out, "'");
}

static void add_option(struct strbuf *out, const char *command, const struct option_spec *o)
{
    strbuf_addf(out, "complete -c nmt -n '__nmt_command %s' -l %s", command, o->name);
    if (o->letter)
        strbuf_addf(out, " -s %c", o->letter);
    strbuf_adds(out, " -d '");
    add_quoted(out, o->help);
    strbuf_adds(out, "'");
    if (o->argument)
        add_action(out, o->argument);
    strbuf_adds(out, "\n");
}

/* Arguments without an option: an operand, or files behind the option that takes them. */
static void add_bare(struct strbuf *out, const char *command, const struct option_spec *o)
{
    if (o->type == OPTION_FILES)
        strbuf_addf(out, "complete -c nmt -n '__nmt_command %s; and __fish_contains_opt %s' -F\n", command,
                    o->name);
    if (o->type != OPTION_OPERAND)
        return;
    strbuf_addf(out, "complete -c nmt -n '__nmt_command %s'", command);
    add_action(out, o->argument);
    strbuf_adds(out, "\n");
}

void fish_add_command(struct strbuf *out, const struct command_table *table)
{
    for (const struct option_spec *o = table->options; o->name; o++) {
        add_option(out, table->command->name, o);
        add_bare(out, table->command->name, o);
    }
    for (const struct option_spec *o = parseopt_common; o->name; o++)
        add_option(out, table->command->name, o);
}

/* What completion/nmt.bash is told: words, and for each command its options and what their arguments are. */
#include "completion.h"

#include <string.h>

static void add_word(struct strbuf *out, const char *name, const char *summary)
{
    (void)summary;
    strbuf_addf(out, "%s\n", name);
}

static void add_key(struct strbuf *out, const struct config_key_info *key)
{
    const char *values = key->choices ? key->choices : key->is_path ? "path" : "";
    strbuf_addf(out, "%s%s%s\n", key->path, *values ? " " : "", values);
}

const struct shell shell_bash = {"bash", completion_bash, add_word, add_word, add_key};

static void add_options(struct strbuf *out, const struct option_spec *options)
{
    for (; options->name; options++)
        strbuf_addf(out, " --%s", options->name);
}

void bash_add_command(struct strbuf *out, const struct command_table *table)
{
    strbuf_addf(out, "    %s)\n        options='", table->command->name);
    add_options(out, table->options);
    add_options(out, parseopt_common);
    strbuf_adds(out, "'\n        case $before in\n");
    for (const struct option_spec *o = table->options; o->name; o++) {
        if (!o->argument)
            continue;
        strbuf_addf(out, "        --%s", o->name);
        if (o->letter)
            strbuf_addf(out, " | -%c", o->letter);
        strbuf_addf(out, ") argument='%s' ;;\n", o->argument);
    }
    strbuf_adds(out, "        esac\n");
    for (const struct option_spec *o = table->options; o->name; o++)
        if (o->type == OPTION_OPERAND)
            strbuf_addf(out, "        bare='%s'\n", o->argument);
        else if (o->type == OPTION_FILES)
            strbuf_addf(out, "        [[ ' '${words[*]} != *' --%s'* ]] || bare=FILE\n", o->name);
    strbuf_adds(out, "        ;;\n");
}

/* nmt completion: prints a script by which a shell completes nmt's command lines. What each shell wants to be
 * told is in completion_<shell>.c and completion/. */
#include "commands.h"
#include "completion.h"
#include "manual.h"
#include "names.h"
#include "output.h"

#include <string.h>

#define SHELLS(ROW)                                                                                          \
    ROW(shell_bash, bash)                                                                                    \
    ROW(shell_zsh, zsh)                                                                                      \
    ROW(shell_fish, fish)
#define ADDRESS(shell, name) &shell,

static const struct shell *const shells[] = {SHELLS(ADDRESS)};

/* ---- what the lines of a template stand for ---- */

static void add_names(struct strbuf *out, const struct shell *shell)
{
    for (size_t i = 0; i < command_count; i++)
        shell->add_name(out, commands[i].name, commands[i].summary);
}

static void add_topics(struct strbuf *out, const struct shell *shell)
{
    for (size_t i = 0; i < topic_count; i++)
        shell->add_topic(out, topics[i].name, topics[i].summary);
}

static void add_keys(struct strbuf *out, const struct shell *shell)
{
    struct config_key_info key;
    for (size_t i = 0; config_key_describe(&key, i); i++)
        shell->add_key(out, &key);
}

/* Each command prints its own part. */
static void print_commands(const struct shell *shell)
{
    for (size_t i = 0; i < command_count; i++)
        command_print(&commands[i], shell->name);
}

static bool print_list(const struct shell *shell, const char *line, size_t bytes)
{
    static const struct {
        const char *line;
        void (*add)(struct strbuf *out, const struct shell *shell);
    } lists[] = {{"@names@\n", add_names}, {"@topics@\n", add_topics}, {"@keys@\n", add_keys}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strncmp(line, lists[i].line, bytes) != 0)
            continue;
        struct strbuf text;
        strbuf_init(&text);
        lists[i].add(&text, shell);
        output_add(text.text, text.length);
        strbuf_release(&text);
        return true;
    }
    return false;
}

static void print_script(const struct shell *shell)
{
    for (const char *line = shell->script, *end; *line; line = end) {
        end = strchr(line, '\n') + 1;
        const size_t bytes = (size_t)(end - line);
        if (!strncmp(line, "@commands@\n", bytes))
            print_commands(shell);
        else if (!print_list(shell, line, bytes))
            output_add(line, bytes);
    }
}

int cmd_completion(int argc, char **argv)
{
    const char *name = NULL;
    const struct option_spec options[] = {
        {"shell", 0, OPTION_OPERAND, &name, &(SHELLS(NAMES_BAR))[1], "the shell", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt completion bash|zsh|fish",
        "Prints a script that makes the shell complete commands, options, files and config keys."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!name)
        return wrong_use(&help, "which shell?");
    const int shell = names_index(options[0].argument, name);
    if (shell < 0) {
        struct err err;
        err_set(&err, "the shell is '%s', must be one of %s", name, options[0].argument);
        return wrong_use(&help, err.text);
    }
    print_script(shells[shell]);
    return EXIT_DONE;
}

/* completion: scripts by which shells complete nmt's command lines. Each is a template in completion/, in
 * which a line @names@, @topics@, @keys@ or @commands@ stands for what is written from nmt's own tables. */
#ifndef NMT_COMPLETION_H
#define NMT_COMPLETION_H

#include "commands.h"
#include "config.h"

struct shell {
    const char *name;
    const char *script; /* completion/nmt.<name> */
    /* Add an entry of the list of commands, of the topics of nmt help, or of the config keys. */
    void (*add_name)(struct strbuf *out, const char *name, const char *summary);
    void (*add_topic)(struct strbuf *out, const char *name, const char *summary);
    void (*add_key)(struct strbuf *out, const struct config_key_info *key);
};

extern const char completion_bash[], completion_zsh[], completion_fish[];
extern const struct shell shell_bash, shell_zsh, shell_fish;

/* Forms of a command's help (command_print): its options, for the line @commands@. */
void bash_add_command(struct strbuf *out, const struct command_table *table);
void zsh_add_command(struct strbuf *out, const struct command_table *table);
void fish_add_command(struct strbuf *out, const struct command_table *table);

#endif

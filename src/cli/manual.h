/* manual: the manual pages, made of the tables that nmt itself works with and of the texts in manual/. */
#ifndef NMT_MANUAL_H
#define NMT_MANUAL_H

#include "commands.h"
#include "page.h"

/* The texts; src/cli/manual/<name>.md, which the build puts into the program. */
#define DECLARE(name, summary) extern const char manual_##name[];
COMMANDS(DECLARE)
#undef DECLARE

/* A page that is not a command's. */
struct topic {
    const char *name; /* as nmt help takes it */
    const char *page; /* as man takes it: "nmt-config" */
    int section;
    const char *summary, *usage, *text;   /* usage: or NULL */
    void (*add_table)(struct page *page); /* after the description; or NULL */
};

extern const struct topic topics[];
extern const size_t topic_count;

/* The topic of that name, or NULL. */
const struct topic *topic_find(const char *name);

/* Add a whole page. */
void manual_command(struct page *page, const struct command_table *table);
void manual_topic(struct page *page, const struct topic *topic);

/* Appends a command's short help. */
void manual_add_short(struct strbuf *out, const struct command_table *table);

#endif

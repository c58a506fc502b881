/* What stands on a manual page: of a command, its table of options between the parts of its text; of a topic,
 * another table. How it looks is page.c's. */
#include "manual.h"

#include "config_auto.h"
#include "output.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NARROW_COLUMNS 60 /* below these, the short help has the texts of options on lines of their own */

extern const char manual_nmt[], manual_config[], manual_model[];

static void add_commands(struct page *page);
static void add_keys(struct page *page);

const struct topic topics[] = {
    {"nmt", "nmt", 1, "neural machine translation", "nmt COMMAND [options]", manual_nmt, add_commands},
    {"config", "nmt-config", 5, "the settings of a training, a model and a search", NULL, manual_config,
     add_keys},
    {"model", "nmt-model", 7, "the files of a model", NULL, manual_model, NULL},
};

const size_t topic_count = sizeof topics / sizeof topics[0];

const struct topic *topic_find(const char *name)
{
    for (size_t i = 0; i < topic_count; i++)
        if (!strcmp(topics[i].name, name))
            return &topics[i];
    return NULL;
}

/* ---- parts ---- */

static void heading(struct page *page, const char *text)
{
    page_heading(page, text, strlen(text));
}

static void paragraph(struct page *page, const char *text)
{
    page_paragraph(page, text, strlen(text));
}

static void item(struct page *page, const char *term, const char *text)
{
    page_item(page, term, text, strlen(text));
}

/* A command line with marks: what is typed as it is `so`, what stands for something else *SO*. */
static void add_usage(struct page *page, const char *usage)
{
    struct strbuf marked;
    strbuf_init(&marked);
    for (const char *at = usage; *at;) {
        size_t bytes = 0;
        while (isalnum((unsigned char)at[bytes]) || at[bytes] == '-')
            bytes++;
        if (!bytes) {
            strbuf_addch(&marked, *at++);
            continue;
        }
        const char mark = isupper((unsigned char)*at) ? '*' : '`';
        strbuf_addf(&marked, "%c%.*s%c", mark, (int)bytes, at, mark);
        at += bytes;
    }
    paragraph(page, marked.text);
    strbuf_release(&marked);
}

/* `-m`, `--model` *MODEL*; with `aligned`, long names stand below each other. */
static void add_term(struct strbuf *term, const struct option_spec *option, bool aligned)
{
    if (option->letter)
        strbuf_addf(term, "`-%c`, ", option->letter);
    else if (aligned)
        strbuf_adds(term, "    ");
    strbuf_addf(term, "`--%s`", option->name);
    if (option->argument)
        strbuf_addf(term, " *%s*", option->argument);
}

static void add_options(struct page *page, const struct option_spec *options, bool full)
{
    struct strbuf term, text;
    strbuf_init(&term);
    strbuf_init(&text);
    for (; options->name; options++) {
        strbuf_reset(&term);
        strbuf_reset(&text);
        add_term(&term, options, !full);
        strbuf_adds(&text, options->help);
        if (full && (options->type == OPTION_INT || options->type == OPTION_REAL))
            strbuf_addf(&text, "; from %.15g to %.15g", options->min, options->max);
        page_item(page, term.text, text.text, text.length);
    }
    strbuf_release(&term);
    strbuf_release(&text);
}

/* ---- pages ---- */

/* The place of a section in a text, or the text's end. */
static const char *find_section(const char *text, const char *heading_line)
{
    const char *found = strstr(text, heading_line);
    return found ? found + 1 : text + strlen(text);
}

static void add_text(struct page *page, const char *from, const char *to)
{
    if (from < to)
        page_markdown(page, from, (size_t)(to - from));
}

static bool has_model(const struct option_spec *options)
{
    while (options->name && strcmp(options->name, "model") != 0)
        options++;
    return options->name;
}

void manual_command(struct page *page, const struct command_table *table)
{
    const char *text = table->command->text, *const end = text + strlen(text),
               *more = find_section(text, "\n## "), *see = find_section(text, "\n## See also\n");
    char name[32];
    snprintf(name, sizeof name, "nmt-%s", table->command->name);
    page_head(page, name, 1, table->command->summary);
    heading(page, "Synopsis");
    add_usage(page, table->help->usage);
    heading(page, "Description");
    paragraph(page, table->help->summary);
    add_text(page, text, more);
    heading(page, "Options");
    add_options(page, table->options, true);
    add_options(page, parseopt_common, true);
    add_text(page, more, see);
    if (has_model(table->options)) {
        heading(page, "Environment");
        item(page, "`NMT_MODEL`", "the model to use without `--model`");
    }
    if (find_section(text, "\n## Exit status\n") == end) { /* it has no other */
        heading(page, "Exit status");
        paragraph(page, "0 on success, 1 on failure, 2 on wrong usage.");
    }
    add_text(page, see, end);
}

void manual_topic(struct page *page, const struct topic *topic)
{
    const char *text = topic->text, *const end = text + strlen(text), *more = find_section(text, "\n## ");
    page_head(page, topic->page, topic->section, topic->summary);
    if (topic->usage) {
        heading(page, "Synopsis");
        add_usage(page, topic->usage);
    }
    heading(page, "Description");
    add_text(page, text, more);
    if (topic->add_table)
        topic->add_table(page);
    add_text(page, more, end);
}

static void add_commands(struct page *page)
{
    heading(page, "Commands");
    for (size_t i = 0; i < command_count; i++) {
        char term[40];
        snprintf(term, sizeof term, "`nmt-%s`(1)", commands[i].name);
        item(page, term, commands[i].summary);
    }
}

/* The section of a key: "model" of "model.encoder.units", "" of "seed". */
static size_t section_bytes(const char *path)
{
    const char *dot = strchr(path, '.');
    return dot ? (size_t)(dot - path) : 0;
}

/* The values of keys that are auto. */
static void add_auto_table(struct page *page)
{
    struct strbuf table;
    strbuf_init(&table);
    page_subheading(page, "auto", strlen("auto"));
    config_auto_print(&table, false);
    page_lines(page, table.text, table.length);
    strbuf_release(&table);
}

static void add_keys(struct page *page)
{
    struct config_key_info key, last = {.path = "."};
    heading(page, "Keys");
    for (size_t i = 0; config_key_describe(&key, i); i++, last = key) {
        const size_t bytes = section_bytes(key.path);
        char term[96];
        struct strbuf text;
        if (bytes && (bytes != section_bytes(last.path) || strncmp(key.path, last.path, bytes) != 0))
            page_subheading(page, key.path, bytes);
        snprintf(term, sizeof term, "`%s`", key.path);
        strbuf_init(&text);
        strbuf_addf(&text, "%s (%s", key.help, key.values);
        if (key.fallback)
            strbuf_addf(&text, "; default: %s", key.fallback);
        strbuf_addf(&text, ")%s", key.kept_on_resume ? ". It cannot change on `--resume`." : "");
        page_item(page, term, text.text, text.length);
        strbuf_release(&text);
    }
    add_auto_table(page);
}

void manual_add_short(struct strbuf *out, const struct command_table *table)
{
    struct page page;
    page_init_plain(&page, out, output_columns());
    page.indent = 0;
    page.begins = true;
    page.item_indent = 7; /* "usage: " */
    item(&page, "usage:", table->help->usage);
    paragraph(&page, table->help->summary);
    strbuf_addch(out, '\n');
    page.indent = 2;
    page.item_indent = page.columns < NARROW_COLUMNS ? 10 : 35;
    page.dense = true;
    add_options(&page, table->options, false);
    add_options(&page, parseopt_common, false);
}

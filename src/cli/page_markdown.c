/* Writes Markdown to a page, as much of it as the texts in manual/ use. */
#include "page.h"

#include "err.h"
#include "mem.h"

#include <string.h>

/* The rest of a text. */
struct rest {
    const char *at, *end;
};

static bool starts_with(const struct rest *rest, const char *prefix)
{
    const size_t bytes = strlen(prefix);
    return (size_t)(rest->end - rest->at) >= bytes && !memcmp(rest->at, prefix, bytes);
}

/* Takes the line; it has no newline then. */
static struct rest take_line(struct rest *rest)
{
    const char *newline = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
    const struct rest line = {rest->at, newline ? newline : rest->end};
    rest->at = newline ? newline + 1 : rest->end;
    return line;
}

/* Takes the lines up to one that begins with `stop`, or with any of the signs that end a paragraph. */
static struct rest take_lines(struct rest *rest, const char *stop)
{
    struct rest lines = {rest->at, rest->at};
    do {
        lines.end = take_line(rest).end;
    } while (rest->at < rest->end &&
             (stop ? !starts_with(rest, stop)
                   : !starts_with(rest, "\n") && !starts_with(rest, "- ") && !starts_with(rest, "```")));
    return lines;
}

static void add_fenced(struct page *page, struct rest *rest)
{
    take_line(rest);
    const struct rest lines = take_lines(rest, "```");
    page_lines(page, lines.at, (size_t)(lines.end - lines.at));
    take_line(rest);
}

static void add_item(struct page *page, struct rest *rest)
{
    const struct rest item = take_lines(rest, NULL);
    const char *colon = item.at + 2;
    while (colon < item.end && strncmp(colon, ": ", 2) != 0)
        colon++;
    if (colon == item.end)
        BUG("an item without ': '");
    char *term = xasprintf("%.*s", (int)(colon - item.at - 2), item.at + 2);
    page_item(page, term, colon + 2, (size_t)(item.end - colon - 2));
    xfree(term);
}

static void add_block(struct page *page, struct rest *rest)
{
    if (starts_with(rest, "```")) {
        add_fenced(page, rest);
    } else if (starts_with(rest, "- ")) {
        add_item(page, rest);
    } else if (starts_with(rest, "## ")) {
        const struct rest line = take_line(rest);
        page_heading(page, line.at + 3, (size_t)(line.end - line.at - 3));
    } else {
        const struct rest lines = take_lines(rest, NULL);
        page_paragraph(page, lines.at, (size_t)(lines.end - lines.at));
    }
}

void page_markdown(struct page *page, const char *text, size_t bytes)
{
    struct rest rest = {text, text + bytes};
    while (rest.at < rest.end)
        if (starts_with(&rest, "\n") || starts_with(&rest, "# ") || starts_with(&rest, "<!-- "))
            take_line(&rest);
        else
            add_block(page, &rest);
}

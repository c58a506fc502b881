/* Separates the marks of a token from its text, for all forms of a heatmap. */
#include "token_style.h"

#include "html.h"

#include <stdbool.h>
#include <string.h>

/* Length of a mark at the start or end of a text, 0 if there is none. */
static size_t mark_bytes(const char *text, size_t bytes, bool at_end, const struct token_mark *marks)
{
    for (const struct token_mark *mark = marks; mark->text; mark++) {
        const size_t length = strlen(mark->text);
        if (length <= bytes && !memcmp(at_end ? text + bytes - length : text, mark->text, length))
            return length;
    }
    return 0;
}

struct token_parts token_parts(const char *token, const struct token_style *style)
{
    struct token_parts parts = {0, strlen(token), 0};
    size_t mark;
    while ((mark = mark_bytes(token + parts.before, parts.text, false, style->marks))) {
        parts.before += mark;
        parts.text -= mark;
    }
    while ((mark = mark_bytes(token + parts.before, parts.text, true, style->marks))) {
        parts.after += mark;
        parts.text -= mark;
    }
    return parts;
}

int token_columns(const char *token, const struct token_style *style)
{
    int columns = 0;
    for (size_t bytes; *token; token += bytes)
        columns += style->columns(token, &bytes);
    return columns;
}

int token_most_columns(char *const *tokens, int count, const struct token_style *style)
{
    int most = 0;
    for (int i = 0; i < count; i++) {
        const int columns = token_columns(tokens[i], style);
        most = columns > most ? columns : most;
    }
    return most;
}

static void add_mark(struct strbuf *out, const char *text, size_t bytes, const char *element)
{
    if (!bytes)
        return;
    strbuf_addf(out, "<%s class=\"mark\">", element);
    html_bytes(out, text, bytes);
    strbuf_addf(out, "</%s>", element);
}

void token_markup(struct strbuf *out, const char *token, const char *element, const struct token_style *style)
{
    const struct token_parts parts = token_parts(token, style);
    const char *text = token + parts.before;
    add_mark(out, token, parts.before, element);
    html_bytes(out, text, parts.text);
    add_mark(out, text + parts.text, parts.after, element);
}

/* Writes pages in roff (man(7)) and as plain text. What stands on them is in manual.c and in manual/. */
#include "page.h"

#include "utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#define ROFF_COLUMNS 76 /* lines of the source; mandoc's lint wants them below 80 bytes */
/* of plain pages, as man has them */
#define INDENT 7
#define SUBHEADING_INDENT 3
#define LINES_INDENT 4

void page_init_roff(struct page *page, struct strbuf *out)
{
    *page = (struct page){.out = out, .roff = true, .columns = ROFF_COLUMNS};
}

void page_init_plain(struct page *page, struct strbuf *out, int columns)
{
    *page = (struct page){.out = out, .columns = columns, .indent = INDENT, .item_indent = 2 * INDENT};
}

/* ---- characters and words ---- */

/* Appends a character in roff. "-" is a minus, as it is typed; a hyphen of roff may be shown as another. */
static void add_roff(struct strbuf *out, const char *text, size_t bytes)
{
    static const struct {
        char plain;
        const char *roff;
    } escapes[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                   {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    int32_t code;
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++)
        if (*text == escapes[i].plain) {
            strbuf_adds(out, escapes[i].roff);
            return;
        }
    if (bytes > 1 && utf8_decode(text, bytes, &code))
        strbuf_addf(out, "\\[u%04X]", (unsigned)code);
    else
        strbuf_add(out, text, bytes);
}

/* Which marks are open. */
struct marks {
    bool bold, italic;
};

/* Is this a mark? Then it is turned. */
static bool turn_mark(struct marks *marks, char c)
{
    if (c == '`')
        marks->bold = !marks->bold;
    else if (c == '*' && !marks->bold)
        marks->italic = !marks->italic;
    else
        return false;
    return true;
}

/* Appends a word of marked text, or with `marks` NULL any text as it is; returns its columns. */
static int add_word(const struct page *page, struct strbuf *out, struct marks *marks, const char *word,
                    size_t bytes)
{
    int columns = 0;
    const size_t before = out->length;
    for (size_t i = 0, length; i < bytes; i += length) {
        length = bytes - i;
        if (marks && turn_mark(marks, word[i])) {
            length = 1;
            if (page->roff)
                strbuf_adds(out, marks->bold ? "\\fB" : marks->italic ? "\\fI" : "\\fR");
            continue;
        }
        columns += utf8_columns(word + i, &length);
        if (page->roff)
            add_roff(out, word + i, length);
        else
            strbuf_add(out, word + i, length);
    }
    return page->roff ? (int)(out->length - before) : columns;
}

/* ---- lines ---- */

/* A line of filled text that is being written. */
struct line {
    int column, indent;
    bool has_word;
};

static void add_blanks(struct strbuf *out, int count)
{
    strbuf_addf(out, "%*s", count, "");
}

static void break_line(const struct page *page, struct line *line)
{
    strbuf_addch(page->out, '\n');
    if (!page->roff)
        add_blanks(page->out, line->indent);
    *line = (struct line){.column = page->roff ? 0 : line->indent, .indent = line->indent};
}

/* Puts a word on the line, or on the next where it does not fit. */
static void put_word(const struct page *page, struct line *line, const struct strbuf *word, int columns)
{
    if (line->has_word && line->column + 1 + columns > page->columns)
        break_line(page, line);
    if (line->has_word)
        strbuf_addch(page->out, ' ');
    else if (page->roff && word->text[0] == '.') /* else it would be a request */
        strbuf_adds(page->out, "\\&");
    strbuf_add(page->out, word->text, word->length);
    line->column += columns + line->has_word;
    line->has_word = true;
}

/* Fills lines with marked text, to the end of the last one. */
static void fill(const struct page *page, struct line line, const char *text, size_t bytes)
{
    struct strbuf word;
    struct marks marks = {false, false};
    strbuf_init(&word);
    for (const char *at = text, *const end = text + bytes; at < end;) {
        const char *begin = at;
        while (at < end && *at != ' ' && *at != '\n')
            at++;
        if (at > begin) {
            strbuf_reset(&word);
            const int columns = add_word(page, &word, &marks, begin, (size_t)(at - begin));
            put_word(page, &line, &word, columns);
        }
        at += at < end;
    }
    strbuf_addch(page->out, '\n');
    strbuf_release(&word);
}

/* ---- the parts of a page ---- */

/* Sets a part off from what is before it. */
static void begin_part(struct page *page, const char *macro)
{
    if (!page->begins)
        strbuf_adds(page->out, page->roff ? macro : "\n");
    page->begins = false;
}

static void add_heading(struct page *page, const char *macro, int indent, const char *text, size_t bytes)
{
    struct marks marks = {false, false};
    if (page->roff)
        strbuf_addf(page->out, "%s ", macro);
    else
        strbuf_addf(page->out, "%s%*s", page->out->length && !page->begins ? "\n" : "", indent, "");
    add_word(page, page->out, &marks, text, bytes);
    strbuf_addch(page->out, '\n');
    page->begins = true;
}

void page_heading(struct page *page, const char *text, size_t bytes)
{
    struct strbuf upper;
    strbuf_init(&upper);
    for (size_t i = 0; i < bytes; i++)
        strbuf_addch(&upper, (char)toupper((unsigned char)text[i]));
    add_heading(page, ".SH", 0, upper.text, upper.length);
    strbuf_release(&upper);
}

void page_subheading(struct page *page, const char *text, size_t bytes)
{
    add_heading(page, ".SS", SUBHEADING_INDENT, text, bytes);
}

void page_head(struct page *page, const char *name, int section, const char *summary)
{
    struct strbuf text;
    strbuf_init(&text);
    if (page->roff) {
        for (const char *c = name; *c; c++) {
            const char upper = (char)toupper((unsigned char)*c);
            add_roff(&text, &upper, 1);
        }
        strbuf_addf(page->out, ".TH \"%s\" \"%d\" \"" NMT_VERSION_DATE "\" \"nmt " NMT_VERSION "\" \"nmt\"\n",
                    text.text, section);
    } else {
        strbuf_addf(page->out, "%s(%d)\n", name, section);
    }
    strbuf_reset(&text);
    strbuf_addf(&text, "%s - %s", name, summary);
    page_heading(page, "NAME", strlen("NAME"));
    page_paragraph(page, text.text, text.length);
    strbuf_release(&text);
}

void page_paragraph(struct page *page, const char *text, size_t bytes)
{
    begin_part(page, ".PP\n");
    if (!page->roff)
        add_blanks(page->out, page->indent);
    fill(page, (struct line){.column = page->indent, .indent = page->indent}, text, bytes);
}

void page_item(struct page *page, const char *term, const char *text, size_t bytes)
{
    struct marks marks = {false, false};
    if (page->roff)
        strbuf_adds(page->out, ".TP\n");
    else if (!page->dense)
        begin_part(page, "");
    page->begins = false;
    if (!page->roff)
        add_blanks(page->out, page->indent);
    const int column = page->indent + add_word(page, page->out, &marks, term, strlen(term));
    struct line line = {.column = page->item_indent, .indent = page->item_indent};
    if (page->roff || column >= page->item_indent)
        break_line(page, &line);
    else
        add_blanks(page->out, page->item_indent - column);
    fill(page, line, text, bytes);
}

void page_lines(struct page *page, const char *text, size_t bytes)
{
    begin_part(page, ".PP\n");
    if (page->roff)
        strbuf_adds(page->out, ".RS 4\n.EX\n");
    for (const char *at = text, *const end = text + bytes; at < end; at++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (page->roff)
            strbuf_adds(page->out, *at == '.' ? "\\&" : "");
        else if (stop > at)
            add_blanks(page->out, page->indent + LINES_INDENT);
        add_word(page, page->out, NULL, at, (size_t)(stop - at));
        strbuf_addch(page->out, '\n');
        at = stop;
    }
    if (page->roff)
        strbuf_adds(page->out, ".EE\n.RE\n");
}

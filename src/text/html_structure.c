/* Elements by libxml2's SAX parser, which knows where those end that have no end tag or are wrongly nested.
 * Bytes are not its affair: positions need only be right to the tag. What it reads has the page's length,
 * with every byte beyond ASCII replaced, so that no encoding changes them. */
#include "html_structure.h"

#include "html_page.h"

#ifdef NMT_HTML

#include "html_scan.h"
#include "mem.h"

#include <libxml/HTMLparser.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_ATTRIBUTES 256 /* of a tag that are looked at */

/* An element that changes whether text is translated. */
struct change {
    int depth;
    bool kept; /* in it */
};

struct structure {
    htmlParserCtxtPtr parser;
    int depth;
    struct change *changes; /* [count]: those that are open */
    size_t count, capacity;
    struct span *
        kept; /* [kept_count], made by realloc: libxml2's memory would be lost if a guard's work ended here */
    size_t kept_count, kept_capacity;
    size_t stopped; /* where there were too many elements; else SIZE_MAX */
    size_t ended;   /* where the parser did */
    bool exhausted;
};

static size_t place(const struct structure *s)
{
    const long at = xmlByteConsumed(s->parser);
    return at < 0 ? 0 : (size_t)at;
}

static bool is_kept(const struct structure *s)
{
    return s->count && s->changes[s->count - 1].kept;
}

/* Makes room for one more item; NULL if there is no memory. */
static void *grown(struct structure *s, void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    const size_t more = *capacity ? *capacity * 2 : 64;
    void *new = realloc(array, more * size);
    if (new)
        *capacity = more;
    else {
        s->exhausted = true;
        xmlStopParser(s->parser);
    }
    return new;
}

/* From here on text is kept, or translated. */
static void set_kept(struct structure *s, bool kept, bool before)
{
    if (kept == before)
        return;
    if (!kept) {
        s->kept[s->kept_count - 1].end = place(s);
        return;
    }
    struct span *parts = grown(s, s->kept, s->kept_count, &s->kept_capacity, sizeof *parts);
    if (!parts)
        return;
    s->kept = parts;
    parts[s->kept_count++] = (struct span){place(s), SIZE_MAX};
}

static void push(struct structure *s, bool kept)
{
    const bool before = is_kept(s);
    struct change *changes = grown(s, s->changes, s->count, &s->capacity, sizeof *changes);
    if (!changes)
        return;
    s->changes = changes;
    changes[s->count++] = (struct change){s->depth, kept};
    set_kept(s, kept, before);
}

static bool has_class(const char *value, const char *wanted)
{
    const size_t length = strlen(wanted);
    for (const char *at = value; *at;) {
        at += strspn(at, " \t\n\f\r");
        const size_t bytes = strcspn(at, " \t\n\f\r");
        if (bytes == length && !strncasecmp(at, wanted, length))
            return true;
        at += bytes;
    }
    return false;
}

static void begin_element(void *context, const xmlChar *name, const xmlChar **attributes)
{
    struct structure *s = context;
    if (s->exhausted || s->stopped != SIZE_MAX)
        return;
    bool kept = html_is_kept((const char *)name) || is_kept(s);
    for (size_t i = 0; attributes && attributes[i]; i += 2) {
        const char *key = (const char *)attributes[i], *value = (const char *)attributes[i + 1];
        if (!value)
            value = "";
        if (!strcasecmp(key, "translate"))
            kept = !strcasecmp(value, "no") || (kept && *value && strcasecmp(value, "yes") != 0);
        else if (!strcasecmp(key, "class") && has_class(value, "notranslate"))
            kept = true;
    }
    s->depth++;
    if (kept != is_kept(s))
        push(s, kept);
    if (s->depth > MOST_OPEN) {
        s->stopped = place(s);
        xmlStopParser(s->parser);
    }
}

static void end_element(void *context, const xmlChar *name)
{
    struct structure *s = context;
    (void)name;
    if (s->exhausted || s->stopped != SIZE_MAX || !s->depth)
        return;
    if (s->count && s->changes[s->count - 1].depth == s->depth) {
        s->count--;
        set_kept(s, is_kept(s), !is_kept(s));
    }
    s->depth--;
}

/* Hides code of servers in a tag, whose quotes and ">" are not the tag's. A blank parts it from the name. */
static void hide_code(char *copy, const char *bytes, struct span tag)
{
    struct html_scan scan = {.bytes = bytes, .size = tag.end};
    for (size_t at = tag.begin + 1; at < tag.end;) {
        const size_t end = html_tag_code(&scan, at);
        if (end) {
            memset(copy + at, 'x', end - at);
            copy[at] = ' ';
        }
        at = end ? end : at + 1;
    }
}

/* Hides what libxml2 alone would take for tags, such as those in a <textarea>, and all but the first
 * attributes of a tag, each of which it compares with all others. */
static void hide_markup(char *copy, const char *bytes, size_t size)
{
    struct html_scan scan = {.bytes = bytes, .size = size};
    for (struct html_token token; html_scan_next(&token, &scan);) {
        const bool markup = token.kind == HTML_OPEN || token.kind == HTML_CLOSE || token.kind == HTML_OTHER;
        for (size_t at = token.span.begin + markup; at < token.span.end; at++)
            if (copy[at] == '<')
                copy[at] = 'x';
        if (token.kind == HTML_OPEN || token.kind == HTML_CLOSE)
            hide_code(copy, bytes, token.span);
        if (token.kind != HTML_OPEN)
            continue;
        const size_t end = html_attributes_end(bytes, token.span, MOST_ATTRIBUTES);
        memset(copy + end, ' ', token.span.end - 1 - end);
    }
}

/* The page for libxml2: ASCII without control characters, of the same length. */
static char *plain_copy(const char *bytes, size_t size)
{
    char *copy = xmalloc(size + 1, 1);
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        const bool blank = byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
        copy[i] = (byte < 0x20 && !blank) || byte >= 0x7f ? 'x' : blank ? ' ' : (char)byte;
    }
    copy[size] = '\0';
    hide_markup(copy, bytes, size);
    return copy;
}

/* The parser's own end, which is the page's, unless it has given up. */
static void end_document(void *context)
{
    struct structure *s = context;
    if (s->stopped == SIZE_MAX)
        s->ended = place(s);
}

static void parse(struct structure *s, const char *text, size_t size)
{
    static const int options = HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                               HTML_PARSE_NOIMPLIED | HTML_PARSE_IGNORE_ENC | XML_PARSE_HUGE;
    s->parser = htmlNewParserCtxt();
    if (!s->parser) {
        s->exhausted = true;
        return;
    }
    xmlSAXHandler *sax = s->parser->sax;
    memset(sax, 0, sizeof *sax);
    sax->startElement = begin_element;
    sax->endElement = end_element;
    sax->endDocument = end_document;
    s->parser->userData = s;
    htmlCtxtReadMemory(s->parser, text, (int)size, NULL, NULL,
                       options); /* makes no document: no event would */
    s->exhausted = s->exhausted || s->parser->errNo == XML_ERR_NO_MEMORY;
    if (s->ended < size)
        s->stopped = s->ended;
    htmlFreeParserCtxt(s->parser);
}

int html_check_available(struct err *err)
{
    (void)err;
    return 0;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

int html_kept_parts(struct spans *kept, size_t *followed, const char *bytes, size_t size, struct err *err)
{
    *followed = size;
    if (size > INT_MAX)
        return err_set(err, "the page has more than %d bytes", INT_MAX);
    if (!size)
        return 0;
    struct structure s = {.stopped = SIZE_MAX, .ended = SIZE_MAX};
    char *copy = plain_copy(bytes, size);
    pthread_once(&once, xmlInitParser);
    parse(&s, copy, size);
    xfree(copy);
    const bool exhausted = s.exhausted;
    if (s.stopped < size)
        *followed = s.stopped;
    free(s.changes);
    if (exhausted) {
        free(s.kept);
        mem_exhausted(size, 1);
    }
    struct span *parts = s.kept ? xadopt(s.kept, s.kept_count * sizeof *parts) : NULL;
    for (size_t i = 0; parts && i < s.kept_count; i++)
        spans_add(kept, parts[i].begin, parts[i].end > size ? size : parts[i].end);
    xfree(parts);
    return 0;
}

int32_t html_entity(const char *name)
{
    const htmlEntityDesc *entity = htmlEntityLookup((const xmlChar *)name);
    return entity ? (int32_t)entity->value : -1;
}

#else

int html_check_available(struct err *err)
{
    return err_set(err, "nmt was built without libxml2, which HTML needs");
}

int html_kept_parts(struct spans *kept, size_t *followed, const char *bytes, size_t size, struct err *err)
{
    (void)kept, (void)bytes;
    *followed = size;
    return html_check_available(err);
}

int32_t html_entity(const char *name)
{
    (void)name;
    return -1;
}

#endif

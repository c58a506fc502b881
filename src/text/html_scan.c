/* Finds tags, and code of servers, in any bytes: tags as the tokenizer of the HTML standard (13.2.5) does.
 *
 * Not by libxml2, though that parses the same pages (html_structure.c): its parser repairs what it reads and
 * does not tell where each tag begins and ends, which also differs between its versions, but no byte of a tag
 * may change. */
#include "html_scan.h"

#include "scan.h"

#include <string.h>
#include <strings.h>

#define MOST_UNENDED 16 /* searches through the rest of the page for an end tag that is not there */
#define MOST_CODE 4096  /* bytes of code in a tag; longer, it is something else that begins so */

/* ---- elements ---- */

enum element_traits {
    INLINE = 0,
    BLOCK = 1, /* of the page's flow, or a cell, or text that is shown elsewhere */
    VOID = 2,
    KEPT = 4,    /* programs, what one types or sees on a screen, formulas, pictures */
    RAW = 8,     /* its text has neither tags nor entities */
    PLAIN = 16,  /* its text has no tags */
    SILENT = 32, /* its text is no part of the sentence: how words are read */
};

static const struct element {
    const char *name; /* in their order */
    unsigned traits;
} elements[] = {
    {"a", INLINE},
    {"abbr", INLINE},
    {"acronym", INLINE},
    {"address", BLOCK},
    {"applet", BLOCK | KEPT},
    {"area", VOID},
    {"article", BLOCK},
    {"aside", BLOCK},
    {"audio", KEPT},
    {"b", INLINE},
    {"base", BLOCK | VOID},
    {"basefont", VOID},
    {"bdi", INLINE},
    {"bdo", INLINE},
    {"big", INLINE},
    {"blink", INLINE},
    {"blockquote", BLOCK},
    {"body", BLOCK},
    {"br", VOID},
    {"button", BLOCK},
    {"canvas", KEPT},
    {"caption", BLOCK},
    {"center", BLOCK},
    {"cite", INLINE},
    {"code", KEPT},
    {"col", BLOCK | VOID},
    {"colgroup", BLOCK},
    {"data", INLINE},
    {"datalist", BLOCK},
    {"dd", BLOCK},
    {"del", INLINE},
    {"details", BLOCK},
    {"dfn", INLINE},
    {"dialog", BLOCK},
    {"dir", BLOCK},
    {"div", BLOCK},
    {"dl", BLOCK},
    {"dt", BLOCK},
    {"em", INLINE},
    {"embed", VOID},
    {"fieldset", BLOCK},
    {"figcaption", BLOCK},
    {"figure", BLOCK},
    {"font", INLINE},
    {"footer", BLOCK},
    {"form", BLOCK},
    {"frame", BLOCK | VOID},
    {"frameset", BLOCK},
    {"h1", BLOCK},
    {"h2", BLOCK},
    {"h3", BLOCK},
    {"h4", BLOCK},
    {"h5", BLOCK},
    {"h6", BLOCK},
    {"head", BLOCK},
    {"header", BLOCK},
    {"hgroup", BLOCK},
    {"hr", BLOCK | VOID},
    {"html", BLOCK},
    {"i", INLINE},
    {"iframe", KEPT | RAW},
    {"img", VOID},
    {"input", VOID},
    {"ins", INLINE},
    {"kbd", KEPT},
    {"label", INLINE},
    {"legend", BLOCK},
    {"li", BLOCK},
    {"link", VOID},
    {"listing", BLOCK | KEPT},
    {"main", BLOCK},
    {"map", INLINE},
    {"mark", INLINE},
    {"marquee", INLINE},
    {"math", KEPT},
    {"menu", BLOCK},
    {"meta", VOID},
    {"meter", INLINE},
    {"nav", BLOCK},
    {"nobr", INLINE},
    {"noembed", KEPT | RAW},
    {"noframes", BLOCK | KEPT | RAW},
    {"noscript", BLOCK},
    {"object", BLOCK},
    {"ol", BLOCK},
    {"optgroup", BLOCK},
    {"option", BLOCK},
    {"output", INLINE},
    {"p", BLOCK},
    {"param", VOID},
    {"picture", INLINE},
    {"plaintext", BLOCK | KEPT | RAW},
    {"pre", BLOCK | KEPT},
    {"progress", INLINE},
    {"q", INLINE},
    {"rb", INLINE},
    {"rp", KEPT | SILENT},
    {"rt", KEPT | SILENT},
    {"rtc", KEPT | SILENT},
    {"ruby", INLINE},
    {"s", INLINE},
    {"samp", KEPT},
    {"script", KEPT | RAW},
    {"search", BLOCK},
    {"section", BLOCK},
    {"select", BLOCK},
    {"slot", INLINE},
    {"small", INLINE},
    {"source", VOID},
    {"span", INLINE},
    {"strike", INLINE},
    {"strong", INLINE},
    {"style", KEPT | RAW},
    {"sub", INLINE},
    {"summary", BLOCK},
    {"sup", INLINE},
    {"svg", KEPT},
    {"table", BLOCK},
    {"tbody", BLOCK},
    {"td", BLOCK},
    {"template", BLOCK},
    {"textarea", BLOCK | KEPT | RAW},
    {"tfoot", BLOCK},
    {"th", BLOCK},
    {"thead", BLOCK},
    {"time", INLINE},
    {"title", BLOCK | PLAIN},
    {"tr", BLOCK},
    {"track", VOID},
    {"tt", KEPT},
    {"u", INLINE},
    {"ul", BLOCK},
    {"var", KEPT},
    {"video", KEPT},
    {"wbr", VOID},
    {"xmp", BLOCK | KEPT | RAW},
};

static const struct element *find_element(const char *name)
{
    size_t from = 0, to = sizeof elements / sizeof elements[0];
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const int order = strcmp(elements[middle].name, name);
        if (!order)
            return &elements[middle];
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

/* Elements that are not of HTML are inline. */
static unsigned traits_of(const char *name)
{
    const struct element *element = find_element(name);
    return element ? element->traits : INLINE;
}

bool html_is_known(const char *name)
{
    return find_element(name) != NULL;
}

bool html_is_block(const char *name)
{
    return traits_of(name) & BLOCK;
}

bool html_is_void(const char *name)
{
    return traits_of(name) & VOID;
}

bool html_is_kept(const char *name)
{
    return traits_of(name) & KEPT;
}

bool html_is_silent(const char *name)
{
    return traits_of(name) & SILENT;
}

/* ---- tags ---- */

static char byte_at(const struct html_scan *scan, size_t at)
{
    return at < scan->size ? scan->bytes[at] : '\0';
}

bool html_is_blank(int32_t code)
{
    return code == ' ' || code == '\t' || code == '\n' || code == '\f' || code == '\r';
}

/* Behind the first byte of that kind; SIZE_MAX if there is none. */
static size_t behind(const struct html_scan *scan, size_t at, char byte)
{
    const char *found = at < scan->size ? memchr(scan->bytes + at, byte, scan->size - at) : NULL;
    return found ? (size_t)(found - scan->bytes) + 1 : SIZE_MAX;
}

static size_t skip_blanks(const struct html_scan *scan, size_t at)
{
    while (html_is_blank(byte_at(scan, at)))
        at++;
    return at;
}

static bool begins(const struct html_scan *scan, size_t at, const char *with)
{
    const size_t length = strlen(with);
    return length <= scan->size - at && !memcmp(scan->bytes + at, with, length);
}

/* Behind the first such end from `at` on; SIZE_MAX if there is none. Places go back no further than to the
 * beginning of a tag, so that all searches together take little more time than one. */
static size_t behind_end(struct html_scan *scan, size_t at, enum html_end_kind kind)
{
    static const char *const ends[] = {[END_PHP] = "?>", [END_PERCENT] = "%>", [END_CDATA] = "]]>"};
    const size_t length = strlen(ends[kind]);
    struct html_end *end = &scan->ends[kind];
    if (at >= end->from && end->behind >= at + length)
        return end->behind;
    end->from = at;
    for (end->behind = at + length - 1; (end->behind = behind(scan, end->behind, '>')) != SIZE_MAX;)
        if (!memcmp(scan->bytes + end->behind - length, ends[kind], length))
            break;
    return end->behind;
}

/* Behind the code of a server that begins at `at`: of PHP, or of ERB, EJS, JSP and ASP. SIZE_MAX if it does
 * not end; 0 if there is none. */
static size_t code_end(struct html_scan *scan, size_t at)
{
    if (begins(scan, at, "<?php") || begins(scan, at, "<?="))
        return behind_end(scan, at + 2, END_PHP);
    return begins(scan, at, "<%") ? behind_end(scan, at + 2, END_PERCENT) : 0;
}

size_t html_tag_code(struct html_scan *scan, size_t at)
{
    const size_t end = code_end(scan, at);
    return end <= scan->size && end > at && end - at <= MOST_CODE ? end : 0;
}

/* Behind a byte of a tag, or the code that begins there. */
static size_t skip(struct html_scan *scan, size_t at)
{
    const size_t code = scan->bytes[at] == '<' ? html_tag_code(scan, at) : 0;
    return code ? code : at + 1;
}

/* Behind an attribute's value, which begins behind its "=". */
static size_t value_end(struct html_scan *scan, size_t at)
{
    at = skip_blanks(scan, at);
    const char quote = byte_at(scan, at);
    if (quote == '"' || quote == '\'') {
        for (at++; at < scan->size && scan->bytes[at] != quote;)
            at = skip(scan, at);
        return at < scan->size ? at + 1 : SIZE_MAX;
    }
    while (at < scan->size && !html_is_blank(scan->bytes[at]) && scan->bytes[at] != '>')
        at = skip(scan, at);
    return at;
}

static bool is_between(char byte)
{
    return html_is_blank(byte) || byte == '/';
}

/* Behind an attribute, or a byte between them. Quotes count behind "=" only, and not one that begins a
 * name. */
static size_t attribute_end(struct html_scan *scan, size_t at)
{
    if (is_between(scan->bytes[at]))
        return at + 1;
    for (at = skip(scan, at);
         at < scan->size && !html_is_blank(scan->bytes[at]) && !strchr("/>=", scan->bytes[at]);)
        at = skip(scan, at);
    const size_t equals = skip_blanks(scan, at);
    return byte_at(scan, equals) == '=' ? value_end(scan, equals + 1) : at;
}

/* Behind the ">" of a tag from `at`, where its name ends. */
static size_t tag_end(struct html_scan *scan, size_t at)
{
    while (at < scan->size && scan->bytes[at] != '>')
        at = attribute_end(scan, at);
    return at < scan->size ? at + 1 : SIZE_MAX;
}

static size_t read_name(char *name, struct html_scan *scan, size_t at)
{
    size_t length = 0;
    for (; at < scan->size && !html_is_blank(scan->bytes[at]) && !strchr("/>", scan->bytes[at]) &&
           !html_tag_code(scan, at);
         at++) {
        const char byte = scan->bytes[at];
        if (length + 1 < ELEMENT_NAME)
            name[length++] = byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
    }
    name[length] = '\0';
    return at;
}

/* ---- comments ---- */

/* Behind "-->" or "--!>"; "<!-->" and "<!--->" are whole. */
static size_t comment_end(const struct html_scan *scan, size_t at)
{
    const char *text = scan->bytes;
    for (at += 2; (at = behind(scan, at, '>')) != SIZE_MAX;)
        if (text[at - 2] == '-' ? text[at - 3] == '-'
                                : text[at - 2] == '!' && text[at - 3] == '-' && text[at - 4] == '-')
            return at;
    return SIZE_MAX;
}

/* ---- tokens ---- */

/* The markup that begins at "<": its kind, and where it ends, SIZE_MAX if it does not. False for text. */
static bool find_markup(struct html_token *token, struct html_scan *scan, size_t at, size_t *end)
{
    const char next = byte_at(scan, at + 1);
    const bool closes = next == '/';
    token->kind = HTML_OTHER;
    if (is_alpha(next) || (closes && is_alpha(byte_at(scan, at + 2)))) {
        token->kind = closes ? HTML_CLOSE : HTML_OPEN;
        *end = tag_end(scan, read_name(token->name, scan, at + 1 + closes));
    } else if (begins(scan, at, "<!--")) {
        *end = comment_end(scan, at + 2);
    } else if (next == '%') { /* browsers take it for text, as it is without an end */
        *end = code_end(scan, at);
        return *end != SIZE_MAX;
    } else if (begins(scan, at, "<![CDATA[") && behind_end(scan, at + 9, END_CDATA) != SIZE_MAX) {
        *end = behind_end(scan, at + 9, END_CDATA);
    } else if ((*end = code_end(scan, at))) {
        return true;
    } else if (next == '!' || next == '?' || (closes && at + 2 < scan->size)) {
        *end = behind(scan, at + 1, '>');
    } else {
        return false;
    }
    return true;
}

/* Is it the name of an element behind "<" or "</"? */
static bool is_element(const struct html_scan *scan, size_t at, const char *name)
{
    const size_t length = strlen(name);
    const char after = byte_at(scan, at + length);
    return scan->size - at > length && !strncasecmp(scan->bytes + at, name, length) &&
           (html_is_blank(after) || after == '/' || after == '>');
}

/* Where a script ends. In a comment it may hold another one, which is written with both its tags: the "script
 * data double escaped state" of the standard. */
static size_t script_end(const struct html_scan *scan)
{
    bool comment = false, inner = false;
    for (size_t at = scan->at; at < scan->size; at++) {
        if (begins(scan, at, "<!--")) {
            comment = true;
            at++; /* "<!-->" is whole */
        } else if (begins(scan, at, "-->")) {
            comment = inner = false;
        } else if (begins(scan, at, "</") && is_element(scan, at + 2, "script")) {
            if (!inner)
                return at;
            inner = false;
        } else if (comment && begins(scan, at, "<") && is_element(scan, at + 1, "script")) {
            inner = true;
        }
    }
    return scan->size;
}

/* Where the text of the element that was begun ends: at its end tag. */
static size_t plain_end(const struct html_scan *scan)
{
    if (!strcmp(scan->inside, "script"))
        return script_end(scan);
    for (size_t at = scan->at; (at = behind(scan, at, '<')) != SIZE_MAX;)
        if (byte_at(scan, at) == '/' && is_element(scan, at + 1, scan->inside))
            return at - 1;
    return scan->size;
}

static bool scan_plain(struct html_token *token, struct html_scan *scan)
{
    const size_t end = plain_end(scan);
    token->kind = traits_of(scan->inside) & RAW ? HTML_RAW : HTML_TEXT;
    token->span = (struct span){scan->at, end};
    scan->inside[0] = '\0';
    scan->at = end;
    return token->span.begin < end;
}

/* Does the element that was begun begin once more before it ends, or does nothing end it? */
static bool is_unended(const struct html_scan *scan)
{
    const size_t end = plain_end(scan), length = strlen(scan->inside);
    size_t at = scan->at;
    while ((at = behind(scan, at, '<')) <= end && end - at > length)
        if (!strncasecmp(scan->bytes + at, scan->inside, length))
            return true;
    return end == scan->size;
}

/* Of a start tag behind which the page goes on: has its element text without tags? With a "/" at its end, as
 * in XHTML and SVG, it has none, if nothing ends it, or only a later one. */
static void begin_plain(struct html_scan *scan, const struct html_token *token)
{
    if (!(traits_of(token->name) & (RAW | PLAIN)))
        return;
    memcpy(scan->inside, token->name, sizeof scan->inside);
    if (scan->bytes[scan->at - 2] == '/' && scan->unended < MOST_UNENDED && is_unended(scan)) {
        scan->inside[0] = '\0';
        scan->unended++;
    }
}

bool html_scan_next(struct html_token *token, struct html_scan *scan)
{
    const size_t begin = scan->at;
    size_t at = begin, end = 0;
    if (scan->inside[0] && scan_plain(token, scan))
        return true;
    if (begin >= scan->size)
        return false;
    while ((at = behind(scan, at, '<')) != SIZE_MAX)
        if (find_markup(token, scan, at - 1, &end))
            break;
    const size_t markup = at == SIZE_MAX ? scan->size : at - 1;
    if (markup > begin) {
        token->kind = HTML_TEXT;
        scan->at = markup;
    } else if (end == SIZE_MAX) {
        token->kind = HTML_UNENDED;
        scan->at = scan->size;
    } else {
        scan->at = end;
        if (token->kind == HTML_OPEN)
            begin_plain(scan, token);
    }
    token->span = (struct span){begin, scan->at};
    return true;
}

bool html_is_break(const struct html_token *token)
{
    return (token->kind == HTML_OPEN || token->kind == HTML_CLOSE) && !strcmp(token->name, "br");
}

size_t html_attributes_end(const char *bytes, struct span tag, int most)
{
    struct html_scan scan = {.bytes = bytes, .size = tag.end - 1};
    char name[ELEMENT_NAME];
    size_t at = read_name(name, &scan, tag.begin + 1);
    for (int count = 0; at < scan.size && count < most; at = attribute_end(&scan, at))
        count += !is_between(bytes[at]);
    return at < scan.size ? at : scan.size;
}

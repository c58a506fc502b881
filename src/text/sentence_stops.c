/* Finds the stops of a line, which are signs of many scripts, and what closes behind them. */
#include "sentence_stops.h"

#include "utf8.h"

#include <string.h>

#define MOST_TAG_BYTES 64
#define MOST_ENTITY 10 /* letters of an entity */
#define MOST_QUOTES 4  /* in a row, that close */

int32_t at_of(const struct line_scan *scan, size_t at, size_t *length)
{
    return char_at(scan->text, scan->bytes, at, length);
}

size_t skip_spaces(const struct line_scan *scan, size_t at)
{
    size_t length;
    int32_t code;
    while ((code = at_of(scan, at, &length)) >= 0 && (utf8_is_space(code) || code == 0x200b))
        at += length;
    return at;
}

bool is_open_end(const struct line_scan *scan, size_t at)
{
    size_t length;
    const int32_t code = at_of(scan, at, &length);
    return code < 0 || utf8_is_space(code);
}

bool is_in_script(const struct line_scan *scan, size_t at, bool (*is)(int32_t code))
{
    size_t length;
    return is(scan->first) || is(char_before(scan->text, at, &length));
}

/* Does a semicolon end an entity, such as "&amp;"? */
static bool ends_entity(const struct line_scan *scan, size_t at)
{
    size_t begin = at;
    while (begin > scan->begin && at - begin < MOST_ENTITY &&
           (is_alnum(scan->text[begin - 1]) || scan->text[begin - 1] == '#'))
        begin--;
    return begin < at && begin > scan->begin && scan->text[begin - 1] == '&';
}

/* In Greek, a semicolon asks. */
static bool is_greek_question(const struct line_scan *scan, int32_t code, size_t at)
{
    return code == ';' && is_in_script(scan, at, is_greek) && !ends_entity(scan, at);
}

/* In Armenian, keyboards write a full stop as a colon. */
static bool is_armenian_stop(const struct line_scan *scan, int32_t code, size_t at)
{
    return code == ':' && is_open_end(scan, at + 1) && is_in_script(scan, at, is_armenian);
}

/* In Amharic, a full stop may be two signs that part words, or two colons. */
static bool is_ethiopic_stop(const struct line_scan *scan, int32_t code, size_t at)
{
    size_t length, more;
    if (code != 0x1361 && code != ':')
        return false;
    const bool second = char_before(scan->text, at, &length) == code;
    at_of(scan, at, &length);
    return (second || at_of(scan, at + length, &more) == code) &&
           (code != ':' || is_in_script(scan, at - second, is_ethiopic));
}

/* In Hindi and its neighbours, keyboards write the danda as a bar, often behind a blank. Where the text does
 * not end with one, or begins with one, bars part the items of a menu or a table. */
static bool is_bar_stop(const struct line_scan *scan, int32_t code, size_t at)
{
    size_t length;
    if (code != '|' || scan->text[scan->begin] == '|' || scan->text[scan->bytes - 1] != '|')
        return false;
    return is_danda_script(char_before(scan->text, at - (at && scan->text[at - 1] == ' '), &length));
}

bool is_stop_at(const struct line_scan *scan, int32_t code, size_t at)
{
    return sign_is_stop(code) || is_greek_question(scan, code, at) || is_armenian_stop(scan, code, at) ||
           is_ethiopic_stop(scan, code, at) || is_bar_stop(scan, code, at);
}

/* ---- what closes a sentence ---- */

/* The end of a closing tag such as "</b>", or `at`. */
static size_t skip_closing_tag(const struct line_scan *scan, size_t at)
{
    const size_t left = scan->bytes - at, most = left < MOST_TAG_BYTES ? left : MOST_TAG_BYTES;
    if (left < 4 || memcmp(scan->text + at, "</", 2) != 0)
        return at;
    const char *end = memchr(scan->text + at, '>', most);
    return end ? (size_t)(end - scan->text) + 1 : at;
}

static bool is_in_footnote(char byte)
{
    return is_alnum(byte) || byte == '-' || byte == '_' || (byte & 0x80);
}

/* The end of a reference such as "[1]", or "[^1]" and "[^name]" in Markdown, or `at`. */
static size_t skip_reference(const struct line_scan *scan, size_t at)
{
    const bool footnote = at + 1 < scan->bytes && scan->text[at + 1] == '^';
    const size_t begin = at + 1 + footnote;
    size_t end = begin;
    while (end < scan->bytes && (footnote ? is_in_footnote : is_digit)(scan->text[end]))
        end++;
    return end > begin && end < scan->bytes && scan->text[end] == ']' ? end + 1 : at;
}

static bool is_opening_quote(int32_t code)
{
    return sign_is_quote(code) && utf8_punctuation_of(code) == UTF8_OPENING;
}

/* Does a quote that opens in most languages close, as in German? Not where something begins behind it. */
static bool closes_too(const struct line_scan *scan, int32_t code, size_t after)
{
    size_t length;
    if (!is_opening_quote(code))
        return false;
    for (int i = 0; i < MOST_QUOTES && is_opening_quote(code = at_of(scan, after, &length)); i++)
        after += length;
    const enum utf8_class class = utf8_class_of(code);
    return code < 0 || skip_reference(scan, after) > after ||
           (class != UTF8_LETTER && class != UTF8_DIGIT && utf8_punctuation_of(code) != UTF8_OPENING);
}

/* Does a sign right behind a stop close something? The number of a footnote does, too. */
static bool closes(const struct line_scan *scan, int32_t code, size_t after)
{
    const enum utf8_punctuation kind = utf8_punctuation_of(code);
    if (code == '"')
        return scan->quoted || is_open_end(scan, after);
    if (code == '\'')
        return is_open_end(scan, after);
    return kind == UTF8_CLOSING || utf8_extends(code) || sign_is_superscript(code) ||
           closes_too(scan, code, after);
}

/* The end of a run of signs of Markdown with a blank behind them, such as "**", or `at`. */
static size_t skip_emphasis(const struct line_scan *scan, size_t at)
{
    size_t end = at + 1;
    while (end < scan->bytes && scan->text[end] == scan->text[at])
        end++;
    return is_open_end(scan, end) ? end : at;
}

/* The end of something of several signs that closes, or `at`. */
static size_t skip_closing_signs(const struct line_scan *scan, int32_t code, size_t at)
{
    if (code == '<')
        return skip_closing_tag(scan, at);
    if (code == '[')
        return skip_reference(scan, at);
    return code == '*' || code == '_' || code == '`' || code == '~' ? skip_emphasis(scan, at) : at;
}

static size_t skip_closing(const struct line_scan *scan, size_t at)
{
    for (;;) {
        size_t length;
        const int32_t code = at_of(scan, at, &length);
        const size_t end = skip_closing_signs(scan, code, at);
        if (end > at)
            at = end;
        else if (code >= 0 && closes(scan, code, at + length))
            at += length;
        else
            return at;
    }
}

/* The end of what still belongs to the sentence although a blank stands before it: brackets and quotes that
 * close, as in French or in text that is tokenized already, and pictures; or `at`. */
static size_t skip_detached(const struct line_scan *scan, size_t at)
{
    size_t length, end = at;
    int32_t code = at_of(scan, at, &length);
    if (code < 0)
        return at;
    if (is_picture(code))
        while ((code = at_of(scan, end, &length)) >= 0 && (is_picture(code) || utf8_extends(code)))
            end += length;
    else if (utf8_punctuation_of(code) == UTF8_CLOSING || (code == '"' && scan->quoted))
        end += length;
    return end > at && (is_open_end(scan, end) || sign_is_stop(at_of(scan, end, &length))) ? end : at;
}

/* The next place behind white space and escapes of it, as in "Saved.\nClose it."; these stay at the end of a
 * line. */
static size_t skip_gap(const struct line_scan *scan, size_t at)
{
    const struct scan s = {.text = scan->text, .bytes = scan->bytes};
    size_t next = skip_spaces(scan, at);
    for (size_t end; (end = escape_end(&s, next));)
        next = skip_spaces(scan, end);
    return next;
}

struct stop find_stop(const struct line_scan *scan, size_t at)
{
    struct stop stop = {.begin = at, .point = true, .ellipsis = true};
    size_t length, signs = 0;
    int32_t code;
    for (; (code = at_of(scan, at, &length)) >= 0 && is_stop_at(scan, code, at); at += length, signs++) {
        stop.point = stop.point && sign_is_point(code);
        stop.ellipsis = stop.ellipsis && (sign_is_point(code) || sign_is_ellipsis(code));
        stop.tight = stop.tight || sign_is_tight(code);
    }
    stop.ellipsis = stop.ellipsis && (signs > 1 || !stop.point);
    stop.point = stop.point && signs == 1;
    if (stop.point)
        stop.word = word_before(scan->text, scan->bytes, scan->begin, stop.begin);
    stop.after = at;
    stop.end = skip_closing(scan, at);
    stop.next = skip_gap(scan, stop.end);
    for (size_t end = 0; stop.next > stop.end && (end = skip_detached(scan, stop.next)) > stop.next;) {
        stop.end = end;
        stop.next = skip_gap(scan, end);
    }
    return stop;
}

/* Reads a page: which of its bytes are text of which block, and what is not to be translated. */
#include "html_page.h"

#include "html_block.h"
#include "html_structure.h"
#include "html_text.h"
#include "mem.h"
#include "utf8.h"

#include <string.h>

#define MOST_NOTE 512      /* bytes of a mark of a footnote, with its tags */
#define MOST_IN_BRACKETS 8 /* characters of one, such as "[note 1]" */
#define NO_BREAK_SPACE 0xa0

struct page_reading {
    struct html_page *page;
    const struct sentence_rules *rules;
    struct html_block block;
    size_t next;      /* of page->kept */
    bool in_kept;     /* the last token was kept … */
    bool blocks;      /* … and a block, or it has one */
    bool closed;      /* … and it is an end tag, or has none */
    bool broken;      /* the last token was a line break, or nothing to see behind one */
    struct span part; /* that is kept */
};

/* Is the token one of a part that is not translated? Places of parts are right to the tag:
 * html_structure.h. */
static bool is_kept(struct page_reading *r, const struct html_token *token)
{
    const struct span at = token->span;
    const bool is_tag = token->kind == HTML_OPEN || token->kind == HTML_CLOSE;
    for (; r->next < r->page->kept.count; r->next++) {
        const struct span part = r->page->kept.items[r->next];
        if (at.begin < part.begin)
            return is_tag && part.begin <= at.end;
        if (is_tag ? at.end <= part.end : at.begin < part.end)
            return true;
    }
    return false;
}

static bool ends_block(const struct html_token *token)
{
    return token->kind == HTML_UNENDED ||
           ((token->kind == HTML_OPEN || token->kind == HTML_CLOSE) && html_is_block(token->name));
}

/* Ends a part that was kept: it is an inline one of the block, unless its end tag is missing: then it cannot
 * move. */
static void end_kept(struct page_reading *r)
{
    if (r->in_kept && !r->blocks && !r->closed)
        html_block_end(&r->block, r->page, r->rules);
    else if (r->in_kept && !r->blocks)
        html_block_add_kept(&r->block, r->page->bytes, r->part,
                            r->rules->kinds & PATTERN_SET(PATTERN_MARKUP));
    r->in_kept = r->blocks = false;
}

static void keep(struct page_reading *r, const struct html_token *token)
{
    const bool in_picture = r->in_kept && !strcmp(token->name, "title"); /* of SVG */
    if (!r->in_kept)
        r->part.begin = token->span.begin;
    r->part.end = token->span.end;
    r->in_kept = true;
    r->closed = token->kind == HTML_CLOSE || (token->kind == HTML_OPEN && html_is_void(token->name));
    if (ends_block(token) && !in_picture && !r->blocks) {
        r->blocks = true;
        html_block_end(&r->block, r->page, r->rules);
    }
}

static bool is_blank(const char *bytes, struct span text)
{
    int32_t code = ' ';
    while (text.begin < text.end && (html_is_blank(code) || code == NO_BREAK_SPACE))
        text.begin += html_decode(&code, bytes, text.end, text.begin);
    return html_is_blank(code) || code == NO_BREAK_SPACE;
}

/* Is it a token without anything to see: white space, a comment, a tag such as "<span>"? */
static bool is_invisible(const struct page_reading *r, const struct html_token *token)
{
    const bool is_tag = token->kind == HTML_OPEN || token->kind == HTML_CLOSE;
    return token->kind == HTML_OTHER || (is_tag && !ends_block(token) && !html_is_void(token->name)) ||
           (token->kind == HTML_TEXT && is_blank(r->page->bytes, token->span));
}

/* Two line breaks in a row end a block, as a blank line ends a paragraph. */
static bool ends_by_breaks(struct page_reading *r, const struct html_token *token, bool kept)
{
    const bool breaks = html_is_break(token), again = r->broken && breaks,
               blank = !kept && is_invisible(r, token);
    r->broken = breaks || (r->broken && blank);
    return again;
}

/* ---- footnotes ---- */

/* The text of a mark of a footnote: digits, "*", "†", "‡" or brackets with little in them, as in "[a]". */
struct note {
    bool has_text, open; /* a bracket is */
    bool bare;           /* there is a digit outside of brackets: it may be an exponent */
    bool blank;          /* it ends with one */
    int in_brackets;     /* characters */
};

/* False if the character is of no such text. */
static bool note_takes(struct note *note, int32_t code)
{
    const bool is_mark = utf8_digit(code) >= 0 || html_is_blank(code) || code == 0x2020 || code == 0x2021 ||
                         (code > 0 && code < 0x80 && strchr("*[](),", code));
    note->blank = html_is_blank(code);
    note->has_text |= !note->blank;
    note->open = code == '[' || (note->open && code != ']');
    note->bare |= !note->open && utf8_digit(code) >= 0;
    note->in_brackets = code == '[' ? 0 : note->in_brackets + 1;
    return code && (is_mark || (note->open && note->in_brackets <= MOST_IN_BRACKETS));
}

/* Is the text behind the start tag `sup` a mark of a footnote, with or without links and spans around it? It
 * may be a number alone only if it ends a word. Returns the end of the element; 0: it is none. */
static size_t note_end(bool *blank, const char *bytes, size_t size, size_t at, bool ends_word)
{
    struct html_scan scan = {.bytes = bytes, .size = size - at > MOST_NOTE ? at + MOST_NOTE : size, .at = at};
    struct note note = {.has_text = false};
    int tags = 0; /* that are open */
    for (struct html_token token; html_scan_next(&token, &scan);) {
        const bool is_tag = token.kind == HTML_OPEN || token.kind == HTML_CLOSE;
        *blank = note.blank;
        if (token.kind == HTML_CLOSE && !strcmp(token.name, "sup"))
            return note.has_text && !note.open && !tags && (ends_word || !note.bare) ? token.span.end : 0;
        if (is_tag ? strcmp(token.name, "a") != 0 && strcmp(token.name, "span") != 0
                   : token.kind != HTML_TEXT)
            return 0;
        tags += token.kind == HTML_OPEN ? 1 : token.kind == HTML_CLOSE ? -1 : 0;
        if (tags < 0)
            return 0;
        for (size_t i = token.span.begin, used; !is_tag && i < token.span.end; i += used) {
            int32_t code = 0;
            used = html_decode(&code, bytes, token.span.end, i);
            if (!note_takes(&note, code))
                return 0;
        }
    }
    return 0;
}

/* Makes one token of the mark of a footnote and adds it, which is no part of the text; false if there is
 * none. A number alone is behind a stop, or a word of three letters: others, as in "x" and "km", have
 * exponents. */
static bool add_note(struct page_reading *r, struct html_token *token, struct html_scan *scan)
{
    if (token->kind != HTML_OPEN || strcmp(token->name, "sup") != 0 || !r->block.text.length)
        return false;
    bool blank = false;
    const size_t end =
        note_end(&blank, scan->bytes, scan->size, token->span.end, html_block_ends_word(&r->block));
    if (!end)
        return false;
    token->kind = HTML_OTHER;
    token->span.end = scan->at = end;
    html_block_add_note(&r->block, token->span, blank);
    return true;
}

static void read_token(struct page_reading *r, struct html_token *token, struct html_scan *scan)
{
    const size_t part = r->next;
    const bool kept = is_kept(r, token) || token->kind == HTML_RAW;
    if (!kept || r->next != part)
        end_kept(r);
    const bool note = !r->in_kept && add_note(r, token, scan), breaks = ends_by_breaks(r, token, kept);
    if (note)
        return;
    if (kept)
        keep(r, token);
    else if (token->kind == HTML_TEXT)
        html_block_add_text(&r->block, r->page->bytes, token->span);
    else if (ends_block(token) || breaks)
        html_block_end(&r->block, r->page, r->rules);
    else
        html_block_add_token(&r->block, token);
}

int html_page_init(struct html_page *page, const char *bytes, size_t size, const struct sentence_rules *rules,
                   struct err *err)
{
    memset(page, 0, sizeof *page);
    page->bytes = bytes;
    page->size = size;
    if (html_is_utf16(bytes, size))
        return err_set(err, "the page is in UTF-16: convert it (iconv -f UTF-16 -t UTF-8)");
    char encoding[HTML_ENCODING];
    html_encoding(encoding, bytes, size);
    const bool other = utf8_check(bytes, size) < size;
    if (html_is_seven_bit(encoding, bytes, size) || (other && !html_reads_encoding(encoding)))
        return err_set(err, "the page is in %s: convert it (iconv -f %s -t UTF-8) and its charset", encoding,
                       encoding);
    if (html_kept_parts(&page->kept, &page->followed, bytes, size, err))
        return -1;
    page->ascii = other || encoding[0];
    page->has_unknown_entities = html_has_unknown_entity(bytes, size);
    html_page_read(page, rules);
    return 0;
}

static void release_sentences(struct html_page *page)
{
    while (page->count) {
        const struct html_sentence *sentence = &page->sentences[--page->count];
        xfree(sentence->text);
        xfree(sentence->before);
        xfree(sentence->behind);
        xfree(sentence->tags);
        xfree(sentence->sources);
    }
}

static bool ends_early(const struct sentence_limit *limit)
{
    return limit && limit->ends && limit->ends(limit->context, 0);
}

void html_page_read(struct html_page *page, const struct sentence_rules *rules)
{
    struct page_reading r = {.page = page, .rules = rules};
    release_sentences(page);
    html_block_init(&r.block);
    const bool has_bom = page->size >= 3 && !memcmp(page->bytes, "\xef\xbb\xbf", 3); /* which stays */
    struct html_scan scan = {.bytes = page->bytes, .size = page->size, .at = has_bom ? 3 : 0};
    for (struct html_token token;
         html_scan_next(&token, &scan) && token.span.end <= page->followed && !ends_early(rules->limit);)
        read_token(&r, &token, &scan);
    end_kept(&r);
    html_block_end(&r.block, page, rules);
    html_block_release(&r.block);
}

void html_page_release(struct html_page *page)
{
    release_sentences(page);
    xfree(page->sentences);
    spans_release(&page->kept);
    memset(page, 0, sizeof *page);
}

void html_page_text(struct strbuf *out, const struct html_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        strbuf_add(out, page->sentences[i].text, page->sentences[i].bytes);
        strbuf_addch(out, '\n');
    }
}

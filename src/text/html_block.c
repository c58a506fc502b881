/* Collects the text and the tags of a block. Its sentences are found in html_sentences.c. */
#include "html_block.h"

#include "html_text.h"
#include "mem.h"
#include "sentence_signs.h"
#include "utf8.h"

#include <string.h>

#define MOST_KEPT_TEXT 256 /* bytes of text that stand for themselves */
#define MOST_MISNESTED 256 /* an end tag is compared with as many start tags */

void html_block_init(struct html_block *block)
{
    memset(block, 0, sizeof *block);
    strbuf_init(&block->text);
}

void html_block_release(struct html_block *block)
{
    strbuf_release(&block->text);
    xfree(block->begin);
    xfree(block->end);
    xfree(block->marks);
    xfree(block->open);
}

void html_block_reset(struct html_block *block)
{
    strbuf_reset(&block->text);
    block->mark_count = block->open_count = block->closed = 0;
    block->kept = block->kept_end = 0;
    block->kept_word = false;
    block->parting = block->border = 0;
}

/* ---- text ---- */

/* The bytes from `from` on stand at that place of the page. */
static void set_origin(struct html_block *block, size_t from, struct span page)
{
    const size_t length = block->text.length;
    GROW(block->begin, length, block->begin_capacity);
    GROW(block->end, length, block->end_capacity);
    for (size_t i = from; i < length; i++) {
        block->begin[i] = (uint32_t)page.begin;
        block->end[i] = (uint32_t)page.end;
    }
}

/* No text begins with a blank, or has two in a row, but in kept parts. */
static void add_blank(struct html_block *block, struct span page)
{
    const size_t length = block->text.length;
    if (!length || block->text.text[length - 1] == ' ')
        return;
    strbuf_addch(&block->text, ' ');
    set_origin(block, length, page);
}

/* Does the last sign of the text, which begins at `begin`, end a sentence? A point may be in a name: "U.S.A",
 * "J.R". */
static bool ends_sentence(const struct html_block *block, int32_t sign, size_t begin)
{
    if (!sign_is_point(sign))
        return sign_is_stop(sign);
    const char *text = block->text.text;
    const struct span word = word_before(text, block->text.length, 0, begin);
    const size_t bytes = word.end - word.begin;
    return bytes && !is_initial(text, word) && !memchr(text + word.begin, '.', bytes);
}

static bool ends_word(const char *text, size_t at)
{
    int letters = 0;
    for (int32_t code; at && letters < 3; letters++) {
        at -= utf8_decode_before(text, at, &code);
        if (!letters && (sign_is_stop(code) || sign_ends_clause(code)))
            return true;
        if (utf8_class_of(code) != UTF8_LETTER)
            break;
    }
    return letters == 3;
}

bool html_block_ends_word(const struct html_block *block)
{
    const size_t length = block->text.length;
    return block->kept_end == length ? block->kept_word : ends_word(block->text.text, length);
}

/* Adds a blank before a character of a word, if a tag parts it from the word or the sentence before; the
 * blank comes before that tag. */
static void part_words(struct html_block *block, int32_t code, struct span page)
{
    const size_t end = block->text.length;
    size_t from = 0, used = 0;
    int32_t before = 0;
    if ((block->parting || block->border) && end)
        used = utf8_decode_before(block->text.text, end, &before);
    if (before && block->parting && utf8_is_wordlike(before) && utf8_is_wordlike(code))
        from = block->parting;
    else if (before && block->border && utf8_case_of(code) == UTF8_UPPER &&
             ends_sentence(block, before, end - used))
        from = block->border;
    if (from) {
        add_blank(block, (struct span){page.begin, page.begin});
        for (size_t m = block->mark_count; m-- > 0 && block->marks[m].page.begin + 1 >= from;)
            block->marks[m].at = block->text.length;
    }
    block->parting = block->border = 0;
}

void html_block_add_text(struct html_block *block, const char *bytes, struct span text)
{
    for (size_t at = text.begin, used; at < text.end; at += used) {
        int32_t code = 0;
        used = html_decode(&code, bytes, text.end, at);
        const struct span page = {at, at + used};
        if (html_is_blank(code)) {
            add_blank(block, page);
        } else if (code) {
            part_words(block, code, page);
            const size_t begin = block->text.length;
            utf8_append(&block->text, code);
            set_origin(block, begin, page);
        }
    }
}

/* ---- tags ---- */

static struct block_mark *add_mark(struct html_block *block, enum mark_kind kind, struct span page)
{
    GROW(block->marks, block->mark_count + 1, block->mark_capacity);
    struct block_mark *mark = &block->marks[block->mark_count++];
    *mark = (struct block_mark){.kind = kind, .at = block->text.length, .page = page, .partner = NO_PARTNER};
    return mark;
}

static void add_start(struct html_block *block, const struct html_token *token)
{
    memcpy(add_mark(block, MARK_OPEN, token->span)->name, token->name, ELEMENT_NAME);
    GROW(block->open, block->open_count + 1, block->open_capacity);
    block->open[block->open_count++] = block->mark_count - 1;
}

/* Pairs an end tag with its start tag. Tags that are not nested become single ones; an end tag whose start
 * tag is before the block has none. */
static void add_end(struct html_block *block, const struct html_token *token)
{
    const size_t all = block->open_count, most = all > MOST_MISNESTED ? all - MOST_MISNESTED : 0;
    size_t found = all;
    while (found > most && strcmp(block->marks[block->open[found - 1]].name, token->name) != 0)
        found--;
    struct block_mark *mark = add_mark(block, MARK_CLOSE, token->span);
    if (found == most) {
        mark->kind = all ? MARK_SINGLE : MARK_CLOSE;
        return;
    }
    while (block->open_count > found)
        block->marks[block->open[--block->open_count]].kind = MARK_SINGLE;
    mark->partner = block->open[--block->open_count];
    block->marks[mark->partner].partner = block->mark_count - 1;
}

/* Are words apart that a start tag stands between? Pictures and fields part them, and links, labels and
 * elements that are not of HTML, where they touch: "<a>Open</a><a>Close</a>". */
static bool is_apart(const struct html_block *block, const struct html_token *token)
{
    static const char *const parting[] = {"img", "input", "embed", NULL}, *const items[] = {"a", "label",
                                                                                            NULL};
    const bool touches = block->closed == token->span.begin;
    const bool is_own = !html_is_known(token->name) && !html_is_known(block->closed_name);
    return html_is_one_of(token->name, parting) ||
           (touches &&
            (is_own || (html_is_one_of(token->name, items) && !strcmp(block->closed_name, token->name))));
}

void html_block_add_token(struct html_block *block, const struct html_token *token)
{
    if (html_is_break(token))
        add_blank(block, token->span);
    if (token->kind == HTML_OPEN && !block->parting && is_apart(block, token))
        block->parting = token->span.begin + 1;
    if (token->kind == HTML_OPEN && !html_is_void(token->name) && !block->border)
        block->border = token->span.begin + 1;
    if (token->kind == HTML_CLOSE && (!block->border || block->border == token->span.begin + 1))
        block->border = token->span.end + 1;
    if (token->kind == HTML_CLOSE) {
        block->closed = token->span.end;
        memcpy(block->closed_name, token->name, ELEMENT_NAME);
    }
    if (token->kind == HTML_CLOSE && !html_is_void(token->name))
        add_end(block, token);
    else if (token->kind == HTML_OPEN && !html_is_void(token->name))
        add_start(block, token);
    else
        add_mark(block, MARK_SINGLE, token->span);
}

void html_block_add_note(struct html_block *block, struct span note, bool blank)
{
    add_mark(block, MARK_SINGLE, note);
    block->border = note.end + 1;
    if (blank)
        block->parting = note.end + 1;
}

/* ---- what is kept ---- */

/* The text of a part, as far as it stands for itself. */
static void add_own_text(struct strbuf *out, const char *bytes, struct span part)
{
    struct html_scan scan = {.bytes = bytes, .size = part.end, .at = part.begin};
    struct html_token token;
    bool silent = false;
    while (out->length < MOST_KEPT_TEXT && html_scan_next(&token, &scan)) {
        if ((token.kind == HTML_OPEN || token.kind == HTML_CLOSE) && html_is_silent(token.name))
            silent = token.kind == HTML_OPEN;
        if (token.kind != HTML_TEXT || silent)
            continue;
        for (size_t at = token.span.begin, used; at < token.span.end; at += used) {
            int32_t code = 0;
            used = html_decode(&code, bytes, token.span.end, at);
            if (out->length >= MOST_KEPT_TEXT)
                break;
            if (code)
                utf8_append(out, html_is_blank(code) ? ' ' : code);
        }
    }
}

void html_block_add_kept(struct html_block *block, const char *bytes, struct span part, bool marked)
{
    struct strbuf text;
    strbuf_init(&text);
    add_own_text(&text, bytes, part);
    const struct span own = utf8_trim(text.text, text.length);
    if (own.begin == own.end) {
        add_mark(block, MARK_SINGLE, part);
        strbuf_release(&text);
        return;
    }
    if (own.begin && !marked) {
        int32_t first;
        utf8_decode(text.text + own.begin, own.end - own.begin, &first);
        block->parting = part.begin + 1;
        part_words(block, first, part);
    }
    struct block_mark *mark = add_mark(block, MARK_KEPT, part);
    block->kept++;
    if (marked)
        strbuf_addf(&block->text, "<x%zu/>", block->kept);
    else
        strbuf_add(&block->text, text.text + own.begin, own.end - own.begin);
    mark->length = block->text.length - mark->at;
    block->kept_end = block->text.length;
    block->kept_word = ends_word(text.text, own.end);
    block->parting = own.end < text.length && !marked ? part.end + 1 : 0; /* it ends with a blank */
    block->border = 0;
    set_origin(block, mark->at, part);
    strbuf_release(&text);
}

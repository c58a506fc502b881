/* Finds the sentences of a block, and the tags of each. */
#include "html_block.h"

#include "mem.h"
#include "utf8.h"

#include <string.h>

/* ---- where sentences are ---- */

static bool is_other_digit(int32_t code)
{
    return code >= 0x80 && utf8_digit(code) >= 0;
}

/* Has a text digits of another script than 0 to 9? Models that protect strings may make others of them. */
static bool has_other_digits(const struct sentence_rules *rules, const char *text, size_t bytes)
{
    return rules->kinds && utf8_has(text, bytes, is_other_digit);
}

/* Has the sentence letters that are to be translated, or, with nothing that is kept, digits? */
static bool is_translated(const struct html_block *block, const struct sentence_rules *rules, size_t *mark,
                          struct span sentence)
{
    size_t at = sentence.begin;
    while (*mark < block->mark_count && block->marks[*mark].at < sentence.begin)
        ++*mark;
    for (size_t i = *mark; i < block->mark_count && block->marks[i].at < sentence.end; i++) {
        const struct block_mark *kept = &block->marks[i];
        if (kept->kind != MARK_KEPT)
            continue;
        if (utf8_has_letter(block->text.text + at, kept->at - at))
            return true;
        at = kept->at + kept->length;
    }
    const char *rest = block->text.text + at;
    return at < sentence.end && (utf8_has_letter(rest, sentence.end - at) ||
                                 (at == sentence.begin && has_other_digits(rules, rest, sentence.end - at)));
}

/* Joins sentences that end within a kept text. */
static void join_kept(struct spans *sentences, const struct html_block *block)
{
    size_t count = 0, mark = 0;
    for (size_t i = 0; i < sentences->count; i++) {
        const size_t begin = sentences->items[i].begin;
        while (mark < block->mark_count && (block->marks[mark].kind != MARK_KEPT ||
                                            block->marks[mark].at + block->marks[mark].length <= begin))
            mark++;
        if (count && mark < block->mark_count && block->marks[mark].at < sentences->items[count - 1].end)
            sentences->items[count - 1].end = sentences->items[i].end;
        else
            sentences->items[count++] = sentences->items[i];
    }
    sentences->count = count;
}

/* ---- their tags ---- */

/* A sentence of a block, and its marks. */
struct range {
    struct span text, page;
    size_t first, end; /* marks */
};

/* Takes in the tags around a sentence whose partners are in it: "<b>Red</b> cars". Pairs around all of it
 * stay outside. `next`: where the next sentence begins, or the text ends. */
static void find_marks(struct range *range, const struct html_block *block, size_t *mark, size_t next)
{
    const struct block_mark *marks = block->marks;
    const struct span text = range->text;
    size_t i = *mark;
    range->page = (struct span){block->begin[text.begin], block->end[text.end - 1]};
    for (; i < block->mark_count && marks[i].page.end <= range->page.begin; i++) {
        const size_t partner = marks[i].kind == MARK_OPEN ? marks[i].partner : NO_PARTNER;
        if (partner != NO_PARTNER && marks[partner].at > text.begin && marks[partner].at < text.end)
            break;
    }
    range->first = range->end = i;
    if (i < block->mark_count && marks[i].page.begin < range->page.begin)
        range->page.begin = marks[i].page.begin;
    while (i < block->mark_count && marks[i].page.begin < range->page.end)
        i++;
    range->end = i;
    for (; i < block->mark_count && marks[i].at <= next; i++)
        if (marks[i].kind == MARK_CLOSE && marks[i].partner != NO_PARTNER &&
            marks[i].partner >= range->first && marks[marks[i].partner].at > text.begin &&
            marks[marks[i].partner].at < text.end)
            range->end = i + 1;
    if (range->end > range->first && marks[range->end - 1].page.end > range->page.end)
        range->page.end = marks[range->end - 1].page.end;
    *mark = range->end;
}

/* A sentence whose tags are being read. */
struct reading_tags {
    struct html_sentence *to;
    const struct html_block *block;
    const struct range *range;
    int open; /* the innermost pair that is open; -1: none */
};

static size_t place_of(const struct reading_tags *r, size_t at)
{
    const struct span text = r->range->text;
    return at < text.begin ? 0 : at > text.end ? text.end - text.begin : at - text.begin;
}

static int add_tag(struct reading_tags *r, size_t begin, size_t end, struct span page)
{
    const size_t i = r->to->tag_count++;
    r->to->tags[i] = (struct inline_tag){.text = {begin, end}, .parent = r->open};
    r->to->sources[i] = (struct html_tag_source){.open = page};
    return (int)i;
}

/* Does the pair of an end tag begin in the sentence? */
static bool begins_within(const struct range *range, const struct block_mark *mark)
{
    return mark->partner != NO_PARTNER && mark->partner >= range->first;
}

/* Pairs that are open where the sentence begins: the outermost has the last end tag. */
static void add_begun(struct reading_tags *r)
{
    for (size_t i = r->range->end; i-- > r->range->first;) {
        const struct block_mark *mark = &r->block->marks[i];
        if (mark->kind != MARK_CLOSE || begins_within(r->range, mark))
            continue;
        r->open = add_tag(r, 0, place_of(r, mark->at), (struct span){0, 0});
        r->to->tags[r->open].from_start = true;
        r->to->sources[r->open].close = mark->page;
    }
}

static void read_tags(struct reading_tags *r)
{
    const size_t length = r->to->bytes;
    add_begun(r);
    for (size_t i = r->range->first; i < r->range->end; i++) {
        const struct block_mark *mark = &r->block->marks[i];
        const size_t at = place_of(r, mark->at);
        if (mark->kind == MARK_OPEN) {
            r->open = add_tag(r, at, length, mark->page);
            r->to->tags[r->open].to_end = mark->partner == NO_PARTNER || mark->partner >= r->range->end;
        } else if (mark->kind == MARK_CLOSE) {
            struct inline_tag *tag = &r->to->tags[r->open];
            tag->text.end = at;
            r->to->sources[r->open].close = mark->page;
            r->open = tag->parent;
        } else {
            const int tag = add_tag(r, at, place_of(r, mark->at + mark->length), mark->page);
            r->to->tags[tag].kept = mark->kind == MARK_KEPT;
        }
    }
}

/* What of a piece of the page is in no tag of the sentence, as the blank of "wait. </i>". */
static char *between_tags(const struct html_page *page, const struct html_block *block,
                          const struct range *range, struct span piece)
{
    struct strbuf out;
    strbuf_init(&out);
    for (size_t i = range->first; i < range->end && block->marks[i].page.begin < piece.end; i++) {
        const struct span mark = block->marks[i].page;
        if (mark.begin > piece.begin)
            strbuf_add(&out, page->bytes + piece.begin, mark.begin - piece.begin);
        if (mark.end > piece.begin)
            piece.begin = mark.end;
    }
    if (piece.begin < piece.end)
        strbuf_add(&out, page->bytes + piece.begin, piece.end - piece.begin);
    return strbuf_detach(&out);
}

static void add_sentence(struct html_page *page, const struct html_block *block, const struct range *range)
{
    const size_t marks = range->end - range->first;
    GROW(page->sentences, page->count + 1, page->capacity);
    struct html_sentence *to = &page->sentences[page->count++];
    *to = (struct html_sentence){.bytes = range->text.end - range->text.begin, .source = range->page};
    to->before =
        between_tags(page, block, range, (struct span){range->page.begin, block->begin[range->text.begin]});
    to->behind =
        between_tags(page, block, range, (struct span){block->end[range->text.end - 1], range->page.end});
    to->text = xstrndup(block->text.text + range->text.begin, to->bytes);
    to->tags = xcalloc(marks, sizeof *to->tags);
    to->sources = xcalloc(marks, sizeof *to->sources);
    struct reading_tags reading = {to, block, range, -1};
    read_tags(&reading);
}

void html_block_end(struct html_block *block, struct html_page *page, const struct sentence_rules *rules)
{
    struct spans sentences = {.count = 0};
    size_t mark = 0, letters = 0;
    const char *text = block->text.text;
    const size_t bytes = block->text.length;
    if (bytes && (utf8_has_letter(text, bytes) || has_other_digits(rules, text, bytes))) {
        sentences_split(&sentences, rules, text, bytes);
        join_kept(&sentences, block);
    }
    for (size_t i = 0; i < sentences.count; i++) {
        struct range range = {.text = sentences.items[i]};
        const size_t next = i + 1 < sentences.count ? sentences.items[i + 1].begin : bytes;
        find_marks(&range, block, &mark, next);
        if (is_translated(block, rules, &letters, range.text))
            add_sentence(page, block, &range);
    }
    spans_release(&sentences);
    html_block_reset(block);
}

/* Any bytes as an HTML page: read, written with its own sentences, and with others whose words look
 * anywhere. */
#include "fuzz.h"
#include "html_page.h"
#include "html_scan.h"
#include "mem.h"
#include "tag_places.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- tags of a page ---- */

struct piece {
    const char *text;
    size_t bytes;
};

static int by_bytes(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    const int order = memcmp(x->text, y->text, x->bytes < y->bytes ? x->bytes : y->bytes);
    return order ? order : x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static size_t find_tags(struct piece **pieces, const char *bytes, size_t size)
{
    struct html_scan scan = {.bytes = bytes, .size = size};
    struct html_token token;
    size_t count = 0, capacity = 0, end = 0;
    *pieces = NULL;
    while (html_scan_next(&token, &scan)) {
        MUST(token.span.begin == end && token.span.end > end);
        end = token.span.end;
        if (token.kind == HTML_TEXT)
            continue;
        GROW(*pieces, count + 1, capacity);
        (*pieces)[count++] = (struct piece){bytes + token.span.begin, token.span.end - token.span.begin};
    }
    MUST(end == size);
    if (count)
        qsort(*pieces, count, sizeof **pieces, by_bytes);
    return count;
}

/* Begins code of a server in a tag that does not end there? It may find an end where the tag moves to. */
static bool has_open_code(const char *bytes, size_t size)
{
    struct html_scan scan = {.bytes = bytes, .size = size};
    bool open = false;
    for (struct html_token token; html_scan_next(&token, &scan);) {
        struct html_scan tag = {.bytes = bytes, .size = token.span.end};
        for (size_t at = token.span.begin + 1, end; at < token.span.end; at = end ? end : at + 1) {
            end = html_tag_code(&tag, at);
            open |= !end && (token.kind == HTML_OPEN || token.kind == HTML_CLOSE) && bytes[at] == '<' &&
                    strchr("%?", bytes[at + 1]);
        }
    }
    return open;
}

/* Has the page the same tags, each as often? */
static void same_tags(const char *bytes, size_t size, const struct strbuf *out)
{
    struct piece *before, *after;
    const size_t count = find_tags(&before, bytes, size);
    MUST(find_tags(&after, out->text, out->length) == count);
    for (size_t i = 0; i < count; i++)
        MUST(!by_bytes(&before[i], &after[i]));
    xfree(before);
    xfree(after);
}

/* ---- a translation ---- */

/* The words of a sentence in reverse order, in capitals, with weights that its bytes say. */
static void turn(struct translation *t, const char *text)
{
    const size_t bytes = strlen(text);
    struct strbuf turned;
    size_t at = 0, length;
    strbuf_init(&turned);
    memset(t, 0, sizeof *t);
    t->length = t->source_length = word_count(text, bytes) + 1;
    const char **words = xcalloc((size_t)t->length, sizeof *words);
    t->token_begin = xcalloc((size_t)t->length, sizeof *t->token_begin);
    for (int i = t->length - 1; i-- > 0;)
        words[i] = next_word(text, bytes, &at, &length);
    for (int i = 0; i + 1 < t->length; i++) {
        t->token_begin[i] = turned.length;
        utf8_upper(&turned, words[i], strcspn(words[i], " "));
        strbuf_addch(&turned, ' ');
    }
    t->token_begin[t->length - 1] = turned.length;
    strbuf_truncate(&turned, turned.length ? turned.length - 1 : 0);
    const size_t weights = (size_t)t->length * (size_t)t->length;
    if (bytes % 4) {
        t->alpha = xcalloc(weights, sizeof *t->alpha);
        for (size_t i = 0; i < weights; i++)
            t->alpha[i] = (float)((unsigned char)text[i * 7 % bytes] * (i + 1) % 101) / 100;
    }
    t->source = xstrdup(text);
    t->subwords = xstrdup(turned.text);
    t->text = strbuf_detach(&turned);
    xfree(words);
}

/* Are tags within the ones around them, and beside each other? */
static void check_places(const struct html_sentence *sentence, const struct span *places, size_t bytes)
{
    for (size_t i = 0; i < sentence->tag_count; i++) {
        const struct inline_tag *tag = &sentence->tags[i];
        const struct span outer = tag->parent < 0 ? (struct span){0, bytes} : places[tag->parent];
        MUST(tag->parent < (int)i && tag->text.begin <= tag->text.end && tag->text.end <= sentence->bytes);
        MUST(outer.begin <= places[i].begin && places[i].begin <= places[i].end &&
             places[i].end <= outer.end);
        for (size_t k = 0; k < i && k < 64; k++)
            MUST(sentence->tags[k].parent != tag->parent || places[k].end <= places[i].begin ||
                 places[i].end <= places[k].begin);
    }
}

static void translate(const struct html_page *page, const char *bytes, size_t size)
{
    const struct tokenizer tokenizers[SIDES] = {{.kind = TOKENIZE_WHITESPACE}, {.kind = TOKENIZE_WHITESPACE}};
    const char **texts = xcalloc(page->count, sizeof *texts);
    struct span **places = xcalloc(page->count, sizeof *places);
    struct translations *all = xcalloc(page->count, sizeof *all);
    struct strbuf out;
    strbuf_init(&out);
    for (size_t i = 0; i < page->count; i++) {
        const struct html_sentence *sentence = &page->sentences[i];
        all[i] = (struct translations){xcalloc(1, sizeof *all[i].best), 1};
        turn(all[i].best, sentence->text);
        texts[i] = all[i].best->text;
        places[i] = xcalloc(sentence->tag_count, sizeof **places);
        tags_place(places[i], sentence->tags, sentence->tag_count, sentence->text, all[i].best, tokenizers);
        check_places(sentence, places[i], strlen(texts[i]));
    }
    html_page_write(&out, page, texts, (const struct span *const *)places, NULL);
    if (!has_open_code(bytes, size))
        same_tags(bytes, size, &out);
    for (size_t i = 0; i < page->count; i++) {
        xfree(places[i]);
        translations_release(&all[i]);
    }
    xfree(texts);
    xfree(places);
    xfree(all);
    strbuf_release(&out);
}

/* ---- the page ---- */

static void keep(const struct html_page *page, const char *bytes, size_t size)
{
    const char **texts = xcalloc(page->count, sizeof *texts);
    const struct span **places = xcalloc(page->count, sizeof *places);
    struct strbuf out;
    size_t end = 0;
    strbuf_init(&out);
    for (size_t i = 0; i < page->count; i++) {
        const struct html_sentence *sentence = &page->sentences[i];
        texts[i] = sentence->text;
        MUST(utf8_valid(sentence->text) && strlen(sentence->text) == sentence->bytes);
        MUST(end <= sentence->source.begin && sentence->source.begin < sentence->source.end);
        end = sentence->source.end;
    }
    html_page_write(&out, page, texts, places, NULL);
    MUST(end <= size && out.length == size && !memcmp(out.text, bytes, size));
    xfree(texts);
    xfree(places);
    strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct splitter splitter;
    struct err err;
    splitter_init(&splitter);
    for (int kind = 0; kind < 4; kind++) {
        const struct sentence_rules rules = {kind & 1 ? &splitter : NULL, kind & 2 ? PROTECTED : 0, NULL};
        struct html_page page;
        if (html_page_init(&page, (const char *)data, bytes, &rules, &err))
            continue;
        keep(&page, (const char *)data, bytes);
        translate(&page, (const char *)data, bytes);
        html_page_release(&page);
    }
    splitter_release(&splitter);
    return 0;
}

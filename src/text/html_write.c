/* Writes a page with translations in the place of its sentences. */
#include "html_page.h"

#include "html_scan.h"
#include "html_text.h"
#include "mem.h"
#include "scan.h"
#include "utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A sentence that is written: its tags as a tree. */
struct writing {
    struct strbuf *out;
    const struct html_page *page;
    const struct html_sentence *sentence;
    const char *text; /* the translation */
    size_t at;        /* how far it is written */
    const struct span *places;
    int *child, *next; /* [tag_count]: the first tag within, the next one beside; -1: none */
    int *kept;         /* [kept_count]: the tags that are kept */
    int kept_count;
    size_t *displaced; /* [tag_count]: where the string of what is kept is, if not at its place; SIZE_MAX */
};

static void add_source(struct writing *w, struct span source)
{
    strbuf_add(w->out, w->page->bytes + source.begin, source.end - source.begin);
}

/* The string that stands for what is kept. */
static const char *string_of(size_t *bytes, const struct writing *w, size_t tag)
{
    const struct span text = w->sentence->tags[tag].text;
    *bytes = text.end - text.begin;
    return w->sentence->text + text.begin;
}

/* Finds the tags that are kept; where their strings are numbers, these are in a row. */
static void find_kept(struct writing *w)
{
    for (size_t i = 0; i < w->sentence->tag_count; i++)
        if (w->sentence->tags[i].kept)
            w->kept[w->kept_count++] = (int)i;
}

/* The tag whose string stands at a place of the translation, although its place is empty: the string is
 * outside of the pair around it; -1 if there is none. */
static int displaced_at(const struct writing *w, size_t at, size_t *bytes)
{
    if (w->text[at] != '<' || !w->kept_count)
        return -1;
    const long first = inline_tag_number(string_of(bytes, w, (size_t)w->kept[0]));
    const long i = first ? inline_tag_number(w->text + at) - first : -1;
    if (i < 0 || i >= w->kept_count)
        return -1;
    const int tag = w->kept[i];
    const char *string = string_of(bytes, w, (size_t)tag);
    const bool is = w->places[tag].begin == w->places[tag].end && !strncmp(w->text + at, string, *bytes);
    return is ? tag : -1;
}

static void find_displaced(struct writing *w)
{
    size_t bytes;
    for (size_t i = 0; i < w->sentence->tag_count; i++)
        w->displaced[i] = SIZE_MAX;
    for (size_t at = 0; w->text[at]; at++) {
        const int tag = displaced_at(w, at, &bytes);
        if (tag >= 0 && w->displaced[tag] == SIZE_MAX)
            w->displaced[tag] = at;
    }
}

static void add_text(struct writing *w, size_t end)
{
    while (w->at < end) {
        size_t bytes;
        const int tag = displaced_at(w, w->at, &bytes);
        if (tag >= 0 && w->displaced[tag] == w->at) {
            add_source(w, w->sentence->sources[tag].open);
            w->at += bytes;
            continue;
        }
        const size_t entity =
            w->page->has_unknown_entities ? html_unknown_entity(w->text + w->at, end - w->at) : 0;
        int32_t code = 0;
        if (entity) {
            strbuf_add(w->out, w->text + w->at, entity);
            w->at += entity;
            continue;
        }
        const size_t used = utf8_decode(w->text + w->at, end - w->at, &code);
        html_encode(w->out, used ? code : 0xfffd, w->page->ascii);
        w->at += used ? used : 1;
    }
}

/* ---- the tree ---- */

struct sorted_tag {
    struct span place;
    int tag;
};

/* Single tags before pairs that begin at the same place. */
static int by_place(const void *a, const void *b)
{
    const struct sorted_tag *x = a, *y = b;
    const bool x_wide = x->place.begin < x->place.end, y_wide = y->place.begin < y->place.end;
    if (x->place.begin != y->place.begin)
        return x->place.begin < y->place.begin ? -1 : 1;
    if (x_wide != y_wide)
        return x_wide ? 1 : -1;
    return x->tag < y->tag ? -1 : 1;
}

/* Links the tags by their places; returns the first. */
static int link_tags(struct writing *w)
{
    const size_t count = w->sentence->tag_count;
    struct sorted_tag *sorted = xcalloc(count, sizeof *sorted);
    int first = -1;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (struct sorted_tag){w->places[i], (int)i};
        w->child[i] = -1;
    }
    if (count)
        qsort(sorted, count, sizeof *sorted, by_place);
    for (size_t i = count; i-- > 0;) {
        const int tag = sorted[i].tag, parent = w->sentence->tags[tag].parent;
        int *place = parent < 0 ? &first : &w->child[parent];
        w->next[tag] = *place;
        *place = tag;
    }
    xfree(sorted);
    return first;
}

/* ---- what is kept ---- */

static bool ends_blank(const struct strbuf *out)
{
    return !out->length || out->text[out->length - 1] == ' ' || out->text[out->length - 1] == '\n';
}

/* Writes what was kept; between blanks, where no string stands for it. */
static void add_kept(struct writing *w, int tag)
{
    const struct span place = w->places[tag];
    const bool apart = place.begin == place.end;
    if (w->displaced[tag] < SIZE_MAX)
        return; /* add_text writes it */
    if (apart && place.begin && !ends_blank(w->out))
        strbuf_addch(w->out, ' ');
    add_source(w, w->sentence->sources[tag].open);
    w->at = w->at > place.end ? w->at : place.end;
    if (apart && w->text[place.end] && w->text[place.end] != ' ')
        strbuf_addch(w->out, ' ');
}

/* ---- blanks ---- */

/* Is it an element without text, such as a picture? */
static bool is_element(const struct writing *w, int tag)
{
    const struct inline_tag *of = &w->sentence->tags[tag];
    const struct span open = w->sentence->sources[tag].open;
    return of->text.begin == of->text.end && !of->kept && open.begin < open.end &&
           is_alpha(w->page->bytes[open.begin + 1]);
}

/* The blank before such an element that ends the pair around it: the text goes on with that blank. */
static void add_blank_before(struct writing *w, int tag)
{
    const size_t begin = w->sentence->sources[tag].open.begin;
    const char next = w->text[w->at];
    const int parent = w->sentence->tags[tag].parent;
    const bool ends = parent >= 0 && w->sentence->tags[tag].text.begin == w->sentence->tags[parent].text.end;
    if (is_element(w, tag) && begin && w->at && html_is_blank((unsigned char)w->page->bytes[begin - 1]) &&
        (next == ' ' || !next || ends) && !ends_blank(w->out))
        strbuf_addch(w->out, ' ');
}

/* The blank behind it: of blanks on both of its sides, the text has one, which comes before it. */
static void add_blank_behind(struct writing *w, int tag)
{
    const struct html_tag_source *source = &w->sentence->sources[tag];
    const size_t end = source->close.end ? source->close.end : source->open.end;
    const char next = w->text[w->at];
    if (is_element(w, tag) && (!w->at || w->text[w->at - 1] == ' ') && next && next != ' ' &&
        end < w->page->size && html_is_blank((unsigned char)w->page->bytes[end]))
        strbuf_addch(w->out, ' ');
}

/* ---- tags ---- */

/* How far the translation is written before a tag at `place`. One without text that stands right behind a
 * word, as the mark of a footnote does, comes before the blank, not behind it. */
static size_t text_before(const struct writing *w, int tag, size_t place)
{
    const struct span own = w->sentence->tags[tag].text;
    const char *source = w->sentence->text;
    const bool behind = own.begin == own.end && inline_tag_touches(source, own.begin);
    return behind && place && w->text[place - 1] == ' ' ? place - 1 : place;
}

static void begin_tag(struct writing *w, int tag)
{
    add_text(w, text_before(w, tag, w->places[tag].begin));
    add_blank_before(w, tag);
    if (w->sentence->tags[tag].kept)
        add_kept(w, tag);
    else
        add_source(w, w->sentence->sources[tag].open);
}

static void end_tag(struct writing *w, int tag)
{
    add_text(w, text_before(w, tag, w->places[tag].end));
    add_source(w, w->sentence->sources[tag].close);
    add_blank_behind(w, tag);
}

static void add_tags(struct writing *w)
{
    int tag = link_tags(w);
    while (tag >= 0) {
        begin_tag(w, tag);
        if (w->child[tag] >= 0) {
            tag = w->child[tag];
            continue;
        }
        end_tag(w, tag);
        while (w->next[tag] < 0 && (tag = w->sentence->tags[tag].parent) >= 0)
            end_tag(w, tag);
        tag = tag < 0 ? -1 : w->next[tag];
    }
}

static void add_sentence(struct strbuf *out, const struct html_page *page,
                         const struct html_sentence *sentence, const char *text, const struct span *places)
{
    struct writing w = {.out = out, .page = page, .sentence = sentence, .text = text, .places = places};
    if (!strcmp(text, sentence->text)) {
        add_source(&w, sentence->source);
        return;
    }
    w.child = xcalloc(sentence->tag_count, sizeof *w.child);
    w.next = xcalloc(sentence->tag_count, sizeof *w.next);
    w.kept = xcalloc(sentence->tag_count, sizeof *w.kept);
    w.displaced = xcalloc(sentence->tag_count, sizeof *w.displaced);
    find_kept(&w);
    find_displaced(&w);
    if (!ends_blank(out) || strspn(sentence->before, " \t\n\f\r") < strlen(sentence->before))
        strbuf_adds(out, sentence->before);
    add_tags(&w);
    add_text(&w, strlen(text));
    strbuf_adds(out, sentence->behind);
    xfree(w.child);
    xfree(w.next);
    xfree(w.kept);
    xfree(w.displaced);
}

void html_page_write(struct strbuf *out, const struct html_page *page, const char *const *translations,
                     const struct span *const *places, struct span *targets)
{
    size_t at = 0;
    for (size_t i = 0; i < page->count; i++) {
        const struct html_sentence *sentence = &page->sentences[i];
        strbuf_add(out, page->bytes + at, sentence->source.begin - at);
        const size_t begin = out->length;
        add_sentence(out, page, sentence, translations[i], places[i]);
        if (targets)
            targets[i] = (struct span){begin, out->length};
        at = sentence->source.end;
    }
    strbuf_add(out, page->bytes + at, page->size - at);
}

/* Pairs the strings of a sentence and its translation, and numbers them. patterns.c finds strings,
 * placeholder.c writes words. */
#include "protect.h"

#include "mem.h"
#include "scan.h"
#include "strmap.h"

#include <string.h>

#define MOST_WANTED 64 /* strings of a source that are looked for in its translation, each at each place */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_whole(const struct span *span, const char *text, size_t bytes)
{
    return (span->begin == 0 || is_blank(text[span->begin - 1])) &&
           (span->end == bytes || is_blank(text[span->end]));
}

/* In a translation, what is unseen is what is so in the source: `wanted`, its strings; else NULL. */
static bool next_string(struct pattern_string *string, const struct protect *protect,
                        const struct text_strings *wanted, const char *text, size_t bytes, size_t *at)
{
    const unsigned kinds =
        protect->seen ? seen_words_copied_kinds(protect->seen, protect->kinds) : protect->kinds;
    const struct patterns patterns = {kinds, protect->seen, protect->user_words, wanted};
    while (patterns_next(string, text, bytes, at, &patterns))
        if (!protect->whole_words || is_whole(&string->span, text, bytes))
            return true;
    return false;
}

static void add(struct protection *protection, const struct pattern_string *string, int number)
{
    protection->items[protection->count++] =
        (struct protection_item){string->span, number, string->kind, NULL};
}

void protect_source(struct protection *source, const struct protect *protect, const char *text, size_t bytes)
{
    struct pattern_string string;
    size_t at = 0;
    memset(source, 0, sizeof *source);
    while (source->count < PLACEHOLDERS && next_string(&string, protect, NULL, text, bytes, &at))
        add(source, &string, source->count + 1);
}

/* Is it the start tag of an end tag? */
static bool begins(const char *tag, size_t bytes, const char *end_tag)
{
    const size_t name = strcspn(end_tag + 2, " >");
    return name + 2 <= bytes && tag[bytes - 2] != '/' && !memcmp(tag + 1, end_tag + 2, name) &&
           (tag[1 + name] == ' ' || tag[1 + name] == '>');
}

void protect_find_starts(int *first, const struct protection *source, const char *text)
{
    bool ended[PLACEHOLDERS] = {false};
    memset(first, 0, PLACEHOLDERS * sizeof *first);
    for (int i = 0; i < source->count; i++) {
        const struct protection_item *end = &source->items[i];
        if (end->kind != PATTERN_MARKUP || text[end->span.begin + 1] != '/')
            continue;
        for (int k = i - 1; k >= 0 && !first[end->number - 1]; k--) {
            const struct protection_item *start = &source->items[k];
            if (ended[k] || start->kind != PATTERN_MARKUP ||
                !begins(text + start->span.begin, start->span.end - start->span.begin,
                        text + end->span.begin))
                continue;
            ended[k] = true;
            first[end->number - 1] = start->number;
        }
    }
}

void protect_prefix(struct protection *prefix, const struct protection *source, const char *source_text,
                    const struct protect *protect, const char *text, size_t bytes)
{
    bool used[PLACEHOLDERS] = {false};
    struct pattern_string string;
    struct pattern_string items[PLACEHOLDERS];
    const struct text_strings wanted = {source_text, items, (size_t)source->count};
    size_t at = 0;
    memset(prefix, 0, sizeof *prefix);
    for (int i = 0; i < source->count; i++)
        items[i] = (struct pattern_string){source->items[i].span, source->items[i].kind};
    while (prefix->count < source->count && next_string(&string, protect, &wanted, text, bytes, &at))
        for (int i = 0; i < source->count; i++) {
            const struct span *own = &source->items[i].span;
            const size_t length = string.span.end - string.span.begin;
            if (used[i] || own->end - own->begin != length ||
                memcmp(source_text + own->begin, text + string.span.begin, length))
                continue;
            used[i] = true;
            add(prefix, &string, source->items[i].number);
            break;
        }
}

static bool has_number(const struct protection *protection, int number)
{
    bool has = false;
    for (int i = 0; i < protection->count; i++)
        has |= protection->items[i].number == number;
    return has;
}

/* Where a string stands apart in a text, and outside of what is protected already; `bytes` if it does not. */
static size_t find_apart(const struct protection *protection, const struct scan *s, const char *string,
                         size_t length)
{
    size_t at = 0;
    for (int i = 0; i <= protection->count; i++) {
        const size_t end = i < protection->count ? protection->items[i].span.begin : s->bytes;
        for (; at + length <= end; at++)
            if (scan_has_string(s, at, string, length))
                return at;
        at = i < protection->count ? protection->items[i].span.end : at;
    }
    return s->bytes;
}

/* Where a word, as it is, or if it was lowered also in lower case or with a capital, stands so; {bytes,
 * bytes} if it does not. */
static struct span find_cased(const struct protection *protection, const struct scan *s, const char *word,
                              enum casing casing, bool lowered)
{
    struct strbuf forms[3];
    struct span span = {s->bytes, s->bytes};
    for (int i = 0; i < 3; i++)
        strbuf_init(&forms[i]);
    strbuf_adds(&forms[0], word);
    casing_lower(&forms[1], casing, word, strlen(word));
    casing_capitalize(&forms[2], casing, forms[1].text, forms[1].length);
    for (int i = 0; i < (lowered ? 3 : 1) && span.begin == s->bytes; i++) {
        span.begin = find_apart(protection, s, forms[i].text, forms[i].length);
        span.end = span.begin == s->bytes ? s->bytes : span.begin + forms[i].length;
    }
    for (int i = 0; i < 3; i++)
        strbuf_release(&forms[i]);
    return span;
}

static void insert(struct protection *protection, const struct protection_item *item)
{
    int place = protection->count++;
    for (; place > 0 && protection->items[place - 1].span.begin > item->span.begin; place--)
        protection->items[place] = protection->items[place - 1];
    protection->items[place] = *item;
}

void protect_replacements(struct protection *prefix, const struct protection *source, enum casing casing,
                          bool lowered, const char *text, size_t bytes)
{
    const struct scan s = {.text = text, .bytes = bytes};
    for (int i = 0; i < source->count && prefix->count < PLACEHOLDERS; i++) {
        struct protection_item item = source->items[i];
        if (!item.replacement || !*item.replacement || has_number(prefix, item.number))
            continue;
        item.span = find_cased(prefix, &s, item.replacement, casing, lowered);
        if (item.span.begin < bytes)
            insert(prefix, &item);
    }
}

/* ---- pairs ---- */

/* All strings of both sides, numbered as they come. */
struct strings {
    struct strmap known;
    struct pattern_string *items[2];
    int *ids[2]; /* the number of each string in `known` */
    size_t count[2], items_capacity[2], ids_capacity[2];
    int (*times)[2]; /* [known.count]: how often each side holds it */
};

static void find_strings(struct strings *strings, const struct protect *protect, const char *const *text,
                         const size_t *bytes)
{
    memset(strings, 0, sizeof *strings);
    strmap_init(&strings->known);
    for (int side = 0; side < 2; side++) {
        const size_t sought = strings->count[0] < MOST_WANTED ? strings->count[0] : MOST_WANTED;
        const struct text_strings wanted = {text[0], strings->items[0], sought};
        struct pattern_string string;
        for (size_t at = 0;
             next_string(&string, protect, side ? &wanted : NULL, text[side], bytes[side], &at);) {
            const size_t i = strings->count[side]++;
            GROW(strings->items[side], i + 1, strings->items_capacity[side]);
            GROW(strings->ids[side], i + 1, strings->ids_capacity[side]);
            strings->items[side][i] = string;
            strings->ids[side][i] = strmap_intern(&strings->known, text[side] + string.span.begin,
                                                  string.span.end - string.span.begin);
        }
    }
    strings->times = xcalloc(strings->known.count, sizeof *strings->times);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < strings->count[side]; i++)
            strings->times[strings->ids[side][i]][side]++;
}

static void release_strings(struct strings *strings)
{
    strmap_release(&strings->known);
    for (int side = 0; side < 2; side++) {
        xfree(strings->items[side]);
        xfree(strings->ids[side]);
    }
    xfree(strings->times);
}

/* The number of the first item of the source that is this string and that the target does not have yet; 0 if
 * there is none. */
static int unused_number(const struct protection *sides, const int *item_ids, int id)
{
    for (int i = 0; i < sides[0].count; i++) {
        const int number = sides[0].items[i].number;
        if (item_ids[i] == id && !has_number(&sides[1], number))
            return number;
    }
    return 0;
}

void protect_pair(struct protection *sides, const struct protect *protect, const char *const *text,
                  const size_t *bytes)
{
    struct strings strings;
    int item_ids[PLACEHOLDERS] = {0};
    memset(sides, 0, 2 * sizeof *sides);
    find_strings(&strings, protect, text, bytes);
    for (size_t i = 0; i < strings.count[0] && sides[0].count < PLACEHOLDERS; i++) {
        const int id = strings.ids[0][i];
        if (strings.times[id][0] != strings.times[id][1])
            continue;
        item_ids[sides[0].count] = id;
        add(&sides[0], &strings.items[0][i], sides[0].count + 1);
    }
    for (size_t i = 0; i < strings.count[1]; i++) {
        const int number = unused_number(sides, item_ids, strings.ids[1][i]);
        if (number)
            add(&sides[1], &strings.items[1][i], number);
    }
    release_strings(&strings);
}

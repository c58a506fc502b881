/* Divides a sentence that is too long. Where whole sentences end is known to sentences.c. */
#include "sentence_signs.h"
#include "utf8.h"

#include <string.h>

/* A piece with more bytes per token than this is divided before its tokens are counted, so that a line of
 * many megabytes takes no time for each halving. */
#define MOST_TOKEN_BYTES 64

/* Of a longer piece, only as much around its middle is looked at. */
#define MOST_LOOKED_AT 8192

/* Where a piece may be divided, the best first. */
enum place { PLACE_SENTENCE, PLACE_CLAUSE, PLACE_BLANK, PLACE_CHARACTER, PLACE_MARK, PLACE_KINDS };

/* The place of each kind that is nearest to the middle; 0: none. */
struct places {
    struct span piece;
    size_t begin, middle, end; /* what is looked at of it */
    struct spans strings;      /* in which there are no places */
    size_t string;             /* the first of them that ends behind the last position */
    bool anywhere;             /* also between a character and its marks */
    size_t nearest[PLACE_KINDS];
};

/* Is it within a string? Positions come in ascending order. */
static bool is_inside(struct places *places, size_t at)
{
    const struct spans *strings = &places->strings;
    while (places->string < strings->count && strings->items[places->string].end <= at)
        places->string++;
    return places->string < strings->count && strings->items[places->string].begin < at;
}

static void consider(struct places *places, enum place kind, size_t at)
{
    const size_t middle = places->middle, best = places->nearest[kind];
    const size_t distance = at > middle ? at - middle : middle - at;
    const struct span piece = places->piece;
    const size_t edge = (piece.end - piece.begin) / 8;
    if (at <= places->begin || at >= places->end || is_inside(places, at))
        return;
    if (kind != PLACE_SENTENCE && kind != PLACE_CHARACTER &&
        (at < piece.begin + edge || at + edge > piece.end))
        return;
    if (!best || distance < (best > middle ? best - middle : middle - best))
        places->nearest[kind] = at;
}

static bool ends_part(int32_t code)
{
    return sign_ends_clause(code) || sign_is_stop(code);
}

/* Considers every position of a piece. A dash divides clauses where a blank follows it; of several signs in a
 * row, as in Tibetan, the last one. */
static void consider_all(struct places *places, const char *text)
{
    size_t length;
    int32_t code = -1, next;
    places->string = 0;
    for (size_t at = places->begin; at < places->end; at += length, code = next) {
        next = char_at(text, places->end, at, &length);
        const bool blank = utf8_is_space(next) || (at > places->begin && utf8_is_space(code));
        const bool in_number =
            (code == ':' || code == ',' || code == '.') && utf8_class_of(next) == UTF8_DIGIT;
        const bool mark = code >= 0 && !in_number &&
                          (ends_part(code) || utf8_punctuation_of(code) == UTF8_DASH) && !ends_part(next);
        if (mark && (utf8_is_space(next) || utf8_unspaced(next) || utf8_unspaced(code)))
            consider(places, PLACE_CLAUSE, at);
        if (blank)
            consider(places, PLACE_BLANK, at);
        if (!utf8_extends(next) && code != 0x200d)
            consider(places, PLACE_CHARACTER, at);
        else if (places->anywhere)
            consider(places, PLACE_MARK, at);
    }
}

static void consider_sentences(struct places *places, const struct splitter *splitter, const char *text)
{
    struct spans sentences = {.count = 0};
    sentences_find(&sentences, splitter, text + places->begin, places->end - places->begin);
    for (size_t i = 1; i < sentences.count; i++)
        consider(places, PLACE_SENTENCE, places->begin + sentences.items[i].begin);
    spans_release(&sentences);
}

/* The best place that was considered; 0 if there is none. */
static size_t best_place(const struct places *places)
{
    for (int kind = 0; kind < PLACE_KINDS; kind++)
        if (places->nearest[kind])
            return places->nearest[kind];
    return 0;
}

static void find_strings(struct places *places, unsigned kinds, const char *text)
{
    const struct patterns patterns = {.kinds = kinds};
    const size_t begin = places->begin, bytes = places->end - begin;
    struct pattern_string string;
    for (size_t at = 0; patterns_next(&string, text + begin, bytes, &at, &patterns);)
        spans_add(&places->strings, begin + string.span.begin, begin + string.span.end);
}

static void places_init(struct places *places, const char *text, struct span piece)
{
    const size_t half = (piece.end - piece.begin) / 2;
    *places = (struct places){piece, piece.begin, piece.begin + half, piece.end, .string = 0};
    if (half <= MOST_LOOKED_AT / 2)
        return;
    places->begin = places->middle - MOST_LOOKED_AT / 2;
    places->end = places->middle + MOST_LOOKED_AT / 2;
    while (utf8_continues(text[places->begin]))
        places->begin--;
    while (places->end < piece.end && utf8_continues(text[places->end]))
        places->end++;
}

/* The best place to divide a piece at; 0 if there is none. */
static size_t find_place(const struct splitter *splitter, unsigned kinds, const char *text, struct span piece)
{
    struct places places;
    places_init(&places, text, piece);
    find_strings(&places, kinds, text);
    consider_sentences(&places, splitter, text);
    consider_all(&places, text);
    if (!best_place(&places)) {
        places.strings.count = 0;
        places.anywhere = piece.end - piece.begin > MOST_TOKEN_BYTES;
        consider_all(&places, text);
    }
    spans_release(&places.strings);
    return best_place(&places);
}

static bool fits(const struct tokenizer *tokenizer, const char *text, struct span piece, size_t most)
{
    const size_t bytes = piece.end - piece.begin;
    if (bytes / MOST_TOKEN_BYTES > most)
        return false;
    struct strbuf subwords;
    strbuf_init(&subwords);
    tokenizer_split(&subwords, tokenizer, text + piece.begin, bytes);
    const bool fit = (size_t)word_count(subwords.text, subwords.length) <= most;
    strbuf_release(&subwords);
    return fit;
}

static struct span without_blanks(const char *text, struct span piece)
{
    size_t length;
    while (piece.begin < piece.end && utf8_is_space(char_at(text, piece.end, piece.begin, &length)))
        piece.begin += length;
    while (piece.begin < piece.end && utf8_is_space(char_before(text, piece.end, &length)))
        piece.end -= length;
    return piece;
}

void sentence_divide(struct spans *parts, const struct sentence_limit *limit, const char *text,
                     struct span piece)
{
    const struct tokenizer *tokenizer = limit->tokenizer;
    const struct span whole = without_blanks(text, piece);
    if (whole.begin == whole.end || (limit->ends && limit->ends(limit->context, parts->count)))
        return;
    const size_t at = fits(tokenizer, text, whole, limit->most)
                          ? 0
                          : find_place(limit->splitter, tokenizer->protect.kinds, text, whole);
    if (!at) {
        spans_add(parts, whole.begin, whole.end);
        return;
    }
    sentence_divide(parts, limit, text, (struct span){whole.begin, at});
    sentence_divide(parts, limit, text, (struct span){at, whole.end});
}

void tokens_divide(struct spans *parts, const char *tokens, struct span piece, size_t most)
{
    struct span part = {piece.begin, piece.begin};
    size_t at = piece.begin, length, count = 0;
    size_t whole = 0, whole_end = at; /* of the part's tokens, those up to the end of a word */
    for (const char *token; (token = next_word(tokens, piece.end, &at, &length)); part.end = at) {
        if (count == most) {
            const size_t end = whole ? whole_end : part.end;
            spans_add(parts, part.begin, end);
            part.begin = end;
            count = whole ? count - whole : 0;
            whole = 0;
        }
        count++;
        if (!bpe_is_continued(token, length)) {
            whole = count;
            whole_end = at;
        }
    }
    if (count)
        spans_add(parts, part.begin, part.end);
}

void sentences_join_strings(struct spans *sentences, unsigned kinds, const char *text, size_t bytes)
{
    const struct patterns patterns = {.kinds = kinds};
    struct pattern_string string = {.span = {0, 0}};
    size_t at = 0, kept = 0;
    bool more = true;
    for (size_t i = 1; i < sentences->count; i++) {
        struct span *last = &sentences->items[kept];
        const struct span *next = &sentences->items[i];
        while (more && string.span.end <= last->end)
            more = patterns_next(&string, text, bytes, &at, &patterns);
        if (more && string.span.begin < last->end && string.span.end > next->begin)
            last->end = next->end;
        else
            sentences->items[++kept] = *next;
    }
    sentences->count = sentences->count ? kept + 1 : 0;
}

/* Divides the sentences that are too long. */
static void divide_sentences(struct spans *sentences, const struct sentence_limit *limit, const char *text)
{
    struct spans whole = *sentences;
    *sentences = (struct spans){.count = 0};
    for (size_t i = 0; i < whole.count; i++)
        sentence_divide(sentences, limit, text, whole.items[i]);
    spans_release(&whole);
}

void sentences_split(struct spans *sentences, const struct sentence_rules *rules, const char *text,
                     size_t bytes)
{
    if (rules->splitter) {
        sentences_find(sentences, rules->splitter, text, bytes);
        sentences_join_strings(sentences, rules->kinds, text, bytes);
    } else if (!utf8_blank(text, bytes)) {
        const struct span whole = utf8_trim(text, bytes);
        spans_add(sentences, whole.begin, whole.end);
    }
    if (rules->limit && utf8_has_letter(text, bytes))
        divide_sentences(sentences, rules->limit, text);
}

/* Finds words in raw text. Both are compared without what tokenizers change: in lower case, in NFKC,
 * character by character with its marks, and without blanks, invisible signs, kinds of apostrophes and of the
 * letter i, and Greek accents. */
#include "word_spans.h"

#include "casing.h"
#include "mem.h"
#include "seen_words.h"
#include "utf8.h"

#include <string.h>

/* How far behind its place a word is looked for, in bytes of folded text. */
#define REACH 256

/* Text as it is compared. */
struct folded {
    struct strbuf text;
    struct span *from; /* [text.length]: the characters of the raw text that a byte comes from */
    size_t capacity;
};

/* The end of a character with its marks. */
static size_t cluster_end(const char *text, size_t bytes, size_t at)
{
    int32_t code = 0;
    at += utf8_decode(text + at, bytes - at, &code);
    while (at < bytes) {
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        if (!utf8_extends(code))
            break;
        at += used;
    }
    return at;
}

static void fold_cluster(struct strbuf *out, struct strbuf *normal, const char *text, size_t bytes)
{
    struct strbuf lower;
    int32_t code;
    if (utf8_decode(text, bytes, &code) == bytes && seen_words_is_apostrophe(code)) {
        strbuf_addch(out, '\'');
        return;
    }
    strbuf_init(&lower);
    strbuf_reset(normal);
    utf8_normalize(normal, text, bytes, UTF8_NFKC);
    casing_fold_all(&lower, normal->text, normal->length);
    for (size_t at = 0, used; at < lower.length; at += used) {
        used = utf8_decode(lower.text + at, lower.length - at, &code);
        const bool invisible = utf8_category(code) == 'C' && utf8_extends(code);
        if (seen_words_is_apostrophe(code))
            strbuf_addch(out, '\'');
        else if (!utf8_is_space(code) && !invisible)
            strbuf_add(out, lower.text + at, used);
    }
    strbuf_release(&lower);
}

static void fold(struct folded *folded, const char *text, size_t bytes)
{
    struct strbuf normal;
    strbuf_init(&normal);
    strbuf_reset(&folded->text);
    for (size_t at = 0, end; at < bytes; at = end) {
        const size_t begin = folded->text.length;
        end = cluster_end(text, bytes, at);
        fold_cluster(&folded->text, &normal, text + at, end - at);
        GROW(folded->from, folded->text.length, folded->capacity);
        for (size_t i = begin; i < folded->text.length; i++)
            folded->from[i] = (struct span){at, end};
    }
    strbuf_release(&normal);
}

static void folded_init(struct folded *folded)
{
    *folded = (struct folded){.capacity = 0};
    strbuf_init(&folded->text);
}

static void folded_release(struct folded *folded)
{
    strbuf_release(&folded->text);
    xfree(folded->from);
}

static void fold_word(struct folded *folded, struct strbuf *raw, const struct words *words, size_t i,
                      const struct tokenizer *tokenizer)
{
    strbuf_reset(raw);
    tokenizer_join(raw, tokenizer, words->texts.text[i], words->texts.bytes[i]);
    fold(folded, raw->text, raw->length);
}

static bool is_at(const struct strbuf *text, size_t at, const struct strbuf *word)
{
    return word->length && word->length <= text->length - at &&
           !memcmp(text->text + at, word->text, word->length);
}

/* May a word or sign begin there? A word does not within another one. */
static bool may_begin(const struct folded *all, const char *text, size_t place)
{
    const struct span *character = &all->from[place];
    int32_t code = 0, before = 0;
    if (all->from[place - 1].end != character->begin) /* a blank */
        return true;
    utf8_decode(text + character->begin, character->end - character->begin, &code);
    utf8_decode_before(text, character->begin, &before);
    return !utf8_is_wordlike(before) || !utf8_is_wordlike(code);
}

/* The place of a word: `at`, or behind it; SIZE_MAX if it is not there. `next`: the word that follows; if
 * that one is at the place, this one is missing. */
static size_t find(const struct folded *all, const char *text, size_t at, const struct strbuf *word,
                   const struct strbuf *next)
{
    const struct strbuf *in = &all->text;
    if (is_at(in, at, word))
        return at;
    for (size_t place = at + 1; !is_at(in, at, next) && place < in->length && place - at <= REACH; place++)
        if (is_at(in, place, word) && may_begin(all, text, place))
            return place;
    return SIZE_MAX;
}

/* Gives the last of some missing words what stands between two places of the text, without blanks around it,
 * and those before it nothing. Words may share a character: then the second place is before the first. */
static void fill_gap(struct span *missing, size_t count, const char *text, size_t begin, size_t end)
{
    if (!count)
        return;
    const struct span gap = end > begin ? utf8_trim(text + begin, end - begin) : (struct span){0, 0};
    for (size_t i = 0; i < count; i++)
        missing[i] = (struct span){begin + gap.begin, begin + (i + 1 < count ? gap.begin : gap.end)};
}

void words_find(struct span *spans, const struct words *words, const struct tokenizer *tokenizer,
                const char *text, size_t bytes)
{
    const size_t count = words->texts.count - 1;
    struct folded all, word, next;
    struct strbuf raw;
    size_t at = 0, here = 0, missing = 0; /* words since the last one that was found, which ends `here` */
    strbuf_init(&raw);
    folded_init(&all);
    folded_init(&word);
    folded_init(&next);
    fold(&all, text, bytes);
    if (count)
        fold_word(&next, &raw, words, 0, tokenizer);
    for (size_t i = 0; i < count; i++) {
        const struct folded swap = word;
        word = next;
        next = swap;
        strbuf_reset(&next.text);
        if (i + 1 < count)
            fold_word(&next, &raw, words, i + 1, tokenizer);
        const size_t place = find(&all, text, at, &word.text, &next.text);
        if (place == SIZE_MAX) {
            missing++;
            continue;
        }
        at = place + word.text.length;
        spans[i] = (struct span){all.from[place].begin, all.from[at - 1].end};
        fill_gap(&spans[i - missing], missing, text, here, spans[i].begin);
        missing = 0;
        here = spans[i].end;
    }
    fill_gap(&spans[count - missing], missing, text, here, bytes);
    folded_release(&all);
    folded_release(&word);
    folded_release(&next);
    strbuf_release(&raw);
}

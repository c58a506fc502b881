/* Chains placeholders, normalisation, words, subwords and ids, which each have a file of their own. */
#include "tokenizer.h"

#include "mem.h"
#include "scan.h"

#include <string.h>

void ids_release(struct ids *ids)
{
    xfree(ids->items);
    memset(ids, 0, sizeof *ids);
}

void ids_add(struct ids *ids, int id)
{
    GROW(ids->items, ids->count + 1, ids->capacity);
    ids->items[ids->count++] = id;
}

/* Appends a part of a text in normal form, in lower case if that is wanted. */
static void add_normal(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes,
                       struct span part)
{
    struct strbuf read, normal, known, lower;
    strbuf_init(&read);
    strbuf_init(&normal);
    strbuf_init(&known);
    strbuf_init(&lower);
    if (tokenizer->protect.seen)
        seen_words_read(&read, tokenizer->protect.seen, text, bytes, part,
                        tokenizer->kind != TOKENIZE_WHITESPACE);
    else
        strbuf_add(&read, text + part.begin, part.end - part.begin);
    utf8_normalize(&normal, read.text, read.length, tokenizer->form);
    if (tokenizer->protect.seen)
        seen_words_respell(&known, tokenizer->protect.seen, normal.text, normal.length);
    else
        strbuf_add(&known, normal.text, normal.length);
    if (tokenizer->lowercase)
        utf8_lower(&lower, known.text, known.length);
    const struct strbuf *final = tokenizer->lowercase ? &lower : &known;
    if (tokenizer->protect.kinds && tokenizer->kind == TOKENIZE_WHITESPACE)
        placeholder_escape(out, final->text, final->length);
    else
        strbuf_add(out, final->text, final->length);
    strbuf_release(&read);
    strbuf_release(&known);
    strbuf_release(&normal);
    strbuf_release(&lower);
}

/* Appends a placeholder's word; text tokenized at blanks has blanks around it. */
static void add_placeholder(struct strbuf *normal, struct whole_word *word,
                            const struct protection *protection, int i, const char *text, bool apart)
{
    const struct protection_item *item = &protection->items[i];
    if (apart && normal->length && normal->text[normal->length - 1] != ' ')
        strbuf_addch(normal, ' ');
    word->before_unit =
        (item->kind == PATTERN_NUMBER || item->kind == PATTERN_UNSEEN) && is_digit(text[item->span.end - 1]);
    word->span.begin = normal->length;
    if (item->replacement)
        placeholder_add(normal, item->number, item->replacement, strlen(item->replacement));
    else
        placeholder_add(normal, item->number, protection->bare ? NULL : text + item->span.begin,
                        item->span.end - item->span.begin);
    word->span.end = normal->length;
}

void tokenizer_words_around(struct strbuf *out, const struct tokenizer *tokenizer, const char *text,
                            size_t bytes, const struct protection *protection)
{
    struct strbuf normal, words;
    struct whole_word whole[PLACEHOLDERS];
    size_t at = 0;
    strbuf_init(&normal);
    strbuf_init(&words);
    for (int i = 0; i < protection->count; i++) {
        const struct span *string = &protection->items[i].span;
        add_normal(&normal, tokenizer, text, bytes, (struct span){at, string->begin});
        add_placeholder(&normal, &whole[i], protection, i, text, tokenizer->protect.whole_words);
        at = string->end;
        if (tokenizer->protect.whole_words && at < bytes && text[at] != ' ')
            strbuf_addch(&normal, ' ');
    }
    add_normal(&normal, tokenizer, text, bytes, (struct span){at, bytes});
    tokenize_around(tokenizer->reversed ? &words : out, normal.text, normal.length, tokenizer->kind, whole,
                    (size_t)protection->count);
    words_add_reversed(out, words.text, words.length);
    strbuf_release(&words);
    strbuf_release(&normal);
}

void tokenizer_words(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    struct protection protection;
    protect_source(&protection, &tokenizer->protect, text, bytes);
    tokenizer_words_around(out, tokenizer, text, bytes, &protection);
}

int tokenizer_placeholder(const struct tokenizer *tokenizer, const char *word, size_t bytes)
{
    return tokenizer->protect.kinds ? placeholder_number(word, bytes) : 0;
}

static bool is_unsplit(const struct tokenizer *tokenizer, const char *word, size_t bytes)
{
    return (tokenizer->whole && strmap_find(tokenizer->whole, word, bytes) >= 0) ||
           tokenizer_placeholder(tokenizer, word, bytes);
}

void tokenizer_subwords(struct strbuf *out, const struct tokenizer *tokenizer, const char *words,
                        size_t bytes, struct bpe_dropout *dropout)
{
    if (!tokenizer->bpe) {
        strbuf_add(out, words, bytes);
        return;
    }
    size_t at = 0, length, end = 0;
    for (const char *word; (word = next_word(words, bytes, &at, &length)); end = at) {
        if (end > 0)
            strbuf_addch(out, ' ');
        else
            strbuf_add(out, words, (size_t)(word - words));
        if (is_unsplit(tokenizer, word, length))
            strbuf_add(out, word, length);
        else
            bpe_apply(out, tokenizer->bpe, word, length, dropout);
    }
    strbuf_add(out, words + end, bytes - end);
}

void tokenizer_split_around(struct strbuf *out, const struct tokenizer *tokenizer, const char *text,
                            size_t bytes, const struct protection *protection)
{
    struct strbuf words;
    strbuf_init(&words);
    if (tokenizer->tag)
        strbuf_addf(out, "%s ", tokenizer->tag);
    tokenizer_words_around(&words, tokenizer, text, bytes, protection);
    tokenizer_subwords(out, tokenizer, words.text, words.length, NULL);
    strbuf_release(&words);
}

void tokenizer_split(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    struct protection protection;
    protect_source(&protection, &tokenizer->protect, text, bytes);
    tokenizer_split_around(out, tokenizer, text, bytes, &protection);
}

void tokenizer_split_pair(struct strbuf *out, const struct tokenizer *tokenizers, const char *const *text,
                          const size_t *bytes)
{
    struct protection protection[2];
    protect_pair(protection, &tokenizers->protect, text, bytes);
    for (int side = 0; side < 2; side++)
        tokenizer_split_around(&out[side], &tokenizers[side], text[side], bytes[side], &protection[side]);
}

void tokenizer_ids(struct ids *ids, const struct tokenizer *tokenizer, const char *subwords, size_t bytes)
{
    size_t at = 0, length;
    for (const char *word; (word = next_word(subwords, bytes, &at, &length));) {
        const int number = tokenizer_placeholder(tokenizer, word, length);
        ids_add(ids, number ? VOCAB_PLACEHOLDER(number) : vocab_id(tokenizer->vocab, word, length));
    }
}

/* Appends words in their usual forms, but for protected strings. */
static void add_usual(struct strbuf *out, const struct tokenizer *tokenizer, const char *words, size_t bytes)
{
    size_t at = 0, length, end = 0;
    for (const char *word; (word = next_word(words, bytes, &at, &length)); end = at) {
        strbuf_add(out, words + end, (size_t)(word - words) - end);
        if (tokenizer_placeholder(tokenizer, word, length))
            strbuf_add(out, word, length);
        else
            usual_forms_write(out, tokenizer->forms, word, length);
    }
    strbuf_add(out, words + end, bytes - end);
}

void tokenizer_join(struct strbuf *out, const struct tokenizer *tokenizer, const char *words, size_t bytes)
{
    struct strbuf forward, usual;
    strbuf_init(&forward);
    strbuf_init(&usual);
    if (tokenizer->reversed) {
        words_add_reversed(&forward, words, bytes);
        words = forward.text;
        bytes = forward.length;
    }
    if (tokenizer->forms && tokenizer->forms->normal.count) {
        add_usual(&usual, tokenizer, words, bytes);
        words = usual.text;
        bytes = usual.length;
    }
    (tokenizer->protect.kinds ? detokenize_protected : detokenize)(out, words, bytes, tokenizer->kind);
    strbuf_release(&usual);
    strbuf_release(&forward);
}

void tokenizer_text(struct strbuf *out, const struct tokenizer *tokenizer, const char *subwords, size_t bytes)
{
    struct strbuf words;
    strbuf_init(&words);
    if (tokenizer->bpe)
        bpe_join(&words, subwords, bytes);
    else
        strbuf_add(&words, subwords, bytes);
    tokenizer_join(out, tokenizer, words.text, words.length);
    strbuf_release(&words);
}

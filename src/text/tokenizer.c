/* Chains normalisation, words, subwords and ids, which each have a file of their own. */
#include "tokenizer.h"

#include "mem.h"

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

void tokenizer_words(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    struct strbuf normal, lower;
    strbuf_init(&normal);
    strbuf_init(&lower);
    utf8_normalize(&normal, text, bytes, tokenizer->form);
    if (tokenizer->lowercase)
        utf8_lower(&lower, normal.text, normal.length);
    const struct strbuf *final = tokenizer->lowercase ? &lower : &normal;
    tokenize(out, final->text, final->length, tokenizer->kind);
    strbuf_release(&normal);
    strbuf_release(&lower);
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
        if (tokenizer->whole && strmap_find(tokenizer->whole, word, length) >= 0)
            strbuf_add(out, word, length);
        else
            bpe_apply(out, tokenizer->bpe, word, length, dropout);
    }
    strbuf_add(out, words + end, bytes - end);
}

void tokenizer_split(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes)
{
    struct strbuf words;
    strbuf_init(&words);
    if (tokenizer->tag)
        strbuf_addf(&words, "%s ", tokenizer->tag);
    tokenizer_words(&words, tokenizer, text, bytes);
    tokenizer_subwords(out, tokenizer, words.text, words.length, NULL);
    strbuf_release(&words);
}

void tokenizer_ids(struct ids *ids, const struct tokenizer *tokenizer, const char *subwords, size_t bytes)
{
    size_t at = 0, length;
    for (const char *word; (word = next_word(subwords, bytes, &at, &length));)
        ids_add(ids, vocab_id(tokenizer->vocab, word, length));
}

void tokenizer_text(struct strbuf *out, const struct tokenizer *tokenizer, const char *subwords, size_t bytes)
{
    struct strbuf words;
    strbuf_init(&words);
    if (tokenizer->bpe)
        bpe_join(&words, subwords, bytes);
    else
        strbuf_add(&words, subwords, bytes);
    detokenize(out, words.text, words.length, tokenizer->kind);
    strbuf_release(&words);
}

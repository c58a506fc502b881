/* tokenizer: converts one language's text to token ids and back: normalisation, lower case, words
 * (tokenize.h), subwords (bpe.h), ids (vocab.h). */
#ifndef NMT_TOKENIZER_H
#define NMT_TOKENIZER_H

#include "bpe.h"
#include "tokenize.h"
#include "utf8.h"
#include "vocab.h"

struct tokenizer {
    enum tokenize_kind kind;
    enum utf8_form form;
    bool lowercase;
    const struct bpe *bpe;      /* NULL: whole words */
    const struct vocab *vocab;  /* NULL where no ids are needed */
    const struct strmap *whole; /* words that are never split: tags of corpora; may be NULL */
    const char *tag;            /* put before all text; may be NULL */
};

/* A list of ids that grows. */
struct ids {
    int *items;
    size_t count, capacity;
};

void ids_release(struct ids *ids);
void ids_add(struct ids *ids, int id);

/* Appends the words of valid UTF-8 text, not split into subwords. */
void tokenizer_words(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes);
/* Appends the subwords of words. Text tokenized at blanks keeps its outer blanks, as in subword-nmt.
 * dropout may be NULL. */
void tokenizer_subwords(struct strbuf *out, const struct tokenizer *tokenizer, const char *words,
                        size_t bytes, struct bpe_dropout *dropout);
/* Appends the tag, if there is one, and the subwords of valid UTF-8 text. */
void tokenizer_split(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes);
/* Appends the ids of subwords. */
void tokenizer_ids(struct ids *ids, const struct tokenizer *tokenizer, const char *subwords, size_t bytes);
/* Appends the raw text of subwords: the reverse. */
void tokenizer_text(struct strbuf *out, const struct tokenizer *tokenizer, const char *subwords,
                    size_t bytes);

#endif

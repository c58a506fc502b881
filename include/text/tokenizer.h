/* tokenizer: converts one language's text to token ids and back: placeholders for protected strings
 * (protect.h), normalisation (and on the way back the usual forms, usual_forms.h), lower case, words
 * (tokenize.h), subwords (bpe.h), ids (vocab.h). */
#ifndef NMT_TOKENIZER_H
#define NMT_TOKENIZER_H

#include "bpe.h"
#include "protect.h"
#include "tokenize.h"
#include "usual_forms.h"
#include "utf8.h"
#include "vocab.h"

struct tokenizer {
    enum tokenize_kind kind;
    enum utf8_form form;
    bool lowercase;
    bool reversed; /* words stand from the last to the first */
    struct protect protect;
    const struct bpe *bpe;           /* NULL: whole words */
    const struct vocab *vocab;       /* NULL where no ids are needed */
    const struct strmap *whole;      /* words that are never split: tags of corpora; may be NULL */
    const char *tag;                 /* put before all text; may be NULL */
    const struct usual_forms *forms; /* in which words become raw text; may be NULL */
};

/* A list of ids that grows. */
struct ids {
    int *items;
    size_t count, capacity;
};

void ids_release(struct ids *ids);
void ids_add(struct ids *ids, int id);

/* Appends the words of valid UTF-8 text, not split into subwords, with placeholders for the protected
 * strings, which are as they are in the text, unless the protection says otherwise (its items' replacements,
 * or bare placeholders). */
void tokenizer_words_around(struct strbuf *out, const struct tokenizer *tokenizer, const char *text,
                            size_t bytes, const struct protection *protection);
/* The same for a source sentence that will be translated. */
void tokenizer_words(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes);
/* Appends the subwords of words. Text tokenized at blanks keeps its outer blanks, as in subword-nmt.
 * dropout may be NULL. */
void tokenizer_subwords(struct strbuf *out, const struct tokenizer *tokenizer, const char *words,
                        size_t bytes, struct bpe_dropout *dropout);
/* Append the tag, if there is one, and the subwords of valid UTF-8 text. */
void tokenizer_split_around(struct strbuf *out, const struct tokenizer *tokenizer, const char *text,
                            size_t bytes, const struct protection *protection);
void tokenizer_split(struct strbuf *out, const struct tokenizer *tokenizer, const char *text, size_t bytes);
/* The same for a sentence and its translation: out [2], tokenizers [2] … */
void tokenizer_split_pair(struct strbuf *out, const struct tokenizer *tokenizers, const char *const *text,
                          const size_t *bytes);
/* The number of the placeholder that a word is, with marks or without; 0 if it is none. */
int tokenizer_placeholder(const struct tokenizer *tokenizer, const char *word, size_t bytes);
/* Appends the ids of subwords. */
void tokenizer_ids(struct ids *ids, const struct tokenizer *tokenizer, const char *subwords, size_t bytes);
/* Appends the raw text of words. */
void tokenizer_join(struct strbuf *out, const struct tokenizer *tokenizer, const char *words, size_t bytes);
/* Appends the raw text of subwords: the reverse. */
void tokenizer_text(struct strbuf *out, const struct tokenizer *tokenizer, const char *subwords,
                    size_t bytes);

#endif

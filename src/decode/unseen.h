/* unseen: what comes in the place of words that training never saw (seen_words.h): translations of a
 * dictionary, or the words themselves, in capitals if the sentence is, and with the digits of the target
 * text. Other strings come as they are written. */
#ifndef NMT_UNSEEN_H
#define NMT_UNSEEN_H

#include "copied_text.h"
#include "protect.h"
#include "translate_options.h"

struct replacing {
    const struct translate_options *options;
    const struct language_pair *pair;
    const struct user_words *user_words;
    const struct strmap *zeros; /* of digits that are copied (copied_text.h) */
    const char *sentence;       /* as it is written */
    size_t bytes;
    const char
        *usual;    /* the same in its usual case, of which the text is a part; NULL: it is read as it is */
    bool capitals; /* it is one of capitals, which the text is not */
};

/* Appends what comes in the place of an unseen word: its translation from the dictionary, with capitals where
 * the word has them, or itself; in a sentence of capitals, in capitals. `read`: the word as it is read. */
void unseen_add(struct strbuf *out, const struct replacing *replacing, const struct strbuf *word,
                const struct strbuf *read);
/* Sets the replacements of the protected strings of a source text, which is a part of the sentence. They lie
 * in `memory`. */
void unseen_replace(struct protection *source, struct strbuf *memory, const struct replacing *replacing,
                    const char *text, size_t bytes);

#endif

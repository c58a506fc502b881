/* word_spans: where the words of a translation or of its source stand in the text as people read it. */
#ifndef NMT_WORD_SPANS_H
#define NMT_WORD_SPANS_H

#include "span.h"
#include "tokenizer.h"
#include "word_alignment.h"

/* Finds words in their order: spans [words->texts.count - 1], without the end mark. `text` is the valid text
 * that the words were made of, or that was made of them; normal form, case and blanks may differ. A word that
 * is not there, such as one that a dictionary has replaced, has what stands between its neighbours; of
 * several such words, the first of which may be the tag of a corpus, the last one has it, and the others an
 * empty span. */
void words_find(struct span *spans, const struct words *words, const struct tokenizer *tokenizer,
                const char *text, size_t bytes);

#endif

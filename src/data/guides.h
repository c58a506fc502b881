/* guides: the right word alignment of training text, for guided alignment: read as links of words, and turned
 * into links of subwords wherever text is split. */
#ifndef NMT_GUIDES_H
#define NMT_GUIDES_H

#include "corpus_file.h"
#include "links.h"

/* A file of links that is read beside a corpus. */
struct guide_reader {
    struct reader reader;
    struct strbuf line;
};

int guide_reader_open(struct guide_reader *reader, const char *path, struct err *err);
/* The sure links of line `number`, in place of what was in `links`; the sentences have so many words. `shift`
 * is added to source words. */
int guide_reader_next(struct guide_reader *reader, struct links *links, int64_t number, int source_words,
                      int target_words, int shift, struct err *err);
/* -1 where the file has more than `lines` lines. */
int guide_reader_end(struct guide_reader *reader, int64_t lines, struct err *err);
void guide_reader_close(struct guide_reader *reader);

/* Gives the last pair of the corpus the pair's links. word_of: the word that each of its tokens is a part of.
 */
void guides_apply(struct corpus *corpus, const struct corpus_pair *pair, const int *source_word_of,
                  const int *target_word_of);

#endif

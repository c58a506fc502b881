/* guides: reference word alignments of the training text, for guided alignment: read as links of words,
 * converted to links of subwords when text is split. */
#ifndef NMT_GUIDES_H
#define NMT_GUIDES_H

#include "corpus_file.h"
#include "links.h"

/* A file of links, read in step with a corpus. */
struct guide_reader {
    struct reader reader;
    struct strbuf line;
};

/* On failure there is nothing to close. */
int guide_reader_open(struct guide_reader *reader, const char *path, struct err *err);
/* Reads the sure links of line `number`, replacing `links`; the sentences have the given numbers of words.
 * `shift` is added to source positions. */
int guide_reader_next(struct guide_reader *reader, struct links *links, int64_t number, int source_words,
                      int target_words, int shift, struct err *err);
/* -1 if the file has more than `lines` lines. */
int guide_reader_end(struct guide_reader *reader, int64_t lines, struct err *err);
void guide_reader_close(struct guide_reader *reader);

/* Adds the pair's links to the last pair of the corpus. word_of: the word of each token. */
void guides_apply(struct corpus *corpus, const struct corpus_pair *pair, const int *source_word_of,
                  const int *target_word_of);

#endif

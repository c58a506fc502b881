/* guides: the right word alignment of training text, for guided alignment: read once as links of words, and
 * turned into links of subwords whenever text is split anew. */
#ifndef NMT_GUIDES_H
#define NMT_GUIDES_H

#include "aer.h"
#include "corpus.h"

/* Links of all pairs, one after the other. */
struct guides {
    struct links links;
    size_t *begin; /* [pairs + 1] */
    size_t pairs, room;
};

void guides_release(struct guides *guides);
/* The next pair has none. */
void guides_skip(struct guides *guides);

/* A file of links that is read beside a corpus. */
struct guide_reader {
    struct reader reader;
    struct strbuf line;
};

int guide_reader_open(struct guide_reader *reader, const char *path, struct err *err);
/* Adds the links of line `number` for the next pair, of so many words; `shift` is added to source words. */
int guide_reader_add(struct guides *guides, struct guide_reader *reader, int64_t number, int source_words,
                     int target_words, int shift, struct err *err);
/* -1 where the file has more than `lines` lines. */
int guide_reader_end(struct guide_reader *reader, int64_t lines, struct err *err);
void guide_reader_close(struct guide_reader *reader);

/* Gives the last pair of the corpus the links of pair i, from its words to its subwords as they are now. */
void guides_apply(struct corpus *corpus, const struct guides *guides, size_t i, const struct strbuf *source,
                  const struct strbuf *target);

#endif

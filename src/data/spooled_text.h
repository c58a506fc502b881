/* spooled_text: the training text between raw files and ids: its words, spooled to the disk and counted.
 * Subwords and vocabularies can be learned from the counts before the ids are written. Memory use does not
 * depend on the size of the text. */
#ifndef NMT_SPOOLED_TEXT_H
#define NMT_SPOOLED_TEXT_H

#include "corpus_file.h"
#include "language_pair.h"
#include "line_sample.h"
#include "log.h"
#include "words.h"

#define SPOOL_CHUNK 2048 /* pairs that are read, split and written at once */

struct token_counts {
    int64_t all, unknown;
};

struct spooled_text {
    const char *dir; /* of temporary files */
    struct word_spool spool;
    struct word_tables tables;
    struct line_sample sample[SIDES]; /* of the text as it was read */
    struct pair_counts read;
    struct team *team;
    struct pair_words chunk[SPOOL_CHUNK];
    int64_t lines[SPOOL_CHUNK];           /* line numbers of the chunk's pairs in their files */
    int64_t pairs, written;               /* total so far */
    double weighted;                      /* pairs, each times the weight of its corpus */
    struct token_counts (*tokens)[SIDES]; /* [corpora], of what was written; NULL until then */
    struct progress progress;
};

/* Creates an empty one, with a temporary file in `dir`, which must outlive it; `joint`: see word_tables. */
int spooled_text_open(struct spooled_text *text, const char *dir, bool joint, struct err *err);
void spooled_text_close(struct spooled_text *text);
/* Reads all training corpora of the config. With `learn`, their words count as seen from now on, if unseen
 * ones are protected. */
int spooled_text_read(struct spooled_text *text, struct language_pair *pair, const struct config *config,
                      bool learn, struct err *err);
/* Writes the ids of all pairs, and counts them. Pairs with a side of more than data.max_length tokens are
 * dropped, and counted as too long. Without a writer, ids are counted only. */
int spooled_text_write(struct spooled_text *text, struct corpus_writer *writer,
                       const struct language_pair *pair, const struct config *config, struct err *err);

/* ---- shared by reading and writing ---- */

/* Calls take(context, i) for the first `count` pairs of the chunk, on all threads. */
void spooled_text_each(struct spooled_text *text, int count, void (*take)(void *context, int i),
                       void *context);

#endif

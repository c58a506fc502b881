/* corpus: sentence pairs as token ids, in one flat block. */
#ifndef NMT_CORPUS_H
#define NMT_CORPUS_H

#include "links.h"
#include "pair_reader.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stdint.h>

/* Pairs as ids: source closed by the end mark, target between begin and end mark. */
struct corpus {
    int *ids;
    size_t ids_count, ids_capacity;
    size_t *begin; /* [2 pairs + 1]: of source and target in turn */
    size_t pairs, begin_capacity;
    int64_t too_long;    /* dropped */
    struct links links;  /* right alignments of source and predicted target tokens, where they are known */
    size_t *links_begin; /* [pairs + 1]: of each pair in `links` */
    size_t links_begin_capacity;
};

void corpus_init(struct corpus *corpus);
void corpus_release(struct corpus *corpus);
/* No longer side is scored: what a pass remembers of its attention grows with the product of both lengths. */
#define SCORED_MOST_TOKENS 4000

/* Warns of pairs of a text that were too long for the corpus, and that its perplexity therefore leaves out. */
void corpus_warn_unscored(const struct corpus *corpus, const char *path);
/* Empties, keeps the memory, and takes what so many tokens need. */
void corpus_reset(struct corpus *corpus, size_t tokens);
/* Appends a pair given as ids without marks, unless a side has more than max_tokens: then it is counted, and
 * the result false. */
bool corpus_add_ids(struct corpus *corpus, const int *source, int source_count, const int *target,
                    int target_count, int max_tokens);
/* The same, given as the text or the subwords of both sides [SIDES], which have a tokenizer each. */
bool corpus_add_text(struct corpus *corpus, const struct tokenizer *tokenizers, const char *const *text,
                     int max_tokens);
bool corpus_add_subwords(struct corpus *corpus, const struct tokenizer *tokenizers,
                         const char *const *subwords, int max_tokens);
/* Adds a link to the pair that was added last. */
void corpus_add_link(struct corpus *corpus, int source, int target);
/* Links of pair i, and their number. */
const struct link *corpus_links(const struct corpus *corpus, size_t i, size_t *count);
/* Ids of pair i, and their number with marks. */
const int *corpus_source(const struct corpus *corpus, size_t i, size_t *length);
const int *corpus_target(const struct corpus *corpus, size_t i, size_t *length);

#endif

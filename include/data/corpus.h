/* corpus: sentence pairs as token ids, in one flat block. */
#ifndef NMT_CORPUS_H
#define NMT_CORPUS_H

#include "links.h"
#include "pair_reader.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stdint.h>

/* Pairs as ids: the source ends with the end mark, the target has begin and end mark. */
struct corpus {
    int *ids;
    size_t ids_count, ids_capacity;
    size_t *begin; /* [2 pairs + 1]: start of source and target, alternating */
    size_t pairs, begin_capacity;
    int64_t too_long;    /* dropped */
    int64_t characters;  /* of the targets added as text: Unicode characters, and a line end for each */
    struct links links;  /* reference links between source and predicted target tokens, if known */
    size_t *links_begin; /* [pairs + 1]: start of each pair in `links` */
    size_t links_begin_capacity;
};

void corpus_init(struct corpus *corpus);
void corpus_release(struct corpus *corpus);
/* Longest side that is scored: a pass stores attention in proportion to the product of both lengths. */
#define SCORED_MOST_TOKENS 4000

/* Warns of pairs that were too long to be scored, and are left out of the perplexity. */
void corpus_warn_unscored(const struct corpus *corpus, const char *path);
/* Empties the corpus, and reserves memory for this many tokens. */
void corpus_reset(struct corpus *corpus, size_t tokens);
/* Appends a pair given as ids without marks. Returns false, and counts it, if a side has more than
 * max_tokens. */
bool corpus_add_ids(struct corpus *corpus, const int *source, int source_count, const int *target,
                    int target_count, int max_tokens);
/* The same from the text or the subwords of both sides [SIDES]; `tokenizers` [SIDES]. */
bool corpus_add_text(struct corpus *corpus, const struct tokenizer *tokenizers, const char *const *text,
                     int max_tokens);
bool corpus_add_subwords(struct corpus *corpus, const struct tokenizer *tokenizers,
                         const char *const *subwords, int max_tokens);
/* Adds a link to the last pair. */
void corpus_add_link(struct corpus *corpus, int source, int target);
/* The links of pair i, and their number. */
const struct link *corpus_links(const struct corpus *corpus, size_t i, size_t *count);
/* The ids of pair i, and their number, marks included. */
const int *corpus_source(const struct corpus *corpus, size_t i, size_t *length);
const int *corpus_target(const struct corpus *corpus, size_t i, size_t *length);

#endif

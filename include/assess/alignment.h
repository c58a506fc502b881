/* alignment: what the words of a translation looked at, for commands that show it. */
#ifndef NMT_ALIGNMENT_H
#define NMT_ALIGNMENT_H

#include "aer.h"
#include "heatmap.h"
#include "pair_block.h"
#include "translate.h"

struct alignment {
    struct lines tokens[SIDES]; /* with the end mark */
    char *text[SIDES];          /* the sentences */
    int heads;
    float *weights; /* [1 + heads][target][source]: the mean, and behind it each head's */
};

/* Of subwords [SIDES] and their weights [1 + heads][target subwords + 1][source subwords + 1]. With `words`,
 * subwords are put together: a word's attention is the mean of its subwords', and what it gives to a word is
 * what it gives to that one's subwords together. */
void alignment_init(struct alignment *alignment, const struct language_pair *pair,
                    const char *const *subwords, const real *weights, int heads, bool words);
/* Of a translation with its weights. False, and nothing to release, where it has none, its line was cut, or a
 * dictionary put several words in the place of one. */
bool alignment_of_translation(struct alignment *alignment, const struct language_pair *pair,
                              const struct translation *translation, bool words);
void alignment_release(struct alignment *alignment);
/* A picture of it, as long as it lives. */
struct heatmap alignment_map(const struct alignment *alignment);
/* A page has so many pictures at the most. */
#define ALIGNMENT_MOST_DRAWN 500
/* What pictures on a page stand in, below what explains them: pictures of a model's subwords or, with
 * `words`, words. */
void alignment_pictures_begin(struct strbuf *page, const struct language_pair *pair, bool words);
void alignment_pictures_end(struct strbuf *page);
/* Adds the picture under its number and its sentences. */
void alignment_draw(struct strbuf *page, const struct alignment *alignment, long number);
/* Says that a page does not show all of so many pairs, if so. */
void alignment_warn_undrawn(const char *path, long pairs);
/* Which of these weights is the largest: the first such one, 0 of none. */
int alignment_strongest(const float *weights, int count);
/* Adds the source token that each target token looks at most; none to or from an end mark. */
void alignment_links(struct links *links, const struct alignment *alignment);

/* How the pairs of files are read. */
struct alignment_options {
    bool words;
    bool each_head; /* not their mean alone */
    int threads;
};

/* Reads the pairs of files word by word and gives what each looked at to `take`, with its number from 1. */
int each_alignment(const struct pair_files *files, const struct loaded_model *loaded,
                   const struct alignment_options *options,
                   int (*take)(void *context, const struct alignment *alignment, size_t number,
                               struct err *err),
                   void *context, struct err *err);

/* Alignments known to be right, a line for each pair. */
struct right_links {
    struct lines lines;
    const char *path;
};

int right_links_load(struct right_links *right, const char *path, struct err *err);
/* Counts pair `number`; one behind the last line is left for expect_lines to find. */
int right_links_compare(struct aer *aer, const struct right_links *right, const struct alignment *alignment,
                        size_t number, struct err *err);

#endif

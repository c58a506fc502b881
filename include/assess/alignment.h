/* alignment: the attention of a sentence pair, as word links and as pictures. */
#ifndef NMT_ALIGNMENT_H
#define NMT_ALIGNMENT_H

#include "aer.h"
#include "heatmap.h"
#include "pair_block.h"
#include "translate.h"
#include "word_alignment.h"

struct alignment {
    struct lines tokens[SIDES]; /* with the end mark */
    char *text[SIDES];          /* the sentences, joined from their tokens */
    const char *line[SIDES];    /* the sentences as they were read; NULL for a translation */
    bool tagged;                /* does the source begin with a tag? */
    int heads;
    float *weights; /* [1 + heads][target][source]: the mean, then each head */
};

/* Made from subwords [SIDES] and their weights [1 + heads][target subwords + 1][source subwords + 1]. With
 * `words`, subwords are joined to words (word_alignment.h). */
void alignment_init(struct alignment *alignment, const struct language_pair *pair,
                    const char *const *subwords, const real *weights, int heads, bool words);
/* Made from a translation. False, with nothing to release, if it has no weights. */
bool alignment_of_translation(struct alignment *alignment, const struct language_pair *pair,
                              const struct translation *translation, bool words);
void alignment_release(struct alignment *alignment);
/* A picture, valid as long as the alignment. */
struct heatmap alignment_map(const struct alignment *alignment);
/* The largest number of pictures on a page. */
#define ALIGNMENT_MOST_DRAWN 500
/* Begin and end the pictures of a page, with a legend above: of a model's subwords or, with `words`, of
 * words. */
void alignment_pictures_begin(struct strbuf *page, const struct language_pair *pair, bool words);
void alignment_pictures_end(struct strbuf *page);
/* Adds the picture with its number and sentences; in the place of a very large one, how large it is. */
void alignment_draw(struct strbuf *page, const struct alignment *alignment, long number);
/* Adds the picture as an SVG file; -1 for a very large one. */
int alignment_svg(struct strbuf *picture, const struct alignment *alignment, struct err *err);
/* Warns if a page shows only some of `pairs` pairs. */
void alignment_warn_undrawn(const char *path, long pairs);
/* Adds a link from each target token to the source token with the most weight. End marks have none. */
void alignment_links(struct links *links, const struct alignment *alignment);
/* The same as aligners write them: without the tag, which the source of such a model begins with. */
void alignment_untagged_links(struct links *links, const struct alignment *alignment);

/* What to compute for each pair. */
struct alignment_options {
    bool words;
    bool each_head; /* each head's attention, in addition to the mean */
    int threads;
};

/* -1 for a model without attention or from right to left, or whose tokens make no words where `words` are
 * wanted. */
int alignment_check(const struct loaded_model *loaded, bool words, struct err *err);
/* Runs the model over pairs of files with the given translations as targets, and passes the attention of
 * each to `take`, with its number from 1. */
int each_alignment(const struct pair_files *files, const struct loaded_model *loaded,
                   const struct alignment_options *options,
                   int (*take)(void *context, const struct alignment *alignment, size_t number,
                               struct err *err),
                   void *context, struct err *err);

/* Reference alignments, one line per pair. All zero: none. */
struct reference_links {
    struct lines lines;
    const char *path;
};

/* Loads a file, whose lines are read by reference_links_compare. To be released also on failure; `path` must
 * outlive it. */
int reference_links_load(struct reference_links *reference, const char *path, struct err *err);
void reference_links_release(struct reference_links *reference);
/* Counts the links of pair `number`. A pair past the last line is ignored here; expect_lines reports it. */
int reference_links_compare(struct aer *aer, const struct reference_links *reference,
                            const struct alignment *alignment, size_t number, struct err *err);

#endif

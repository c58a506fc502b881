/* alignment: what the words of a translation looked at, for commands that show it. */
#ifndef NMT_ALIGNMENT_H
#define NMT_ALIGNMENT_H

#include "aer.h"
#include "heatmap.h"
#include "model_dir.h"
#include "real.h"
#include "text_file.h"

/* Tokens with the end mark, and weights [target][source]. */
struct alignment {
    struct text_file tokens[SIDES];
    float *weights;
};

/* Of subwords and their weights [target subwords + 1][source subwords + 1]. With `words`, subwords are put
 * together: a word's attention is the mean of its subwords', and what it gives to a word is what it gives to
 * that one's subwords together. */
void alignment_init(struct alignment *alignment, const char *source, const char *target, const real *weights,
                    bool words);
void alignment_release(struct alignment *alignment);
/* A picture of it, as long as it lives. */
struct heatmap alignment_map(const struct alignment *alignment);
/* A page has so many pictures at the most. */
#define ALIGNMENT_MOST_DRAWN 500
/* Adds the picture to a page, under its number and a text, if there is one. */
void alignment_draw(struct strbuf *page, const struct alignment *alignment, long number, const char *text);
/* Adds the source token that each target token looks at most; none to or from an end mark. */
void alignment_links(struct links *links, const struct alignment *alignment);

#endif

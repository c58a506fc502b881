/* ter: translation edit rate (Snover et al. 2006) as sacreBLEU computes it, after Tercom: how many words must
 * be inserted, deleted, replaced or moved in blocks, for each word of the reference. Lower is better.
 *
 * Words are lower-cased and cut at white space. The best sequence of moves is not searched for: as in Tercom
 * the move that helps most is made again and again, among blocks of at most 10 words that stand in the
 * reference within 50 words; edit distance is measured in a band of 25 around the diagonal. */
#ifndef NMT_TER_H
#define NMT_TER_H

#include "strbuf.h"

#include <stdint.h>

struct ter {
    int references; /* for each sentence */
    int64_t edits;
    double reference_words; /* of several references, their mean */
};

void ter_init(struct ter *ter, int references);
/* Adds one sentence; all texts valid UTF-8. Of several references the one with the fewest edits counts. */
void ter_add(struct ter *ter, const char *hypothesis, const char *const *references);
void ter_sum(struct ter *ter, const struct ter *more);
double ter_score(const struct ter *ter); /* 0 to 100 and above */
void ter_signature(const struct ter *ter, const char *version, struct strbuf *out);

#endif

/* ter: translation edit rate (Snover et al. 2006) as computed by sacreBLEU, after Tercom: insertions,
 * deletions, substitutions and block moves per reference word. Lower is better.
 *
 * Words are lower-cased and split at white space. The search is greedy, as in Tercom: the move that helps
 * most is made again and again, among blocks of at most 10 words that occur in the reference within 50
 * words; edit distance is measured in a band of 25 around the diagonal. */
#ifndef NMT_TER_H
#define NMT_TER_H

#include "strbuf.h"

#include <stdint.h>

struct ter {
    int references; /* per sentence */
    int64_t edits;
    double reference_words; /* the mean over several references */
};

void ter_init(struct ter *ter, int references);
/* Adds one sentence; all texts must be valid UTF-8. Of several references, the one with the fewest edits
 * counts. */
void ter_add(struct ter *ter, const char *hypothesis, const char *const *references);
void ter_sum(struct ter *ter, const struct ter *more);
double ter_score(const struct ter *ter); /* 0 to 100 and more */
void ter_signature(struct strbuf *out);

#endif

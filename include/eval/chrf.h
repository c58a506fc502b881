/* chrf: corpus chrF2 (Popović 2015) as sacreBLEU computes it: character n-grams up to 6 without white
 * space, beta 2; with several references, the best one for each sentence. */
#ifndef NMT_CHRF_H
#define NMT_CHRF_H

#include "strbuf.h"

#include <stdbool.h>
#include <stdint.h>

#define CHRF_ORDER 6

struct chrf_counts {
    int64_t hypothesis[CHRF_ORDER], reference[CHRF_ORDER], match[CHRF_ORDER];
};

struct chrf {
    bool lowercase;
    int references;
    struct chrf_counts counts;
};

void chrf_init(struct chrf *chrf, bool lowercase, int references);
void chrf_add(struct chrf *chrf, const char *hypothesis, const char *const *references);
void chrf_sum(struct chrf *chrf, const struct chrf *more);
double chrf_score(const struct chrf *chrf); /* 0 to 100 */
void chrf_signature(const struct chrf *chrf, const char *version, struct strbuf *out);

#endif

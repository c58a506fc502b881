/* chrf: corpus chrF2 (Popović 2015) as sacreBLEU computes it: character n-grams up to 6 without white
 * space, beta 2; with several references, the best one for each sentence. With words up to bigrams besides,
 * it is chrF2++ (Popović 2017). */
#ifndef NMT_CHRF_H
#define NMT_CHRF_H

#include "strbuf.h"

#include <stdbool.h>
#include <stdint.h>

#define CHRF_CHARACTER_ORDER 6
#define CHRF_MOST_WORD_ORDER 2
#define CHRF_ORDERS (CHRF_CHARACTER_ORDER + CHRF_MOST_WORD_ORDER)

/* Of the n-grams of characters, then of words. */
struct chrf_counts {
    int64_t hypothesis[CHRF_ORDERS], reference[CHRF_ORDERS], match[CHRF_ORDERS];
};

struct chrf {
    bool lowercase;
    int word_order; /* longest n-grams of words; 0: none */
    int references;
    struct chrf_counts counts;
};

void chrf_init(struct chrf *chrf, bool lowercase, int word_order, int references);
void chrf_add(struct chrf *chrf, const char *hypothesis, const char *const *references);
void chrf_sum(struct chrf *chrf, const struct chrf *more);
double chrf_score(const struct chrf *chrf);     /* 0 to 100 */
const char *chrf_name(const struct chrf *chrf); /* "chrF2", "chrF2++" */
/* Appends "case:mixed|eff:yes|nc:6|nw:0|space:no". */
void chrf_signature(const struct chrf *chrf, struct strbuf *out);

#endif

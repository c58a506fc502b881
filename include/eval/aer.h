/* aer: alignment error rate (Och and Ney 2003, doi:10.1162/089120103321337421):
 *
 *     AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
 *
 * A: the links found; S: the sure links of the reference; P: its possible links, which include S. */
#ifndef NMT_AER_H
#define NMT_AER_H

#include "links.h"

struct aer {
    long found, sure, found_sure, found_possible;
};

/* Counts a sentence; a repeated link counts once. */
void aer_add(struct aer *aer, const struct links *found, const struct links *reference);
double aer_rate(const struct aer *aer);      /* 0 is best; 0 if there is nothing to find */
double aer_precision(const struct aer *aer); /* |A ∩ P| / |A| */
double aer_recall(const struct aer *aer);    /* |A ∩ S| / |S| */

#endif

/* network_check: which settings of the network go together. */
#ifndef NMT_NETWORK_CHECK_H
#define NMT_NETWORK_CHECK_H

#include "config.h"
#include "err.h"

/* 0 where seq2seq_init can build the network of this config, and its training and decoding can use it;
 * otherwise the error names the two settings and the reason. */
int network_check(const struct config *config, struct err *err);

#endif

/* network_check: checks which settings of the network can be combined. */
#ifndef NMT_NETWORK_CHECK_H
#define NMT_NETWORK_CHECK_H

#include "config.h"
#include "err.h"

/* 0 if seq2seq_init can build the config's network, and training and decoding can use it; otherwise the
 * error names the settings and the reason. */
int network_check(const struct config *config, struct err *err);

#endif

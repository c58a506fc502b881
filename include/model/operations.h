/* operations: the cost of a network, by its layout. */
#ifndef NMT_OPERATIONS_H
#define NMT_OPERATIONS_H

#include "seq2seq.h"

/* The floating-point operations of the matrix products that training on so many sentences and tokens needs:
 * two for each weight and token, forward, and for the gradients of inputs and of weights. What repeats or
 * pads is not counted; what a cleverer program leaves out is. */
double training_operations(const struct seq2seq *model, double sents, double source_tokens,
                           double target_tokens);

#endif

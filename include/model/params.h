/* params: initial values for a block of parameters in a model's layout. */
#ifndef NMT_PARAMS_H
#define NMT_PARAMS_H

#include "layout.h"
#include "real.h"

#include <stdint.h>

/* Initialises all parameters, each by its declared initialiser and with the random stream of its index in
 * the layout, so that a parameter's size does not change the others. */
void params_randomize(real *values, const struct layout *layout, uint64_t seed);

#endif

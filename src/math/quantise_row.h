/* quantise_row: one row in eight bits, for weights and for activations. */
#ifndef NMT_QUANTISE_ROW_H
#define NMT_QUANTISE_ROW_H

#include "real.h"

#include <stddef.h>
#include <stdint.h>

/* to [n] = q + offset, as bytes modulo 256, with q in [-most, most]; returns the scale (quantised.h). */
float quantise_row(uint8_t *to, const real *x, size_t n, int most, uint8_t offset);

#endif

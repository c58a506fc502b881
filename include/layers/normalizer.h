/* normalizer: turns scores e into weights α that are not negative and sum to 1.
 *
 * Each is defined in a file normalizer_*.c, with its equation; to add one, see choices.h. */
#ifndef NMT_NORMALIZER_H
#define NMT_NORMALIZER_H

#include "choices.h"
#include "real.h"

#include <stddef.h>

struct normalizer {
    void (*forward)(real *e, size_t n); /* in place; n >= 1 */
    /* Turns dalpha into de. */
    void (*backward)(real *dalpha, const real *alpha, size_t n);
};

#define DECLARE_NORMALIZER(constant, name) extern const struct normalizer normalizer_##name;
NORMALIZERS(DECLARE_NORMALIZER)
/* By enum normalizer_kind of choices.h. */
extern const struct normalizer *const normalizer_kinds[];

#endif

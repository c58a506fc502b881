/* The table of normalizers; each is in a file of its own. */
#include "normalizer.h"

#define ENTRY(constant, name) [constant] = &normalizer_##name,
const struct normalizer *const normalizer_kinds[] = {NORMALIZERS(ENTRY)};

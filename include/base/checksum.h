/* checksum: a number that tells whether bytes are still the same; against damage and mix-ups, not against
 * malice. */
#ifndef NMT_CHECKSUM_H
#define NMT_CHECKSUM_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_DIGITS 16

/* The sum of what came before, 0 at the beginning, and these bytes. */
uint64_t checksum_add(uint64_t sum, const void *data, size_t bytes);
/* As text of CHECKSUM_DIGITS hexadecimal digits. */
void checksum_print(char digits[CHECKSUM_DIGITS + 1], uint64_t sum);
/* Of a regular file, as it is on the disk; -1 also where it is empty. */
int checksum_file(char digits[CHECKSUM_DIGITS + 1], const char *path, struct err *err);

#endif

/* checksum: a number that tells whether bytes are still the same; against damage and mix-ups, not against
 * malice. */
#ifndef NMT_CHECKSUM_H
#define NMT_CHECKSUM_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_DIGITS 16

/* The sum of what came before, 0 at the beginning, and these bytes. */
uint64_t checksum_add(uint64_t sum, const void *data, size_t bytes);
/* As text of CHECKSUM_DIGITS hexadecimal digits. */
void checksum_print(char digits[CHECKSUM_DIGITS + 1], uint64_t sum);
/* Of a regular file, as it is on the disk. */
int checksum_file(uint64_t *sum, const char *path, struct err *err);

/* What tells whether a file is still the same: at once by size and time, or by its bytes. */
struct file_stamp {
    int64_t bytes, seconds, nanoseconds;
    uint64_t checksum;
};

int file_stamp_take(struct file_stamp *stamp, const char *path, struct err *err);
/* Is it a regular file that holds the same? */
bool file_stamp_holds(const struct file_stamp *stamp, const char *path);

#endif

/* checksum: detects changed bytes; protects against damage and mix-ups, not against malice. */
#ifndef NMT_CHECKSUM_H
#define NMT_CHECKSUM_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_DIGITS 16

/* Extends a sum, 0 at first, by these bytes. */
uint64_t checksum_add(uint64_t sum, const void *data, size_t bytes);
/* Prints the sum as CHECKSUM_DIGITS hexadecimal digits. */
void checksum_print(char digits[CHECKSUM_DIGITS + 1], uint64_t sum);
/* The checksum of a regular file as it is on the disk. */
int checksum_file(uint64_t *sum, const char *path, struct err *err);

/* Shows whether a file has changed: by size and time, or else by its bytes. */
struct file_stamp {
    int64_t bytes, seconds, nanoseconds;
    uint64_t checksum;
};

int file_stamp_take(struct file_stamp *stamp, const char *path, struct err *err);
/* Is it a regular file with the same content? */
bool file_stamp_holds(const struct file_stamp *stamp, const char *path);

#endif

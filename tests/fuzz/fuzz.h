/* fuzz: what the targets share. Each fuzz_<name>.c has one LLVMFuzzerTestOneInput; built with NMT_FUZZ
 * (clang) it is a libFuzzer program, otherwise replay.c gives it the files of inputs/<name>. */
#ifndef NMT_FUZZ_H
#define NMT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* A path under which the bytes can be read as a regular file, in memory; valid until the next call but one.
 */
const char *fuzz_path(const uint8_t *data, size_t bytes);

/* Ends the program, as a finding: for properties that hold whatever comes in. */
#define MUST(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            __builtin_trap();                                                                                \
    } while (0)

#endif

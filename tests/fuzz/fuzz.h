/* fuzz: shared by all targets. Each fuzz_<name>.c defines one LLVMFuzzerTestOneInput; with NMT_FUZZ
 * (clang) it is linked to libFuzzer, otherwise replay.c runs it on the files of inputs/<name>. */
#ifndef NMT_FUZZ_H
#define NMT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* A path from which the bytes can be read as a regular file in memory; valid until the next call but one. */
const char *fuzz_path(const uint8_t *data, size_t bytes);

/* Aborts, as a finding, if a property that must hold for all inputs does not. */
#define MUST(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            __builtin_trap();                                                                                \
    } while (0)

#endif

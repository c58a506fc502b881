/* Selects the instruction set of the kernels. Compiled once, for float and double alike. */
#include "kernel.h"

enum instruction_set instruction_set = INSTRUCTIONS_BASE;

#if defined(__x86_64__) && defined(__GNUC__)

__attribute__((constructor)) static void find_instruction_set(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
        return;
    instruction_set = INSTRUCTIONS_V3;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        instruction_set = INSTRUCTIONS_V4;
}

const char *instruction_set_name(void)
{
    static const char *const names[] = {[INSTRUCTIONS_BASE] = "x86-64",
                                        [INSTRUCTIONS_V3] = "x86-64-v3 (AVX2, FMA)",
                                        [INSTRUCTIONS_V4] = "x86-64-v4 (AVX-512)"};
    return names[instruction_set];
}

#else

const char *instruction_set_name(void)
{
#ifdef __aarch64__
    return "arm64 (NEON)";
#else
    return "those of the compiler";
#endif
}

#endif

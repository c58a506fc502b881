/* Selects the instruction sets of the kernels. Compiled once, for float and double alike. */
#include "kernel.h"

enum instruction_set instruction_set = INSTRUCTIONS_BASE;
enum int8_instructions int8_instructions = INT8_BASE;
enum bf16_instructions bf16_instructions = BF16_NONE;

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>

static bool has_v3(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

/* __builtin_cpu_supports knows the name in later compilers only. */
static bool has_avx_vnni(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return has_v3() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}

#ifdef COMPILER_HAS_AMX
/* Whether the processor has AMX-BF16, and the system keeps tiles when it changes to another thread. */
static bool has_amx_bf16(void)
{
    const unsigned needed = 1u << 22 | 1u << 24, tiles = 3u << 17;
    unsigned a = 0, b = 0, c = 0, d = 0, low, high;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & needed) != needed)
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return (low & tiles) == tiles;
}
#endif

/* Nor does it know these in all compilers. */
static enum bf16_instructions best_bf16_instructions(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!has_v4() || !__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(a & 1u << 5))
        return BF16_NONE;
#ifdef COMPILER_HAS_AMX
    if (has_amx_bf16())
        return BF16_AMX;
#endif
    return BF16_AVX512;
}

const char *instruction_set_name(void)
{
    static const char *const names[] = {[INSTRUCTIONS_BASE] = "x86-64",
                                        [INSTRUCTIONS_V3] = "x86-64-v3 (AVX2, FMA)",
                                        [INSTRUCTIONS_V4] = "x86-64-v4 (AVX-512)"};
    return names[instruction_set];
}

static enum instruction_set best_instruction_set(void)
{
    return has_v4() ? INSTRUCTIONS_V4 : has_v3() ? INSTRUCTIONS_V3 : INSTRUCTIONS_BASE;
}

bool has_int8_instructions(enum int8_instructions set)
{
    switch (set) {
    case INT8_BASE:
        return true;
    case INT8_AVX2:
        return has_v3();
#ifdef COMPILER_HAS_AVX_VNNI
    case INT8_AVX_VNNI:
        return has_avx_vnni();
#endif
    case INT8_AVX512_VNNI:
        return has_v4() && __builtin_cpu_supports("avx512vnni");
    default:
        return false;
    }
}

#else

#ifdef COMPILER_HAS_DOTPROD
#include <sys/auxv.h>
#endif

const char *instruction_set_name(void)
{
#ifdef __aarch64__
    return "arm64 (NEON)";
#else
    return "those of the compiler";
#endif
}

static enum bf16_instructions best_bf16_instructions(void)
{
    return BF16_NONE;
}

static enum instruction_set best_instruction_set(void)
{
    return INSTRUCTIONS_BASE;
}

bool has_int8_instructions(enum int8_instructions set)
{
#ifdef COMPILER_HAS_DOTPROD
    if (set == INT8_DOTPROD)
        return getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
#endif
    return set == INT8_BASE;
}

#endif

const char *int8_instructions_name(void)
{
    static const char *const names[INT8_INSTRUCTIONS] = {[INT8_BASE] = "no special ones",
                                                         [INT8_AVX2] = "AVX2",
                                                         [INT8_AVX_VNNI] = "AVX-VNNI",
                                                         [INT8_AVX512_VNNI] = "AVX-512 VNNI",
                                                         [INT8_DOTPROD] = "NEON dot products"};
    return names[int8_instructions];
}

bool has_bf16_instructions(void)
{
    return bf16_instructions != BF16_NONE && instruction_set == INSTRUCTIONS_V4;
}

const char *bf16_instructions_name(void)
{
    static const char *const names[] = {
        [BF16_NONE] = "none", [BF16_AVX512] = "AVX512-BF16", [BF16_AMX] = "AMX-BF16"};
    return names[has_bf16_instructions() ? bf16_instructions : BF16_NONE];
}

__attribute__((constructor)) static void find_instructions(void)
{
    instruction_set = best_instruction_set();
    bf16_instructions = best_bf16_instructions();
    for (int set = 0; set < INT8_INSTRUCTIONS; set++)
        if (has_int8_instructions((enum int8_instructions)set))
            int8_instructions = (enum int8_instructions)set;
}

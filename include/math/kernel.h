/* kernel: functions compiled once per instruction set; calls go to the best version for the processor.
 *
 *     KERNEL(vec_add, (real *y, const real *x, size_t n), (y, x, n))
 *     {
 *         for (size_t i = 0; i < n; i++)
 *             y[i] += x[i];
 *     }
 *
 * defines vec_add, which calls vec_add_base, vec_add_v3 (AVX2, FMA) or vec_add_v4 (AVX-512), named after
 * the levels of x86-64. KERNEL_OF takes the type of the result as its first argument. Other processors
 * have the base version only. */
#ifndef NMT_KERNEL_H
#define NMT_KERNEL_H

#include <stdbool.h>

enum instruction_set { INSTRUCTIONS_BASE, INSTRUCTIONS_V3, INSTRUCTIONS_V4 };

/* The best one of this processor. Set when the program or library is loaded; tests may choose a lower one. */
extern enum instruction_set instruction_set;

/* Its name, such as "x86-64-v3 (AVX2, FMA)". */
const char *instruction_set_name(void);

/* What multiplies numbers of eight bits (prepacked.h), the faster the later. A processor may have any of
 * them, without those before. */
enum int8_instructions { INT8_BASE, INT8_AVX2, INT8_AVX_VNNI, INT8_AVX512_VNNI, INT8_DOTPROD };
#define INT8_INSTRUCTIONS 5

/* The best one, as instruction_set. */
extern enum int8_instructions int8_instructions;

/* Whether this processor and this program have them. */
bool has_int8_instructions(enum int8_instructions set);
/* The name of those in use, such as "AVX-VNNI". */
const char *int8_instructions_name(void);

/* What multiplies in bfloat16 (bf16.h), the faster the later; each has those before. */
enum bf16_instructions { BF16_NONE, BF16_AVX512, BF16_AMX };

/* The best one, as instruction_set. Only at the first product is Linux asked for AMX; if it refuses, this
 * becomes BF16_AVX512. */
extern enum bf16_instructions bf16_instructions;

/* Whether products in bfloat16 can run: there are instructions for them, and AVX-512 is in use. */
bool has_bf16_instructions(void);
/* The name of those in use, such as "AVX512-BF16". */
const char *bf16_instructions_name(void);

/* Not every compiler has these for single functions; AMX has to be asked for, as Linux wants it. */
#if defined(__x86_64__) && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11)
#define COMPILER_HAS_AVX_VNNI
#ifdef __linux__
#define COMPILER_HAS_AMX
#endif
#elif defined(__aarch64__) && (!defined(__clang__) || __clang_major__ >= 16)
#define COMPILER_HAS_DOTPROD
#endif

#if defined(__x86_64__) && defined(__GNUC__)

/* Lists features: gcc 10 does not know "arch=x86-64-v3". */
#define FEATURES_V3 "avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
#define FEATURES_V4 FEATURES_V3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"

#define KERNEL_LEVEL(level, type, give, name, parameters, arguments)                                         \
    static type name##_##level parameters                                                                    \
    {                                                                                                        \
        give name##_body arguments;                                                                          \
    }

#define KERNEL_AS(type, give, name, parameters, arguments)                                                   \
    type name parameters;                                                                                    \
    static inline __attribute__((always_inline)) type name##_body parameters;                                \
    KERNEL_LEVEL(base, type, give, name, parameters, arguments)                                              \
    __attribute__((target(FEATURES_V3))) KERNEL_LEVEL(v3, type, give, name, parameters, arguments)           \
        __attribute__((target(FEATURES_V4))) KERNEL_LEVEL(v4, type, give, name, parameters, arguments)       \
            type name parameters                                                                             \
    {                                                                                                        \
        switch (instruction_set) {                                                                           \
        case INSTRUCTIONS_V4:                                                                                \
            give name##_v4 arguments;                                                                        \
            break;                                                                                           \
        case INSTRUCTIONS_V3:                                                                                \
            give name##_v3 arguments;                                                                        \
            break;                                                                                           \
        default:                                                                                             \
            give name##_base arguments;                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    static inline type name##_body parameters

#else

#define KERNEL_AS(type, give, name, parameters, arguments)                                                   \
    type name parameters;                                                                                    \
    type name parameters

#endif

#define KERNEL(name, parameters, arguments) KERNEL_AS(void, , name, parameters, arguments)
#define KERNEL_OF(type, name, parameters, arguments) KERNEL_AS(type, return, name, parameters, arguments)

#endif

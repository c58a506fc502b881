/* The instructions of products, on registers alone. */
#include "in_registers.h"

#include "err.h"
#include "kernel.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define TARGET __attribute__((target(FEATURES_V4 ",avx512bf16")))
#define EACH(i, count) _Pragma("GCC unroll 24") for (size_t i = 0; i < (count); i++)

/* So that the compiler cannot know a number. */
#define HIDE(x) __asm__ volatile("" : "+v"(x))

#define REGISTERS_ONLY(name, type, step)                                                                     \
    TARGET float name(long rounds)                                                                           \
    {                                                                                                        \
        __m512 sum[IN_REGISTERS] = {{0}}, total = {0};                                                       \
        type a = {0}, b = {0};                                                                               \
        HIDE(a);                                                                                             \
        HIDE(b);                                                                                             \
        EACH(i, IN_REGISTERS)                                                                                \
        HIDE(sum[i]);                                                                                        \
        for (; rounds > 0; rounds--)                                                                         \
            EACH(i, IN_REGISTERS)                                                                            \
        sum[i] = step;                                                                                       \
        EACH(i, IN_REGISTERS)                                                                                \
        total += sum[i];                                                                                     \
        return _mm512_reduce_add_ps(total);                                                                  \
    }

REGISTERS_ONLY(bf16_in_registers, __m512i, _mm512_dpbf16_ps(sum[i], (__m512bh)a, (__m512bh)b))
REGISTERS_ONLY(float32_in_registers, __m512, _mm512_fmadd_ps(a, b, sum[i]))

#else

float bf16_in_registers(long rounds)
{
    BUG("%ld rounds of an instruction of x86-64", rounds);
}

float float32_in_registers(long rounds)
{
    BUG("%ld rounds of an instruction of x86-64", rounds);
}

#endif

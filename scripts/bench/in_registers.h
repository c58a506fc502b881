/* in_registers: the rate of vdpbf16ps (AVX512-BF16) and of float32's multiply-add, without memory. Both need
 * has_bf16_instructions (kernel.h). */
#ifndef NMT_IN_REGISTERS_H
#define NMT_IN_REGISTERS_H

/* `rounds` rounds of IN_REGISTERS instructions that do not wait for each other nor for memory. The result
 * depends on them all. */
#define IN_REGISTERS 24
float bf16_in_registers(long rounds);
float float32_in_registers(long rounds);

#endif

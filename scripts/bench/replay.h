/* replay: the matrix products of an update, computed again on other numbers by one of several engines, so
 * that these can be compared on the mix of shapes that training has. */
#ifndef NMT_REPLAY_H
#define NMT_REPLAY_H

#include "err.h"
#include "probes.h"

/* OpenBLAS alone; nmt's training in float32, with the weights of time steps prepacked; the same in
 * bfloat16, with all weights prepacked. */
enum engine { SGEMM, NMT, BF16, ENGINES };
enum kind { FORWARD_PRODUCTS, INPUT_GRADIENTS, WEIGHT_GRADIENTS, ALL, KINDS };

struct replay;
/* The products listed by probes, with random factors. */
struct replay *replay_new(const struct probe_report *report);
void replay_free(struct replay *replay);
/* Compares each product in bfloat16 with sgemm of rounded factors. BF16 needs has_bf16_instructions
 * (kernel.h). */
int replay_check(struct replay *replay, struct err *err);
/* Operations of each kind: 2 m n k of every product. */
void replay_operations(double operations[KINDS], const struct replay *replay);
/* Seconds of processor time that each kind takes, and those of prepacking among them. */
void replay_run(double seconds[KINDS], double *prepacking, struct replay *replay, enum engine engine);

#endif

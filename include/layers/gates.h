/* gates: the arithmetic of one step of each recurrent cell, row by row, once its products are there. Each is
 * defined in a file gates_*.c, with its equations; to add one, see choices.h.
 *
 * For G gates of U units a row holds G · U numbers in each of: a = W_ih x, the products of the input, and
 * q = W_hh h, those of the state, without their biases. */
#ifndef NMT_GATES_H
#define NMT_GATES_H

#include "choices.h"
#include "layout.h"
#include "real.h"

#include <stdbool.h>

/* Where the row of one step stands. */
struct gates_row {
    real *a;                       /* [G][U]: a, then what backward needs of the gates, then da */
    real *q;                       /* [G][U]: q; for backward again q, then dq */
    const real *bias_ih, *bias_hh; /* [G][U] */
    const real *h_prev;            /* [U] */
    const real *c_prev;            /* [U], of an LSTM */
};

struct gates {
    size_t count; /* G */
    /* How many of them read W_hh h. The others read W_hh (r ∘ h), r being the first gate: `reset` makes it.
     */
    size_t plain_gates;
    enum param_init bias; /* of the input part */
    bool has_c;           /* LSTM: beside h there is a cell state c, which no product reads */
    /* h [U] and c [U] = the new state. */
    void (*forward)(real *h, real *c, const struct gates_row *row, size_t units);
    /* dh and dc [U]: from the gradient of the new state to that of the old one, past the products. */
    void (*backward)(real *dh, real *dc, const struct gates_row *row, size_t units);
    /* With plain_gates < count alone. reset [U] = r ∘ h; `h` as the products read it. */
    void (*reset_forward)(real *reset, const real *h, const struct gates_row *row, size_t units);
    /* From dreset to the gradient of h, in place; completes da and dq of r. */
    void (*reset_backward)(real *dreset, const real *h, const struct gates_row *row, size_t units);
};

#define DECLARE_GATES(constant, name) extern const struct gates gates_##name;
CELLS(DECLARE_GATES)
/* All of them. */
extern const struct gates *const gates_kinds[];

#endif

/* gates: the arithmetic of a step of a recurrent cell, row by row, given its products. The cells are in files
 * gates_*.c, with their equations; to add one, see choices.h.
 *
 * G gates of U units. A row has two products of G · U numbers, both without biases: a = W_ih x for the
 * input and q = W_hh h for the state. */
#ifndef NMT_GATES_H
#define NMT_GATES_H

#include "choices.h"
#include "layout.h"
#include "real.h"

#include <stdbool.h>

/* One row of a step. */
struct gates_row {
    real *a;                       /* [G][U]: a, then what backward needs of the gates, then da */
    real *q;                       /* [G][U]: q; backward gets q again and turns it into dq */
    const real *bias_ih, *bias_hh; /* [G][U] */
    const real *h_prev;            /* [U] */
    const real *c_prev;            /* [U], for an LSTM */
};

struct gates {
    size_t count; /* G */
    /* The number of gates that read W_hh h. The others read W_hh (r ∘ h), made by reset_forward; r is the
     * first gate. */
    size_t plain_gates;
    enum param_init bias; /* of the input's bias */
    bool has_c;           /* LSTM: there is a cell state c, which no product reads */
    /* h [U] and c [U] = the new state. */
    void (*forward)(real *h, real *c, const struct gates_row *row, size_t units);
    /* dh and dc [U]: turn the gradient of the new state into that of the old one, without the part through
     * the products. */
    void (*backward)(real *dh, real *dc, const struct gates_row *row, size_t units);
    /* Only with plain_gates < count. reset [U] = r ∘ h, with h as read by the products. */
    void (*reset_forward)(real *reset, const real *h, const struct gates_row *row, size_t units);
    /* dreset: turns the gradient of r ∘ h into that of h, in place; completes da of r, and dq of the plain
     * gates. */
    void (*reset_backward)(real *dreset, const real *h, const struct gates_row *row, size_t units);
};

#define DECLARE_GATES(constant, name) extern const struct gates gates_##name;
CELLS(DECLARE_GATES)
/* By enum cell_kind of choices.h. */
extern const struct gates *const gates_kinds[];

#endif

/* attention_mechanism: parts of an attention other than its score and normalizer, as structs of hooks.
 *
 * attention.c calls a hook once per step, per row, or per head of a row, but never per position, and only
 * for the mechanisms that attention_declare has chosen. To add one: a file attention_*.c that defines it,
 * a declaration here, a row in the table of attention.c and its bound in attention.h. */
#ifndef NMT_ATTENTION_MECHANISM_H
#define NMT_ATTENTION_MECHANISM_H

#include "attention.h"

/* A row of a step, at one of its heads. */
struct attention_row {
    const struct attention_step *step;
    size_t index; /* in the step */
    size_t row;   /* in the acts */
    size_t rank;  /* b: of its source sentence */
    size_t head;
    size_t begin, end; /* the span: positions from `begin` to before `end` */
    double centre;     /* p_i of local attention */
    const real *keys;  /* the source's keys, or a mechanism's own, in the same layout */
    real *dkeys;       /* their gradients */
};

/* The offset of the weights of a row's head in alpha and soft. */
size_t attention_row_offset(const struct attention_row *row, const struct attention *attention);

/* A hook may be NULL. Hooks that change weights are called in the order of the table, and backward in
 * reverse. */
struct attention_mechanism {
    bool (*applies)(const struct attention_choice *choice);

    /* Parameters and memory: parts of the functions of the same names in attention.h. */
    void (*declare)(struct attention *attention, struct layout *layout, const char *prefix);
    void (*prepack)(struct attention_weights *weights, const struct attention *attention, const real *params,
                    struct prepack_list *list);
    void (*acts_init)(struct attention_acts *acts, const struct attention *attention, size_t rows,
                      const struct packed_seq *source, struct arena *arena);
    void (*acts_init_backward)(struct attention_acts *acts, const struct attention *attention, size_t rows,
                               size_t step_rows, const struct packed_seq *source, struct arena *arena);

    /* Once per source. */
    void (*source_init)(struct attention_source *source, struct arena *arena);
    void (*source_forward)(struct attention_source *source, const struct attention *attention,
                           const real *params);
    void (*source_backward)(struct mat dannotations, struct grad_terms *terms,
                            const struct attention_acts *acts, const struct attention_source *source,
                            const struct attention *attention, const real *params);

    /* Once per step, with the states of all rows. Backward adds to dstates. */
    void (*step_forward)(struct attention_acts *acts, struct const_mat states,
                         const struct attention_step *step, const struct attention_weights *weights);
    void (*step_backward)(struct mat dstates, struct attention_acts *acts, const struct attention_step *step,
                          const struct attention_weights *weights);

    /* Once per row: its span and keys; called again before the row's backward pass. Backward is called
     * when row->dkeys is complete. */
    void (*row_forward)(struct attention_row *row, struct attention_acts *acts,
                        const struct attention_weights *weights);
    void (*row_backward)(const struct attention_row *row, struct attention_acts *acts,
                         const struct attention_weights *weights);

    /* Once per head of a row, on its weights alpha [steps], in place. Backward turns dalpha from the
     * gradient of the resulting weights, alpha, into that of the original ones, which it returns. */
    void (*weights_forward)(real *alpha, const struct attention_row *row, struct attention_acts *acts,
                            const struct attention *attention);
    const real *(*weights_backward)(real *dalpha, const real *alpha, const struct attention_row *row,
                                    struct attention_acts *acts, const struct attention *attention);

    /* After the last step. */
    void (*defer_weight_grads)(struct grad_terms *terms, const struct attention_acts *acts,
                               struct const_mat states, const struct attention *attention);
};

extern const struct attention_mechanism mechanism_local_m, mechanism_local_p;    /* attention_local.c */
extern const struct attention_mechanism mechanism_hard;                          /* attention_hard.c */
extern const struct attention_mechanism mechanism_coverage, mechanism_fertility; /* attention_coverage.c */
extern const struct attention_mechanism mechanism_guided;                        /* attention_guided.c */

/* Declare "prefix.name", with weights [outputs][inputs], and a vector [width]. */
void attention_declare_linear(struct linear *linear, struct layout *layout, const char *prefix,
                              const char *name, size_t inputs, size_t outputs, bool bias);
size_t attention_declare_vector(struct layout *layout, const char *prefix, const char *name, size_t width);

#endif

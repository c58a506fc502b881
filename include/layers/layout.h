/* layout: the list of a model's parameters, in the order in which the layers declare them.
 *
 * A layer declares each of its parameters once and keeps only its offset. Values, gradients and optimizer
 * moments are blocks of `total` reals in this layout; a parameter is at block + offset. */
#ifndef NMT_LAYOUT_H
#define NMT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#define LAYOUT_MAX_PARAMS 512
#define PARAM_MAX_NAME 64

enum param_init {
    INIT_ZERO,
    INIT_ONE,
    INIT_FORGET,     /* the second quarter 1, the rest 0: an LSTM's forget gate starts open (Gers et al.
                      * 2000) */
    INIT_GLOROT,     /* uniform in ± sqrt(6 / (rows + cols)) (Glorot and Bengio 2010) */
    INIT_ORTHOGONAL, /* each square block of `cols` rows an orthogonal matrix (Saxe et al. 2014) */
    INIT_EMBEDDING,  /* normal, standard deviation cols^-½ */
};

struct param {
    char name[PARAM_MAX_NAME]; /* as in PyTorch: "encoder.forward.weight_ih" */
    size_t rows, cols;         /* cols 0: a vector of `rows` */
    enum param_init init;
    size_t offset; /* in reals */
};

struct layout {
    struct param params[LAYOUT_MAX_PARAMS];
    size_t count;
    size_t total; /* reals */
};

/* Appends "prefix.name"; returns its offset. */
size_t layout_declare(struct layout *layout, const char *prefix, const char *name, size_t rows, size_t cols,
                      enum param_init init);
size_t param_size(const struct param *param);
/* Has it several rows of numbers? A vector may be declared as a matrix of one row. */
bool param_is_matrix(const struct param *param);
/* The parameter of that name, or NULL. */
const struct param *layout_find(const struct layout *layout, const char *name);

#endif

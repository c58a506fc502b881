/* Initial values of parameters, by the initialiser that each layer declared. Loading is in model_file.c. */
#include "params.h"

#include "rng.h"
#include "vecmath.h"

#include <math.h>

static void fill_normal(real *values, size_t count, double deviation, struct rng *rng)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (real)(deviation * rng_normal(rng));
}

static void fill_glorot(real *values, const struct param *param, struct rng *rng)
{
    const double bound = sqrt(6.0 / (double)(param->rows + param->cols));
    for (size_t i = 0; i < param_size(param); i++)
        values[i] = (real)(bound * (2 * rng_uniform(rng) - 1));
}

/* Modified Gram-Schmidt on the rows of a random n x n matrix. */
static void fill_orthogonal(real *block, size_t n, struct rng *rng)
{
    fill_normal(block, n * n, 1, rng);
    for (size_t i = 0; i < n; i++) {
        real *row = block + i * n;
        for (size_t j = 0; j < i; j++)
            vec_axpy(row, -vec_dot(row, block + j * n, n), block + j * n, n);
        vec_scale(row, (real)(1 / sqrt(vec_sum_squares(row, n))), n);
    }
}

static void fill(real *values, size_t count, real value)
{
    for (size_t i = 0; i < count; i++)
        values[i] = value;
}

static void randomize(real *values, const struct param *param, struct rng *rng)
{
    const size_t size = param_size(param);
    switch (param->init) {
    case INIT_ZERO:
        fill(values, size, 0);
        break;
    case INIT_ONE:
        fill(values, size, 1);
        break;
    case INIT_FORGET:
        fill(values, size, 0);
        fill(values + size / 4, size / 2 - size / 4, 1);
        break;
    case INIT_GLOROT:
        fill_glorot(values, param, rng);
        break;
    case INIT_ORTHOGONAL:
        for (size_t row = 0; row < param->rows; row += param->cols)
            fill_orthogonal(values + row * param->cols, param->cols, rng);
        break;
    case INIT_EMBEDDING:
        fill_normal(values, size, 1 / sqrt((double)param->cols), rng);
        break;
    }
}

void params_randomize(real *values, const struct layout *layout, uint64_t seed)
{
    for (size_t i = 0; i < layout->count; i++) {
        struct rng rng;
        rng_init(&rng, seed, RNG_INIT, i, 0);
        randomize(values + layout->params[i].offset, &layout->params[i], &rng);
    }
}

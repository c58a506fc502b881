#include "params.h"

#include "rng.h"
#include "vecmath.h"

#include <math.h>
#include <string.h>

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

void params_randomize(real *values, const struct layout *layout, uint64_t seed)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct param *param = &layout->params[i];
        real *to = values + param->offset;
        struct rng rng;
        rng_init(&rng, seed, RNG_INIT, i, 0);
        switch (param->init) {
        case INIT_ZERO:
            memset(to, 0, param_size(param) * sizeof *to);
            break;
        case INIT_ONE:
            for (size_t j = 0; j < param_size(param); j++)
                to[j] = 1;
            break;
        case INIT_FORGET:
            memset(to, 0, param_size(param) * sizeof *to);
            for (size_t j = param_size(param) / 4; j < param_size(param) / 2; j++)
                to[j] = 1;
            break;
        case INIT_GLOROT:
            fill_glorot(to, param, &rng);
            break;
        case INIT_ORTHOGONAL:
            for (size_t row = 0; row < param->rows; row += param->cols)
                fill_orthogonal(to + row * param->cols, param->cols, &rng);
            break;
        case INIT_EMBEDDING:
            fill_normal(to, param_size(param), 1 / sqrt((double)param->cols), &rng);
            break;
        }
    }
}

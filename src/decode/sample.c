/* Draws a word from a distribution truncated by top-k and nucleus. The probabilities are computed in
 * candidates.c. */
#include "sample.h"

#include <math.h>
#include <stdlib.h>

static int heavier_first(const void *a, const void *b)
{
    const struct weighted_word *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->id - y->id;
}

static double sum_of(const struct weighted_word *words, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)words[i].weight;
    return sum;
}

/* The number of sorted words that remain after truncation. */
static int truncated_count(const struct weighted_word *words, int count, const struct sample_options *options)
{
    if (options->top_k && options->top_k < count)
        count = options->top_k;
    const double enough = options->nucleus * sum_of(words, count);
    double sum = 0;
    int kept = 0;
    while (kept < count && (kept == 0 || sum < enough))
        sum += (double)words[kept++].weight;
    return kept;
}

int sample_word(struct weighted_word *words, const real *weights, int vocabulary,
                const struct sample_options *options, double u)
{
    int count = 0;
    for (int id = 0; id < vocabulary; id++) {
        double weight = (double)weights[id];
        if (weight > 0 && options->temperature != 1)
            weight = pow(weight, 1 / options->temperature);
        if (weight > 0)
            words[count++] = (struct weighted_word){(real)weight, id};
    }
    if (options->top_k || options->nucleus < 1) {
        qsort(words, (size_t)count, sizeof *words, heavier_first);
        count = truncated_count(words, count, options);
    }
    const double at = u * sum_of(words, count);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += (double)words[i].weight;
        if (at < sum)
            return words[i].id;
    }
    return count && isfinite(sum) ? words[count - 1].id : -1;
}

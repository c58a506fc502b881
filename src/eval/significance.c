/* Draws the bootstrap samples with NumPy's generator, and computes how often one system beats another.
 * metrics.c scores a sample. */
#include "significance.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* PCG-XSL-RR-128/64 (O'Neill 2014, HMC-CS-2014-0905), the generator behind numpy.random.default_rng. */
__extension__ typedef unsigned __int128 uint128;

#define WIDE(high, low) ((uint128)(high) << 64 | (low))

struct pcg {
    uint128 state, increment;
    uint32_t spare; /* the unused upper half of the last number */
    bool has_spare;
};

/* The state of default_rng(BOOTSTRAP_SEED). */
static const struct pcg numpy_12345 = {.state = WIDE(0x1905e0335aae9634, 0x9199b0d09775add5),
                                       .increment = WIDE(0xc9c7353e6e2b1f28, 0x7d761f2d4027fae7)};

static uint64_t next64(struct pcg *pcg)
{
    pcg->state = pcg->state * WIDE(0x2360ed051fc65da4, 0x4385df649fccf645) + pcg->increment;
    const uint64_t folded = (uint64_t)(pcg->state >> 64) ^ (uint64_t)pcg->state;
    const unsigned turn = (unsigned)(pcg->state >> 122);
    return folded >> turn | folded << (-turn & 63);
}

static uint32_t next32(struct pcg *pcg)
{
    if (pcg->has_spare) {
        pcg->has_spare = false;
        return pcg->spare;
    }
    const uint64_t both = next64(pcg);
    pcg->spare = (uint32_t)(both >> 32);
    pcg->has_spare = true;
    return (uint32_t)both;
}

/* Uniform in [0, bound), without bias (Lemire 2019, arXiv:1805.10941). */
static uint32_t next_below(struct pcg *pcg, uint32_t bound)
{
    uint64_t product = (uint64_t)next32(pcg) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t least = -bound % bound;
        while ((uint32_t)product < least)
            product = (uint64_t)next32(pcg) * bound;
    }
    return (uint32_t)(product >> 32);
}

void bootstrap_draw(struct bootstrap *bootstrap, const struct metrics *sentences, size_t count,
                    const struct metrics *empty)
{
    struct pcg pcg = numpy_12345;
    for (int sample = 0; sample < BOOTSTRAP_SAMPLES; sample++) {
        struct metrics sum = *empty;
        for (size_t i = 0; i < count; i++) {
            const uint32_t drawn = count == 1 ? 0 : next_below(&pcg, (uint32_t)count); /* as NumPy does */
            metrics_sum(&sum, &sentences[drawn]);
        }
        for (int m = 0; m < PLACE_COUNT; m++)
            bootstrap->scores[m][sample] = metric_table[m].score(&sum);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct interval bootstrap_interval(const double *scores)
{
    double sorted[BOOTSTRAP_SAMPLES], sum = 0;
    memcpy(sorted, scores, sizeof sorted);
    qsort(sorted, BOOTSTRAP_SAMPLES, sizeof *sorted, ascending);
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++)
        sum += sorted[i];
    const int tail = BOOTSTRAP_SAMPLES / 40;
    return (struct interval){sum / BOOTSTRAP_SAMPLES,
                             (sorted[BOOTSTRAP_SAMPLES - 1 - tail] - sorted[tail]) / 2};
}

void interval_set_json(struct json *metric, const struct interval *interval)
{
    json_set_number(metric, "mean", interval->mean);
    json_set_number(metric, "half_width", interval->half_width);
}

double bootstrap_p_value(const double *scores, const double *baseline_scores, double difference)
{
    double mean = 0;
    int as_large = 0;
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++)
        mean += fabs(scores[i] - baseline_scores[i]) / BOOTSTRAP_SAMPLES;
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++)
        as_large += fabs(scores[i] - baseline_scores[i]) - mean >= fabs(difference);
    return (as_large + 1.0) / (BOOTSTRAP_SAMPLES + 1);
}

double bootstrap_standard_error(const double *scores, const double *baseline_scores)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++)
        mean += (scores[i] - baseline_scores[i]) / BOOTSTRAP_SAMPLES;
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++) {
        const double off = scores[i] - baseline_scores[i] - mean;
        squares += off * off;
    }
    return sqrt(squares / (BOOTSTRAP_SAMPLES - 1));
}

/* Hill climbing over the settings of beam search, and the choice among those tried. The caller translates
 * and scores. */
#include "tuning_search.h"

#include "log.h"
#include "mem.h"
#include "network_check.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Gives up on a direction after this many worse results in a row: scores are not smooth. */
#define PATIENCE 2

/* The values to try, upwards and downwards from the best so far. */
static const struct setting {
    size_t offset; /* in struct config_decoding */
    double values[12];
    int count;
    bool is_int;           /* an int, not a double */
    enum judge_kind judge; /* only with one of that kind; JUDGE_KINDS: always */
} settings[] = {
#define FIELD(field) offsetof(struct config_decoding, field)
    {FIELD(length_penalty), {0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.5}, 12, false, JUDGE_KINDS},
    {FIELD(coverage_penalty), {0, 0.05, 0.1, 0.2, 0.3, 0.5}, 6, false, JUDGE_KINDS},
    {FIELD(backward_weight), {0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1}, 8, false, JUDGE_BACKWARD},
    {FIELD(right_to_left_weight), {0, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5}, 8, false, JUDGE_RIGHT_TO_LEFT},
    {FIELD(beam), {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30}, 12, true, JUDGE_KINDS},
#undef FIELD
};
#define SETTINGS (sizeof settings / sizeof settings[0])

static double get(const struct config_decoding *decoding, const struct setting *setting)
{
    const char *at = (const char *)decoding + setting->offset;
    return setting->is_int ? *(const int *)(const void *)at : *(const double *)(const void *)at;
}

static void set(struct config_decoding *decoding, const struct setting *setting, double value)
{
    char *at = (char *)decoding + setting->offset;
    if (setting->is_int)
        *(int *)(void *)at = (int)value;
    else
        *(double *)(void *)at = value;
}

/* The distance of two settings: the number of table values between them. */
static int steps_between(const struct config_decoding *a, const struct config_decoding *b)
{
    int steps = 0;
    for (size_t s = 0; s < SETTINGS; s++)
        for (int i = 0; i < settings[s].count; i++) {
            const double value = settings[s].values[i];
            steps += (value <= get(a, &settings[s])) != (value <= get(b, &settings[s]));
        }
    return steps;
}

struct search {
    struct config *config;
    const struct tuning_limits *limits;
    void (*run)(struct tuning_trial *trial, void *context);
    void *context;
    struct tuning_trial *tried; /* the first has the defaults */
    size_t count, capacity, best;
    enum metric_place metric; /* the one to maximise */
};

static void report_trial(const struct search *search, const char *what, const struct tuning_trial *trial)
{
    char weights[100] = "";
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (judges_have(search->limits->judges, kind)) {
            const size_t used = strlen(weights);
            snprintf(weights + used, sizeof weights - used, "%s %-5g ", judge_kinds[kind].weight_name,
                     judge_weight(&trial->decoding, kind));
        }
    log_info("%sbeam %-3d length_penalty %-5g coverage_penalty %-5g %sBLEU %.2f  chrF %.2f  TER %.2f", what,
             trial->decoding.beam, trial->decoding.length_penalty, trial->decoding.coverage_penalty, weights,
             trial->scores[PLACE_BLEU], trial->scores[PLACE_CHRF], trial->scores[PLACE_TER]);
}

/* The index of the trial with the config's settings; runs it if it is new. */
static size_t try(struct search *search)
{
    const struct config_decoding *decoding = &search->config->decoding;
    for (size_t i = 0; i < search->count; i++)
        if (!steps_between(&search->tried[i].decoding, decoding))
            return i;
    GROW(search->tried, search->count + 1, search->capacity);
    struct tuning_trial *trial = &search->tried[search->count];
    trial->decoding = *decoding;
    search->run(trial, search->context);
    report_trial(search, "", trial);
    return search->count++;
}

static bool is_tried(const struct search *search, const struct setting *setting)
{
    return setting->judge == JUDGE_KINDS || judges_have(search->limits->judges, setting->judge);
}

/* Is the beam within its limits, and does the network use the settings? A judge needs a choice. */
static bool is_possible(const struct search *search)
{
    struct err err;
    const struct config *config = search->config;
    return config->decoding.beam <= search->limits->max_beam &&
           config->decoding.beam >= (judges_are_open(search->limits->judges) ? 2 : 1) &&
           !network_check(config, &err);
}

/* Tries the values beyond the best one, in steps of 1 or -1. */
static void climb(struct search *search, const struct setting *setting, int step)
{
    struct config_decoding *decoding = &search->config->decoding;
    const double from = get(decoding, setting);
    int worse = 0;
    for (int i = 0; i < setting->count && worse < PATIENCE; i++) {
        const double value = setting->values[step > 0 ? i : setting->count - 1 - i];
        if (step > 0 ? value <= from : value >= from)
            continue;
        set(decoding, setting, value);
        if (!is_possible(search))
            break;
        const size_t now = try(search);
        worse++;
        if (search->tried[now].scores[search->metric] > search->tried[search->best].scores[search->metric]) {
            search->best = now;
            worse = 0;
        }
    }
    *decoding = search->tried[search->best].decoding;
}

static void search_best(struct search *search)
{
    search->best = try(search);
    for (size_t i = 0; i <= SETTINGS; i++) { /* the first once more, since the others have changed */
        const struct setting *setting = &settings[i % SETTINGS];
        const size_t from = search->best;
        if (!is_tried(search, setting))
            continue;
        climb(search, setting, 1);
        if (search->best == from)
            climb(search, setting, -1);
    }
}

static const struct tuning_trial *choose_trial(const struct search *search)
{
    const enum metric_place m = search->metric;
    const struct tuning_trial *first = search->tried, *best = &search->tried[search->best], *chosen = best;
    int least = steps_between(&best->decoding, &first->decoding);
    for (const struct tuning_trial *c = first; c < first + search->count; c++) {
        const int steps = steps_between(&c->decoding, &first->decoding);
        const double error = bootstrap_standard_error(best->bootstrap.scores[m], c->bootstrap.scores[m]);
        if (best->scores[m] - c->scores[m] > error)
            continue;
        if (steps < least || (steps == least && c->scores[m] > chosen->scores[m])) {
            chosen = c;
            least = steps;
        }
    }
    return chosen;
}

/* Starts from the defaults, whatever an earlier tuning chose. */
static void set_defaults(struct search *search)
{
    struct config defaults;
    struct config_decoding *decoding = &search->config->decoding;
    config_init(&defaults);
    for (size_t s = 0; s < SETTINGS; s++)
        if (is_tried(search, &settings[s]))
            set(decoding, &settings[s], get(&defaults.decoding, &settings[s]));
    decoding->beam = decoding->beam < search->limits->max_beam ? decoding->beam : search->limits->max_beam;
    config_release(&defaults);
}

void tuning_search(struct config *config, const struct tuning_limits *limits,
                   void (*run)(struct tuning_trial *trial, void *context), void *context)
{
    struct search search = {.config = config, .limits = limits, .run = run, .context = context};
    search.metric = config->training.metric == METRIC_CHRF ? PLACE_CHRF : PLACE_BLEU;
    set_defaults(&search);
    search_best(&search);
    const struct tuning_trial *chosen = choose_trial(&search);
    report_trial(&search, "best:   ", &search.tried[search.best]);
    report_trial(&search, "chosen: ", chosen);
    config->decoding = chosen->decoding;
    xfree(search.tried);
}

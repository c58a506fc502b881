/* Translates a test set with a model, scores it, and compares its attention with reference links. The
 * results are shown by report_scores.c. */
#include "tested_model.h"

#include "alignment.h"
#include "log.h"
#include "mem.h"
#include "team.h"

#include <math.h>

struct comparing {
    const struct reference_links *reference;
    struct aer aer;
    size_t pairs;
};

static int compare(void *context, const struct alignment *alignment, size_t number, struct err *err)
{
    struct comparing *c = context;
    c->pairs = number;
    return reference_links_compare(&c->aer, c->reference, alignment, number, err);
}

/* The alignment error rate, against the reference links of the test set; NAN, with a warning, for a model
 * that has none. */
static int alignment_error(double *rate, const struct loaded_model *loaded, const struct report_settings *s,
                           const struct test_set *set, struct err *err)
{
    struct reference_links reference = {.path = NULL};
    struct comparing c = {.reference = &reference};
    const struct alignment_options options = {.words = true, .threads = s->threads};
    *rate = (double)NAN;
    if (!s->links)
        return 0;
    if (alignment_check(loaded, options.words, err)) {
        log_warn("no alignment error: %s", err->text);
        return 0;
    }
    int status = reference_links_load(&reference, s->links, err);
    if (!status)
        status = each_alignment(&set->files, loaded, &options, compare, &c, err);
    if (!status)
        status =
            expect_lines(s->links, reference.lines.count, pair_files_path(&set->files, TARGET), c.pairs, err);
    if (!status)
        *rate = aer_rate(&c.aer);
    reference_links_release(&reference);
    return status;
}

int tested_model_init(struct tested_model *tested, const struct loaded_model *loaded,
                      const struct history *history, const struct test_set *set,
                      const struct metric_options *scoring, const struct report_settings *settings,
                      struct err *err)
{
    struct translate_options options;
    struct ensemble alone;
    tested->loaded = loaded;
    tested->history = history;
    translate_options_init(&options, &loaded->config);
    options.threads = team_threads(settings->threads);
    ensemble_init_loaded(&alone, loaded);
    test_set_translate(&tested->translated, set, &alone, &options, &RANKS_ALONE);
    ensemble_release(&alone);
    if (alignment_error(&tested->error_rate, loaded, settings, set, err))
        return -1;
    metrics_init(&tested->metrics, scoring, set->reference_count);
    test_set_score(&tested->metrics, set, &tested->translated.lines);
    return test_set_perplexity(&tested->perplexity, set, loaded, options.threads, &RANKS_ALONE, err);
}

void tested_model_release(struct tested_model *tested)
{
    lines_release(&tested->translated.lines);
    xfree(tested->name);
}

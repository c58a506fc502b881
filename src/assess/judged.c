/* Translates a test set with a model, scores it, and compares its attention with reference links. The
 * results are shown by report_scores.c. */
#include "judged.h"

#include "alignment.h"
#include "log.h"
#include "mem.h"
#include "team.h"

#include <math.h>
#include <string.h>

struct comparing {
    const struct reference_links *right;
    struct aer aer;
    size_t pairs;
};

static int compare(void *context, const struct alignment *alignment, size_t number, struct err *err)
{
    struct comparing *c = context;
    c->pairs = number;
    return reference_links_compare(&c->aer, c->right, alignment, number, err);
}

/* The alignment error rate, against the reference links of the test set; NAN, with a warning, for a model
 * that has none. */
static int alignment_error(double *rate, const struct loaded_model *loaded, const struct report_settings *s,
                           const struct test_set *set, struct err *err)
{
    struct reference_links right = {.path = NULL};
    struct comparing c = {.right = &right};
    const struct alignment_options options = {.words = true, .threads = s->threads};
    *rate = (double)NAN;
    if (!s->links)
        return 0;
    if (alignment_check(loaded, options.words, err)) {
        log_warn("no alignment error: %s", err->text);
        return 0;
    }
    int status = reference_links_load(&right, s->links, err);
    if (!status)
        status = each_alignment(&set->files, loaded, &options, compare, &c, err);
    if (!status)
        status =
            expect_lines(s->links, right.lines.count, pair_files_path(&set->files, TARGET), c.pairs, err);
    if (!status)
        *rate = aer_rate(&c.aer);
    lines_release(&right.lines);
    return status;
}

int judged_init(struct judged *judged, const struct loaded_model *loaded, const struct history *history,
                const struct test_set *set, const struct metric_options *scoring,
                const struct report_settings *settings, struct err *err)
{
    struct translate_options options;
    struct ensemble alone;
    judged->loaded = loaded;
    judged->history = history;
    translate_options_init(&options, &loaded->config);
    options.threads = team_threads(settings->threads);
    ensemble_init_loaded(&alone, loaded);
    test_set_translate(&judged->translated, set, &alone, &options, &RANKS_ALONE);
    ensemble_release(&alone);
    if (alignment_error(&judged->error_rate, loaded, settings, set, err))
        return -1;
    metrics_init(&judged->metrics, scoring, set->reference_count);
    test_set_score(&judged->metrics, set, &judged->translated.lines);
    return test_set_perplexity(&judged->perplexity, set, loaded, options.threads, &RANKS_ALONE, err);
}

void judged_release(struct judged *judged)
{
    lines_release(&judged->translated.lines);
    xfree(judged->name);
}

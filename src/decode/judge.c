/* Opens the models that judge, and ranks translations by them. Scoring is left to translator_score. */
#include "judge.h"

#include "mem.h"

#include <string.h>
#include <strings.h>

const struct judge_kind_names judge_kinds[JUDGE_KINDS] = {
#define WEIGHT(key) #key, offsetof(struct config_decoding, key)
    [JUDGE_BACKWARD] = {"--backward-model", WEIGHT(backward_weight), "backward_score"},
    [JUDGE_RIGHT_TO_LEFT] = {"--right-to-left-model", WEIGHT(right_to_left_weight), "right_to_left_score"},
#undef WEIGHT
};

double judge_weight(const struct config_decoding *decoding, enum judge_kind kind)
{
    return *(const double *)(const void *)((const char *)decoding + judge_kinds[kind].weight_offset);
}

/* ---- the models ---- */

/* Are its languages those, as far as the configs tell? */
static int check_languages(const struct loaded_model *judge, const char *source, const char *target,
                           struct err *err)
{
    const struct config_data *own = &judge->config.data;
    if (!own->source_language || !own->target_language || !source || !target ||
        (!strcasecmp(own->source_language, source) && !strcasecmp(own->target_language, target)))
        return 0;
    return err_set(err,
                   "cannot judge translations by '%s': it translates from %s into %s, not from %s into %s",
                   judge->files.path, own->source_language, own->target_language, source, target);
}

static int check_order(const struct loaded_model *judge, const struct loaded_model *forward, struct err *err)
{
    if (!judge->config.text.reverse_target)
        return err_set(err,
                       "cannot judge translations by '%s': it does not make them from right to left "
                       "(text.reverse_target)",
                       judge->files.path);
    if (forward->config.text.reverse_target)
        return err_set(err, "cannot judge translations by '%s': '%s' makes them from right to left itself",
                       judge->files.path, forward->files.path);
    return 0;
}

static int check_fits(const struct loaded_model *judge, enum judge_kind kind,
                      const struct loaded_model *forward, int count, struct err *err)
{
    const struct config_data *to = &forward->config.data;
    for (int i = 0; i < count; i++)
        if (paths_are_same(judge->files.path, forward[i].files.path))
            return err_set(err, "cannot judge translations by '%s': it makes them itself", judge->files.path);
    if (kind == JUDGE_BACKWARD)
        return check_languages(judge, to->target_language, to->source_language, err);
    if (check_languages(judge, to->source_language, to->target_language, err))
        return -1;
    return check_order(judge, forward, err);
}

/* NULL on failure. */
static struct judge *judge_open(const char *path, enum judge_kind kind, const struct loaded_model *forward,
                                int count, int threads, struct err *err)
{
    struct translate_options options;
    struct judge *judge = xcalloc(1, sizeof *judge);
    int status = loaded_model_open(&judge->loaded, path, err);
    if (!status && check_fits(&judge->loaded, kind, forward, count, err)) {
        loaded_model_close(&judge->loaded);
        status = -1;
    }
    if (status) {
        xfree(judge);
        return NULL;
    }
    ensemble_init_loaded(&judge->ensemble, &judge->loaded);
    ensemble_drop_weights(&judge->ensemble, &judge->loaded);
    translate_options_init(&options, &judge->loaded.config);
    options.threads = threads;
    const char *tag = kind == JUDGE_RIGHT_TO_LEFT ? forward->config.decoding.tag : NULL;
    if (tag && !language_pair_check_tag(&judge->loaded.pair, tag, NULL))
        options.tag = tag;
    translator_init(&judge->translator, &judge->ensemble, &options);
    return judge;
}

static void judge_close(struct judge *judge)
{
    if (!judge)
        return;
    translator_release(&judge->translator);
    ensemble_release(&judge->ensemble);
    loaded_model_close(&judge->loaded);
    xfree(judge);
}

int judges_open(struct judges *judges, const char *const paths[JUDGE_KINDS],
                const struct loaded_model *forward, int count, int threads, struct err *err)
{
    memset(judges, 0, sizeof *judges);
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++) {
        if (!paths[kind])
            continue;
        judges->of[kind] = judge_open(paths[kind], kind, forward, count, threads, err);
        if (!judges->of[kind]) {
            judges_close(judges);
            return -1;
        }
    }
    return 0;
}

void judges_close(struct judges *judges)
{
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++) {
        judge_close(judges->of[kind]);
        judges->of[kind] = NULL;
    }
}

bool judges_are_named(const char *const paths[JUDGE_KINDS])
{
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (paths[kind])
            return true;
    return false;
}

bool judges_have(const struct judges *judges, enum judge_kind kind)
{
    return judges && judges->of[kind];
}

bool judges_are_open(const struct judges *judges)
{
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (judges_have(judges, kind))
            return true;
    return false;
}

/* ---- ranking ---- */

struct ranking {
    struct translations *const *translations; /* [sources->count] */
    const struct lines *sources;
    struct lines judged, judged_sources; /* all hypotheses that are judged, and the source of each */
    const struct beam_options *options;
    struct translation_watch watch;
};

static bool is_asked(const struct ranking *ranking, size_t i)
{
    return ranking->translations[i]->count > 1 && ranking->sources->bytes[i];
}

static void collect(struct ranking *ranking)
{
    for (size_t i = 0; i < ranking->sources->count; i++)
        for (int k = 0; k < ranking->translations[i]->count && is_asked(ranking, i); k++) {
            const char *text = ranking->translations[i]->best[k].text;
            lines_add(&ranking->judged, text, strlen(text));
            lines_add(&ranking->judged_sources, ranking->sources->text[i], ranking->sources->bytes[i]);
        }
}

/* Takes what a model said of the hypotheses of one source. False if it could not read one. */
static bool take_judgement(struct translations *of, const struct translations *said, enum judge_kind kind,
                           const struct beam_options *options)
{
    for (int k = 0; k < of->count; k++)
        if (said[k].best->too_long || said[k].best->end == END_OVERFLOW)
            return false;
    for (int k = 0; k < of->count; k++) {
        struct score_terms *terms = &of->best[k].terms;
        terms->judged[kind].log_probability = said[k].best->terms.log_probability;
        terms->judged[kind].length = said[k].best->terms.length;
        of->best[k].score = beam_score(terms, options);
    }
    return true;
}

static int ask(struct ranking *ranking, struct judge *judge, enum judge_kind kind)
{
    const bool backward = kind == JUDGE_BACKWARD;
    const struct lines *from = backward ? &ranking->judged : &ranking->judged_sources;
    const struct lines *to = backward ? &ranking->judged_sources : &ranking->judged;
    struct translations *said = xcalloc(from->count, sizeof *said);
    const int status = translator_score(&judge->translator, said, from, to, &ranking->watch, NULL);
    size_t at = 0;
    for (size_t i = 0; i < ranking->sources->count && !status; i++) {
        struct translations *of = ranking->translations[i];
        if (!is_asked(ranking, i))
            continue;
        judge->unread += !take_judgement(of, said + at, kind, ranking->options);
        at += (size_t)of->count;
    }
    for (size_t i = 0; i < from->count && !status; i++)
        translations_release(&said[i]);
    xfree(said);
    return status;
}

/* By insertion, which keeps the order of equal ones. */
static void sort(struct translations *of)
{
    for (int k = 1; k < of->count; k++) {
        const struct translation moved = of->best[k];
        int at = k;
        for (; at > 0 && translation_is_better(&moved, &of->best[at - 1]); at--)
            of->best[at] = of->best[at - 1];
        of->best[at] = moved;
    }
}

static void keep_best(struct translations *of, int n_best)
{
    while (of->count > n_best)
        translation_release(&of->best[--of->count]);
}

int judges_rank(struct translations *const *translations, const struct lines *sources,
                const struct translate_options *options, const struct translation_watch *watch)
{
    struct ranking ranking = {.translations = translations, .sources = sources, .options = &options->beam};
    int status = 0;
    if (watch) /* its progress is that of the search */
        ranking.watch = (struct translation_watch){.cancelled = watch->cancelled, .context = watch->context};
    collect(&ranking);
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS && ranking.judged.count && !status; kind++)
        if (options->judges->of[kind])
            status = ask(&ranking, options->judges->of[kind], kind);
    for (size_t i = 0; i < sources->count && !status; i++) {
        sort(translations[i]);
        keep_best(translations[i], options->beam.n_best);
    }
    lines_release(&ranking.judged);
    lines_release(&ranking.judged_sources);
    return status;
}

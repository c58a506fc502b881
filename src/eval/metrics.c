/* BLEU, chrF2 and TER together: adds sentences to all three; holds the table of their names and scores. */
#include "metrics.h"

#include "significance.h"

void metrics_init(struct metrics *metrics, const struct metric_options *options, int references)
{
    bleu_init(&metrics->bleu, options->tokenize, options->lowercase, references);
    metrics->bleu.effective_order = options->effective_order;
    chrf_init(&metrics->chrf, options->chrf_lowercase, options->chrf_word_order, references);
    ter_init(&metrics->ter, references);
}

void metrics_add(struct metrics *metrics, const char *hypothesis, const char *const *references)
{
    bleu_add(&metrics->bleu, hypothesis, references);
    chrf_add(&metrics->chrf, hypothesis, references);
    ter_add(&metrics->ter, hypothesis, references);
}

void metrics_sum(struct metrics *metrics, const struct metrics *more)
{
    bleu_sum(&metrics->bleu, &more->bleu);
    chrf_sum(&metrics->chrf, &more->chrf);
    ter_sum(&metrics->ter, &more->ter);
}

static const char *name_bleu(const struct metrics *metrics)
{
    (void)metrics;
    return "BLEU";
}

static double score_bleu(const struct metrics *metrics)
{
    return bleu_score(&metrics->bleu).score;
}

static void sign_bleu(const struct metrics *metrics, struct strbuf *out)
{
    bleu_signature(&metrics->bleu, out);
}

static const char *name_chrf(const struct metrics *metrics)
{
    return chrf_name(&metrics->chrf);
}

static double score_chrf(const struct metrics *metrics)
{
    return chrf_score(&metrics->chrf);
}

static void sign_chrf(const struct metrics *metrics, struct strbuf *out)
{
    chrf_signature(&metrics->chrf, out);
}

static const char *name_ter(const struct metrics *metrics)
{
    (void)metrics;
    return "TER";
}

static double score_ter(const struct metrics *metrics)
{
    return ter_score(&metrics->ter);
}

static void sign_ter(const struct metrics *metrics, struct strbuf *out)
{
    (void)metrics;
    ter_signature(out);
}

const struct metric metric_table[PLACE_COUNT] = {
    [PLACE_BLEU] = {"bleu", name_bleu, score_bleu, sign_bleu},
    [PLACE_CHRF] = {"chrf", name_chrf, score_chrf, sign_chrf},
    [PLACE_TER] = {"ter", name_ter, score_ter, sign_ter},
};

void metric_signature(struct strbuf *out, enum metric_place place, const struct metrics *metrics,
                      bool bootstrap, const char *version)
{
    strbuf_addf(out, "nrefs:%d|", metrics->bleu.references);
    if (bootstrap)
        strbuf_addf(out, "bs:%d|seed:%d|", BOOTSTRAP_SAMPLES, BOOTSTRAP_SEED);
    metric_table[place].signature(metrics, out);
    strbuf_addf(out, "|version:%s", version);
}

struct json *metric_set_json(struct json *object, enum metric_place place, const struct metrics *metrics,
                             bool bootstrap, const char *version)
{
    struct json *figures = json_set_object(object, metric_table[place].key);
    struct strbuf signature;
    strbuf_init(&signature);
    metric_signature(&signature, place, metrics, bootstrap, version);
    json_set_number(figures, "score", metric_table[place].score(metrics));
    json_set_string(figures, "signature", signature.text);
    strbuf_release(&signature);
    return figures;
}

/* BLEU, chrF2 and TER together: adds sentences to all three; holds the table of their names and scores. */
#include "metrics.h"

void metrics_init(struct metrics *metrics, enum mteval_kind kind, bool lowercase, int references)
{
    bleu_init(&metrics->bleu, kind, lowercase, references);
    chrf_init(&metrics->chrf, lowercase, references);
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

static double score_bleu(const struct metrics *metrics)
{
    return bleu_score(&metrics->bleu).score;
}

static void sign_bleu(const struct metrics *metrics, const char *version, struct strbuf *out)
{
    bleu_signature(&metrics->bleu, version, out);
}

static double score_chrf(const struct metrics *metrics)
{
    return chrf_score(&metrics->chrf);
}

static void sign_chrf(const struct metrics *metrics, const char *version, struct strbuf *out)
{
    chrf_signature(&metrics->chrf, version, out);
}

static double score_ter(const struct metrics *metrics)
{
    return ter_score(&metrics->ter);
}

static void sign_ter(const struct metrics *metrics, const char *version, struct strbuf *out)
{
    ter_signature(&metrics->ter, version, out);
}

const struct metric metric_table[METRIC_COUNT] = {
    [PLACE_BLEU] = {"BLEU", "bleu", score_bleu, sign_bleu},
    [PLACE_CHRF] = {"chrF2", "chrf", score_chrf, sign_chrf},
    [PLACE_TER] = {"TER", "ter", score_ter, sign_ter},
};

struct json *metric_set_json(struct json *object, enum metric_place place, const struct metrics *metrics,
                             const char *version)
{
    const struct metric *metric = &metric_table[place];
    struct json *figures = json_set_object(object, metric->key);
    struct strbuf signature;
    strbuf_init(&signature);
    metric->signature(metrics, version, &signature);
    json_set_number(figures, "score", metric->score(metrics));
    json_set_string(figures, "signature", signature.text);
    strbuf_release(&signature);
    return figures;
}

/* metrics: BLEU, chrF2 and TER of the same sentences. */
#ifndef NMT_METRICS_H
#define NMT_METRICS_H

#include "bleu.h"
#include "chrf.h"
#include "json.h"
#include "ter.h"

struct metrics {
    struct bleu bleu;
    struct chrf chrf;
    struct ter ter;
};

/* `kind` is BLEU's tokenizer; `lowercase` applies to BLEU and chrF; TER is always lower-cased. */
void metrics_init(struct metrics *metrics, enum mteval_kind kind, bool lowercase, int references);
/* Adds one sentence; all texts must be valid UTF-8. */
void metrics_add(struct metrics *metrics, const char *hypothesis, const char *const *references);
/* Adds the counts of another sum. */
void metrics_sum(struct metrics *metrics, const struct metrics *more);

enum metric_place { PLACE_BLEU, PLACE_CHRF, PLACE_TER, METRIC_COUNT };

/* The metrics in the order in which they are printed. */
extern const struct metric {
    const char *name, *key; /* "BLEU", "bleu" */
    double (*score)(const struct metrics *metrics);
    void (*signature)(const struct metrics *metrics, const char *version, struct strbuf *out);
} metric_table[METRIC_COUNT];

/* Adds a metric's object with its "score" and "signature", and returns it. */
struct json *metric_set_json(struct json *object, enum metric_place place, const struct metrics *metrics,
                             const char *version);

#endif

/* metrics: BLEU, chrF2 and TER of the same sentences. */
#ifndef NMT_METRICS_H
#define NMT_METRICS_H

#include "bleu.h"
#include "chrf.h"
#include "json.h"
#include "ter.h"

/* All zero: sacreBLEU's defaults. */
struct metric_options {
    enum mteval_kind tokenize;      /* BLEU's words */
    bool lowercase, chrf_lowercase; /* BLEU and chrF in lower case; TER always is */
    int chrf_word_order;            /* 0 to CHRF_MOST_WORD_ORDER */
    bool effective_order;           /* of BLEU */
};

struct metrics {
    struct bleu bleu;
    struct chrf chrf;
    struct ter ter;
};

void metrics_init(struct metrics *metrics, const struct metric_options *options, int references);
/* Adds one sentence; all texts must be valid UTF-8. */
void metrics_add(struct metrics *metrics, const char *hypothesis, const char *const *references);
/* Adds the counts of another sum. */
void metrics_sum(struct metrics *metrics, const struct metrics *more);

enum metric_place { PLACE_BLEU, PLACE_CHRF, PLACE_TER, PLACE_COUNT };

/* The metrics in the order in which they are printed. */
extern const struct metric {
    const char *key;                                    /* "bleu" */
    const char *(*name)(const struct metrics *metrics); /* "BLEU" */
    double (*score)(const struct metrics *metrics);
    void (*signature)(const struct metrics *metrics, struct strbuf *out); /* of the metric alone */
} metric_table[PLACE_COUNT];

/* Appends "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:…", as sacreBLEU does; with `bootstrap`,
 * also how samples are drawn (significance.h): "nrefs:1|bs:1000|seed:12345|case:…". */
void metric_signature(struct strbuf *out, enum metric_place place, const struct metrics *metrics,
                      bool bootstrap, const char *version);

/* Adds a metric's object with its "score" and "signature", and returns it. */
struct json *metric_set_json(struct json *object, enum metric_place place, const struct metrics *metrics,
                             bool bootstrap, const char *version);

#endif

/* server_metrics: what a server has done so far, as Prometheus reads it (text format 0.0.4). */
#ifndef NMT_SERVER_METRICS_H
#define NMT_SERVER_METRICS_H

#include "engine.h"
#include "http.h"
#include "strbuf.h"

#define MOST_ENDPOINTS 16
#define METRIC_STATUSES 600
#define DURATION_BUCKETS 12

struct server_metrics {
    double started;
    long requests[MOST_ENDPOINTS + 1][METRIC_STATUSES]; /* by endpoint and status; the last: no endpoint */
    long durations[DURATION_BUCKETS + 1]; /* of translations, by their upper bounds; the last: beyond */
    double duration_sum;
    long characters;
};

void server_metrics_count(struct server_metrics *metrics, int endpoint, int status);
void server_metrics_add_duration(struct server_metrics *metrics, double seconds);
/* Appends all; `names` of the endpoints [count]. */
void server_metrics_print(struct strbuf *out, const struct server_metrics *metrics, const char *const *names,
                          int count, const struct engine_counts *engine, const struct http_counts *http,
                          long dropped_lines);

#endif

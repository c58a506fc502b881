/* Counts and prints. Names and units are as Prometheus recommends: seconds, bytes, `_total` for what only
 * grows. */
#include "server_metrics.h"

#include "log.h"

#include <stdio.h>
#include <unistd.h>

/* Seconds; the last bucket has no bound. */
static const double bounds[DURATION_BUCKETS] = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

void server_metrics_count(struct server_metrics *metrics, int endpoint, int status)
{
    if (status >= 0 && status < METRIC_STATUSES)
        metrics->requests[endpoint < 0 ? MOST_ENDPOINTS : endpoint][status]++;
}

void server_metrics_add_duration(struct server_metrics *metrics, double seconds)
{
    int bucket = 0;
    while (bucket < DURATION_BUCKETS && seconds > bounds[bucket])
        bucket++;
    metrics->durations[bucket]++;
    metrics->duration_sum += seconds;
}

static void add_head(struct strbuf *out, const char *name, const char *type, const char *help)
{
    strbuf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void add_value(struct strbuf *out, const char *name, const char *type, const char *help, double value)
{
    add_head(out, name, type, help);
    strbuf_addf(out, "%s %.15g\n", name, value);
}

static void add_count(struct strbuf *out, const char *name, const char *type, const char *help, long count)
{
    add_value(out, name, type, help, (double)count);
}

static void add_requests(struct strbuf *out, const struct server_metrics *metrics, const char *const *names,
                         int count)
{
    add_head(out, "nmt_requests_total", "counter", "Requests that have been answered.");
    for (int endpoint = 0; endpoint <= MOST_ENDPOINTS; endpoint++)
        for (int status = 0; status < METRIC_STATUSES; status++)
            if (metrics->requests[endpoint][status])
                strbuf_addf(out, "nmt_requests_total{path=\"%s\",status=\"%d\"} %ld\n",
                            endpoint < count ? names[endpoint] : "other", status,
                            metrics->requests[endpoint][status]);
}

static void add_durations(struct strbuf *out, const struct server_metrics *metrics)
{
    long sum = 0;
    add_head(out, "nmt_translation_seconds", "histogram", "Time from a request to its answer.");
    for (int i = 0; i < DURATION_BUCKETS; i++) {
        sum += metrics->durations[i];
        strbuf_addf(out, "nmt_translation_seconds_bucket{le=\"%g\"} %ld\n", bounds[i], sum);
    }
    sum += metrics->durations[DURATION_BUCKETS];
    strbuf_addf(out, "nmt_translation_seconds_bucket{le=\"+Inf\"} %ld\n", sum);
    strbuf_addf(out, "nmt_translation_seconds_sum %.15g\nnmt_translation_seconds_count %ld\n",
                metrics->duration_sum, sum);
}

#define ENTRY(constant, name, http_status, prefix) [constant] = #name,

static void add_jobs(struct strbuf *out, const struct engine_counts *engine)
{
    static const char *const names[] = {JOB_STATUSES(ENTRY)};
    add_head(out, "nmt_jobs_total", "counter", "Translations that have ended.");
    for (int i = 0; i < JOB_STATUS_COUNT; i++)
        strbuf_addf(out, "nmt_jobs_total{result=\"%s\"} %ld\n", names[i], engine->jobs[i]);
}

static double resident_bytes(void)
{
    long total, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld", &total, &resident) != 2)
        resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

void server_metrics_print(struct strbuf *out, const struct server_metrics *metrics, const char *const *names,
                          int count, const struct engine_counts *engine, const struct http_counts *http,
                          long dropped_lines)
{
    add_requests(out, metrics, names, count);
    add_durations(out, metrics);
    add_jobs(out, engine);
    add_count(out, "nmt_sentences_total", "counter", "Sentences that have been translated.",
              engine->sentences);
    add_count(out, "nmt_batches_total", "counter", "Batches that they were translated in.", engine->batches);
    add_count(out, "nmt_open_jobs", "gauge", "Translations that are being made.", engine->open_jobs);
    add_count(out, "nmt_waiting_sentences", "gauge", "Sentences that wait for a batch.",
              engine->waiting_sentences);
    add_count(out, "nmt_characters_total", "counter", "Characters of all texts.", metrics->characters);
    add_count(out, "nmt_connections", "gauge", "Connections that are open.", (long)http->connections);
    add_count(out, "nmt_connections_total", "counter", "Connections that have been accepted.",
              http->accepted);
    add_count(out, "nmt_connections_late_total", "counter", "Connections closed as too slow or idle.",
              http->late);
    add_count(out, "nmt_connections_refused_total", "counter", "Connections closed at a limit.",
              http->refused);
    add_count(out, "nmt_log_lines_dropped_total", "counter", "Lines that the access log lacks.",
              dropped_lines);
    add_value(out, "nmt_uptime_seconds", "gauge", "Time since the start.",
              clock_seconds() - metrics->started);
    add_value(out, "process_resident_memory_bytes", "gauge", "Memory of the process.", resident_bytes());
}

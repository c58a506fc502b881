/* bench_library MODEL FILE THREADS: threads that share a model through libnmt, each with a translator:
 * sentences per second of all together, and the most memory that the process has had. Each translates all
 * of FILE, up to 2,000 lines. */
#include <nmt.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_LINES 2000
#define MOST_THREADS 64

struct text {
    char *line[MOST_LINES];
    size_t count;
};

struct work {
    struct nmt_model *model;
    const struct text *text;
    int failed;
};

static void *translate(void *context)
{
    struct work *work = context;
    char error[NMT_ERROR_BYTES];
    struct nmt_translator *translator = nmt_translator_new(work->model, error, sizeof error);
    struct nmt_result *result =
        nmt_translate(translator, (const char *const *)work->text->line, work->text->count);
    work->failed = !result;
    if (!result)
        fprintf(stderr, "bench_library: %s\n", translator ? nmt_error(translator) : error);
    nmt_result_free(result);
    nmt_translator_free(translator);
    return NULL;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The most memory that the process has had so far, in MiB. */
static double peak_mib(void)
{
    char line[128];
    long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "VmHWM:", 6))
            kilobytes = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return (double)kilobytes / 1024;
}

static int measure(struct nmt_model *model, const struct text *text, int threads)
{
    pthread_t thread[MOST_THREADS];
    struct work work[MOST_THREADS];
    int failed = 0;
    const double begun = seconds();
    for (int i = 0; i < threads; i++) {
        work[i] = (struct work){model, text, 0};
        if (pthread_create(&thread[i], NULL, translate, &work[i]))
            return 1;
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        failed |= work[i].failed;
    }
    const double rate = threads * (double)text->count / (seconds() - begun);
    printf("%d thread%s: %.0f sentences/s, %.0f MiB\n", threads, threads > 1 ? "s" : "", rate, peak_mib());
    return failed;
}

static int read_text(struct text *text, const char *path)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *file = fopen(path, "r");
    while (file && text->count < MOST_LINES && getline(&line, &bytes, file) >= 0)
        text->line[text->count++] = strdup(line);
    free(line);
    if (file)
        fclose(file);
    return text->count ? 0 : -1;
}

int main(int argc, char **argv)
{
    char error[NMT_ERROR_BYTES];
    struct text text = {.count = 0};
    const int threads = argc == 4 ? atoi(argv[3]) : 0;
    if (threads < 1 || threads > MOST_THREADS || read_text(&text, argv[2])) {
        fprintf(stderr, "usage: bench_library MODEL FILE THREADS\n");
        return 2;
    }
    const double begun = seconds();
    struct nmt_model *model = nmt_open(argv[1], error, sizeof error);
    if (model)
        printf("open: %.0f ms, %.0f MiB\n", 1e3 * (seconds() - begun), peak_mib());
    else
        fprintf(stderr, "bench_library: %s\n", error);
    const int failed = model ? measure(model, &text, threads) : 1;
    nmt_close(model);
    for (size_t i = 0; i < text.count; i++)
        free(text.line[i]);
    return failed;
}

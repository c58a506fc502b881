/* Translates the training text in windows of lines, each of which is saved when it is done. Which models
 * translate what is up to distill.c. */
#include "distill_translate.h"

#include "distill_plan.h"
#include "fileio.h"
#include "lines.h"
#include "log.h"
#include "mem.h"
#include "models.h"
#include "prepacked.h"
#include "team.h"
#include "translate.h"
#include "translate_on_ranks.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW_LINES 8192 /* sorted by length, so that batches are of similar lines */
#define TIMED_LINES 128   /* of the first window, if time is limited */

struct translating {
    const struct distill_translation *job;
    struct distill_state *state;
    struct ensemble ensemble;
    struct translate_options options;
    struct translator translator; /* with the tag of the corpus that is being translated */
    struct sink output;
    struct lines window;
    int64_t skipped; /* pairs that an earlier run has translated; they are passed by */
    int64_t read;    /* pairs so far */
    struct progress progress;
    double began;     /* clock at the start, as if there had been no stop */
    int64_t done;     /* lines of this run */
    double now;       /* clock before the first of them */
    int64_t every;    /* one of so many lines is translated, the others are left empty */
    int64_t left_out; /* of `done` */
};

/* ---- one window ---- */

static void show(void *context, int lines)
{
    struct translating *t = context;
    progress_lines(&t->progress, (double)(t->state->lines + lines), (double)t->job->pairs,
                   (double)(t->done + lines), clock_seconds() - t->now);
}

static bool is_stopped(void *context)
{
    const struct translating *t = context;
    return *t->job->signal_number != 0;
}

/* Chooses how many of the lines to come are translated in the time that is left, as fast as those so far. */
static void fit_time(struct translating *t)
{
    const double clock = clock_seconds(), left = t->job->seconds - (clock - t->began),
                 translated = (double)(t->done - t->left_out);
    if (t->job->seconds > 0 && translated > 0)
        t->every = distill_plan_every((double)(t->job->pairs - t->state->lines),
                                      translated / (clock - t->now), left);
}

/* Writes the translations, syncs them and saves how many there are. */
static int save_window(struct translating *t, const struct translations *out, struct err *err)
{
    for (size_t i = 0; i < t->window.count; i++) {
        const struct translation *best = out[i].best;
        const size_t bytes = best->end == END_OVERFLOW ? 0 : strlen(best->text);
        sink_add(&t->output, best->text, bytes);
        sink_add(&t->output, "\n", 1);
        t->state->bytes += (int64_t)bytes + 1;
    }
    if (sink_flush(&t->output) || fsync(t->output.fd))
        return err_set_errno(err, "cannot write '%s'", t->job->output);
    t->state->lines += (int64_t)t->window.count;
    t->done += (int64_t)t->window.count;
    fit_time(t);
    t->state->open.seconds = clock_seconds() - t->began;
    return distill_state_save(t->state, err);
}

/* Translates the window, and empties it. Nothing of it is kept if a signal comes. */
static int translate_window(struct translating *t, struct err *err)
{
    const struct translation_watch watch = {show, is_stopped, t};
    struct translations *out = xcalloc(t->window.count, sizeof *out);
    int status = 0;
    if (!translator_run(&t->translator, out, &t->window, NULL, &watch, NULL)) {
        status = save_window(t, out, err);
        for (size_t i = 0; i < t->window.count; i++)
            translations_release(&out[i]);
    }
    xfree(out);
    lines_reset(&t->window);
    return status;
}

/* ---- the corpora ---- */

/* Has a line too many tokens for a training? Then a pair with its translation has them, too. */
static bool is_too_long(const struct translating *t, const struct strbuf *line)
{
    const size_t most = (size_t)t->job->config->data.max_length;
    struct strbuf subwords;
    if (line->length <= most)
        return false;
    strbuf_init(&subwords);
    tokenizer_split(&subwords, &t->translator.source, line->text, line->length);
    const size_t tokens = (size_t)word_count(subwords.text, subwords.length);
    strbuf_release(&subwords);
    return tokens > most;
}

static int translate_pairs(struct translating *t, struct pair_reader *reader, struct err *err)
{
    int status = 0;
    while (!is_stopped(t) && (status = pair_reader_next(reader, err)) > 0) {
        const struct strbuf *line = &reader->line[t->job->from];
        if (t->read++ % t->job->parts != t->job->part)
            continue;
        if (t->skipped) {
            t->skipped--;
            continue;
        }
        const bool takes = (t->state->lines + (int64_t)t->window.count) % t->every == 0;
        lines_add(&t->window, line->text, takes && !is_too_long(t, line) ? line->length : 0);
        t->left_out += !takes;
        const bool is_timed = t->job->seconds > 0 && !t->done;
        if (t->window.count == (is_timed ? TIMED_LINES : WINDOW_LINES) && translate_window(t, err))
            return -1;
    }
    if (status < 0)
        return -1;
    return t->window.count && !is_stopped(t) ? translate_window(t, err) : 0;
}

static int translate_corpus(struct translating *t, const struct config_pairs *corpus, struct err *err)
{
    struct pair_reader reader;
    const struct pair_files files = pair_files_of(corpus);
    if (pair_reader_open(&reader, &files, t->job->config->data.on_invalid, err))
        return -1;
    if (!t->job->corpus) /* text in one language has that of the models' config */
        t->options.tag = corpus->tag;
    translator_init(&t->translator, &t->ensemble, &t->options);
    const int status = translate_pairs(t, &reader, err);
    translator_warn(&t->translator, &RANKS_ALONE);
    translator_release(&t->translator);
    pair_reader_close(&reader);
    return status;
}

/* ---- start and end ---- */

/* Opens the output, and cuts off what is behind the lines that are known to be on the disk. A shorter file
 * was lost with the power: all is translated again. */
static int open_output(struct translating *t, struct err *err)
{
    struct stat info;
    const int fd = file_open_regular(t->job->output, O_WRONLY | O_CREAT, err);
    sink_init(&t->output, fd);
    if (fd < 0)
        return -1;
    if (fstat(fd, &info))
        return err_set_errno(err, "cannot write '%s'", t->job->output);
    if (info.st_size < (off_t)t->state->bytes)
        t->state->lines = t->state->bytes = 0;
    if (ftruncate(fd, (off_t)t->state->bytes) || lseek(fd, 0, SEEK_END) < 0)
        return err_set_errno(err, "cannot write '%s'", t->job->output);
    t->skipped = t->state->lines;
    return 0;
}

static void set_options(struct translating *t, const struct config *config)
{
    translate_options_init(&t->options, config);
    t->options.threads = team_threads(t->job->config->training.threads);
    t->options.forbid_unknown = true;
    if (t->options.beam.sampled) /* the best of several drawn ones would be as narrow as a search */
        t->options.beam.beam = 1;
}

static int translate_text(struct translating *t, struct models *models, struct err *err)
{
    int status = 0;
    if (ensemble_open(&t->ensemble, models->loaded, models->count, err))
        return -1;
    ensemble_drop_weights(&t->ensemble, models->loaded);
    set_options(t, &models->loaded[0].config);
    prepacked_begin(t->options.threads);
    t->now = clock_seconds();
    progress_begin(&t->progress, "translating", t->state->open.seconds);
    if (t->job->corpus)
        status = translate_corpus(t, t->job->corpus, err);
    for (int i = 0; !t->job->corpus && config_train(t->job->config, i) && !status && !is_stopped(t); i++)
        status = translate_corpus(t, config_train(t->job->config, i), err);
    progress_end(&t->progress);
    if (t->left_out && !is_stopped(t))
        log_info(
            "%lld of %lld lines are not translated: with them, too little time would be left for the rest",
            (long long)t->left_out, (long long)t->job->pairs);
    ensemble_release(&t->ensemble);
    return status;
}

int distill_translate(const struct distill_translation *job, struct distill_state *state, struct err *err)
{
    struct translating t = {.job = job, .state = state, .every = 1};
    struct string_list dirs = {.count = job->count};
    const struct string_list no_settings = {.count = 0};
    struct models models;
    t.began = clock_seconds() - state->open.seconds;
    for (int i = 0; i < job->count; i++)
        dirs.items[i] = job->models[i];
    int status = open_output(&t, err);
    if (!status && !models_open(&models, &dirs, &no_settings, err)) {
        status = translate_text(&t, &models, err);
        models_close(&models);
    } else {
        status = -1;
    }
    if (sink_close(&t.output) && !status)
        status = err_set_errno(err, "cannot write '%s'", job->output);
    lines_release(&t.window);
    return status;
}

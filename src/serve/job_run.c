/* Splits a job's texts into sentences and joins their translations. They are translated in sentence_batch.c. */
#include "job_run.h"

#include "log.h"
#include "mem.h"
#include "parts_text.h"
#include "splitter.h"
#include "utf8.h"

#include <string.h>
#include <strings.h>

bool job_run_is_awaited(const struct job_run *run)
{
    const struct job *job = run->job;
    return !atomic_load(run->stopped) && !atomic_load(&job->cancelled) &&
           (job->deadline == 0 || clock_seconds() < job->deadline);
}

/* ---- languages ---- */

/* Sets the text's language to the job's, or to the one that is recognised; to NULL if there is none. */
static int find_source(struct job_text *made, const struct job_run *run, const char *text, struct err *err)
{
    const struct model_set *set = run->set;
    made->confidence = 1;
    made->source = model_set_language(set, run->job->source);
    if (made->source)
        return 0;
    if (strcasecmp(run->job->source, LANGUAGE_AUTO) != 0)
        return err_set(err, "%s is not supported", run->job->source);
    struct language_guess *guesses = xcalloc(set->language_count, sizeof *guesses);
    const size_t count = model_set_detect(guesses, set, text, strlen(text));
    made->source = count ? guesses[0].code : NULL;
    made->confidence = count ? guesses[0].confidence : 0;
    xfree(guesses);
    return 0;
}

/* Text without letters, whose language cannot be told, stays as it is. */
static int find_route(struct job_text *made, const struct job_run *run, const char *target, const char *text,
                      struct err *err)
{
    if (find_source(made, run, text, err))
        return -1;
    if (!made->source && utf8_has_letter(text, strlen(text)))
        return err_set(err, "the source language cannot be recognised");
    if (!made->source)
        made->source = target;
    const struct route route = model_set_route(run->set, made->source, target);
    if (!route.found)
        return err_set(err, "%s is not available as a target language from %s", target, made->source);
    if (run->job->glossary && route.count && route.models[route.count - 1]->loaded.config.decoding.sample)
        return err_set(err, "a model that draws translations (decoding.sample) takes no glossary");
    made->route = route;
    return 0;
}

/* ---- sentences ---- */

/* The sentences of all texts. */
struct found {
    struct job_sentence *items;
    size_t count, capacity;
};

/* What has no letters is its own translation. */
static void copy_sentence(struct job_sentence *sentence, int hops)
{
    struct translations *own = &sentence->translations[hops - 1];
    own->best = xcalloc(1, sizeof *own->best);
    own->best[0].text = xstrdup(sentence->source);
    own->best[0].subwords = xstrdup("");
    own->count = 1;
    sentence->hop = hops;
}

static void add_sentence(struct found *found, const struct job_run *run, size_t text,
                         const struct job_text *made, struct span span)
{
    GROW(found->items, found->count + 1, found->capacity);
    struct job_sentence *sentence = &found->items[found->count++];
    const char *from = run->job->texts[text] + span.begin;
    const size_t bytes = span.end - span.begin;
    memset(sentence, 0, sizeof *sentence);
    sentence->text = text;
    sentence->span = span;
    sentence->source = xstrndup(from, bytes);
    if (!utf8_has_letter(from, bytes))
        copy_sentence(sentence, made->route.count);
}

/* Adds the sentences of a line of the text. */
static void add_line(struct found *found, const struct job_run *run, size_t text, const struct job_text *made,
                     struct span line)
{
    const struct served_model *model = made->route.models[0];
    const struct language_pair *pair = &model->loaded.pair;
    const enum split_kind split = model->loaded.config.decoding.split;
    const char *from = run->job->texts[text] + line.begin;
    const size_t bytes = line.end - line.begin;
    struct spans spans = {.count = 0};
    if (!run->job->prefix &&
        (split == SPLIT_ON || (split == SPLIT_AUTO && splitter_is_single(&pair->splitter)))) {
        sentences_find(&spans, &pair->splitter, from, bytes);
        sentences_join_strings(&spans, pair->tokenizer[SOURCE].protect.kinds, from, bytes);
    } else if (!utf8_blank(from, bytes)) {
        const struct span whole = utf8_trim(from, bytes);
        spans_add(&spans, whole.begin, whole.end);
    }
    for (size_t i = 0; i < spans.count; i++)
        add_sentence(found, run, text, made,
                     (struct span){line.begin + spans.items[i].begin, line.begin + spans.items[i].end});
    spans_release(&spans);
}

static void add_text(struct found *found, const struct job_run *run, size_t text, struct job_text *made)
{
    const char *from = run->job->texts[text];
    made->first = found->count;
    for (size_t at = 0; made->route.count && from[at];) {
        const size_t bytes = strcspn(from + at, "\n");
        add_line(found, run, text, made, (struct span){at, at + bytes});
        at += bytes + (from[at + bytes] == '\n');
    }
    made->count = found->count - made->first;
}

static enum job_status split_texts(const struct job_run *run, struct job_text *texts, struct found *found,
                                   size_t most, struct err *err)
{
    const struct job *job = run->job;
    const char *target = model_set_language(run->set, job->target);
    if (!target) {
        err_set(err, "%s is not supported", job->target);
        return JOB_WRONG;
    }
    for (size_t i = 0; i < job->count; i++) {
        if (find_route(&texts[i], run, target, job->texts[i], err))
            return JOB_WRONG;
        add_text(found, run, i, &texts[i]);
        if (found->count > most) {
            err_set(err, "the request has more than %zu sentences", most);
            return JOB_TOO_LARGE;
        }
    }
    if (job->prefix && found->count > 1) {
        err_set(err, "a prefix is for a text of one line");
        return JOB_WRONG;
    }
    return JOB_DONE;
}

static void found_release(struct found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        xfree(found->items[i].source);
        for (int hop = 0; hop < 2; hop++)
            translations_release(&found->items[i].translations[hop]);
    }
    xfree(found->items);
}

void job_run_split(struct job_run *run, size_t most)
{
    struct found found = {.count = 0};
    struct job_text *texts = xcalloc(run->job->count, sizeof *texts);
    run->job->status = split_texts(run, texts, &found, most, &run->job->err);
    if (run->job->status != JOB_DONE) {
        found_release(&found);
        xfree(texts);
        return;
    }
    run->texts = texts;
    run->sentences = found.items;
    run->job->sentence_count = run->sentence_count = found.count;
    for (size_t i = 0; i < found.count; i++)
        found.items[i].run = run;
}

const char *job_sentence_text(const struct job_sentence *sentence)
{
    const int hops = sentence->run->texts[sentence->text].route.count;
    return sentence->hop == hops ? NULL
           : sentence->hop == 0  ? sentence->source
                                 : sentence->translations[sentence->hop - 1].best[0].text;
}

void job_run_release(struct job_run *run)
{
    struct found found = {run->sentences, run->sentence_count, run->sentence_count};
    found_release(&found);
    xfree(run->texts);
    model_set_release(run->set);
    memset(run, 0, sizeof *run);
}

/* ---- joining ---- */

static const struct translations *last_translations(const struct job_run *run,
                                                    const struct job_sentence *sentence)
{
    return &sentence->translations[run->texts[sentence->text].route.count - 1];
}

/* The text made of the sentences' translations of a rank; `targets` (may be NULL) [count]: where they stand. */
static char *join_rank(const struct job_run *run, size_t text, int rank, struct span *targets)
{
    const struct job_text *from = &run->texts[text];
    const char *source = run->job->texts[text];
    struct strbuf out, between;
    size_t at = 0;
    strbuf_init(&out);
    strbuf_init(&between);
    for (size_t i = 0; i < from->count; i++) {
        const struct job_sentence *sentence = &run->sentences[from->first + i];
        const struct translations *translations = last_translations(run, sentence);
        const char *part =
            translations->best[rank < translations->count ? rank : translations->count - 1].text;
        strbuf_reset(&between);
        strbuf_add(&between, source + at, sentence->span.begin - at);
        if (i)
            parts_add_between(&out, between.text);
        else
            strbuf_adds(&out, between.text);
        if (targets)
            targets[i] = (struct span){out.length, out.length + strlen(part)};
        strbuf_adds(&out, part);
        at = sentence->span.end;
    }
    strbuf_adds(&out, source + at);
    strbuf_release(&between);
    return strbuf_detach(&out);
}

static bool has_text(const struct served_text *served, const char *text)
{
    bool found = !strcmp(served->text, text);
    for (size_t i = 0; i < served->alternative_count; i++)
        found = found || !strcmp(served->alternatives[i], text);
    return found;
}

static void add_alternatives(struct served_text *served, const struct job_run *run, size_t text)
{
    served->alternatives = xcalloc((size_t)run->job->n_best, sizeof *served->alternatives);
    for (int rank = 1; rank < run->job->n_best; rank++) {
        char *other = join_rank(run, text, rank, NULL);
        if (has_text(served, other))
            xfree(other);
        else
            served->alternatives[served->alternative_count++] = other;
    }
}

/* The sentences, but for their translations, which are still the run's. */
static void add_sentences(struct served_text *served, const struct job_run *run, size_t text,
                          const struct span *targets)
{
    const struct job_text *from = &run->texts[text];
    served->sentences = xcalloc(from->count, sizeof *served->sentences);
    served->sentence_count = from->count;
    for (size_t i = 0; i < from->count; i++) {
        const struct job_sentence *sentence = &run->sentences[from->first + i];
        const struct translations *first = &sentence->translations[0];
        const bool through = from->route.count == 2 && first->count;
        served->sentences[i] = (struct served_sentence){
            .text = xstrdup(sentence->source),
            .middle = through ? xstrdup(first->best[0].text) : NULL,
            .source = sentence->span,
            .target = targets[i],
        };
    }
}

static void join_text(struct served_text *served, const struct job_run *run, size_t text)
{
    const struct job_text *from = &run->texts[text];
    struct span *targets = xcalloc(from->count, sizeof *targets);
    served->source = from->source;
    served->confidence = from->confidence;
    served->text = join_rank(run, text, 0, targets);
    add_alternatives(served, run, text);
    if (run->job->detail)
        add_sentences(served, run, text, targets);
    xfree(targets);
}

static void give_translations(struct served_text *served, struct job_run *run, const struct job_text *from)
{
    for (size_t i = 0; i < served->sentence_count; i++) {
        struct translations *own = &run->sentences[from->first + i].translations[from->route.count - 1];
        served->sentences[i].translations = *own;
        *own = (struct translations){NULL, 0};
    }
}

void job_run_join(struct job_run *run)
{
    struct job *job = run->job;
    struct served_text *served = xcalloc(job->count, sizeof *served);
    for (size_t i = 0; i < job->count; i++)
        join_text(&served[i], run, i);
    for (size_t i = 0; i < job->count; i++)
        give_translations(&served[i], run, &run->texts[i]);
    job->served = served;
}

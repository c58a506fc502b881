/* Puts the translations of a job's sentences into the places of the sentences. */
#include "job_run.h"

#include "mem.h"
#include "parts_text.h"
#include "tag_places.h"

#include <string.h>

static const struct translations *last_translations(const struct job_run *run,
                                                    const struct job_sentence *sentence)
{
    return &sentence->translations[run->texts[sentence->text].route.count - 1];
}

static const struct translation *of_rank(const struct translations *translations, int rank)
{
    return &translations->best[rank < translations->count ? rank : translations->count - 1];
}

/* ---- plain text ---- */

static void join_lines(struct strbuf *out, const struct job_run *run, size_t text, int rank,
                       struct span *targets)
{
    const struct job_text *from = &run->texts[text];
    const char *source = run->job->texts[text];
    const size_t bytes = strlen(source);
    struct strbuf between;
    size_t at = 0;
    strbuf_init(&between);
    for (size_t i = 0; i < from->count; i++) {
        const struct job_sentence *sentence = &run->sentences[from->first + i];
        const char *part = of_rank(last_translations(run, sentence), rank)->text;
        strbuf_reset(&between);
        strbuf_add(&between, source + at, sentence->span.begin - at);
        if (i && (between.length || !parts_are_joined(source, bytes, at)))
            parts_add_between(out, between.text);
        else
            strbuf_adds(out, between.text);
        targets[i] = (struct span){out->length, out->length + strlen(part)};
        strbuf_adds(out, part);
        at = sentence->span.end;
    }
    strbuf_adds(out, source + at);
    strbuf_release(&between);
}

/* ---- pages ---- */

/* The places of a sentence's tags in its translation, found in as many steps as there are models. */
static struct span *place_tags(const struct job_run *run, const struct job_sentence *sentence,
                               const struct html_sentence *in_page, int rank)
{
    const struct route *route = &run->texts[sentence->text].route;
    const size_t count = in_page->tag_count;
    struct span *places = xcalloc(count, sizeof *places);
    struct inline_tag *tags = xcalloc(count, sizeof *tags);
    const char *source = sentence->source;
    for (size_t i = 0; i < count; i++)
        tags[i] = in_page->tags[i];
    for (int hop = 0; hop < route->count; hop++) {
        if (!sentence->translations[hop].count) /* of what is copied, there is only the last one */
            continue;
        const bool last = hop + 1 == route->count;
        const struct translation *t = of_rank(&sentence->translations[hop], last ? rank : 0);
        tags_place(places, tags, count, source, t, route->models[hop]->loaded.pair.tokenizer);
        for (size_t i = 0; i < count; i++)
            tags[i].text = places[i];
        source = t->text;
    }
    xfree(tags);
    return places;
}

static void join_page(struct strbuf *out, const struct job_run *run, size_t text, int rank,
                      struct span *targets)
{
    const struct job_text *from = &run->texts[text];
    const char **translations = xcalloc(from->count, sizeof *translations);
    struct span **places = xcalloc(from->count, sizeof *places);
    for (size_t i = 0; i < from->count; i++) {
        const struct job_sentence *sentence = &run->sentences[from->first + i];
        translations[i] = of_rank(last_translations(run, sentence), rank)->text;
        places[i] = place_tags(run, sentence, &from->page->sentences[i], rank);
    }
    html_page_write(out, from->page, translations, (const struct span *const *)places, targets);
    for (size_t i = 0; i < from->count; i++)
        xfree(places[i]);
    xfree(places);
    xfree(translations);
}

/* ---- texts ---- */

/* The text made of the sentences' translations of a rank; targets [count]: where they stand. */
static char *join_rank(const struct job_run *run, size_t text, int rank, struct span *targets)
{
    struct strbuf out;
    strbuf_init(&out);
    (run->texts[text].page ? join_page : join_lines)(&out, run, text, rank, targets);
    return strbuf_detach(&out);
}

static bool has_text(const struct served_text *served, const char *text)
{
    bool found = !strcmp(served->text, text);
    for (size_t i = 0; i < served->alternative_count; i++)
        found = found || !strcmp(served->alternatives[i], text);
    return found;
}

static void add_alternatives(struct served_text *served, const struct job_run *run, size_t text,
                             struct span *targets)
{
    served->alternatives = xcalloc((size_t)run->job->n_best, sizeof *served->alternatives);
    for (int rank = 1; rank < run->job->n_best; rank++) {
        char *other = join_rank(run, text, rank, targets);
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
    if (run->job->detail)
        add_sentences(served, run, text, targets);
    add_alternatives(served, run, text, targets);
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

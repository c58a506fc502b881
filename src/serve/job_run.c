/* Splits a job's texts into sentences. They are translated in sentence_batch.c, and joined in job_join.c. */
#include "job_run.h"

#include "copied_text.h"
#include "log.h"
#include "mem.h"
#include "splitter.h"
#include "utf8.h"
#include "utf8_check.h"

#include <string.h>
#include <strings.h>

#define SHORT_CHARACTERS 40    /* of a text whose language is uncertain; as in LibreTranslate */
#define LEAST_CONFIDENCE 0.005 /* it is told in percent */

bool job_run_is_awaited(const struct job_run *run)
{
    const struct job *job = run->job;
    return !atomic_load(run->stopped) && !atomic_load(&job->cancelled) &&
           (job->deadline == 0 || clock_seconds() < job->deadline);
}

/* ---- languages ---- */

/* Makes the text's page, or reads it as its model wants it. */
static int read_page(struct job_text *made, const char *text, const struct sentence_rules *rules,
                     struct err *err)
{
    if (made->page) {
        html_page_read(made->page, rules);
        return 0;
    }
    made->page = xcalloc(1, sizeof *made->page);
    if (html_page_init(made->page, text, strlen(text), rules, err))
        return -1;
    return made->page->followed == made->page->size ? 0 : err_set(err, "too many elements within each other");
}

static void drop_page(struct job_text *made)
{
    if (made->page)
        html_page_release(made->page);
    xfree(made->page);
    made->page = NULL;
}

/* Appends what the language of a text is recognised by. */
static int add_plain(struct strbuf *plain, struct job_text *made, const struct job *job, const char *text,
                     struct err *err)
{
    const size_t begin = plain->length;
    if (!job->html) {
        strbuf_adds(plain, text);
        return 0;
    }
    if (read_page(made, text, &(struct sentence_rules){.splitter = NULL}, err))
        return -1;
    html_page_text(plain, made->page);
    if (plain->length > begin)
        strbuf_truncate(plain, plain->length - 1); /* the last line end */
    return 0;
}

/* The most probable language of a text; of a short one, which may be of another, the most probable one that
 * can be translated, and the target's if it is like none. The code is NULL where none can be told. */
static struct language_guess guess(const struct model_set *set, const char *text, size_t bytes,
                                   const char *target)
{
    const bool is_short = utf8_count(text, bytes) <= SHORT_CHARACTERS;
    struct language_guess *guesses = xcalloc(set->language_count, sizeof *guesses), best = {NULL, 0};
    const size_t count = model_set_detect(guesses, set, text, bytes);
    if (count && guesses[0].confidence < LEAST_CONFIDENCE)
        best.code = is_short ? target : NULL;
    else if (count)
        best = guesses[0];
    for (size_t i = 1; is_short && i < count && !model_set_route(set, best.code, target).found; i++)
        best = guesses[i];
    xfree(guesses);
    return best;
}

/* Appends what the language of each text is recognised by, and sets where that is. */
static int add_each_plain(struct strbuf *all, struct span *spans, struct job_text *texts,
                          const struct job *job, struct err *err)
{
    for (size_t i = 0; i < job->count; i++) {
        if (i)
            strbuf_addch(all, '\n');
        spans[i].begin = all->length;
        if (add_plain(all, &texts[i], job, job->texts[i], err))
            return -1;
        spans[i].end = all->length;
    }
    return 0;
}

/* The kinds of letters that languages of different scripts surely differ in. */
enum letters { LATIN, OTHER_WITH_CAPITALS, OTHER_WITHOUT_CAPITALS, LETTER_KINDS };

/* The kind of most letters of a text. */
static enum letters most_letters(const char *text, size_t bytes)
{
    size_t counts[LETTER_KINDS] = {0};
    enum letters most = LATIN;
    int32_t code;
    for (size_t at = 0, used; at < bytes && (used = utf8_decode(text + at, bytes - at, &code)) > 0;
         at += used)
        if (utf8_category(code) == 'L')
            counts[!utf8_is_non_latin(code) ? LATIN
                   : utf8_is_caseless(code) ? OTHER_WITHOUT_CAPITALS
                                            : OTHER_WITH_CAPITALS]++;
    for (int kind = LATIN + 1; kind < LETTER_KINDS; kind++)
        if (counts[kind] > counts[most])
            most = (enum letters)kind;
    return most;
}

/* Sets each text's language to the one that is recognised; a short text of a list has that of all together,
 * if it is in the script of most of them, and so has one that cannot be translated. Text whose language
 * cannot be told, without letters or beside others, is taken for the target's, and stays as it is. */
static int set_recognised(struct job_text *texts, const struct job_run *run, const struct strbuf *all,
                          const struct span *spans, const char *target, struct err *err)
{
    const size_t count = run->job->count;
    const struct language_guess common = guess(run->set, all->text, all->length, target);
    const enum letters most = most_letters(all->text, all->length);
    for (size_t i = 0; i < count; i++) {
        const char *text = all->text + spans[i].begin;
        const size_t bytes = spans[i].end - spans[i].begin;
        const bool letters = utf8_has_letter(text, bytes);
        const bool alone = count > 1 && (!letters || utf8_count(text, bytes) > SHORT_CHARACTERS ||
                                         most_letters(text, bytes) != most);
        struct language_guess best = alone ? guess(run->set, text, bytes, target) : common;
        if (best.code && common.code && !model_set_route(run->set, best.code, target).found)
            best = common;
        if (!best.code && letters && !common.code)
            return err_set(err, "the source language cannot be recognised");
        texts[i].source = best.code ? best.code : target;
        texts[i].confidence = best.confidence;
    }
    return 0;
}

static int recognise(struct job_text *texts, const struct job_run *run, const char *target, struct err *err)
{
    struct span *spans = xcalloc(run->job->count, sizeof *spans);
    struct strbuf all;
    strbuf_init(&all);
    const int failed = add_each_plain(&all, spans, texts, run->job, err) ||
                       set_recognised(texts, run, &all, spans, target, err);
    strbuf_release(&all);
    xfree(spans);
    return failed ? -1 : 0;
}

/* Sets each text's language. */
static int find_sources(struct job_text *texts, const struct job_run *run, const char *target,
                        struct err *err)
{
    const struct job *job = run->job;
    const char *source = model_set_language(run->set, job->source);
    if (!source && strcasecmp(job->source, LANGUAGE_AUTO) != 0)
        return err_set(err, "%s is not supported", job->source);
    if (!source)
        return recognise(texts, run, target, err);
    for (size_t i = 0; i < job->count; i++) {
        texts[i].source = source;
        texts[i].confidence = 1;
    }
    return 0;
}

static int find_route(struct job_text *made, const struct job_run *run, const char *target, struct err *err)
{
    const struct route route = model_set_route(run->set, made->source, target);
    if (!route.found)
        return err_set(err, "%s is not available as a target language from %s", target, made->source);
    if (run->job->glossary &&
        route.count > 1) /* its source terms would be looked for in the middle language */
        return err_set(err, "a glossary is for languages that one model translates, not two, as %s to %s",
                       made->source, target);
    const struct config *last = route.count ? &route.models[route.count - 1]->loaded.config : NULL;
    if (run->job->glossary && last && last->decoding.sample)
        return err_set(err, "a model that draws translations (decoding.sample) takes no glossary");
    if (run->job->glossary && last && !config_has_attention(last))
        return err_set(err, "a model without attention takes no glossary");
    made->route = route;
    return 0;
}

/* ---- sentences ---- */

/* The sentences of all texts. */
struct found {
    struct job_sentence *items;
    size_t count, capacity;
    size_t most; /* with more, no others are looked for */
};

static bool protects(const struct route *route)
{
    return route->models[0]->loaded.pair.tokenizer[SOURCE].protect.kinds != 0;
}

/* What has no letters is its own translation, but for its digits where strings are protected. */
static void copy_sentence(struct job_sentence *sentence, const struct route *route)
{
    struct translations *own = &sentence->translations[route->count - 1];
    struct strbuf copy;
    strbuf_init(&copy);
    if (protects(route))
        copied_text_add(&copy, &route->models[route->count - 1]->zeros, sentence->source,
                        strlen(sentence->source));
    else
        strbuf_adds(&copy, sentence->source);
    own->best = xcalloc(1, sizeof *own->best);
    own->best[0].text = strbuf_detach(&copy);
    own->best[0].subwords = xstrdup("");
    own->count = 1;
    sentence->hop = route->count;
}

/* May the translation of text without letters hold more than the text? Then it is up to the translator. */
static bool is_more_asked(const struct job *job, const struct route *route)
{
    return route->count && ((job->prefix && *job->prefix) || (job->glossary && protects(route)));
}

static void add_sentence(struct found *found, const struct job_run *run, size_t text,
                         const struct job_text *made, struct span span, char *source)
{
    GROW(found->items, found->count + 1, found->capacity);
    struct job_sentence *sentence = &found->items[found->count++];
    memset(sentence, 0, sizeof *sentence);
    sentence->text = text;
    sentence->span = span;
    sentence->source = source;
    if (!utf8_has_letter(source, strlen(source)) && !is_more_asked(run->job, &made->route))
        copy_sentence(sentence, &made->route);
}

/* How a text is split: with a prefix that is not empty, not at all; else no sentence takes long. */
struct job_rules {
    struct sentence_limit limit;
    struct sentence_rules rules;
    const struct job_run *run;
    const struct job_text *made;
    size_t most;       /* sentences of the line or page that is split … */
    bool ended;        /* … which has more; then parts are left out */
    bool whole_blocks; /* only sentences of blocks that are at an end count */
};

/* Nobody waits for the sentences any more, or they are too many: `count` parts of the line or of the page's
 * block, and the sentences of the blocks before. */
static bool are_enough(void *context, size_t count)
{
    struct job_rules *rules = context;
    const struct html_page *page = rules->made->page;
    rules->ended |= (page ? page->count : 0) + (rules->whole_blocks ? 0 : count) > rules->most;
    return rules->ended || !job_run_is_awaited(rules->run);
}

static void rules_init(struct job_rules *rules, const struct job_run *run, const struct job_text *made,
                       size_t most)
{
    const struct loaded_model *loaded = &made->route.models[0]->loaded;
    const struct language_pair *pair = &loaded->pair;
    const bool whole = run->job->prefix && *run->job->prefix;
    *rules = (struct job_rules){.run = run, .made = made, .most = most};
    rules->limit = translate_sentence_limit(pair, DEFAULT_MAX_TOKENS);
    rules->limit.ends = are_enough;
    rules->limit.context = rules;
    rules->rules =
        (struct sentence_rules){whole ? NULL : translate_splitter(pair, loaded->config.decoding.split),
                                pair->tokenizer[SOURCE].protect.kinds, whole ? NULL : &rules->limit};
}

/* Adds the sentences of a line of the text. */
static void add_line(struct found *found, const struct job_run *run, size_t text, const struct job_text *made,
                     struct span line)
{
    const char *from = run->job->texts[text] + line.begin;
    struct spans spans = {.count = 0};
    struct job_rules how;
    rules_init(&how, run, made, found->most - found->count);
    sentences_split(&spans, &how.rules, from, line.end - line.begin);
    for (size_t i = 0; i < spans.count; i++) {
        const struct span span = spans.items[i];
        add_sentence(found, run, text, made, (struct span){line.begin + span.begin, line.begin + span.end},
                     xstrndup(from + span.begin, span.end - span.begin));
    }
    spans_release(&spans);
}

static int add_page(struct found *found, const struct job_run *run, size_t text, struct job_text *made,
                    struct err *err)
{
    const char *from = run->job->texts[text];
    struct job_rules how;
    rules_init(&how, run, made, found->most - found->count);
    if (read_page(made, from, &how.rules, err))
        return -1;
    if (how.ended && made->page->count <= how.most) { /* some parts of a block are no sentences */
        how.ended = false;
        how.whole_blocks = true;
        html_page_read(made->page, &how.rules);
    }
    const struct html_page *page = made->page;
    for (size_t i = 0; i < page->count; i++)
        add_sentence(found, run, text, made, page->sentences[i].source, xstrdup(page->sentences[i].text));
    return 0;
}

/* The end of the line that begins at a place of a text; `next` is where the next one begins: behind a line
 * end of any system, program or script. */
static size_t line_end(const char *text, size_t at, size_t *next)
{
    static const char *const ends[] = {"\n", "\r", "\v", "\f", "\xc2\x85", "\u2028", "\u2029"};
    for (;; at++) {
        at += strcspn(text + at, "\n\r\v\f\xc2\xe2"); /* which all of them begin with */
        *next = at;
        if (!text[at])
            return at;
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
            if (!strncmp(text + at, ends[i], strlen(ends[i]))) {
                *next = at + strlen(ends[i]);
                return at;
            }
    }
}

static int add_text(struct found *found, const struct job_run *run, size_t text, struct job_text *made,
                    struct err *err)
{
    const char *from = run->job->texts[text];
    int status = 0;
    made->first = found->count;
    if (!made->route.count)
        drop_page(made);
    else if (run->job->html)
        status = add_page(found, run, text, made, err);
    const bool lines = made->route.count && !run->job->html;
    for (size_t at = 0, next; lines && from[at] && found->count <= found->most && job_run_is_awaited(run);
         at = next)
        add_line(found, run, text, made, (struct span){at, line_end(from, at, &next)});
    made->count = found->count - made->first;
    return status;
}

/* Does the model read the one line of a job with a prefix as a whole? */
static bool is_read_whole(const struct job_run *run, const struct job_text *made,
                          const struct job_sentence *line)
{
    struct spans parts = {.count = 0};
    struct job_rules how;
    rules_init(&how, run, made, 1);
    sentence_divide(&parts, &how.limit, line->source, (struct span){0, strlen(line->source)});
    const bool whole = parts.count <= 1;
    spans_release(&parts);
    return whole;
}

/* What it leaves out because nobody waits for the job is nobody's concern. */
static enum job_status split_texts(const struct job_run *run, struct job_text *texts, struct found *found,
                                   struct err *err)
{
    const struct job *job = run->job;
    const char *target = model_set_language(run->set, job->target);
    if (!target) {
        err_set(err, "%s is not supported", job->target);
        return JOB_WRONG;
    }
    if (find_sources(texts, run, target, err))
        return JOB_WRONG;
    for (size_t i = 0; i < job->count; i++) {
        if (find_route(&texts[i], run, target, err) || add_text(found, run, i, &texts[i], err))
            return JOB_WRONG;
        if (found->count > found->most) {
            err_set(err, "the request has more than %zu sentences", found->most);
            return JOB_TOO_LARGE;
        }
        if (!job_run_is_awaited(run))
            return JOB_DONE;
    }
    if (job->prefix && !*job->prefix && found->count > 1) { /* of those who send all fields */
        xfree(run->job->prefix);
        run->job->prefix = NULL;
    }
    if (job->prefix && found->count > 1) {
        err_set(err, "a prefix is for a text of one line");
        return JOB_WRONG;
    }
    if (job->prefix && found->count && !is_read_whole(run, &texts[found->items[0].text], &found->items[0])) {
        err_set(err, "a prefix is for a line that is no longer than a sentence");
        return JOB_WRONG;
    }
    return JOB_DONE;
}

static void texts_release(struct job_text *texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++)
        drop_page(&texts[i]);
    xfree(texts);
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
    struct found found = {.most = most};
    struct job_text *texts = xcalloc(run->job->count, sizeof *texts);
    run->job->status = split_texts(run, texts, &found, &run->job->err);
    if (run->job->status != JOB_DONE) {
        found_release(&found);
        texts_release(texts, run->job->count);
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
    struct found found = {.items = run->sentences, .count = run->sentence_count};
    found_release(&found);
    texts_release(run->texts, run->job->count);
    model_set_release(run->set);
    memset(run, 0, sizeof *run);
}

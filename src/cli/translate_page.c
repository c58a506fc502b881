/* Translates the sentences of a page, some at a time, and puts their tags into them. What a page is, is known
 * to text (html_page.h), and where tags come, to decode (tag_places.h). */
#include "translate_page.h"

#include "html_page.h"
#include "log.h"
#include "mem.h"
#include "tag_places.h"

#include <string.h>

#define MOST_SENTENCES 1024 /* whose attention is in memory */

struct page_run {
    struct translator *translator;
    const struct html_page *page;
    char **texts;         /* [page->count]: translations */
    struct span **places; /* [page->count]: of their tags */
    struct progress progress;
    size_t before; /* sentences of earlier parts */
};

static void show(void *context, int lines)
{
    struct page_run *run = context;
    progress_count(&run->progress, (double)run->before + lines, (double)run->page->count, "sentence");
}

static void keep_translation(struct page_run *run, size_t i, struct translations *translations)
{
    const struct html_sentence *sentence = &run->page->sentences[i];
    struct translation *best = &translations->best[0];
    run->places[i] = xcalloc(sentence->tag_count, sizeof *run->places[i]);
    tags_place(run->places[i], sentence->tags, sentence->tag_count, sentence->text, best,
               run->translator->ensemble->pair->tokenizer);
    run->texts[i] = xstrdup(best->text);
    translations_release(translations);
}

static void translate_part(struct page_run *run, size_t count)
{
    struct lines lines = {.count = 0};
    struct translations *out = xcalloc(count, sizeof *out);
    for (size_t i = 0; i < count; i++)
        lines_add(&lines, run->page->sentences[run->before + i].text,
                  run->page->sentences[run->before + i].bytes);
    translator_run(run->translator, out, &lines, NULL,
                   &(struct translation_watch){.done = show, .context = run}, NULL);
    for (size_t i = 0; i < count; i++)
        keep_translation(run, run->before + i, &out[i]);
    xfree(out);
    lines_release(&lines);
}

static void translate_sentences(struct page_run *run)
{
    progress_begin(&run->progress, "translating", 0);
    while (run->before < run->page->count) {
        const size_t left = run->page->count - run->before,
                     count = left < MOST_SENTENCES ? left : MOST_SENTENCES;
        translate_part(run, count);
        run->before += count;
    }
    progress_end(&run->progress);
}

int translate_page(struct strbuf *out, struct translator *translator, const struct strbuf *page,
                   enum split_kind split, struct err *err)
{
    const struct language_pair *pair = translator->ensemble->pair;
    struct sentence_limit limit = translate_sentence_limit(pair, translator->options.max_tokens);
    if (split == SPLIT_OFF)
        limit.most = (size_t)translator->options.max_tokens;
    const struct sentence_rules rules = {translate_splitter(pair, split), translator->source.protect.kinds,
                                         &limit};
    struct html_page html;
    if (html_page_init(&html, page->text, page->length, &rules, err))
        return -1;
    if (html.followed < html.size)
        log_warn("too many elements within each other: the rest of the page is left as it is");
    struct page_run run = {.translator = translator, .page = &html};
    run.texts = xcalloc(html.count, sizeof *run.texts);
    run.places = xcalloc(html.count, sizeof *run.places);
    translate_sentences(&run);
    html_page_write(out, &html, (const char *const *)run.texts, (const struct span *const *)run.places, NULL);
    for (size_t i = 0; i < html.count; i++) {
        xfree(run.texts[i]);
        xfree(run.places[i]);
    }
    xfree(run.texts);
    xfree(run.places);
    html_page_release(&html);
    return 0;
}

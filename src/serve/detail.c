/* Writes the detail of an answer. Places are counted in Unicode characters there, in bytes here. */
#include "detail.h"

#include "job_run.h"
#include "mem.h"
#include "translation_json.h"
#include "utf8_check.h"
#include "word_spans.h"

#include <string.h>

/* A place in a text, in bytes and characters: places are asked for in their order. */
struct place {
    const char *text;
    size_t bytes, characters;
};

static double characters_until(struct place *place, size_t bytes)
{
    if (bytes < place->bytes)
        place->bytes = place->characters = 0;
    const size_t more = strnlen(place->text + place->bytes, bytes - place->bytes);
    place->characters += utf8_count(place->text + place->bytes, more);
    place->bytes += more;
    return (double)place->characters;
}

/* Sets a list of [begin, end], in characters, of words in a text; the end mark is none of them. */
static void set_spans(struct json *object, const char *key, const struct words *words,
                      const struct tokenizer *tokenizer, const char *text)
{
    const size_t count = words->texts.count ? words->texts.count - 1 : 0;
    struct span *spans = xcalloc(count + 1, sizeof *spans);
    struct place place = {text, 0, 0};
    struct links pairs = {0};
    words_find(spans, words, tokenizer, text, strlen(text));
    for (size_t i = 0; i < count; i++) {
        const int begin = (int)characters_until(&place, spans[i].begin);
        links_add(&pairs, begin, (int)characters_until(&place, spans[i].end), true);
    }
    json_set_links(object, key, &pairs);
    links_release(&pairs);
    xfree(spans);
}

/* The words that the last model has read: of the sentence, or of what a first model has made of it. */
static void set_source(struct json *object, const struct served_sentence *sentence,
                       const struct tokenizer *tokenizer)
{
    const struct translation *best = &sentence->translations.best[0];
    struct words words;
    words_init(&words, best->source ? best->source : "", true);
    translation_json_source(object, "source_words", best, true);
    set_spans(object, "source_word_spans", &words, tokenizer,
              sentence->middle ? sentence->middle : sentence->text);
    words_release(&words);
}

static void set_translation(struct json *object, const struct translation *t,
                            const struct tokenizer *tokenizer, bool terms)
{
    const struct translation_fields fields = {ALIGNMENT_SOFT, true, terms};
    struct words words;
    translation_json(object, t, &fields);
    words_of_translation(&words, t, true);
    set_spans(object, "word_spans", &words, tokenizer, t->text);
    words_release(&words);
}

static void set_sentence(struct json *object, const struct job *job, const struct served_sentence *sentence,
                         const struct language_pair *pair)
{
    json_set_string(object, "source", sentence->text);
    if (sentence->middle)
        json_set_string(object, "middle", sentence->middle);
    else
        json_set_null(object, "middle");
    set_source(object, sentence, &pair->tokenizer[SOURCE]);
    json_set_strings(object, "translations", &(const char *){NULL}, 0);
    for (int i = 0; i < sentence->translations.count; i++)
        set_translation(json_append_object(object, "translations"), &sentence->translations.best[i],
                        &pair->tokenizer[TARGET], job->glossary != NULL);
}

struct json *detail_of(const struct job *job, size_t text)
{
    const struct served_text *served = &job->served[text];
    const struct route *route = &job->run->texts[text].route;
    struct place source = {job->texts[text], 0, 0}, target = {served->text, 0, 0};
    struct json *detail = json_new_object();
    json_set_strings(detail, "sentences", &(const char *){NULL}, 0);
    for (size_t i = 0; i < served->sentence_count; i++) {
        const struct served_sentence *sentence = &served->sentences[i];
        struct json *object = json_append_object(detail, "sentences");
        json_set_number(object, "source_begin", characters_until(&source, sentence->source.begin));
        json_set_number(object, "source_end", characters_until(&source, sentence->source.end));
        json_set_number(object, "target_begin", characters_until(&target, sentence->target.begin));
        json_set_number(object, "target_end", characters_until(&target, sentence->target.end));
        set_sentence(object, job, sentence, &route->models[route->count - 1]->loaded.pair);
    }
    return detail;
}

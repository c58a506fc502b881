/* Translations as JSON. The lines that nmt translate prints are made in translation_line.c. */
#include "translation_json.h"

#include "judge.h"
#include "mem.h"
#include "word_alignment.h"

/* ---- attention ---- */

void translation_weights_init(struct translation_weights *a, const struct translation *t, bool words)
{
    *a = (struct translation_weights){t->alpha, t->length, t->source_length, NULL};
    if (!words || !t->alpha)
        return;
    struct words target, source;
    words_of_translation(&target, t, true);
    words_init(&source, t->source, true);
    ASSERT(target.subwords == t->length && source.subwords == t->source_length);
    a->targets = (int)target.texts.count;
    a->sources = (int)source.texts.count;
    a->own = xmalloc(target.texts.count * source.texts.count, sizeof *a->own);
    words_attention(a->own, t->alpha, &target, &source);
    a->weights = a->own;
    words_release(&target);
    words_release(&source);
}

void translation_weights_release(struct translation_weights *a)
{
    xfree(a->own);
}

/* ---- fields ---- */

static void set_texts(struct json *object, const char *key, const struct lines *texts, size_t count)
{
    json_set_strings(object, key, (const char *const *)texts->text, (int)count);
}

/* Words with their confidence; the end mark is none of them. */
static void set_words(struct json *object, const struct translation *t)
{
    struct words words;
    words_of_translation(&words, t, true);
    const size_t count = words.texts.count - 1;
    float *confidence = xcalloc(count + 1, sizeof *confidence);
    if (t->length)
        words_confidence(confidence, &words, t->token_log_probabilities);
    set_texts(object, "words", &words.texts, count);
    json_set_floats(object, "word_confidences", confidence, (int)count);
    xfree(confidence);
    words_release(&words);
}

static void set_tokens(struct json *object, const struct translation *t, int count)
{
    struct words tokens;
    words_of_translation(&tokens, t, false);
    set_texts(object, "tokens", &tokens.texts, (size_t)count);
    json_set_floats(object, "token_log_probabilities", t->token_log_probabilities, count);
    words_release(&tokens);
}

void translation_json_source(struct json *object, const char *key, const struct translation *t, bool joined)
{
    struct words words;
    words_init(&words, t->source ? t->source : "", joined);
    set_texts(object, key, &words.texts, t->source ? words.texts.count : 0);
    words_release(&words);
}

/* `marked`: does the translation have an end mark? */
static void set_alignment(struct json *object, const struct translation *t, bool marked,
                          const struct translation_fields *fields)
{
    struct links links = {0};
    struct translation_weights a;
    translation_weights_init(&a, t, fields->words);
    if (fields->alignment == ALIGNMENT_SOFT) {
        const int rows = a.weights ? a.targets - !marked : 0;
        json_set_rows(object, "attention", a.weights, rows, a.sources);
    } else if (fields->alignment == ALIGNMENT_PHARAOH) {
        if (a.weights)
            attention_links(&links, a.weights, a.targets, a.sources);
        json_set_links(object, "alignment", &links);
    }
    translation_weights_release(&a);
    links_release(&links);
}

static void set_terms(struct json *object, const struct translation *t)
{
    json_set_strings(object, "terms", &(const char *){NULL}, 0);
    for (int i = 0; i < t->glossary_term_count; i++) {
        const struct term *term = &t->glossary_terms[i];
        struct json *item = json_append_object(object, "terms");
        json_set_string(item, "source", term->source);
        json_set_string(item, "target", term->target);
        json_set_bool(item, "used", term->used);
    }
}

void translation_json(struct json *object, const struct translation *t,
                      const struct translation_fields *fields)
{
    static const char *const ends[] = {
        [END_MARK] = "mark", [END_LIMIT] = "limit", [END_OVERFLOW] = "overflow"};
    const bool marked = !t->length || t->end == END_MARK;
    json_set_string(object, "text", t->text);
    json_set_number(object, "score", t->score);
    json_set_number(object, "log_probability", t->terms.log_probability);
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (t->terms.judged[kind].length)
            json_set_number(object, judge_kinds[kind].score_name, judged_score(&t->terms, kind));
    json_set_string(object, "end", ends[t->end]);
    set_tokens(object, t, marked ? t->length : t->length - 1);
    set_words(object, t);
    set_alignment(object, t, marked, fields);
    if (fields->terms)
        set_terms(object, t);
}

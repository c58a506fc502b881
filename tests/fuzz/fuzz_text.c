/* Any bytes as text: checked, repaired, normalised, tokenized, detokenized, scored. */
#include "fuzz.h"
#include "metrics.h"
#include "splitter.h"
#include "tokenize.h"
#include "utf8.h"

#include <string.h>

/* script, unicode and char lose only blanks: text that has been tokenized once does not change in a round
 * trip. */
static void round_trip(const struct strbuf *text, enum tokenize_kind kind)
{
    struct strbuf words, back, again;
    strbuf_init(&words);
    strbuf_init(&back);
    strbuf_init(&again);
    tokenize(&words, text->text, text->length, kind);
    detokenize(&back, words.text, words.length, kind);
    MUST(utf8_check(back.text, back.length) == back.length);
    tokenize(&again, back.text, back.length, kind);
    MUST(again.length == words.length && !memcmp(again.text, words.text, words.length));
    strbuf_release(&words);
    strbuf_release(&back);
    strbuf_release(&again);
}

/* Sentences follow each other, and are valid text with something in them; so are the parts of the whole. */
static void split(const struct strbuf *text)
{
    static const struct tokenizer tokenizer = {.kind = TOKENIZE_CHAR};
    const char *const lines[] = {text->text};
    struct splitter splitter;
    struct spans spans = {.count = 0};
    splitter_init(&splitter);
    splitter_learn(&splitter, lines, &text->length, 1);
    sentences_find(&spans, &splitter, text->text, text->length);
    const size_t sentences = spans.count;
    sentence_divide(&spans, &(struct sentence_limit){&splitter, &tokenizer, 7, .ends = NULL}, text->text,
                    (struct span){0, text->length});
    for (size_t i = 0; i < spans.count; i++) {
        const struct span s = spans.items[i];
        const size_t before = i && i != sentences ? spans.items[i - 1].end : 0;
        MUST(before <= s.begin && s.begin < s.end && s.end <= text->length);
        MUST(utf8_check(text->text + s.begin, s.end - s.begin) == s.end - s.begin);
    }
    spans_release(&spans);
    splitter_release(&splitter);
}

/* Scores the text against its halves in reverse order, so that TER has to move words. */
static void score(const struct strbuf *text)
{
    struct strbuf turned;
    size_t half = text->length / 2;
    while (half < text->length && utf8_continues(text->text[half]))
        half++;
    strbuf_init(&turned);
    strbuf_addf(&turned, "%s ", text->text + half);
    strbuf_add(&turned, text->text, half);
    const char *reference = turned.text;
    for (enum mteval_kind kind = MTEVAL_13A; kind < MTEVAL_AUTO; kind++) {
        struct metrics metrics;
        metrics_init(&metrics,
                     &(struct metric_options){
                         .tokenize = kind, .lowercase = true, .chrf_lowercase = true, .chrf_word_order = 2},
                     1);
        metrics_add(&metrics, text->text, &reference);
        for (int i = 0; i < PLACE_COUNT; i++)
            MUST(metric_table[i].score(&metrics) >= 0);
    }
    strbuf_release(&turned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct strbuf text, out;
    struct links links = {0};
    struct err err;
    strbuf_init(&text);
    strbuf_init(&out);
    utf8_repair(&text, (const char *)data, bytes);
    MUST(utf8_check(text.text, text.length) == text.length);
    for (enum utf8_form form = UTF8_AS_IS; form <= UTF8_NFKC; form++) {
        strbuf_reset(&out);
        utf8_normalize(&out, text.text, text.length, form);
        MUST(utf8_check(out.text, out.length) == out.length);
    }
    utf8_lower(&out, text.text, text.length);
    for (enum tokenize_kind kind = TOKENIZE_SCRIPT; kind <= TOKENIZE_CHAR; kind++)
        round_trip(&text, kind);
    if (!memchr(text.text, 0, text.length)) {
        split(&text);
        if (text.length < 500) /* TER takes cubic time */
            score(&text);
        links_parse(&links, text.text, &err);
    }
    links_release(&links);
    strbuf_release(&text);
    strbuf_release(&out);
    return 0;
}

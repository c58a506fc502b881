/* sentence_cases: texts of tests with '|' where a sentence begins that is not the first, and what is learned
 * from lines. */
#ifndef NMT_TEST_SENTENCE_CASES_H
#define NMT_TEST_SENTENCE_CASES_H

#include "check.h"
#include "mem.h"
#include "splitter.h"

#include <string.h>

/* The sentences as a text, with '|' and what stands between them in front of each but the first. */
static inline char *split(const struct splitter *splitter, const char *text, size_t bytes)
{
    struct spans sentences = {.count = 0};
    struct strbuf out;
    strbuf_init(&out);
    sentences_find(&sentences, splitter, text, bytes);
    for (size_t i = 0; i < sentences.count; i++) {
        const struct span s = sentences.items[i];
        assert_true(s.begin < s.end && s.end <= bytes);
        if (i) {
            const size_t before = sentences.items[i - 1].end;
            assert_true(before <= s.begin);
            strbuf_add(&out, text + before, s.begin - before);
            strbuf_addch(&out, '|');
        }
        strbuf_add(&out, text + s.begin, s.end - s.begin);
    }
    spans_release(&sentences);
    return strbuf_detach(&out);
}

static inline void expect_case(const struct splitter *splitter, const char *expected)
{
    struct strbuf text;
    strbuf_init(&text);
    for (const char *c = expected; *c; c++)
        if (*c != '|')
            strbuf_addch(&text, *c);
    char *found = split(splitter, text.text, text.length);
    if (strcmp(found, expected) != 0)
        fail_msg("'%s' instead of '%s'", found, expected);
    xfree(found);
    strbuf_release(&text);
}

static inline void expect_cases(const struct splitter *splitter, const char *const *cases)
{
    for (; *cases; cases++)
        expect_case(splitter, *cases);
}

static inline void learn(struct splitter *splitter, const char *const *texts)
{
    size_t bytes[64], count = 0;
    for (; texts[count]; count++)
        bytes[count] = strlen(texts[count]);
    splitter_init(splitter);
    splitter_learn(splitter, texts, bytes, count);
}

#endif

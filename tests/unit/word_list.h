/* word_list: words of a training, for tests, in one string, and how text is read with them. */
#ifndef NMT_TEST_WORD_LIST_H
#define NMT_TEST_WORD_LIST_H

#include "check.h"
#include "seen_words.h"

#include <string.h>

/* Adds words, of which each ends with a NUL. */
static inline void add_words(struct seen_words *seen, const char *words)
{
    for (; *words; words += strlen(words) + 1)
        seen_words_add(seen, words, strlen(words));
}

static inline void expect_read(const struct seen_words *seen, const char *text, const char *read)
{
    struct strbuf out;
    strbuf_init(&out);
    seen_words_read(&out, seen, text, strlen(text), (struct span){0, strlen(text)}, true);
    assert_string_equal(out.text, read);
    strbuf_release(&out);
}

#endif

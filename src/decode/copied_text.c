/* Digits of text that is copied. */
#include "copied_text.h"

#include "utf8.h"

#include <string.h>

/* Finds the next digit of another script than 0 to 9, its zero and its value, and moves `at` behind it; false
 * if there is none. */
static bool next_digit(struct span *digit, struct strbuf *zero, int *value, const char *text, size_t bytes,
                       size_t *at)
{
    while (*at < bytes) {
        int32_t code;
        const size_t begin = *at;
        *at += utf8_decode(text + begin, bytes - begin, &code);
        *value = code < 0x80 ? -1 : utf8_digit(code);
        if (*value < 0)
            continue;
        *digit = (struct span){begin, *at};
        strbuf_reset(zero);
        utf8_append(zero, code - *value);
        return true;
    }
    return false;
}

void copied_text_find_zeros(struct strmap *zeros, const struct vocab *vocab)
{
    struct strbuf zero;
    struct span digit;
    int value;
    strbuf_init(&zero);
    for (int id = VOCAB_SPECIALS; id < vocab_size(vocab); id++) {
        const char *word = vocab_word(vocab, id);
        for (size_t at = 0, bytes = strlen(word); next_digit(&digit, &zero, &value, word, bytes, &at);)
            strmap_intern(zeros, zero.text, zero.length);
    }
    strbuf_release(&zero);
}

/* Appends the text, unless `out` is NULL; returns whether a digit is another one there. */
static bool add(struct strbuf *out, const struct strmap *zeros, const char *text, size_t bytes)
{
    struct strbuf zero;
    struct span digit;
    size_t copied = 0;
    bool changes = false;
    int value;
    strbuf_init(&zero);
    for (size_t at = 0; next_digit(&digit, &zero, &value, text, bytes, &at);) {
        if (strmap_find(zeros, zero.text, zero.length) >= 0)
            continue;
        changes = true;
        if (!out)
            break;
        strbuf_add(out, text + copied, digit.begin - copied);
        strbuf_addch(out, (char)('0' + value));
        copied = digit.end;
    }
    if (out)
        strbuf_add(out, text + copied, bytes - copied);
    strbuf_release(&zero);
    return changes;
}

bool copied_text_changes(const struct strmap *zeros, const char *text, size_t bytes)
{
    return add(NULL, zeros, text, bytes);
}

void copied_text_add(struct strbuf *out, const struct strmap *zeros, const char *text, size_t bytes)
{
    add(out, zeros, text, bytes);
}

/* Looks at the characters where two parts of a text meet. */
#include "parts_text.h"

#include "utf8.h"

#include <string.h>

#define IDEOGRAPHIC_SPACE "\xe3\x80\x80" /* of Chinese and Japanese, behind an exclamation mark */

/* Marks that Chinese and English have in common, behind the sign that tells. */
static bool is_common_mark(int32_t code)
{
    return code == '"' || code == '\'' || code == 0x2019 || code == 0x201d || code == 0x2026;
}

/* Does it end in a script without blanks between sentences: Chinese or Japanese, and their signs? */
static bool ends_unspaced(const struct strbuf *text)
{
    int32_t code = 0;
    for (size_t at = text->length, used = 1; at && used && (!code || is_common_mark(code)); at -= used)
        used = utf8_decode_before(text->text, at, &code);
    return utf8_is_of_east_asia(code);
}

bool parts_are_joined(const char *text, size_t bytes, size_t at)
{
    int32_t left = 0, right;
    utf8_decode_before(text, at, &left);
    utf8_decode(text + at, bytes - at, &right);
    return (left < 0x80 || utf8_class_of(left) != UTF8_SYMBOL) && !utf8_unspaced(left) &&
           !utf8_unspaced(right);
}

void parts_add_between(struct strbuf *text, const char *between)
{
    const bool plain = !between[0] || !strcmp(between, " "), unspaced = ends_unspaced(text);
    if (plain)
        strbuf_adds(text, unspaced ? "" : " ");
    else
        strbuf_adds(text, !unspaced && !strcmp(between, IDEOGRAPHIC_SPACE) ? " " : between);
}

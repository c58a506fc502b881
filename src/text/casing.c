/* Exchanges the letters i whose case differs from other languages'; utf8 does the rest. */
#include "casing.h"

#include "utf8.h"

#include <string.h>
#include <strings.h>

#define SMALL_DOTLESS "\xc4\xb1"  /* ı */
#define CAPITAL_DOTTED "\xc4\xb0" /* İ */

enum casing casing_of_language(const char *tag)
{
    static const char *const turkic[] = {"tr", "az", "crh", "gag"};
    const size_t length = tag ? strcspn(tag, "-") : 0;
    for (size_t i = 0; i < sizeof turkic / sizeof turkic[0]; i++)
        if (length == strlen(turkic[i]) && !strncasecmp(tag, turkic[i], length))
            return CASING_TURKIC;
    return CASING_COMMON;
}

/* Appends text with one letter, of one byte, in the place of another one, of two. */
static void add_with_letters(struct strbuf *out, const char *text, size_t bytes, char narrow,
                             const char *for_narrow, const char *wide, char for_wide)
{
    for (size_t at = 0; at < bytes; at++)
        if (text[at] == narrow)
            strbuf_adds(out, for_narrow);
        else if (at + 1 < bytes && !memcmp(text + at, wide, 2)) {
            strbuf_addch(out, for_wide);
            at++;
        } else
            strbuf_addch(out, text[at]);
}

void casing_lower(struct strbuf *out, enum casing casing, const char *text, size_t bytes)
{
    struct strbuf exchanged;
    strbuf_init(&exchanged);
    if (casing == CASING_TURKIC) {
        add_with_letters(&exchanged, text, bytes, 'I', SMALL_DOTLESS, CAPITAL_DOTTED, 'i');
        text = exchanged.text;
        bytes = exchanged.length;
    }
    utf8_lower(out, text, bytes);
    strbuf_release(&exchanged);
}

void casing_upper(struct strbuf *out, enum casing casing, const char *text, size_t bytes)
{
    struct strbuf exchanged;
    strbuf_init(&exchanged);
    if (casing == CASING_TURKIC) {
        add_with_letters(&exchanged, text, bytes, 'i', CAPITAL_DOTTED, SMALL_DOTLESS, 'I');
        text = exchanged.text;
        bytes = exchanged.length;
    }
    utf8_upper(out, text, bytes);
    strbuf_release(&exchanged);
}

void casing_capitalize(struct strbuf *out, enum casing casing, const char *text, size_t bytes)
{
    if (casing == CASING_TURKIC && bytes && text[0] == 'i') {
        strbuf_adds(out, CAPITAL_DOTTED);
        strbuf_add(out, text + 1, bytes - 1);
    } else
        utf8_capitalize(out, text, bytes);
}

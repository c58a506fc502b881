/* Finds marks, and escapes characters. Which characters need that, tokenize.c and placeholder.c say. */
#include "marks.h"

#include <stdio.h>
#include <string.h>

#define ESCAPE "\xef\xbc\x85" /* ESCAPE_CODE */

bool is_mark(int32_t code)
{
    return code == 0xffed || code == 0x2581 || code == ESCAPE_CODE;
}

bool begins_with_mark(const char *text, size_t bytes, const char *mark)
{
    return bytes >= MARK_BYTES && !memcmp(text, mark, MARK_BYTES);
}

bool ends_with_mark(const char *text, size_t bytes, const char *mark)
{
    return bytes >= MARK_BYTES && !memcmp(text + bytes - MARK_BYTES, mark, MARK_BYTES);
}

void mark_escape(struct strbuf *out, int32_t code)
{
    strbuf_addf(out, ESCAPE "%04X", (unsigned)code);
}

int32_t mark_escaped(const char *text, size_t bytes)
{
    char digits[5] = "";
    unsigned code;
    if (bytes >= ESCAPED_BYTES && begins_with_mark(text, bytes, ESCAPE))
        memcpy(digits, text + MARK_BYTES, 4);
    if (strspn(digits, "0123456789ABCDEF") != 4 || sscanf(digits, "%x", &code) != 1)
        return -1;
    return (int32_t)code;
}

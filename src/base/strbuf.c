/* Appends to a string that grows. It holds bytes; encodings are handled in text. */
#include "strbuf.h"

#include "err.h"
#include "mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void strbuf_init(struct strbuf *buf)
{
    buf->text = NULL;
    buf->length = buf->capacity = 0;
    strbuf_add(buf, "", 0);
}

void strbuf_release(struct strbuf *buf)
{
    xfree(buf->text);
    buf->text = NULL;
    buf->length = buf->capacity = 0;
}

void strbuf_reset(struct strbuf *buf)
{
    strbuf_truncate(buf, 0);
}

void strbuf_truncate(struct strbuf *buf, size_t length)
{
    ASSERT(length <= buf->length);
    buf->length = length;
    buf->text[length] = '\0';
}

void strbuf_add(struct strbuf *buf, const char *text, size_t bytes)
{
    GROW(buf->text, buf->length + bytes + 1, buf->capacity);
    memcpy(buf->text + buf->length, text, bytes);
    buf->length += bytes;
    buf->text[buf->length] = '\0';
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
    strbuf_add(buf, text, strlen(text));
}

void strbuf_addch(struct strbuf *buf, char c)
{
    strbuf_add(buf, &c, 1);
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_addv(buf, format, args);
    va_end(args);
}

void strbuf_addv(struct strbuf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int bytes = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (bytes < 0)
        mem_exhausted(strlen(format), 1);
    GROW(buf->text, buf->length + (size_t)bytes + 1, buf->capacity);
    vsnprintf(buf->text + buf->length, (size_t)bytes + 1, format, args);
    buf->length += (size_t)bytes;
}

char *strbuf_detach(struct strbuf *buf)
{
    char *text = buf->text;
    *buf = (struct strbuf){0};
    return text;
}

/* strbuf: a string that grows. `text` always ends with a NUL, which `length` does not count; it is NULL
 * after release and detach. */
#ifndef NMT_STRBUF_H
#define NMT_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
    char *text;
    size_t length;
    size_t capacity;
};

void strbuf_init(struct strbuf *buf);
void strbuf_release(struct strbuf *buf);
void strbuf_reset(struct strbuf *buf); /* empties, keeps the memory */
void strbuf_add(struct strbuf *buf, const char *text, size_t bytes);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addch(struct strbuf *buf, char c);
void strbuf_addf(struct strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_addv(struct strbuf *buf, const char *format, va_list args);
void strbuf_truncate(struct strbuf *buf, size_t length);
/* Passes the string to the caller, who frees it; the buffer holds nothing then, as after release. */
char *strbuf_detach(struct strbuf *buf);

#endif

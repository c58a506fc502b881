/* form: the fields of a form, application/x-www-form-urlencoded or multipart/form-data. */
#ifndef NMT_FORM_H
#define NMT_FORM_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* Takes a field's name and value, each ended by a NUL but of any bytes; a result other than 0 ends the
 * reading. */
typedef int field_taker(void *context, const char *name, const char *value, size_t bytes, struct err *err);

/* "a=1&b=two+words%21". -1 if `take` says so. */
int form_read_urlencoded(const char *text, size_t bytes, field_taker *take, void *context, struct err *err);
/* `type` is the Content-Type, with the boundary. -1 also if the body is none of that form. */
int form_read_multipart(const char *type, const char *body, size_t bytes, field_taker *take, void *context,
                        struct err *err);

#endif

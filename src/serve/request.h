/* request: what a client wants, read from the body of its request. Functions over bytes: no sockets, no
 * models. */
#ifndef NMT_REQUEST_H
#define NMT_REQUEST_H

#include "err.h"
#include "job.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

/* A request as it came. */
struct request_body {
    const char *type;     /* Content-Type; NULL: none */
    const char *encoding; /* Content-Encoding, likewise */
    const char *query;    /* of the URL, which may hold fields of a form, too */
    const char *bytes;
    size_t count;
};

struct request_limits {
    int max_texts;
    int max_characters; /* of all texts, and of the prefix; 0: any number */
    int max_beam;       /* also of alternatives */
};

/* What is wanted of a translation beside the job. */
struct wishes {
    bool list;         /* q is a list, and so is what is answered */
    bool alternatives; /* n_best is more than 1 */
    size_t characters; /* of all texts */
};

/* The fields as an object; those of a form are strings, and a list of them where q comes several times.
 * NULL: the body is wrong. The caller frees. */
struct json *request_fields(const struct request_body *body, struct err *err);
/* A field that is a string; NULL where it is left out or null; -1 if it is something else. */
int request_string(const char **out, const struct json *fields, const char *name, struct err *err);
/* The job of a translation; NULL if the fields are wrong. It has no deadline so far. */
struct job *request_job(const struct json *fields, const struct request_limits *limits, struct wishes *wishes,
                        struct err *err);
/* The text of which the language is wanted, a part of the fields; NULL if they are wrong. */
const char *request_text(const struct json *fields, const struct request_limits *limits, struct err *err);

#endif

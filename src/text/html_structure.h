/* html_structure: what libxml2 knows of a page. Its only user. */
#ifndef NMT_HTML_STRUCTURE_H
#define NMT_HTML_STRUCTURE_H

#include "err.h"
#include "span.h"

#include <stdint.h>

/* Elements within each other that are followed, as in browsers: libxml2 compares a tag with all that are
 * open. */
#define MOST_OPEN 512

/* Appends the parts of a page that are not to be translated: each begins within or behind the start tag of an
 * element and ends within or behind the tag that ends it. *followed: how far elements were not too deep. -1:
 * built without libxml2, or more than it takes. */
int html_kept_parts(struct spans *kept, size_t *followed, const char *bytes, size_t size, struct err *err);
/* The character of an entity of HTML 4; -1 if there is none of that name. */
int32_t html_entity(const char *name);

#endif

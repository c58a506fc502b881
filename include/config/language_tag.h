/* language_tag: names of languages, such as "en", "pt-BR" or "sr-Latn" (BCP 47). */
#ifndef NMT_LANGUAGE_TAG_H
#define NMT_LANGUAGE_TAG_H

#include <stdbool.h>

/* Is the tag well-formed by the grammar of RFC 5646, section 2.1? Whether its parts are registered is not
 * checked. */
bool language_tag_valid(const char *tag);

/* Is the tag the range, or does it go on behind it with "-", in any case (basic filtering, RFC 4647, section
 * 3.3.1)? "tt-Latn-RU" matches "tt-Latn". */
bool language_tag_matches(const char *tag, const char *range);

#endif

/* language_names: English names of languages. */
#ifndef NMT_LANGUAGE_NAMES_H
#define NMT_LANGUAGE_NAMES_H

#include "strbuf.h"

/* Appends the name of a language tag (language_tag.h): "fr" is French, "pt-BR" Portuguese (Brazil), "zh-Hans"
 * Chinese (Simplified). What has no name here stays as it is. */
void language_name_append(struct strbuf *out, const char *tag);

#endif

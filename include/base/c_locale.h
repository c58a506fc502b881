/* c_locale: the C locale for the calling thread, so that numbers have a decimal point whatever the user's
 * locale.
 *
 * Between begin and end, everything that this thread reads or prints uses the C locale, cJSON included.
 * Other threads keep theirs. */
#ifndef NMT_C_LOCALE_H
#define NMT_C_LOCALE_H

#include <locale.h>

struct c_locale {
    locale_t own, before;
};

void c_locale_begin(struct c_locale *locale);
void c_locale_end(struct c_locale *locale);

#endif

/* c_locale: numbers with a point, as JSON and command lines have them, in a program that set another locale.
 *
 * Between begin and end the calling thread has the C locale, for all that reads or prints numbers there,
 * cJSON included. The locale of the program and of its other threads stays as it is. */
#ifndef NMT_C_LOCALE_H
#define NMT_C_LOCALE_H

#include <locale.h>

struct c_locale {
    locale_t own, before;
};

void c_locale_begin(struct c_locale *locale);
void c_locale_end(struct c_locale *locale);

#endif

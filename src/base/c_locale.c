/* Switches the calling thread to the C locale and back. */
#include "c_locale.h"

void c_locale_begin(struct c_locale *locale)
{
    locale->own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale->before = uselocale(locale->own);
}

void c_locale_end(struct c_locale *locale)
{
    uselocale(locale->before);
    if (locale->own)
        freelocale(locale->own);
}

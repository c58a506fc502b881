/* plural: counts in messages: "%d line%s" with plural(count). */
#ifndef NMT_PLURAL_H
#define NMT_PLURAL_H

static inline const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

#endif

/* Compares how frequent each letter is in two texts. */
#include "shared_letters.h"

#include "mem.h"
#include "utf8.h"

#define CHARACTERS 0x110000 /* of Unicode */
#define LEAST_RATIO 0.25    /* of the frequencies in source and target */

/* Counts of the letters of a text. */
struct letters {
    uint32_t *counts; /* [CHARACTERS] */
    double total;
};

static void count_letters(struct letters *letters, const struct lines *lines)
{
    letters->total = 0;
    letters->counts = xcalloc(CHARACTERS, sizeof *letters->counts);
    for (size_t i = 0; i < lines->count; i++)
        for (size_t at = 0; at < lines->bytes[i];) {
            int32_t code;
            const size_t length = utf8_decode(lines->text[i] + at, lines->bytes[i] - at, &code);
            at += length ? length : 1;
            if (!length || utf8_category(code) != 'L')
                continue;
            letters->counts[code]++;
            letters->total++;
        }
}

double shared_letters(const struct lines *source, const struct lines *target)
{
    struct letters ours, theirs;
    double shared = 0;
    count_letters(&ours, source);
    count_letters(&theirs, target);
    for (size_t c = 0; c < CHARACTERS; c++)
        if ((double)ours.counts[c] * theirs.total >= LEAST_RATIO * (double)theirs.counts[c] * ours.total)
            shared += (double)theirs.counts[c];
    const double part = theirs.total > 0 && ours.total > 0 ? shared / theirs.total : 0;
    xfree(ours.counts);
    xfree(theirs.counts);
    return part;
}

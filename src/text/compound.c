/* Finds whether a word is made up of known words, place by place. */
#include "compound.h"

#include "utf8.h"

#define MOST_CHARACTERS 64 /* of a compound; the time grows with their square */
#define LEAST_CHARACTERS 4 /* of a part: shorter words stand in many names by chance */
#define MOST_JOINING 2     /* characters behind a part */
#define KNOWN_TIMES 2

static bool is_known(const char *part, size_t bytes, const struct strmap *words, const int64_t *times)
{
    const int number = strmap_find(words, part, bytes);
    return number >= 0 && (!times || times[number] >= KNOWN_TIMES);
}

/* Where the characters begin, and behind the last the end; returns their number, or 0 if they are too
 * many. */
static int find_places(size_t places[MOST_CHARACTERS + 1], const char *word, size_t bytes)
{
    int count = 0;
    size_t at = 0;
    while (at < bytes) {
        int32_t code;
        if (count == MOST_CHARACTERS)
            return 0;
        places[count++] = at;
        at += utf8_decode(word + at, bytes - at, &code);
    }
    places[count] = at;
    return count;
}

/* Does a part end here, or up to MOST_JOINING characters before? */
static bool is_behind_part(const bool *ends, int place)
{
    bool behind = false;
    for (int joining = 0; joining <= MOST_JOINING && joining <= place && !behind; joining++)
        behind = ends[place - joining];
    return behind;
}

bool compound_is(const char *word, size_t bytes, const struct strmap *words, const int64_t *times)
{
    size_t places[MOST_CHARACTERS + 1];
    bool ends[MOST_CHARACTERS + 1] = {false}; /* does a part end at this place? */
    const int count = find_places(places, word, bytes);
    for (int end = LEAST_CHARACTERS; end <= count; end++)
        for (int begin = end - LEAST_CHARACTERS; begin >= 0 && !ends[end]; begin--)
            ends[end] = (begin == 0 ? end < count : is_behind_part(ends, begin)) &&
                        is_known(word + places[begin], places[end] - places[begin], words, times);
    return is_behind_part(ends, count);
}

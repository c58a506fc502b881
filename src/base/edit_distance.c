/* Levenshtein distance of two short texts, row by row of its table. */
#include "edit_distance.h"

#include <string.h>

#define MOST_BYTES 64

int edit_distance(const char *a, const char *b)
{
    int row[MOST_BYTES];
    const int length = (int)strnlen(b, MOST_BYTES);
    if (length == MOST_BYTES || strnlen(a, MOST_BYTES) == MOST_BYTES)
        return EDIT_DISTANCE_NONE - 1;
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            const int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            const int added = row[j - 1] + 1, removed = row[j] + 1;
            row[j] = replaced < added ? replaced : added;
            row[j] = row[j] < removed ? row[j] : removed;
        }
    }
    return row[length];
}

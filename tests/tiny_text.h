/* tiny_text: the twenty pairs that the model of most tests knows by heart. $NMT_TINY is the folder of
 * train.en, train.fr and models/tiny. */
#ifndef NMT_TEST_TINY_TEXT_H
#define NMT_TEST_TINY_TEXT_H

#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 20

/* Sets lines [LINES] to those of a file, which the caller frees. */
static inline void tiny_read(char **lines, const char *name)
{
    char path[4096], line[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("NMT_TINY"), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int i = 0; i < LINES; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        line[strcspn(line, "\n")] = '\0';
        lines[i] = strdup(line);
    }
    fclose(file);
}

#endif

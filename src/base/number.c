/* Reads numbers. Which ones are allowed is the caller's affair. */
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int number_read(double *number, const char *text)
{
    char *end;
    if (!*text || !strchr("+-.0123456789", *text)) /* strtod skips white space */
        return -1;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(value))
        return -1;
    *number = value;
    return 0;
}

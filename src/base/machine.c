/* Reads the name of the processor from the system. */
#include "machine.h"

#include <stdio.h>
#include <string.h>

void machine_processor(char *name, size_t bytes)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, bytes, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(name, bytes, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (file)
        fclose(file);
}

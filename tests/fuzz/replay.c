/* Runs a fuzz target on every file named, or in a named directory: its regression test. */
#include "fuzz.h"

#include "fileio.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int replay(const char *path)
{
    struct strbuf text;
    struct err err;
    strbuf_init(&text);
    const int status = file_slurp(&text, path, &err);
    if (status)
        fprintf(stderr, "%s\n", err.text);
    else
        LLVMFuzzerTestOneInput((const uint8_t *)text.text, text.length);
    strbuf_release(&text);
    return status;
}

int main(int argc, char **argv)
{
    int files = 0, failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        if (!dir) {
            failed |= replay(argv[i]);
            files++;
        }
        for (struct dirent *entry; dir && (entry = readdir(dir));) {
            if (entry->d_name[0] == '.')
                continue;
            char *path = path_join(argv[i], entry->d_name);
            failed |= replay(path);
            files++;
            free(path);
        }
        if (dir)
            closedir(dir);
    }
    printf("%d inputs\n", files);
    return failed || !files;
}

/* Lines as arguments of --set: the resulting config, printed and loaded again, must be the same. */
#include "config.h"
#include "fuzz.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

static void set_lines(struct config *config, const char *text, size_t bytes)
{
    struct err ignored;
    for (size_t at = 0; at < bytes;) {
        const char *end = memchr(text + at, '\n', bytes - at);
        const size_t length = end ? (size_t)(end - text) - at : bytes - at;
        char *assignment = xstrndup(text + at, length);
        config_set(config, assignment, &ignored);
        free(assignment);
        at += length + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct config set, loaded;
    struct strbuf printed, again;
    struct err err;
    strbuf_init(&printed);
    strbuf_init(&again);
    config_init(&set);
    config_init(&loaded);
    set_lines(&set, (const char *)data, bytes);
    config_print(&set, &printed);
    MUST(!config_load(&loaded, fuzz_path((const uint8_t *)printed.text, printed.length), &err));
    config_print(&loaded, &again);
    MUST(!strcmp(printed.text, again.text));
    strbuf_reset(&again);
    config_print_changes(&loaded, &set, &again);
    MUST(again.length == 0);
    config_release(&set);
    config_release(&loaded);
    strbuf_release(&printed);
    strbuf_release(&again);
    return 0;
}

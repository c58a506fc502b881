/* A config file, and one setting from its first line. */
#include "config.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct config config;
    struct err err;
    struct strbuf text;
    strbuf_init(&text);
    config_init(&config);
    if (!config_load(&config, fuzz_path(data, bytes), &err) && !config_check(&config, &err))
        config_print(&config, &text);
    const uint8_t *end = bytes ? memchr(data, '\n', bytes) : NULL;
    if (end && end - data < 200 && !memchr(data, 0, (size_t)(end - data))) {
        strbuf_reset(&text);
        strbuf_add(&text, (const char *)data, (size_t)(end - data));
        config_set(&config, text.text, &err);
    }
    config_release(&config);
    strbuf_release(&text);
    return 0;
}

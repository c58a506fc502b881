/* Loads and compares keys. */
#include "keys.h"

#include "fileio.h"
#include "mem.h"
#include "number.h"

#include <limits.h>
#include <string.h>

struct loading {
    struct keys *keys;
    const char *path;
};

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct loading *loading = context;
    struct keys *keys = loading->keys;
    const char *from = line->text + strspn(line->text, " \t");
    const size_t bytes = strcspn(from, " \t");
    if (!bytes || *from == '#')
        return 0;
    char *rest = xstrdup(from + bytes + strspn(from + bytes, " \t"));
    rest[strcspn(rest, " \t")] = '\0';
    double limit = 0;
    const int wrong =
        *rest && (number_read(&limit, rest) || limit < 1 || limit > INT_MAX || limit != (int)limit);
    xfree(rest);
    if (wrong || strlen(line->text) != line->length)
        return err_set(err, "cannot read '%s': line %lld is not a key, and requests per minute",
                       loading->path, (long long)number);
    GROW(keys->items, keys->count + 1, keys->capacity);
    keys->items[keys->count].text = xstrndup(from, bytes);
    keys->items[keys->count++].per_minute = (int)limit;
    return 0;
}

int keys_load(struct keys *keys, const char *path, struct err *err)
{
    *keys = (struct keys){NULL, 0, 0};
    struct loading loading = {keys, path};
    int failed = file_each_line(path, take_line, &loading, err);
    if (!failed && !keys->count)
        failed = err_set(err, "cannot read '%s': there is no key in it", path);
    if (failed)
        keys_release(keys);
    return failed ? -1 : 0;
}

void keys_release(struct keys *keys)
{
    for (size_t i = 0; i < keys->count; i++)
        xfree(keys->items[i].text);
    xfree(keys->items);
    *keys = (struct keys){NULL, 0, 0};
}

/* Looks at as many bytes as are given, whatever the key is. */
static unsigned differs(const char *given, size_t bytes, const char *key)
{
    const size_t own = strlen(key);
    unsigned difference = own != bytes;
    for (size_t i = 0; i < bytes; i++)
        difference |= (unsigned char)given[i] ^ (unsigned char)key[own ? i % own : 0];
    return difference;
}

const struct api_key *keys_find(const struct keys *keys, const char *text)
{
    const struct api_key *found = NULL;
    const size_t bytes = strlen(text);
    for (size_t i = 0; i < keys->count; i++)
        found = differs(text, bytes, keys->items[i].text) ? found : &keys->items[i];
    return found;
}

/* Reads lines of two columns. What is made of them is up to dictionary.c and glossary.c. */
#include "two_columns.h"

#include "fileio.h"
#include "utf8_check.h"

#include <string.h>

struct reading {
    const char *path, *entry;
    columns_taker *take;
    void *context;
};

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct reading *reading = context;
    const char *tab = memchr(line->text, '\t', line->length);
    const bool text =
        strlen(line->text) == line->length && utf8_check(line->text, line->length) == line->length;
    if (tab && text && reading->take(reading->context, line->text, (size_t)(tab - line->text), tab + 1))
        return 0;
    return err_set(err, "cannot read '%s': line %lld is not %s", file_shown_name(reading->path),
                   (long long)number, reading->entry);
}

int two_columns_each(const char *path, const char *entry, columns_taker *take, void *context, struct err *err)
{
    struct reading reading = {path, entry, take, context};
    return file_each_line(path, take_line, &reading, err);
}

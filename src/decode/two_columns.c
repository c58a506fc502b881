/* Reads lines of two columns. What is made of them is up to dictionary.c and glossary.c. */
#include "two_columns.h"

#include "fileio.h"
#include "lines.h"

#include <string.h>

struct reading {
    const char *path, *entry;
    columns_taker *take;
    void *context;
};

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct reading *reading = context;
    const char *name = file_shown_name(reading->path), *tab = strchr(line->text, '\t');
    if (line_check(line, 0, name, number, err))
        return -1;
    if (strspn(line->text, " \t") == line->length ||
        (tab && !strpbrk(tab + 1, "\t\r") &&
         reading->take(reading->context, line->text, (size_t)(tab - line->text), tab + 1)))
        return 0;
    return err_set(err, "cannot read '%s': line %lld is not %s", name, (long long)number, reading->entry);
}

int two_columns_each(const char *path, const char *entry, columns_taker *take, void *context, struct err *err)
{
    struct reading reading = {path, entry, take, context};
    return file_each_line(path, take_line, &reading, err);
}

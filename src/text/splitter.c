/* What a splitter has learned, and its file. */
#include "splitter.h"

#include "mem.h"
#include "sentence_signs.h"
#include "utf8_check.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void splitter_init(struct splitter *splitter)
{
    memset(splitter, 0, sizeof *splitter);
    strmap_init(&splitter->abbreviations);
    strmap_init(&splitter->titles);
    strmap_init(&splitter->ordinary);
    strmap_init(&splitter->starters);
}

void splitter_release(struct splitter *splitter)
{
    strmap_release(&splitter->abbreviations);
    strmap_release(&splitter->titles);
    strmap_release(&splitter->ordinary);
    strmap_release(&splitter->starters);
    splitter_init(splitter);
}

bool splitter_is_single(const struct splitter *splitter)
{
    return splitter->learned && splitter->single_lines >= splitter->lines - splitter->single_lines;
}

/* ---- the file ---- */

#define MOST_LONGEST 1000000

/* The keys whose values are numbers, in the order of the file. */
static const struct {
    const char *key;
    size_t offset; /* of an int64_t in struct splitter */
    int64_t most;
    bool may_miss; /* if it is 0, as in models that were made before it was there */
} numbers[] = {{"lines", offsetof(struct splitter, lines), INT64_MAX, false},
               {"single", offsetof(struct splitter, single_lines), INT64_MAX, false},
               {"longest", offsetof(struct splitter, longest), MOST_LONGEST, false},
               {"ordinals", offsetof(struct splitter, ordinals), 1, false},
               {"speech", offsetof(struct splitter, speech), SPEECH_UNLESS_STARTER, true},
               {"quotations", offsetof(struct splitter, quotations), 3, true},
               {"lowercase", offsetof(struct splitter, lowercase), 1, false}};

/* The keys whose values are words, in the order of the file. */
static const struct {
    const char *key;
    size_t offset; /* of a struct strmap in struct splitter */
} words[] = {{"abbreviation", offsetof(struct splitter, abbreviations)},
             {"title", offsetof(struct splitter, titles)},
             {"ordinary", offsetof(struct splitter, ordinary)},
             {"starter", offsetof(struct splitter, starters)}};

static bool is_key(const char *key, const char *text, size_t bytes)
{
    return strlen(key) == bytes && !memcmp(key, text, bytes);
}

/* Adds a word to those of a key; false if there is no such key. Older files have words that are in no normal
 * form. */
static bool add_word(struct splitter *splitter, const char *key, size_t bytes, const char *word)
{
    size_t i = 0;
    while (i < sizeof words / sizeof words[0] && !is_key(words[i].key, key, bytes))
        i++;
    if (i == sizeof words / sizeof words[0])
        return false;
    struct strbuf text;
    strbuf_init(&text);
    word_key(&text, word, (struct span){0, strlen(word)});
    strmap_intern((struct strmap *)(void *)((char *)splitter + words[i].offset), text.text, text.length);
    strbuf_release(&text);
    return true;
}

/* Context of take_line. */
struct loading {
    struct splitter *splitter;
    const char *path;
    bool given[sizeof numbers / sizeof numbers[0]];
};

/* Sets the number of a key; false if there is no such key, it is given again, or that is no such number. */
static bool set_number(struct loading *loading, const char *key, size_t bytes, const char *value)
{
    size_t i = 0;
    while (i < sizeof numbers / sizeof numbers[0] && !is_key(numbers[i].key, key, bytes))
        i++;
    if (i == sizeof numbers / sizeof numbers[0] || loading->given[i] || value[strspn(value, "0123456789")])
        return false;
    errno = 0;
    const long long number = strtoll(value, NULL, 10);
    loading->given[i] = true;
    *(int64_t *)(void *)((char *)loading->splitter + numbers[i].offset) = number;
    return !errno && number <= numbers[i].most;
}

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    struct loading *loading = context;
    const char *blank = strchr(line->text, ' ');
    const size_t bytes = blank ? (size_t)(blank - line->text) : 0;
    const bool fits = blank && blank[1] && strlen(line->text) == line->length &&
                      utf8_check(line->text, line->length) == line->length &&
                      (add_word(loading->splitter, line->text, bytes, blank + 1) ||
                       set_number(loading, line->text, bytes, blank + 1));
    return fits ? 0
                : err_set(err, "cannot read '%s': line %lld is not a key and its value", loading->path,
                          (long long)number);
}

int splitter_load(struct splitter *splitter, const struct model_files *files, const char *name,
                  struct err *err)
{
    char *path = model_files_name(files, name);
    struct loading loading = {.splitter = splitter, .path = path};
    int status = model_files_each_line(files, name, take_line, &loading, err);
    for (size_t i = 0; status == 0 && i < sizeof numbers / sizeof numbers[0]; i++)
        if (!loading.given[i] && !numbers[i].may_miss)
            status = err_set(err, "cannot read '%s': it has no '%s'", path, numbers[i].key);
    xfree(path);
    if (status)
        splitter_release(splitter);
    else
        splitter->learned = true;
    return status;
}

void splitter_print(struct strbuf *text, const struct splitter *splitter)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const int64_t value = *(const int64_t *)(const void *)((const char *)splitter + numbers[i].offset);
        if (value || !numbers[i].may_miss)
            strbuf_addf(text, "%s %lld\n", numbers[i].key, (long long)value);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const void *map = (const char *)splitter + words[i].offset;
        for (size_t k = 0; k < ((const struct strmap *)map)->count; k++)
            strbuf_addf(text, "%s %s\n", words[i].key, strmap_text(map, (int)k));
    }
}

/* Finds the fields of n-best lines, and adds features to them. What is scored is up to the caller. */
#include "nbest.h"

#include "mem.h"
#include "tokenize.h"
#include "utf8_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BAR "|||"
#define BAR_BYTES (sizeof BAR - 1)
#define BAR_OF_TEXT "&#124;&#124;&#124;"
#define MOST_DIGITS 9

/* The next bar between blanks, or the end of the text. */
static size_t find_bar(const char *text, size_t bytes, size_t from)
{
    for (size_t at = from; at + BAR_BYTES <= bytes; at++)
        if (!memcmp(text + at, BAR, BAR_BYTES) && (at == 0 || text[at - 1] == ' ') &&
            (at + BAR_BYTES == bytes || text[at + BAR_BYTES] == ' '))
            return at;
    return bytes;
}

/* The part of a text from `begin` to `end`, without blanks around it. */
static const char *trim(const char *text, size_t begin, size_t end, size_t *bytes)
{
    while (begin < end && text[begin] == ' ')
        begin++;
    while (end > begin && text[end - 1] == ' ')
        end--;
    *bytes = end - begin;
    return text + begin;
}

static int parse_sentence(long *sentence, const char *digits, size_t bytes, struct err *err)
{
    const size_t shown = utf8_fitting_bytes(digits, 40);
    if (!bytes || bytes > MOST_DIGITS || strspn(digits, "0123456789") < bytes)
        return err_set(err, "'%.*s' is not the number of a sentence", (int)(bytes < shown ? bytes : shown),
                       digits);
    *sentence = strtol(digits, NULL, 10);
    return 0;
}

/* Features begin with a name: "LM0=", or "lm:" of older lists. */
static bool are_features(const char *field, size_t bytes)
{
    size_t at = 0, length;
    const char *name = next_word(field, bytes, &at, &length);
    return !name || name[length - 1] == '=' || name[length - 1] == ':';
}

int nbest_parse(struct nbest_line *line, const char *text, size_t bytes, struct err *err)
{
    size_t length;
    memset(line, 0, sizeof *line);
    const size_t first = find_bar(text, bytes, 0);
    if (first == bytes)
        return err_set(err, "no ' " BAR " ' after the number of the sentence");
    const char *digits = trim(text, 0, first, &length);
    if (parse_sentence(&line->sentence, digits, length, err))
        return -1;
    const size_t second = find_bar(text, bytes, first + BAR_BYTES);
    line->text = text;
    line->bytes = bytes;
    line->translation = trim(text, first + BAR_BYTES, second, &line->translation_bytes);
    line->third = bytes;
    if (second == bytes)
        return 0;
    line->third = second + BAR_BYTES;
    const char *third = trim(text, line->third, find_bar(text, bytes, line->third), &length);
    if (are_features(third, length)) {
        line->features = length ? third : text + line->third;
        line->features_bytes = length;
    }
    return 0;
}

/* Appends the text with `new` in the place of each `old`. */
static void add_replaced(struct strbuf *out, const char *text, const char *old, const char *new)
{
    for (const char *at; (at = strstr(text, old)); text = at + strlen(old)) {
        strbuf_add(out, text, (size_t)(at - text));
        strbuf_adds(out, new);
    }
    strbuf_adds(out, text);
}

void nbest_add_text(struct strbuf *out, const char *text)
{
    add_replaced(out, text, BAR, BAR_OF_TEXT);
}

char *nbest_translation(const struct nbest_line *line)
{
    struct strbuf text;
    char *field = xstrndup(line->translation, line->translation_bytes);
    strbuf_init(&text);
    add_replaced(&text, field, BAR_OF_TEXT, BAR);
    xfree(field);
    return strbuf_detach(&text);
}

/* One more than the highest number of a feature "F0=". */
static long free_number(const char *features, size_t bytes)
{
    long free = 0;
    size_t at = 0, length;
    for (const char *name; (name = next_word(features, bytes, &at, &length));) {
        const size_t digits = strspn(name + 1, "0123456789");
        if (name[0] != 'F' || !digits || digits > MOST_DIGITS || digits + 2 != length ||
            name[length - 1] != '=')
            continue;
        const long number = strtol(name + 1, NULL, 10);
        free = number < free ? free : number + 1;
    }
    return free;
}

void nbest_add_features(struct strbuf *out, const struct nbest_line *line, const double *scores, int count)
{
    const long first = line->features ? free_number(line->features, line->features_bytes) : 0;
    const bool last = line->third == line->bytes && !line->features;
    const size_t head =
        line->features ? (size_t)(line->features + line->features_bytes - line->text) : line->third;
    size_t tail = head;
    while (tail + 1 < line->bytes && line->text[tail] == ' ' && line->text[tail + 1] == ' ')
        tail++;
    strbuf_add(out, line->text, head);
    if (last)
        strbuf_adds(out, " " BAR);
    for (int i = 0; i < count; i++)
        strbuf_addf(out, " F%ld= %.6f", first + i, scores[i]);
    if (!line->features && !last)
        strbuf_adds(out, " " BAR);
    strbuf_add(out, line->text + tail, line->bytes - tail);
}

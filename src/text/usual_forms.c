/* Counts the forms in which a text has its characters, and keeps the most frequent ones that are not in
 * NFC. */
#include "usual_forms.h"

#include "mem.h"
#include "utf8.h"
#include "word_counts.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_TIMES 3       /* of a form; fewer may be typing errors */
#define MOST_PIECE_BYTES 32 /* longer ones are no characters of a language */

void usual_forms_init(struct usual_forms *forms)
{
    strmap_init(&forms->normal);
    strmap_init(&forms->usual);
}

void usual_forms_release(struct usual_forms *forms)
{
    strmap_release(&forms->normal);
    strmap_release(&forms->usual);
}

/* Sets `normal` to a text in NFC; false if it is so already. */
static bool changes(struct strbuf *normal, const char *text, size_t bytes)
{
    strbuf_reset(normal);
    utf8_normalize(normal, text, bytes, UTF8_NFC);
    return normal->length != bytes || memcmp(normal->text, text, bytes) != 0;
}

/* ---- learning ---- */

static bool any_changes(const char *const *lines, const size_t *bytes, size_t count)
{
    struct strbuf normal;
    bool any = false;
    strbuf_init(&normal);
    for (size_t i = 0; i < count && !any; i++)
        any = changes(&normal, lines[i], bytes[i]);
    strbuf_release(&normal);
    return any;
}

static void count_pieces(struct word_counts *pieces, const char *line, size_t bytes)
{
    for (size_t at = 0, used; at < bytes; at += used) {
        used = utf8_piece(line + at, bytes - at);
        if (used <= MOST_PIECE_BYTES)
            word_counts_add(pieces, line + at, used, 1);
    }
}

/* Keeps the pieces that are more frequent than what NFC makes of them, and than other forms of the same. */
static void keep_usual(struct usual_forms *forms, const struct word_counts *pieces)
{
    struct strbuf normal;
    size_t count;
    int *ranked = strmap_rank(&count, &pieces->words, pieces->counts);
    strbuf_init(&normal);
    for (size_t i = 0; i < count && pieces->counts[ranked[i]] >= LEAST_TIMES; i++) {
        const char *piece = strmap_text(&pieces->words, ranked[i]);
        const size_t bytes = strmap_length(&pieces->words, ranked[i]);
        if (!changes(&normal, piece, bytes) || strmap_find(&forms->normal, normal.text, normal.length) >= 0)
            continue;
        const int in_nfc = strmap_find(&pieces->words, normal.text, normal.length);
        if (in_nfc >= 0 && pieces->counts[in_nfc] >= pieces->counts[ranked[i]])
            continue;
        strmap_intern(&forms->normal, normal.text, normal.length);
        strmap_intern(&forms->usual, piece, bytes);
    }
    strbuf_release(&normal);
    xfree(ranked);
}

void usual_forms_learn(struct usual_forms *forms, const char *const *lines, const size_t *bytes, size_t count)
{
    struct word_counts pieces;
    if (!any_changes(lines, bytes, count))
        return;
    word_counts_init(&pieces);
    for (size_t i = 0; i < count; i++)
        count_pieces(&pieces, lines[i], bytes[i]);
    keep_usual(forms, &pieces);
    word_counts_release(&pieces);
}

/* ---- use ---- */

void usual_forms_write(struct strbuf *out, const struct usual_forms *forms, const char *text, size_t bytes)
{
    if (!forms->normal.count) {
        strbuf_add(out, text, bytes);
        return;
    }
    for (size_t at = 0, used; at < bytes; at += used) {
        used = utf8_piece(text + at, bytes - at);
        const int number = strmap_find(&forms->normal, text + at, used);
        if (number < 0)
            strbuf_add(out, text + at, used);
        else
            strbuf_add(out, strmap_text(&forms->usual, number), strmap_length(&forms->usual, number));
    }
}

/* ---- the file ---- */

static void print_codes(struct strbuf *out, const char *text, size_t bytes)
{
    int32_t code;
    for (size_t at = 0; at < bytes;) {
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        strbuf_addf(out, at ? " %04X" : "%04X", (unsigned)code);
        at += used;
    }
}

void usual_forms_print(struct strbuf *text, const struct usual_forms *forms)
{
    for (int i = 0; i < (int)forms->normal.count; i++) {
        print_codes(text, strmap_text(&forms->normal, i), strmap_length(&forms->normal, i));
        strbuf_addch(text, '\t');
        print_codes(text, strmap_text(&forms->usual, i), strmap_length(&forms->usual, i));
        strbuf_addch(text, '\n');
    }
}

/* Appends the characters whose codes stand in a text up to a sign, and returns the place of the sign; NULL if
 * they are none. */
static const char *read_codes(struct strbuf *out, const char *text, char end)
{
    for (;;) {
        char *behind;
        const size_t digits = strspn(text, "0123456789ABCDEF");
        const long code = strtol(text, &behind, 16);
        if (digits < 4 || digits > 6 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || !code)
            return NULL;
        utf8_append(out, (int32_t)code);
        if (*behind == end)
            return behind;
        if (*behind != ' ')
            return NULL;
        text = behind + 1;
    }
}

/* Reads a line: a piece in NFC and another form of it, neither of which is there yet. */
static bool read_form(struct usual_forms *forms, const struct strbuf *line)
{
    struct strbuf normal, usual, changed;
    strbuf_init(&normal);
    strbuf_init(&usual);
    strbuf_init(&changed);
    const char *tab = read_codes(&normal, line->text, '\t');
    const char *end = tab ? read_codes(&usual, tab + 1, '\0') : NULL;
    const bool is_form = end && end == line->text + line->length && usual.length <= MOST_PIECE_BYTES &&
                         changes(&changed, usual.text, usual.length) && changed.length == normal.length &&
                         !memcmp(changed.text, normal.text, normal.length) &&
                         utf8_piece(normal.text, normal.length) == normal.length &&
                         strmap_find(&forms->normal, normal.text, normal.length) < 0;
    if (is_form) {
        strmap_intern(&forms->normal, normal.text, normal.length);
        strmap_intern(&forms->usual, usual.text, usual.length);
    }
    strbuf_release(&normal);
    strbuf_release(&usual);
    strbuf_release(&changed);
    return is_form;
}

/* Context of take_line. */
struct loading {
    struct usual_forms *forms;
    const struct model_files *files;
    const char *name;
};

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct loading *loading = context;
    if (read_form(loading->forms, line))
        return 0;
    char *path = model_files_name(loading->files, loading->name);
    err_set(err, "cannot read '%s': line %lld is no character in NFC and its usual form", path,
            (long long)number);
    xfree(path);
    return -1;
}

int usual_forms_load(struct usual_forms *forms, const struct model_files *files, const char *name,
                     struct err *err)
{
    struct loading loading = {forms, files, name};
    const int status = model_files_each_line(files, name, take_line, &loading, err);
    if (status)
        usual_forms_release(forms);
    return status;
}

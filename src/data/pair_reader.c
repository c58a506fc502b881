/* Reads the two sides of a corpus in step, and says what was met on the way. What becomes of the pairs is for
 * others. */
#include "pair_reader.h"

#include "lines.h"
#include "plural.h"
#include "utf8.h"

#include <string.h>

void pair_counts_add(struct pair_counts *counts, const struct pair_counts *more)
{
    counts->pairs += more->pairs;
    counts->empty += more->empty;
    counts->invalid += more->invalid;
    counts->crlf += more->crlf;
    counts->boms += more->boms;
}

const char *pair_files_path(const struct pair_files *files, bool target)
{
    return files->tsv ? files->tsv : target ? files->target : files->source;
}

int pair_reader_open(struct pair_reader *reader, const struct pair_files *files, enum invalid_action action,
                     struct err *err)
{
    memset(reader, 0, sizeof *reader);
    reader->files = *files;
    reader->action = action;
    strbuf_init(&reader->source_line);
    strbuf_init(&reader->target_line);
    const bool tsv = files->tsv != NULL;
    reader->source_open = !reader_open(&reader->source, pair_files_path(files, false), err);
    if (reader->source_open && !tsv)
        reader->target_open = !reader_open(&reader->target, files->target, err);
    if (!reader->source_open || (!tsv && !reader->target_open)) {
        pair_reader_close(reader);
        return -1;
    }
    return 0;
}

void pair_reader_close(struct pair_reader *reader)
{
    if (reader->source_open)
        reader_close(&reader->source);
    if (reader->target_open)
        reader_close(&reader->target);
    strbuf_release(&reader->source_line);
    strbuf_release(&reader->target_line);
    reader->source_open = reader->target_open = false;
}

const char *pair_reader_path(const struct pair_reader *reader, bool target)
{
    return target && !reader->files.tsv ? reader->target.path : reader->source.path;
}

/* Is one of the fields begun with a quote? Of a spreadsheet, then, which may hide tabs and line ends in it.
 */
static const char *quoting_hint(const char *text, const char *tab)
{
    return text[0] == '"' || (tab && tab[1] == '"') ? ": this looks like a spreadsheet's quotes" : "";
}

static int split_tsv(struct pair_reader *reader, struct err *err)
{
    const char *text = reader->source_line.text;
    const char *tab = memchr(text, '\t', reader->source_line.length);
    const size_t before = tab ? (size_t)(tab - text) : 0;
    const size_t behind = reader->source_line.length - before - 1;
    if (!tab || memchr(tab + 1, '\t', behind))
        return err_set(err, "cannot read '%s': line %lld has %s tab where there must be one%s",
                       reader->source.path, (long long)reader->source.line, tab ? "a second" : "no",
                       quoting_hint(text, tab));
    strbuf_reset(&reader->target_line);
    strbuf_add(&reader->target_line, tab + 1, behind);
    strbuf_truncate(&reader->source_line, before);
    return 1;
}

/* Reads the longer file to its end, so that both counts can be named. */
static int unequal(struct pair_reader *reader, struct err *err)
{
    int status;
    while ((status = reader_line(&reader->source, &reader->source_line, err)) > 0)
        ;
    if (status < 0)
        return status;
    while ((status = reader_line(&reader->target, &reader->target_line, err)) > 0)
        ;
    if (status < 0)
        return status;
    return err_set(err, "'%s' has %lld line%s but '%s' has %lld", reader->source.path,
                   (long long)reader->source.line, plural((double)reader->source.line), reader->target.path,
                   (long long)reader->target.line);
}

int pair_reader_raw(struct pair_reader *reader, struct err *err)
{
    int status = reader_line(&reader->source, &reader->source_line, err);
    if (status < 0 ||
        (status > 0 && encoding_check(&reader->source_line, reader->source.path, reader->source.line, err)))
        return -1;
    if (reader->files.tsv) {
        if (status > 0)
            status = split_tsv(reader, err);
    } else {
        const int other = reader_line(&reader->target, &reader->target_line, err);
        if (other < 0 || (other > 0 && encoding_check(&reader->target_line, reader->target.path,
                                                      reader->target.line, err)))
            return -1;
        if (other != status)
            return unequal(reader, err);
    }
    reader->counts.pairs += status > 0;
    reader->counts.crlf = reader->source.crlf + reader->target.crlf;
    reader->counts.boms = reader->source.bom + reader->target.bom;
    return status;
}

/* Valid text with U+FFFD in the bad places. */
static void repair(struct strbuf *line)
{
    struct strbuf good;
    strbuf_init(&good);
    utf8_repair(&good, line->text, line->length);
    strbuf_reset(line);
    for (size_t i = 0; i < good.length; i++) {
        if (good.text[i])
            strbuf_addch(line, good.text[i]);
        else
            strbuf_adds(line, UTF8_REPLACEMENT);
    }
    strbuf_release(&good);
}

static bool is_blank(const struct strbuf *line)
{
    for (size_t at = 0; at < line->length;) {
        int32_t code;
        at += utf8_decode(line->text + at, line->length - at, &code);
        if (utf8_class_of(code) != UTF8_BLANK)
            return false;
    }
    return true;
}

int pair_reader_next(struct pair_reader *reader, struct err *err)
{
    int status;
    while ((status = pair_reader_raw(reader, err)) > 0) {
        struct strbuf *const lines[2] = {&reader->source_line, &reader->target_line};
        bool bad = false;
        for (int side = 0; side < 2; side++) {
            const char *what;
            const size_t good = line_problem(lines[side]->text, lines[side]->length, &what);
            if (good == lines[side]->length)
                continue;
            if (reader->action == INVALID_STOP)
                return line_check(lines[side], pair_reader_path(reader, side), reader->source.line, err);
            bad = true;
            if (reader->action == INVALID_REPLACE)
                repair(lines[side]);
        }
        reader->counts.invalid += bad;
        if (bad && reader->action == INVALID_SKIP)
            continue;
        if (is_blank(lines[0]) || is_blank(lines[1]))
            reader->counts.empty++;
        else
            return 1;
    }
    return status;
}

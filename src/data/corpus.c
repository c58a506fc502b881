#include "corpus.h"

#include "mem.h"
#include "plural.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading pairs ---- */

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

/* What a file's first line looks like, by its byte-order mark or by every second byte being NUL, where that
 * is no UTF-8; else NULL. */
static const char *wide_encoding(const struct strbuf *line)
{
    static const struct {
        const char *name;
        size_t bytes;
        char mark[4];
    } marks[] = {{"UTF-32", 4, "\xff\xfe\0"},
                 {"UTF-32", 4, {0, 0, '\xfe', '\xff'}},
                 {"UTF-16", 2, "\xff\xfe"},
                 {"UTF-16", 2, "\xfe\xff"}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (line->length >= marks[i].bytes && !memcmp(line->text, marks[i].mark, marks[i].bytes))
            return marks[i].name;
    size_t nuls[2] = {0, 0};
    for (size_t i = 0; i < line->length; i++)
        nuls[i % 2] += !line->text[i];
    /* The byte of the line's end is the first or the second one of a character. */
    const bool big_endian = line->length % 2;
    const bool looks = nuls[!big_endian] >= 2 && 4 * nuls[!big_endian] > line->length && !nuls[big_endian];
    return !looks ? NULL : big_endian ? "UTF-16BE" : "UTF-16LE";
}

static int encoding_check(const struct strbuf *line, const char *path, int64_t number, struct err *err)
{
    const char *encoding = number == 1 ? wide_encoding(line) : NULL;
    return !encoding ? 0
                     : err_set(err, "cannot read '%s': this looks like %s: iconv -f %s -t UTF-8 makes it fit",
                               path, encoding, encoding);
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

size_t line_problem(const char *text, size_t bytes, const char **what)
{
    const size_t valid = utf8_check(text, bytes);
    const char *nul = memchr(text, '\0', valid);
    *what = nul ? "NUL byte" : "invalid UTF-8";
    return nul ? (size_t)(nul - text) : valid;
}

int line_check(const struct strbuf *line, const char *path, int64_t number, struct err *err)
{
    const char *what;
    const size_t good = line_problem(line->text, line->length, &what);
    if (good == line->length)
        return 0;
    if (encoding_check(line, path, number, err))
        return -1;
    return err_set(err, "cannot read '%s': %s at line %lld, byte %zu", path, what, (long long)number,
                   good + 1);
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

/* ---- ids ---- */

void corpus_init(struct corpus *corpus)
{
    memset(corpus, 0, sizeof *corpus);
}

void corpus_release(struct corpus *corpus)
{
    free(corpus->ids);
    free(corpus->begin);
    links_release(&corpus->links);
    free(corpus->links_begin);
    corpus_init(corpus);
}

void corpus_reset(struct corpus *corpus, size_t tokens)
{
    GROW(corpus->ids, tokens, corpus->ids_room);
    corpus->ids_count = corpus->pairs = corpus->links.count = 0;
    corpus->too_long = 0;
}

/* Appends ids between two marks; a negative one is none. Returns where they end. */
static size_t append(struct corpus *corpus, int before, const int *ids, int count, int after)
{
    GROW(corpus->ids, corpus->ids_count + (size_t)count + 2, corpus->ids_room);
    if (before >= 0)
        corpus->ids[corpus->ids_count++] = before;
    if (count)
        memcpy(corpus->ids + corpus->ids_count, ids, (size_t)count * sizeof *ids);
    corpus->ids_count += (size_t)count;
    corpus->ids[corpus->ids_count++] = after;
    return corpus->ids_count;
}

bool corpus_add_ids(struct corpus *corpus, const int *source, int source_count, const int *target,
                    int target_count, int max_tokens)
{
    if (source_count > max_tokens || target_count > max_tokens) {
        corpus->too_long++;
        return false;
    }
    GROW(corpus->begin, 2 * corpus->pairs + 3, corpus->room);
    GROW(corpus->links_begin, corpus->pairs + 2, corpus->links_begin_room);
    size_t *begin = corpus->begin + 2 * corpus->pairs;
    begin[0] = corpus->ids_count;
    begin[1] = append(corpus, -1, source, source_count, VOCAB_END);
    begin[2] = append(corpus, VOCAB_BEGIN, target, target_count, VOCAB_END);
    corpus->links_begin[corpus->pairs] = corpus->links_begin[corpus->pairs + 1] = corpus->links.count;
    corpus->pairs++;
    return true;
}

bool corpus_add(struct corpus *corpus, const struct tokenizer *source, const char *source_subwords,
                size_t source_bytes, const struct tokenizer *target, const char *target_subwords,
                size_t target_bytes, int max_tokens)
{
    struct ids ids[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    tokenizer_ids(&ids[0], source, source_subwords, source_bytes);
    tokenizer_ids(&ids[1], target, target_subwords, target_bytes);
    const bool fits =
        corpus_add_ids(corpus, ids[0].items, (int)ids[0].count, ids[1].items, (int)ids[1].count, max_tokens);
    ids_release(&ids[0]);
    ids_release(&ids[1]);
    return fits;
}

void corpus_add_link(struct corpus *corpus, int source, int target)
{
    links_add(&corpus->links, source, target, true);
    corpus->links_begin[corpus->pairs] = corpus->links.count;
}

const struct link *corpus_links(const struct corpus *corpus, size_t i, int *count)
{
    if (!corpus->links.count) {
        *count = 0;
        return NULL;
    }
    *count = (int)(corpus->links_begin[i + 1] - corpus->links_begin[i]);
    return corpus->links.items + corpus->links_begin[i];
}

const int *corpus_source(const struct corpus *corpus, size_t i, int *length)
{
    *length = (int)(corpus->begin[2 * i + 1] - corpus->begin[2 * i]);
    return corpus->ids + corpus->begin[2 * i];
}

const int *corpus_target(const struct corpus *corpus, size_t i, int *length)
{
    *length = (int)(corpus->begin[2 * i + 2] - corpus->begin[2 * i + 1]);
    return corpus->ids + corpus->begin[2 * i + 1];
}

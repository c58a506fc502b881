/* Reads both sides of a corpus in step, and counts what it finds: empty sides, invalid text. Lines are not
 * split into words here. */
#include "pair_reader.h"

#include "fileio.h"
#include "lines.h"
#include "utf8.h"

#include <string.h>
#include <sys/stat.h>

void pair_counts_add(struct pair_counts *counts, const struct pair_counts *more)
{
    counts->pairs += more->pairs;
    counts->empty += more->empty;
    counts->invalid += more->invalid;
    counts->crlf += more->crlf;
    counts->boms += more->boms;
}

struct pair_files pair_files_of(const struct config_pairs *pairs)
{
    return (struct pair_files){pairs->source, pairs->target, pairs->tsv};
}

const char *pair_files_path(const struct pair_files *files, int side)
{
    return files->tsv ? files->tsv : side == TARGET ? files->target : files->source;
}

int pair_reader_open(struct pair_reader *reader, const struct pair_files *files, enum invalid_action action,
                     struct err *err)
{
    memset(reader, 0, sizeof *reader);
    reader->files = *files;
    reader->action = action;
    for (int side = 0; side < SIDES; side++)
        strbuf_init(&reader->line[side]);
    for (int side = 0; side < (files->tsv ? 1 : SIDES); side++) {
        reader->open[side] = !reader_open(&reader->file[side], pair_files_path(files, side), err);
        if (!reader->open[side]) {
            pair_reader_close(reader);
            return -1;
        }
    }
    return 0;
}

/* Is it standard input, or a pipe or device? */
static bool is_stream(const char *path)
{
    struct stat info;
    return !strcmp(path, "-") || (!stat(path, &info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

bool pair_files_are_streams(const struct pair_files *files)
{
    return is_stream(pair_files_path(files, SOURCE)) || is_stream(pair_files_path(files, TARGET));
}

int pair_files_check(const struct pair_files *files, struct err *err)
{
    struct pair_reader reader;
    for (int side = 0; side < SIDES; side++) {
        const char *path = pair_files_path(files, side);
        if (is_stream(path) && file_check_regular(path, err))
            return -1;
    }
    if (pair_reader_open(&reader, files, INVALID_STOP, err))
        return -1;
    int status;
    do
        status = pair_reader_next(&reader, err);
    while (status > 0);
    if (!status && !reader.counts.pairs)
        status = err_set(err, "no sentence pairs in '%s'", pair_reader_path(&reader, SOURCE));
    pair_reader_close(&reader);
    return status;
}

void pair_reader_close(struct pair_reader *reader)
{
    for (int side = 0; side < SIDES; side++) {
        if (reader->open[side])
            reader_close(&reader->file[side]);
        strbuf_release(&reader->line[side]);
        reader->open[side] = false;
    }
}

const char *pair_reader_path(const struct pair_reader *reader, int side)
{
    return reader->file[reader->files.tsv ? SOURCE : side].path;
}

/* If a field starts with a quote, suggests that a spreadsheet wrote it, which may quote tabs and newlines. */
static const char *quoting_hint(const char *text, const char *tab)
{
    return text[0] == '"' || (tab && tab[1] == '"') ? ": this looks like a spreadsheet's quotes" : "";
}

static int split_tsv(struct pair_reader *reader, struct err *err)
{
    struct strbuf *line = reader->line;
    const char *text = line[SOURCE].text, *tab = memchr(text, '\t', line[SOURCE].length);
    const size_t source_bytes = tab ? (size_t)(tab - text) : 0;
    const size_t target_bytes = line[SOURCE].length - source_bytes - 1;
    if (!tab || memchr(tab + 1, '\t', target_bytes))
        return err_set(err, "cannot read '%s': line %lld has %s tab where there must be one%s",
                       reader->file[SOURCE].path, (long long)reader->number, tab ? "a second" : "no",
                       quoting_hint(text, tab));
    strbuf_reset(&line[TARGET]);
    strbuf_add(&line[TARGET], tab + 1, target_bytes);
    strbuf_truncate(&line[SOURCE], source_bytes);
    return 1;
}

/* Reads the longer file to its end, to report both line counts. */
static int unequal(struct pair_reader *reader, struct err *err)
{
    const struct reader *file = reader->file;
    for (int side = 0; side < SIDES; side++) {
        int status;
        while ((status = reader_line(&reader->file[side], &reader->line[side], err)) > 0)
            ;
        if (status < 0)
            return status;
    }
    return expect_lines(file[SOURCE].path, (size_t)file[SOURCE].line, file[TARGET].path,
                        (size_t)file[TARGET].line, err);
}

/* -1 if the file is one line with carriage returns inside, which end lines in files of old Macs. */
static int check_line_ends(const struct reader *file, const struct strbuf *line, struct err *err)
{
    if (file->line != 1 || !reader_line_is_open(file))
        return 0;
    int returns = 0;
    for (size_t i = 0; i < line->length; i++)
        returns += line->text[i] == '\r';
    return returns < 2 ? 0
                       : err_set(err,
                                 "cannot read '%s': its lines end in a carriage return alone: tr '\\r' "
                                 "'\\n' makes it fit",
                                 file->path);
}

/* As reader_line, but rejects a first line in UTF-16, and line ends of old Macs. */
static int read_side(struct pair_reader *reader, int side, struct err *err)
{
    struct reader *file = &reader->file[side];
    const int status = reader_line(file, &reader->line[side], err);
    return status > 0 && (encoding_check(&reader->line[side], file->path, file->line, err) ||
                          check_line_ends(file, &reader->line[side], err))
               ? -1
               : status;
}

int pair_reader_raw(struct pair_reader *reader, struct err *err)
{
    int status = read_side(reader, SOURCE, err);
    reader->number = reader->file[SOURCE].line;
    if (status < 0)
        return -1;
    if (reader->files.tsv) {
        if (status > 0)
            status = split_tsv(reader, err);
    } else {
        const int other = read_side(reader, TARGET, err);
        if (other < 0)
            return -1;
        if (other != status)
            return unequal(reader, err);
    }
    reader->counts.pairs += status > 0;
    reader->counts.crlf = reader->file[SOURCE].crlf + reader->file[TARGET].crlf;
    reader->counts.boms = reader->file[SOURCE].bom + reader->file[TARGET].bom;
    return status;
}

static void repair(struct strbuf *line)
{
    struct strbuf good;
    strbuf_init(&good);
    utf8_repair(&good, line->text, line->length);
    strbuf_reset(line);
    strbuf_add(line, good.text, good.length);
    strbuf_release(&good);
}

void pair_reader_repair(struct pair_reader *reader)
{
    for (int side = 0; side < SIDES; side++)
        repair(&reader->line[side]);
}

size_t pair_reader_before(const struct pair_reader *reader, int side)
{
    return reader->files.tsv && side == TARGET ? reader->line[SOURCE].length + 1 : 0;
}

int pair_reader_check(const struct pair_reader *reader, struct err *err)
{
    for (int side = 0; side < SIDES; side++)
        if (line_check(&reader->line[side], pair_reader_before(reader, side), pair_reader_path(reader, side),
                       reader->number, err))
            return -1;
    return 0;
}

/* Are both sides valid text? Repairs them if the action is to replace; -1 if it is to stop. */
static int check_valid(struct pair_reader *reader, bool *valid, struct err *err)
{
    *valid = true;
    for (int side = 0; side < SIDES; side++) {
        struct strbuf *line = &reader->line[side];
        const char *what;
        if (line_problem(line->text, line->length, &what) == line->length)
            continue;
        if (reader->action == INVALID_STOP)
            return pair_reader_check(reader, err);
        *valid = false;
        if (reader->action == INVALID_REPLACE)
            repair(line);
    }
    return 0;
}

int pair_reader_next(struct pair_reader *reader, struct err *err)
{
    int status;
    while ((status = pair_reader_raw(reader, err)) > 0) {
        bool valid;
        if (check_valid(reader, &valid, err))
            return -1;
        reader->counts.invalid += !valid;
        if (!valid && reader->action == INVALID_SKIP)
            continue;
        if (!utf8_blank(reader->line[SOURCE].text, reader->line[SOURCE].length) &&
            !utf8_blank(reader->line[TARGET].text, reader->line[TARGET].length))
            return 1;
        reader->counts.empty++;
    }
    return status;
}

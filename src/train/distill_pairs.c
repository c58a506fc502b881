/* Joins the training text and its translations to synthetic corpora, without duplicates. */
#include "distill_pairs.h"

#include "fileio.h"
#include "hashset.h"
#include "log.h"
#include "mem.h"
#include "plural.h"

#include <string.h>

static const char *const side_names[SIDES] = {"source", "target"};

/* The files of a set. */
struct set_reader {
    struct reader parts[DISTILL_MOST_MODELS];
    int open;
    int64_t line; /* of the text, from 0: the next one */
};

struct making {
    const struct config *config;
    const char *dir;
    struct distill_set *sets;
    struct set_reader *readers; /* [count] */
    int count;
    bool monolingual; /* is the corpus that is being made of monolingual text? */
    enum side side;   /* then of which side */
    struct hashset seen;
    struct strbuf key, line;
    struct writer out[SIDES]; /* of the corpus that is being made */
};

#define SYNTHETIC "synthetic-"
static const char *const monolingual_names[] = {
    [SOURCE] = "forward-translated", [TARGET] = "back-translated"};

char *distill_pairs_name(int corpus)
{
    return xasprintf(SYNTHETIC "%d", corpus + 1);
}

char *distill_monolingual_name(enum side side)
{
    return xstrdup(monolingual_names[side]);
}

char *distill_pairs_path(const char *dir, const char *name, enum side side)
{
    char *file = xasprintf("%s.%s", name, side_names[side]);
    char *path = path_join(dir, file);
    xfree(file);
    return path;
}

bool distill_pairs_is_path(const char *path)
{
    const char *const begins[] = {SYNTHETIC, monolingual_names[SOURCE], monolingual_names[TARGET]};
    char *folder = path_dir(path);
    bool is = false;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        is |= !strncmp(path_base(path), begins[i], strlen(begins[i]));
    is &= !strcmp(path_base(folder), DISTILL_FOLDER);
    xfree(folder);
    return is;
}

/* ---- sets ---- */

static int open_set(struct set_reader *reader, const struct distill_set *set, struct err *err)
{
    while (reader->open < set->parts) {
        if (reader_open(&reader->parts[reader->open], set->paths[reader->open], err))
            return -1;
        reader->parts[reader->open++].verbatim = true;
    }
    return 0;
}

static void close_set(struct set_reader *reader)
{
    while (reader->open)
        reader_close(&reader->parts[--reader->open]);
}

/* Reads the translation of the next line of the text. */
static int next_translation(struct strbuf *line, struct set_reader *reader, const struct distill_set *set,
                            struct err *err)
{
    struct reader *part = &reader->parts[reader->line++ % set->parts];
    const int status = reader_line(part, line, err);
    return status ? status
                  : err_set(err, "'%s' has only %lld line%s, fewer than the text", part->path,
                            (long long)part->line, plural((double)part->line));
}

/* True if a pair of that corpus has not been seen before. */
static bool is_new(struct making *m, const struct config_pairs *corpus,
                   const struct strbuf *const pair[SIDES])
{
    strbuf_reset(&m->key);
    strbuf_adds(&m->key, corpus->tag ? corpus->tag : "");
    for (int side = 0; side < SIDES; side++) {
        strbuf_addch(&m->key, '\t');
        strbuf_add(&m->key, pair[side]->text, pair[side]->length);
    }
    return hashset_add(&m->seen, m->key.text, m->key.length);
}

/* ---- each pair of a corpus ---- */

typedef int pair_taker(struct making *m, const struct config_pairs *corpus, struct pair_reader *reader,
                       struct err *err);

static int each_pair(struct making *m, const struct config_pairs *corpus, pair_taker *take, struct err *err)
{
    struct pair_reader reader;
    const struct pair_files files = pair_files_of(corpus);
    int status;
    if (pair_reader_open(&reader, &files, m->config->data.on_invalid, err))
        return -1;
    while ((status = pair_reader_next(&reader, err)) > 0)
        if (take(m, corpus, &reader, err)) {
            status = -1;
            break;
        }
    pair_reader_close(&reader);
    return status;
}

static int note_pair(struct making *m, const struct config_pairs *corpus, struct pair_reader *reader,
                     struct err *err)
{
    (void)err;
    is_new(m, corpus, (const struct strbuf *[]){&reader->line[SOURCE], &reader->line[TARGET]});
    return 0;
}

static int write_line(struct writer *out, const struct strbuf *line, struct err *err)
{
    return writer_write(out, line->text, line->length, err) || writer_write(out, "\n", 1, err) ? -1 : 0;
}

/* Writes the pair with the next translation of a set in the place of one side. */
static int take_translation(struct making *m, const struct config_pairs *corpus, struct distill_set *set,
                            const struct pair_reader *reader, struct err *err)
{
    const struct strbuf *pair[SIDES] = {&reader->line[SOURCE], &reader->line[TARGET]};
    if (next_translation(&m->line, &m->readers[set - m->sets], set, err) < 0)
        return -1;
    pair[set->made] = &m->line;
    if (!m->line.length) {
        set->empty++;
        return 0;
    }
    if (!is_new(m, corpus, pair)) {
        set->present++;
        return 0;
    }
    set->pairs++;
    return write_line(&m->out[SOURCE], pair[SOURCE], err) || write_line(&m->out[TARGET], pair[TARGET], err)
               ? -1
               : 0;
}

/* Is the set of the corpus that is being made? */
static bool belongs(const struct making *m, const struct distill_set *set)
{
    return set->monolingual == m->monolingual && (!m->monolingual || set->made != m->side);
}

static int take_translations(struct making *m, const struct config_pairs *corpus, struct pair_reader *reader,
                             struct err *err)
{
    for (int i = 0; i < m->count; i++)
        if (belongs(m, &m->sets[i]) && take_translation(m, corpus, &m->sets[i], reader, err))
            return -1;
    return 0;
}

/* ---- each corpus ---- */

static int open_outputs(struct making *m, const char *name, struct err *err)
{
    for (int side = 0; side < SIDES; side++) {
        char *path = distill_pairs_path(m->dir, name, (enum side)side);
        const int status = writer_open(&m->out[side], path, err);
        xfree(path);
        if (status) {
            if (side == TARGET)
                writer_abort(&m->out[SOURCE]);
            return -1;
        }
    }
    return 0;
}

static int write_corpus(struct making *m, const struct config_pairs *corpus, const char *name,
                        struct err *err)
{
    if (open_outputs(m, name, err))
        return -1;
    if (each_pair(m, corpus, take_translations, err)) {
        writer_abort(&m->out[SOURCE]);
        writer_abort(&m->out[TARGET]);
        return -1;
    }
    if (writer_commit(&m->out[SOURCE], err)) {
        writer_abort(&m->out[TARGET]);
        return -1;
    }
    return writer_commit(&m->out[TARGET], err);
}

/* Frees the name. */
static int make_corpus(struct making *m, const struct config_pairs *corpus, char *name, struct err *err)
{
    const int status = write_corpus(m, corpus, name, err);
    xfree(name);
    return status;
}

static int make_corpora(struct making *m, struct err *err)
{
    int status = 0;
    for (int c = 0; config_train(m->config, c) && !status; c++)
        status = each_pair(m, config_train(m->config, c), note_pair, err);
    for (int c = 0; config_train(m->config, c) && !status; c++)
        status = make_corpus(m, config_train(m->config, c), distill_pairs_name(c), err);
    m->monolingual = true;
    for (int side = 0; side < SIDES && !status; side++) {
        struct config_pairs corpus;
        m->side = (enum side)side;
        if (distill_monolingual(&corpus, m->config, m->side))
            status = make_corpus(m, &corpus, distill_monolingual_name(m->side), err);
    }
    return status;
}

static void report_sets(const struct distill_set *sets, int count)
{
    for (int i = 0; i < count; i++)
        log_info("%s: %lld new pair%s, %lld there already, %lld without a translation", sets[i].title,
                 (long long)sets[i].pairs, plural((double)sets[i].pairs), (long long)sets[i].present,
                 (long long)sets[i].empty);
}

int distill_pairs_make(const struct config *config, const char *dir, struct distill_set *sets, int count,
                       struct err *err)
{
    struct making m = {.config = config, .dir = dir, .sets = sets, .count = count};
    int status = 0;
    m.readers = xcalloc((size_t)count, sizeof *m.readers);
    strbuf_init(&m.key);
    strbuf_init(&m.line);
    for (int i = 0; i < count && !status; i++)
        status = open_set(&m.readers[i], &sets[i], err);
    if (!status)
        status = make_corpora(&m, err);
    if (!status)
        report_sets(sets, count);
    for (int i = 0; i < count; i++)
        close_set(&m.readers[i]);
    xfree(m.readers);
    strbuf_release(&m.key);
    strbuf_release(&m.line);
    hashset_release(&m.seen);
    return status;
}

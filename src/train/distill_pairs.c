/* Joins the training text and its translations to synthetic corpora, without duplicates. */
#include "distill_pairs.h"

#include "fileio.h"
#include "hashset.h"
#include "log.h"
#include "mem.h"
#include "plural.h"

#include <string.h>

static const char *const side_names[SIDES] = {"source", "target"};

struct making {
    const struct config *config;
    const char *dir;
    struct distill_set *sets;
    struct reader *translations; /* [count] */
    int count;
    struct hashset seen;
    struct strbuf key, line;
    struct writer out[SIDES]; /* of the corpus that is being made */
};

char *distill_pairs_path(const char *dir, int corpus, enum side side)
{
    char *name = xasprintf("synthetic-%d.%s", corpus + 1, side_names[side]);
    char *path = path_join(dir, name);
    xfree(name);
    return path;
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
    struct reader *translations = &m->translations[set - m->sets];
    const struct strbuf *pair[SIDES] = {&reader->line[SOURCE], &reader->line[TARGET]};
    const int status = reader_line(translations, &m->line, err);
    if (status <= 0)
        return status ? -1
                      : err_set(err, "'%s' has only %lld line%s, fewer than the training text", set->path,
                                (long long)translations->line, plural((double)translations->line));
    pair[set->translated] = &m->line;
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

static int take_translations(struct making *m, const struct config_pairs *corpus, struct pair_reader *reader,
                             struct err *err)
{
    for (int i = 0; i < m->count; i++)
        if (take_translation(m, corpus, &m->sets[i], reader, err))
            return -1;
    return 0;
}

/* ---- each corpus ---- */

static int open_outputs(struct making *m, int corpus, struct err *err)
{
    for (int side = 0; side < SIDES; side++) {
        char *path = distill_pairs_path(m->dir, corpus, (enum side)side);
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

static int make_corpus(struct making *m, int corpus, struct err *err)
{
    if (open_outputs(m, corpus, err))
        return -1;
    if (each_pair(m, config_train(m->config, corpus), take_translations, err)) {
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

static int make_corpora(struct making *m, struct err *err)
{
    int status = 0;
    for (int c = 0; config_train(m->config, c) && !status; c++)
        status = each_pair(m, config_train(m->config, c), note_pair, err);
    for (int c = 0; config_train(m->config, c) && !status; c++)
        status = make_corpus(m, c, err);
    return status;
}

static void report_sets(const struct distill_set *sets, int count)
{
    for (int i = 0; i < count; i++)
        log_info("%s: %lld new pair%s, %lld there already, %lld empty translation%s", sets[i].title,
                 (long long)sets[i].pairs, plural((double)sets[i].pairs), (long long)sets[i].present,
                 (long long)sets[i].empty, plural((double)sets[i].empty));
}

int distill_pairs_make(const struct config *config, const char *dir, struct distill_set *sets, int count,
                       struct err *err)
{
    struct making m = {.config = config, .dir = dir, .sets = sets, .count = count};
    int opened = 0;
    m.translations = xcalloc((size_t)count, sizeof *m.translations);
    strbuf_init(&m.key);
    strbuf_init(&m.line);
    while (opened < count && !reader_open(&m.translations[opened], sets[opened].path, err))
        m.translations[opened++].verbatim = true;
    const int status = opened == count ? make_corpora(&m, err) : -1;
    if (!status)
        report_sets(sets, count);
    while (opened)
        reader_close(&m.translations[--opened]);
    xfree(m.translations);
    strbuf_release(&m.key);
    strbuf_release(&m.line);
    hashset_release(&m.seen);
    return status;
}

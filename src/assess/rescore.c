/* Scores n-best lists block by block, one model after the other. The form of the lists is in data/nbest.c. */
#include "rescore.h"

#include "fileio.h"
#include "mem.h"
#include "nbest.h"
#include "scoring.h"
#include "team.h"

#define BLOCK_LINES 4096

/* Some lines of a list, and where they are. */
struct block {
    struct lines text;
    struct nbest_line *parts; /* [text.count] */
    int64_t first;            /* line number of the first one */
};

struct rescoring {
    const struct rescore_settings *settings;
    struct lines source;
    struct block block;
};

static int parse_line(struct rescoring *r, const struct strbuf *line, int64_t number, struct err *err)
{
    struct block *block = &r->block;
    const char *path = file_shown_name(r->settings->list);
    const size_t last = block->text.count;
    struct err reason;
    if (lines_add_valid(&block->text, line, path, number, err))
        return -1;
    if (nbest_parse(&block->parts[last], block->text.text[last], block->text.bytes[last], &reason))
        return err_set(err, "cannot read '%s': line %lld: %s", path, (long long)number, reason.text);
    if ((size_t)block->parts[last].sentence >= r->source.count)
        return err_set(err,
                       "cannot score '%s': line %lld is of sentence %ld, counted from 0, but '%s' has %zu",
                       path, (long long)number, block->parts[last].sentence,
                       file_shown_name(r->settings->source), r->source.count);
    return 0;
}

/* Reads the next block. 1: there may be more; 0: end of the list. */
static int read_block(struct rescoring *r, struct reader *reader, struct err *err)
{
    struct strbuf line;
    int status = 1;
    lines_reset(&r->block.text);
    r->block.first = reader->line + 1;
    strbuf_init(&line);
    while (r->block.text.count < BLOCK_LINES && (status = reader_line(reader, &line, err)) > 0)
        if (parse_line(r, &line, reader->line, err)) {
            status = -1;
            break;
        }
    strbuf_release(&line);
    return status;
}

/* The pairs of a block in the words of a model. */
static int make_corpus(struct corpus *corpus, const struct rescoring *r, const struct loaded_model *loaded,
                       struct err *err)
{
    for (size_t i = 0; i < r->block.text.count; i++) {
        const struct nbest_line *parts = &r->block.parts[i];
        const int64_t number = r->block.first + (int64_t)i;
        char *translation = nbest_translation(parts);
        const char *const text[SIDES] = {[SOURCE] = r->source.text[parts->sentence], [TARGET] = translation};
        const bool fits = corpus_add_text(corpus, loaded->pair.tokenizer, text, SCORED_MOST_TOKENS);
        xfree(translation);
        if (!fits)
            return err_set(err, "cannot use '%s': line %lld, or its sentence, has more than %d tokens",
                           file_shown_name(r->settings->list), (long long)number, SCORED_MOST_TOKENS);
    }
    return 0;
}

/* scores [lines], `stride` apart: those of one model. */
static int score_block(double *scores, size_t stride, const struct rescoring *r,
                       const struct loaded_model *loaded, struct err *err)
{
    struct corpus corpus;
    const size_t lines = r->block.text.count;
    size_t length, *begin = xcalloc(lines + 1, sizeof *begin);
    corpus_init(&corpus);
    int status = make_corpus(&corpus, r, loaded, err);
    for (size_t i = 0; i < lines && !status; i++) {
        corpus_target(&corpus, i, &length);
        begin[i + 1] = begin[i] + length - 1;
    }
    real *tokens = xcalloc(begin[lines] + 1, sizeof *tokens);
    if (!status)
        corpus_scores(tokens, begin, &loaded->model, weights_floats(&loaded->weights), &corpus,
                      team_threads(r->settings->threads));
    for (size_t i = 0; i < lines && !status; i++) {
        const size_t count = begin[i + 1] - begin[i];
        double sum = 0;
        for (size_t t = 0; t < count; t++)
            sum += (double)tokens[begin[i] + t];
        scores[i * stride] = r->settings->normalize ? sum / (double)count : sum;
        status = scores_check(tokens + begin[i], count, loaded->files.path, r->block.first + (int64_t)i, err);
    }
    xfree(tokens);
    xfree(begin);
    corpus_release(&corpus);
    return status;
}

/* Scores a block and passes its lines on. */
static int finish_block(const struct rescoring *r, const struct models *models,
                        int (*take)(void *context, const struct strbuf *line, struct err *err), void *context,
                        struct err *err)
{
    const size_t lines = r->block.text.count, count = (size_t)models->count;
    double *scores = xcalloc(lines * count, sizeof *scores);
    struct strbuf line;
    int status = 0;
    for (size_t m = 0; m < count && !status; m++)
        status = score_block(scores + m, count, r, &models->loaded[m], err);
    strbuf_init(&line);
    for (size_t i = 0; i < lines && !status; i++) {
        strbuf_reset(&line);
        nbest_add_features(&line, &r->block.parts[i], scores + i * count, models->count);
        status = take(context, &line, err);
    }
    strbuf_release(&line);
    xfree(scores);
    return status;
}

int rescore_list(const struct rescore_settings *settings, const struct models *models,
                 int (*take)(void *context, const struct strbuf *line, struct err *err), void *context,
                 struct err *err)
{
    struct rescoring r = {.settings = settings};
    struct reader reader;
    int status = lines_load(&r.source, settings->source, err);
    if (!status && reader_open(&reader, settings->list, err))
        status = -1;
    if (!status) {
        r.block.parts = xcalloc(BLOCK_LINES, sizeof *r.block.parts);
        do {
            status = read_block(&r, &reader, err);
            if (status >= 0 && r.block.text.count && finish_block(&r, models, take, context, err))
                status = -1;
        } while (status > 0);
        reader_close(&reader);
    }
    xfree(r.block.parts);
    lines_release(&r.block.text);
    lines_release(&r.source);
    return status;
}

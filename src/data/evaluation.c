#include "evaluation.h"

#include "log.h"
#include "mem.h"
#include "plural.h"

#include <stdlib.h>
#include <string.h>

struct pair_files files_of(const struct config_pairs *pairs)
{
    return (struct pair_files){pairs->source, pairs->target, pairs->tsv};
}

void corpus_warn_unscored(const struct corpus *corpus, const char *path)
{
    if (corpus->too_long)
        log_warn("'%s': %lld pair%s with more than %d tokens not counted for the perplexity", path,
                 (long long)corpus->too_long, plural((double)corpus->too_long), SCORED_MOST_TOKENS);
}

static void raw_add(struct raw_pairs *raw, const struct strbuf *source, const struct strbuf *target)
{
    GROW(raw->source, raw->count + 1, raw->room);
    GROW(raw->target, raw->count + 1, raw->target_room);
    GROW(raw->source_bytes, raw->count + 1, raw->bytes_room);
    raw->source[raw->count] = xstrndup(source->text, source->length);
    raw->source_bytes[raw->count] = source->length;
    raw->target[raw->count++] = xstrndup(target->text, target->length);
}

void raw_pairs_release(struct raw_pairs *raw)
{
    for (size_t i = 0; i < raw->count; i++) {
        free(raw->source[i]);
        free(raw->target[i]);
    }
    free(raw->source);
    free(raw->target);
    free(raw->source_bytes);
    memset(raw, 0, sizeof *raw);
}

int evaluation_read(struct corpus *corpus, struct raw_pairs *raw, const struct language_pair *pair,
                    const struct config_pairs *files, struct err *err)
{
    struct pair_reader reader;
    const struct pair_files names = files_of(files);
    if (pair_reader_open(&reader, &names, INVALID_STOP, err))
        return -1;
    struct strbuf source, target;
    strbuf_init(&source);
    strbuf_init(&target);
    int status;
    while ((status = pair_reader_next(&reader, err)) > 0) {
        strbuf_reset(&source);
        strbuf_reset(&target);
        tokenizer_split(&source, &pair->tokenizer[SOURCE], reader.source_line.text,
                        reader.source_line.length);
        tokenizer_split(&target, &pair->tokenizer[TARGET], reader.target_line.text,
                        reader.target_line.length);
        corpus_add(corpus, &pair->tokenizer[SOURCE], source.text, source.length, &pair->tokenizer[TARGET],
                   target.text, target.length, SCORED_MOST_TOKENS);
        raw_add(raw, &reader.source_line, &reader.target_line);
    }
    if (status == 0 && raw->count == 0)
        status = err_set(err, "cannot use '%s': no sentence pairs", pair_reader_path(&reader, false));
    corpus_warn_unscored(corpus, pair_reader_path(&reader, false));
    strbuf_release(&source);
    strbuf_release(&target);
    pair_reader_close(&reader);
    return status;
}

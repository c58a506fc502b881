#include "pair_block.h"

#include "evaluation.h"

#include <string.h>

#define BLOCK_PAIRS 4096
#define BLOCK_CELLS (1 << 22) /* of source and target tokens, after which a block ends */

static int add_line(struct lines *subwords, const struct tokenizer *tokenizer, const struct strbuf *line,
                    const struct pair_reader *reader, int side, struct err *err)
{
    struct strbuf split;
    if (line_check(line, pair_reader_path(reader, side), reader->source.line, err))
        return -1;
    strbuf_init(&split);
    tokenizer_split(&split, tokenizer, line->text, line->length);
    lines_add(subwords, split.text, split.length);
    strbuf_release(&split);
    return 0;
}

/* The next pairs. 1: there may be more; 0: the files ended. */
static int read_block(struct pair_block *block, struct pair_reader *reader, const struct language_pair *pair,
                      struct err *err)
{
    struct corpus *corpus = &block->corpus;
    size_t cells = 0;
    int status = 1;
    memset(block, 0, sizeof *block);
    corpus_init(corpus);
    block->first_line = reader->source.line + 1;
    while (corpus->pairs < BLOCK_PAIRS && cells < BLOCK_CELLS &&
           (status = pair_reader_raw(reader, err)) > 0) {
        const struct strbuf *lines[SIDES] = {&reader->source_line, &reader->target_line};
        for (int side = 0; side < SIDES && status > 0; side++)
            if (add_line(&block->subwords[side], &pair->tokenizer[side], lines[side], reader, side, err))
                status = -1;
        if (status < 0)
            break;
        const size_t last = corpus->pairs;
        corpus_add(corpus, &pair->tokenizer[SOURCE], block->subwords[SOURCE].text[last],
                   block->subwords[SOURCE].bytes[last], &pair->tokenizer[TARGET],
                   block->subwords[TARGET].text[last], block->subwords[TARGET].bytes[last],
                   SCORED_MOST_TOKENS);
        if (corpus->too_long)
            return err_set(err, "cannot use '%s': line %lld has more than %d tokens",
                           pair_reader_path(reader, false), (long long)reader->source.line,
                           SCORED_MOST_TOKENS);
        int source, target;
        corpus_source(corpus, last, &source);
        corpus_target(corpus, last, &target);
        cells += (size_t)source * (size_t)target;
    }
    return status;
}

static void release_block(struct pair_block *block)
{
    corpus_release(&block->corpus);
    for (int side = 0; side < SIDES; side++)
        lines_release(&block->subwords[side]);
}

int each_pair_block(const struct pair_files *files, const struct language_pair *pair,
                    int (*take)(void *context, const struct pair_block *block, struct err *err),
                    void *context, struct err *err)
{
    struct pair_reader reader;
    int status;
    if (pair_reader_open(&reader, files, INVALID_STOP, err))
        return -1;
    do {
        struct pair_block block;
        status = read_block(&block, &reader, pair, err);
        if (status >= 0 && block.corpus.pairs && take(context, &block, err))
            status = -1;
        release_block(&block);
    } while (status > 0);
    pair_reader_close(&reader);
    return status;
}

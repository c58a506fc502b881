/* Reads pairs in blocks of bounded size. The caller scores or aligns them. */
#include "pair_block.h"

#include <string.h>

#define BLOCK_PAIRS 4096
#define BLOCK_CELLS (1 << 22) /* limit on the source times target tokens of a block */

static int add_text(struct pair_block *block, const struct pair_reader *reader,
                    const struct language_pair *pair, struct err *err)
{
    const struct strbuf *line = reader->line;
    struct strbuf split[SIDES];
    if (pair_reader_check(reader, err))
        return -1;
    for (int side = 0; side < SIDES; side++)
        strbuf_init(&split[side]);
    tokenizer_split_pair(split, pair->tokenizer,
                         (const char *const[SIDES]){line[SOURCE].text, line[TARGET].text},
                         (const size_t[SIDES]){line[SOURCE].length, line[TARGET].length});
    for (int side = 0; side < SIDES; side++) {
        lines_add(&block->text[side], line[side].text, line[side].length);
        lines_add(&block->subwords[side], split[side].text, split[side].length);
        strbuf_release(&split[side]);
    }
    return 0;
}

/* Adds the reader's current pair. */
static int add_pair(struct pair_block *block, const struct pair_reader *reader,
                    const struct language_pair *pair, struct err *err)
{
    if (add_text(block, reader, pair, err))
        return -1;
    const size_t last = block->corpus.pairs;
    const char *const subwords[SIDES] = {block->subwords[SOURCE].text[last],
                                         block->subwords[TARGET].text[last]};
    return corpus_add_subwords(&block->corpus, pair->tokenizer, subwords, SCORED_MOST_TOKENS)
               ? 0
               : err_set(err, "cannot use '%s': line %lld has more than %d tokens",
                         pair_reader_path(reader, SOURCE), (long long)reader->number, SCORED_MOST_TOKENS);
}

static size_t last_cells(const struct corpus *corpus)
{
    size_t source, target;
    corpus_source(corpus, corpus->pairs - 1, &source);
    corpus_target(corpus, corpus->pairs - 1, &target);
    return source * target;
}

/* Reads the next block. 1: there may be more; 0: end of the files. */
static int read_block(struct pair_block *block, struct pair_reader *reader, const struct language_pair *pair,
                      struct err *err)
{
    size_t cells = 0;
    int status = 1;
    memset(block, 0, sizeof *block);
    block->first_line = reader->number + 1;
    while (block->corpus.pairs < BLOCK_PAIRS && cells < BLOCK_CELLS &&
           (status = pair_reader_raw(reader, err)) > 0) {
        if (add_pair(block, reader, pair, err))
            return -1;
        cells += last_cells(&block->corpus);
    }
    return status;
}

static void release_block(struct pair_block *block)
{
    corpus_release(&block->corpus);
    for (int side = 0; side < SIDES; side++) {
        lines_release(&block->text[side]);
        lines_release(&block->subwords[side]);
    }
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

/* pair_block: pairs that are there, read block by block, as ids and as subwords: for commands that say
 * something of each. */
#ifndef NMT_PAIR_BLOCK_H
#define NMT_PAIR_BLOCK_H

#include "corpus.h"
#include "lines.h"
#include "translate.h"

struct pair_block {
    int64_t first_line; /* of the files, that of the first pair */
    struct corpus corpus;
    struct lines subwords[SIDES];
};

/* The options that name the files, for a command's table. */
#define PAIR_OPTIONS(files)                                                                                  \
    {"source", 's', OPTION_STRING, &(files).source, "FILE", "source text", 0, 0},                            \
        {"target", 'T', OPTION_STRING, &(files).target, "FILE", "its translation, line by line", 0, 0},      \
    {                                                                                                        \
        "tsv", 0, OPTION_STRING, &(files).tsv, "FILE", "or both in one file: source, a tab, target", 0, 0    \
    }

/* NULL if they were given as they should be, both files or a TSV; else what is wrong. */
const char *pair_files_wrong(const struct pair_files *files);

/* -1 unless all of a pair's numbers are finite: what a model with huge weights says is nothing. */
int pair_block_check(const struct pair_block *block, size_t pair, const real *numbers, size_t count,
                     const struct loaded_model *loaded, struct err *err);

/* Gives each block that is not empty to `take`, until that fails. -1 also for a line that is not valid text.
 */
int each_pair_block(const struct pair_files *files, const struct language_pair *pair,
                    int (*take)(void *context, const struct pair_block *block, struct err *err),
                    void *context, struct err *err);

#endif

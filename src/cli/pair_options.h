/* pair_options: the options that name source and target files. */
#ifndef NMT_PAIR_OPTIONS_H
#define NMT_PAIR_OPTIONS_H

#include "pair_reader.h"
#include "parseopt.h"

/* Rows for a command's option table. */
#define PAIR_OPTIONS(files)                                                                                  \
    {"source", 's', OPTION_STRING, &(files).source, "FILE", "source text", 0, 0},                            \
        {"target", 'T', OPTION_STRING, &(files).target, "FILE", "its translation, line by line", 0, 0},      \
    {                                                                                                        \
        "pairs", 0, OPTION_STRING, &(files).tsv, "FILE", "or both in one file: source, a tab, target", 0, 0  \
    }

/* NULL if both files or a TSV are given; else an error text. */
const char *pair_files_wrong(const struct pair_files *files);

#endif

/* bpe: byte-pair encoding (Sennrich, Haddow, Birch 2016, arXiv:1508.07909), learned here or read from a file.
 *
 * Merges, file format and "@@ " output agree with subword-nmt 0.3.8 byte for byte, including peculiarities
 * of its counting (see bpe_learn.c), but for words of more than 256 characters, which are cut. A symbol is a
 * piece of a word; the last piece ends with "</w>". */
#ifndef NMT_BPE_H
#define NMT_BPE_H

#include "err.h"
#include "model_files.h"
#include "rng.h"
#include "strbuf.h"
#include "strmap.h"

#include <stdbool.h>
#include <stdint.h>

#define BPE_SEPARATOR "@@"
#define BPE_END_OF_WORD "</w>"

struct bpe_merge {
    int32_t left, right, merged; /* symbols */
};

struct bpe {
    struct strmap symbols;
    struct bpe_merge *merges; /* by rank */
    size_t count, capacity;
    int32_t *slots; /* hash table: (left, right) -> rank, -1 is free */
    size_t slots_mask;
    int32_t *origin; /* [symbols]: the first merge that creates the symbol, or -1 */
    size_t origin_capacity;
    struct strmap allowed; /* subwords that may be used, "@@" included; if empty, all */
};

void bpe_init(struct bpe *bpe);
void bpe_release(struct bpe *bpe);
/* Learns at most `merges` merges from words in valid UTF-8 and their counts; stops early when no pair occurs
 * twice. */
void bpe_learn(struct bpe *bpe, const struct strmap *words, const int64_t *counts, int merges);
/* Appends a merge of two symbols given as text; an existing pair keeps its rank. */
void bpe_add_merge(struct bpe *bpe, const char *left, size_t left_bytes, const char *right,
                   size_t right_bytes);

/* Loads a model's file into an empty one, which is empty again on failure. */
int bpe_load(struct bpe *bpe, const struct model_files *files, const char *name, struct err *err);
/* Appends the text of the file. */
void bpe_print(struct strbuf *text, const struct bpe *bpe);

/* BPE-dropout (Provilkov, Emelianenko and Voita 2020, arXiv:1910.13267): at each step, each possible merge
 * is skipped with probability `rate`, so that a word is segmented in many ways. */
struct bpe_dropout {
    double rate;
    struct rng rng;
};

/* Appends the pieces of a word in valid UTF-8, separated by "@@ ". If `allowed` is not empty, pieces outside
 * it are split further by undoing merges. dropout may be NULL. */
void bpe_apply(struct strbuf *out, const struct bpe *bpe, const char *word, size_t bytes,
               struct bpe_dropout *dropout);
/* Does the piece end with "@@", so that its word continues? */
bool bpe_is_continued(const char *piece, size_t bytes);
/* Appends text with pieces joined: removes "@@ ", and "@@" at the end. */
void bpe_join(struct strbuf *out, const char *pieces, size_t bytes);

#endif

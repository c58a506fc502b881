/* bpe: byte-pair encoding (Sennrich, Haddow, Birch 2016, arXiv:1508.07909): learned here or read from a file.
 *
 * Merges, file format and "@@ " output agree with the program subword-nmt 0.3.8, byte for byte, its counting
 * peculiarities included (see learn in bpe_learn.c). A symbol is a piece of a word, the last one closed by
 * "</w>". */
#ifndef NMT_BPE_H
#define NMT_BPE_H

#include "err.h"
#include "rng.h"
#include "strbuf.h"
#include "strmap.h"

#include <stdbool.h>
#include <stdint.h>

#define BPE_SEPARATOR "@@"

struct bpe_merge {
    int32_t left, right, merged; /* symbols */
};

struct bpe {
    struct strmap symbols;
    struct bpe_merge *merges; /* by rank */
    size_t count, capacity;
    int32_t *slots; /* hash table: (left, right) -> rank, -1 is free */
    size_t slots_mask;
    int32_t *origin; /* [symbols]: the first merge that makes the symbol, or -1 */
    size_t origin_capacity;
    struct strmap allowed; /* subwords that may be used, "@@" included; empty: all */
};

void bpe_init(struct bpe *bpe);
void bpe_release(struct bpe *bpe);
/* Learns at most `merges` merges from words and their counts; fewer where no pair occurs twice. */
void bpe_learn(struct bpe *bpe, const struct strmap *words, const int64_t *counts, int merges);
/* Appends a merge of two symbols given as text; a pair that is there already keeps its rank. */
void bpe_add_merge(struct bpe *bpe, const char *left, size_t left_bytes, const char *right,
                   size_t right_bytes);

/* Into an empty one; on failure it is empty again. */
int bpe_load(struct bpe *bpe, const char *path, struct err *err);
int bpe_save(const struct bpe *bpe, const char *path, struct err *err);

/* BPE-dropout (Provilkov, Emelianenko and Voita 2020, arXiv:1910.13267): at each step, each place where a
 * merge could be made is left out with probability `rate`, so that a word comes in many segmentations. */
struct bpe_dropout {
    double rate;
    struct rng rng;
};

/* Appends the word's pieces, "@@ " between them. Pieces outside `allowed`, if that is not empty, are split
 * further by undoing merges. dropout may be NULL. */
void bpe_apply(struct strbuf *out, const struct bpe *bpe, const char *word, size_t bytes,
               struct bpe_dropout *dropout);
/* Does this piece of a word go on in the next one? */
bool bpe_goes_on(const char *piece, size_t bytes);
/* Appends text with pieces put together again: "@@ " goes, and "@@" at the end. */
void bpe_join(struct strbuf *out, const char *pieces, size_t bytes);

#endif

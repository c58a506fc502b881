/* test_set: a text with reference translations, to be translated and scored. */
#ifndef NMT_TEST_SET_H
#define NMT_TEST_SET_H

#include "corpus.h"
#include "lines.h"
#include "metrics.h"
#include "parseopt.h"
#include "ranks.h"
#include "scoring.h"
#include "translate.h"

#define SIGNATURE_VERSION "nmt-" NMT_VERSION /* in the signatures of metrics */

/* All zero is an empty one. */
struct test_set {
    struct lines source, references[LIST_MAX];
    int reference_count;      /* of each sentence; at least 1 */
    struct pair_files files;  /* of the source and the first reference */
    const char *const *names; /* names of the references, if given one by one */
    int named;
};

/* Loads the files named into an empty set; without references, the test split of `config` (may be NULL). All
 * texts must have the same number of lines, at least one. `source`, `references` and `config` must outlive
 * the set, which is to be released also on failure. */
int test_set_load(struct test_set *set, const char *source, const struct string_list *references,
                  const struct config *config, struct err *err);
/* -1 unless a translation with this many lines matches the set. */
int test_set_expect(const struct test_set *set, const char *name, size_t lines, struct err *err);
void test_set_release(struct test_set *set);

/* The references of line i: of_line [reference_count]. */
void test_set_references(const char **of_line, const struct test_set *set, size_t i);
/* Adds every line of a translation to the metrics. */
void test_set_score(struct metrics *metrics, const struct test_set *set, const struct lines *translation);
/* The same; returns the metrics of each line, which the caller frees. `all` comes from metrics_init. */
struct metrics *test_set_score_each(struct metrics *all, const struct test_set *set,
                                    const struct lines *translation);
/* Perplexities of a model on the first references; NAN if all pairs are too long to be scored. Each rank
 * computes a part; all get the result. */
int test_set_perplexity(struct perplexity *perplexity, const struct test_set *set,
                        const struct loaded_model *loaded, int threads, const struct ranks *ranks,
                        struct err *err);

/* The best translation of each line, and the cost. */
struct translated {
    struct lines lines;
    double seconds;
    long source_tokens;
};

/* Translates under a progress bar. Each rank does a part; all get the result. The caller releases the
 * lines. */
void test_set_translate(struct translated *out, const struct test_set *set, const struct ensemble *ensemble,
                        const struct translate_options *options, const struct ranks *ranks);

#endif

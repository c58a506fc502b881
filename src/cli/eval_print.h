/* eval_print: the results of nmt eval, as text or JSON on standard output. */
#ifndef NMT_EVAL_PRINT_H
#define NMT_EVAL_PRINT_H

#include "significance.h"
#include "test_set.h"

struct outcome {
    struct metrics metrics;
    const struct bootstrap *bootstrap; /* NULL: no intervals */
    struct translated translated;      /* by the model, or as given */
    const char *hypothesis;            /* the file; NULL if a model has translated */
    bool has_perplexity;
    struct perplexity perplexity;
};

/* Prints the scores of the whole test set. */
void eval_print(const struct outcome *outcome, bool json);
/* Prints a line for each translation; sentences [translations->count]. */
void eval_print_sentences(const struct lines *translations, const struct metrics *sentences, bool json);

#endif

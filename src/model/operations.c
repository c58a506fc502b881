/* Counts operations from the layout: a matrix is multiplied once for each source token, each target token or
 * each sentence, by the layer that it belongs to. */
#include "operations.h"

#include <string.h>

/* How often a pass over one pair multiplies something. */
struct uses {
    double per_sentence, per_source, per_target;
};

static bool begins(const char *name, const char *prefix)
{
    return !strncmp(name, prefix, strlen(prefix));
}

/* Tables of words are looked up. */
static bool is_multiplied(const struct seq2seq *model, const struct param *param)
{
    return param_is_matrix(param) && param->offset != model->source.weight &&
           param->offset != model->target.weight && param->offset != model->readout.output.weight;
}

static void add_use(struct uses *sum, const struct param *param)
{
    static const char *const of_source[] = {"encoder.", "attention.key.", "attention.value."};
    const double size = (double)param_size(param);
    for (size_t i = 0; i < sizeof of_source / sizeof of_source[0]; i++)
        if (begins(param->name, of_source[i])) {
            sum->per_source += size;
            return;
        }
    if (begins(param->name, "decoder.init."))
        sum->per_sentence += size;
    else
        sum->per_target += size;
}

double training_operations(const struct seq2seq *model, double sents, double source_tokens,
                           double target_tokens)
{
    const struct linear *output = &model->readout.output; /* may be a table of words, too */
    struct uses uses = {.per_target = (double)(output->inputs * output->outputs)};
    for (size_t i = 0; i < model->layout.count; i++)
        if (is_multiplied(model, &model->layout.params[i]))
            add_use(&uses, &model->layout.params[i]);
    return 3 * 2 *
           (sents * uses.per_sentence + source_tokens * uses.per_source + target_tokens * uses.per_target);
}

/* Cuts the parts of lines into batches. Which parts lines have is up to line_parts.c; searching and joining
 * is left to translate.c. */
#include "line_parts.h"

#include "corpus.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define LINES_BETWEEN_QUESTIONS 64 /* whether it is cancelled: some milliseconds */

/* Longest first, so that no thread is left with a long batch at the end. */
static int by_length(const void *a, const void *b)
{
    const struct input *x = a, *y = b;
    if (x->ids.count != y->ids.count)
        return x->ids.count > y->ids.count ? -1 : 1;
    return x->part < y->part ? -1 : 1;
}

/* Ends a part's tokens with the marks that the network expects. A translation to be scored that is too long,
 * or whose source is, is left out. */
static void end_input(struct input *input, bool scored)
{
    input->too_long =
        scored && (input->ids.count > SCORED_MOST_TOKENS || input->target_ids.count > SCORED_MOST_TOKENS);
    if (input->too_long)
        input->ids.count = 0;
    else if (scored)
        ids_add(&input->target_ids, VOCAB_END);
    if (!input->too_long && (scored || input->ids.count))
        ids_add(&input->ids, VOCAB_END);
}

bool inputs_init(struct inputs *inputs, struct translator *translator, const struct lines *lines,
                 const struct lines *targets, bool scored, const struct translation_watch *watch)
{
    struct splitting splitting;
    bool cancelled = false;
    memset(inputs, 0, sizeof *inputs);
    splitting_init(&splitting, translator, inputs, scored);
    for (size_t i = 0; i < lines->count && !cancelled; i++) {
        if (watch && watch->cancelled && i % LINES_BETWEEN_QUESTIONS == 0)
            cancelled = watch->cancelled(watch->context);
        if (!cancelled)
            splitting_add_line(&splitting, (int)i, lines, targets);
    }
    splitting_release(&splitting);
    if (cancelled)
        return false;
    for (size_t i = 0; i < inputs->count; i++) {
        end_input(&inputs->items[i], scored);
        translator->source_tokens += (long)inputs->items[i].ids.count;
    }
    if (inputs->count)
        qsort(inputs->items, inputs->count, sizeof *inputs->items, by_length);
    return true;
}

void inputs_release(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        input_release(&inputs->items[i]);
    xfree(inputs->items);
    memset(inputs, 0, sizeof *inputs);
}

int inputs_cut(int *begin, const struct input *inputs, int count, const struct translate_options *options)
{
    const int share = (count + options->threads - 1) / options->threads;
    const int most = share < options->batch ? share : options->batch;
    const size_t most_tokens = (size_t)options->batch * BATCH_TOKENS;
    int batches = 0;
    for (int at = 0; at < count; batches++) {
        size_t tokens = 0;
        begin[batches] = at;
        do
            tokens += inputs[at++].ids.count;
        while (at < count && at - begin[batches] < most && tokens + inputs[at].ids.count <= most_tokens);
    }
    begin[batches] = count;
    return batches;
}

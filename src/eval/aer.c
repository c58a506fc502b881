/* Counts the links that an alignment shares with its reference, summed over sentences. */
#include "aer.h"

static const struct link *find(const struct links *links, size_t count, const struct link *link)
{
    for (size_t i = 0; i < count; i++)
        if (links->items[i].source == link->source && links->items[i].target == link->target)
            return &links->items[i];
    return NULL;
}

void aer_add(struct aer *aer, const struct links *found, const struct links *reference)
{
    for (size_t i = 0; i < reference->count; i++)
        if (reference->items[i].sure && !find(reference, i, &reference->items[i]))
            aer->sure++;
    for (size_t i = 0; i < found->count; i++) {
        if (find(found, i, &found->items[i]))
            continue;
        const struct link *right = find(reference, reference->count, &found->items[i]);
        aer->found++;
        aer->found_possible += right != NULL;
        aer->found_sure += right && right->sure;
    }
}

double aer_rate(const struct aer *aer)
{
    const long all = aer->found + aer->sure;
    return all ? 1 - (double)(aer->found_sure + aer->found_possible) / (double)all : 0;
}

double aer_precision(const struct aer *aer)
{
    return aer->found ? (double)aer->found_possible / (double)aer->found : 0;
}

double aer_recall(const struct aer *aer)
{
    return aer->sure ? (double)aer->found_sure / (double)aer->sure : 0;
}

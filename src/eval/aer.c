/* Counts the links that an alignment shares with its reference, summed over sentences. */
#include "aer.h"

/* Is the link among the first ones; `sure`: as a sure one? */
static bool has(const struct links *links, size_t count, const struct link *link, bool sure)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        const struct link *other = &links->items[i];
        found = other->source == link->source && other->target == link->target && (other->sure || !sure);
    }
    return found;
}

void aer_add(struct aer *aer, const struct links *found, const struct links *reference)
{
    for (size_t i = 0; i < reference->count; i++)
        if (reference->items[i].sure && !has(reference, i, &reference->items[i], true))
            aer->sure++;
    for (size_t i = 0; i < found->count; i++) {
        const struct link *link = &found->items[i];
        if (has(found, i, link, false))
            continue;
        aer->found++;
        aer->found_possible += has(reference, reference->count, link, false);
        aer->found_sure += has(reference, reference->count, link, true);
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

/* Counts requests in a table of fixed size: who comes under ever new names fills it, but takes no memory. */
#include "rate_limit.h"

#include <string.h>

void rate_limit_init(struct rate_limit *limit, uint64_t seed)
{
    memset(limit, 0, sizeof *limit);
    limit->seed = seed;
}

/* Seeded FNV-1a, and a last mix, so that nobody can choose names that share a set. */
static uint64_t hash_of(const char *who, uint64_t seed)
{
    uint64_t hash = 14695981039346656037u ^ seed;
    for (; *who; who++)
        hash = (hash ^ (unsigned char)*who) * 1099511628211u;
    hash ^= hash >> 32;
    hash *= 0xd6e8feb86659fd93u;
    hash ^= hash >> 32;
    return hash ? hash : 1;
}

/* The bucket of that name, or the one of the set that was used the longest time ago. */
static struct rate_bucket *find(struct rate_limit *limit, uint64_t who)
{
    struct rate_bucket *set = limit->buckets[who % RATE_SETS], *oldest = set;
    for (int i = 0; i < RATE_WAYS; i++) {
        if (set[i].who == who)
            return &set[i];
        if (set[i].time < oldest->time)
            oldest = &set[i];
    }
    return oldest;
}

double rate_limit_take(struct rate_limit *limit, const char *who, int per_minute, double now)
{
    const uint64_t hash = hash_of(who, limit->seed);
    const double per_second = per_minute / 60.0;
    struct rate_bucket *bucket = find(limit, hash);
    if (bucket->who != hash)
        *bucket = (struct rate_bucket){hash, per_minute, now};
    if (now < bucket->time)
        now = bucket->time;
    bucket->left += (now - bucket->time) * per_second;
    bucket->time = now;
    if (bucket->left > per_minute)
        bucket->left = per_minute;
    if (bucket->left < 1)
        return (1 - bucket->left) / per_second;
    bucket->left -= 1;
    return 0;
}

/* rate_limit: how many requests somebody may make in a minute: a bucket for each, which holds as many and is
 * filled anew in a minute. Those who have not come for the longest time are forgotten first. */
#ifndef NMT_RATE_LIMIT_H
#define NMT_RATE_LIMIT_H

#include <stdint.h>

#define RATE_SETS 1024
#define RATE_WAYS 8

struct rate_bucket {
    uint64_t who; /* hash; 0: nobody */
    double left;  /* requests */
    double time;  /* of that */
};

struct rate_limit {
    uint64_t seed;
    struct rate_bucket buckets[RATE_SETS][RATE_WAYS];
};

void rate_limit_init(struct rate_limit *limit, uint64_t seed);
/* A request of `who` at a time in seconds; one that is earlier than the last one's counts as made then.
 * 0: it may be made; else the seconds until one may be. */
double rate_limit_take(struct rate_limit *limit, const char *who, int per_minute, double now);

#endif

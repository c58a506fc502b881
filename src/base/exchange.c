#include "exchange.h"

#ifdef NMT_MPI

#include "arena.h"
#include "mem.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* MPI counts in int. */
#define MOST_AT_ONCE ((size_t)1 << 28)
/* More than a network has tensors. */
#define MOST_BUCKETS 1024
/* Between two looks at the network, while workers compute: at 10 Gbit/s the system has 62 KB to keep
 * meanwhile. */
#define REST_NANOSECONDS 50000

/* A run of gradients on its way. */
struct bucket {
    float *values;
    int count;
    int *lengths, *begins; /* [ranks]: the parts, of which each rank sums up one */
    void *sent;            /* [count]: the values, or the same in bfloat16 */
    void *received;        /* [ranks][part of this rank] */
    MPI_Request request;   /* for what it waits */
};

struct exchange {
    struct ranks ranks;
    bool rounded;
    pthread_t thread;
    pthread_mutex_t mutex;  /* of `begun`, `done` and the flags */
    pthread_cond_t changed; /* they have */
    size_t begun, done;     /* buckets since the last exchange_finish */
    bool awaited;           /* the workers have nothing to do */
    bool closing;
    struct bucket buckets[MOST_BUCKETS];
    /* The thread's own: */
    size_t scattered, gathered; /* buckets of which the parts, or the sums, are under way or arrived */
    MPI_Comm scattering, gathering;
    struct arena arena; /* until the last bucket is done */
};

/* bfloat16 is the upper half of a float: to the nearest one, of two the even one; NaN stays NaN. */
static uint16_t narrow(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fc0;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float widen(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sends all ranks their parts, and gets of all the part of this one. */
static void scatter(struct exchange *exchange, struct bucket *bucket)
{
    const int ranks = exchange->ranks.count;
    MPI_Datatype type = exchange->rounded ? MPI_UINT16_T : MPI_FLOAT;
    const size_t bytes = exchange->rounded ? sizeof(uint16_t) : sizeof(float);
    int *lengths = ARENA_NEW(&exchange->arena, ranks, int), *begins = ARENA_NEW(&exchange->arena, ranks, int);
    int *received = ARENA_NEW(&exchange->arena, ranks, int),
        *places = ARENA_NEW(&exchange->arena, ranks, int);
    for (int r = 0; r < ranks; r++) {
        int end;
        ranks_part(&(struct ranks){ranks, r}, bucket->count, &begins[r], &end);
        lengths[r] = end - begins[r];
    }
    const int own = lengths[exchange->ranks.rank];
    for (int r = 0; r < ranks; r++) {
        received[r] = own;
        places[r] = r * own;
    }
    bucket->lengths = lengths;
    bucket->begins = begins;
    bucket->received = arena_alloc(&exchange->arena, (size_t)ranks * (size_t)own, bytes);
    bucket->sent = bucket->values;
    if (exchange->rounded) {
        uint16_t *sent = bucket->sent = ARENA_NEW(&exchange->arena, bucket->count, uint16_t);
        for (int i = 0; i < bucket->count; i++)
            sent[i] = narrow(bucket->values[i]);
    }
    MPI_Ialltoallv(bucket->sent, lengths, begins, type, bucket->received, received, places, type,
                   exchange->scattering, &bucket->request);
}

static void add_floats(float *sums, const float *received, int count, int ranks)
{
    memcpy(sums, received, (size_t)count * sizeof *sums);
    for (int r = 1; r < ranks; r++)
        for (int i = 0; i < count; i++)
            sums[i] += received[(size_t)r * (size_t)count + (size_t)i];
}

static void add_rounded(uint16_t *sums, const uint16_t *received, int count, int ranks)
{
    for (int i = 0; i < count; i++) {
        float sum = 0;
        for (int r = 0; r < ranks; r++)
            sum += widen(received[(size_t)r * (size_t)count + (size_t)i]);
        sums[i] = narrow(sum);
    }
}

/* Sums up the part of this rank, sends it to all, and gets theirs. */
static void gather(struct exchange *exchange, struct bucket *bucket)
{
    const int ranks = exchange->ranks.count, own = bucket->lengths[exchange->ranks.rank];
    const int begin = bucket->begins[exchange->ranks.rank];
    if (exchange->rounded)
        add_rounded((uint16_t *)bucket->sent + begin, bucket->received, own, ranks);
    else
        add_floats((float *)bucket->sent + begin, bucket->received, own, ranks);
    MPI_Datatype type = exchange->rounded ? MPI_UINT16_T : MPI_FLOAT;
    MPI_Iallgatherv(MPI_IN_PLACE, 0, type, bucket->sent, bucket->lengths, bucket->begins, type,
                    exchange->gathering, &bucket->request);
}

static void end(const struct exchange *exchange, struct bucket *bucket)
{
    const uint16_t *sums = bucket->sent;
    if (!exchange->rounded)
        return;
    for (int i = 0; i < bucket->count; i++)
        bucket->values[i] = widen(sums[i]);
}

static bool arrived(struct bucket *bucket)
{
    int yes;
    MPI_Test(&bucket->request, &yes, MPI_STATUS_IGNORE);
    return yes;
}

/* A look at the network, and what can be done at once; returns how many buckets are done. The ranks must
 * begin things in the same order: those of a communicator are. */
static size_t advance(struct exchange *exchange, size_t begun, size_t done)
{
    while (exchange->scattered < begun)
        scatter(exchange, &exchange->buckets[exchange->scattered++]);
    while (exchange->gathered < exchange->scattered && arrived(&exchange->buckets[exchange->gathered]))
        gather(exchange, &exchange->buckets[exchange->gathered++]);
    while (done < exchange->gathered && arrived(&exchange->buckets[done]))
        end(exchange, &exchange->buckets[done++]);
    return done;
}

/* The thread. */
static void *serve(void *argument)
{
    struct exchange *exchange = argument;
    pthread_mutex_lock(&exchange->mutex);
    while (!exchange->closing) {
        const size_t begun = exchange->begun, done = exchange->done;
        const bool awaited = exchange->awaited;
        if (done == begun) {
            pthread_cond_wait(&exchange->changed, &exchange->mutex);
            continue;
        }
        pthread_mutex_unlock(&exchange->mutex);
        const size_t now_done = advance(exchange, begun, done);
        if (awaited)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = REST_NANOSECONDS}, NULL);
        pthread_mutex_lock(&exchange->mutex);
        exchange->done = now_done;
        if (now_done == exchange->begun)
            pthread_cond_broadcast(&exchange->changed);
    }
    pthread_mutex_unlock(&exchange->mutex);
    return NULL;
}

static void release(struct exchange *exchange)
{
    MPI_Comm_free(&exchange->scattering);
    MPI_Comm_free(&exchange->gathering);
    pthread_cond_destroy(&exchange->changed);
    pthread_mutex_destroy(&exchange->mutex);
    arena_release(&exchange->arena);
    free(exchange);
}

int exchange_open(struct exchange **exchange, const struct ranks *ranks, bool rounded, struct err *err)
{
    *exchange = NULL;
    if (ranks->count == 1)
        return 0;
    struct exchange *opened = xcalloc(1, sizeof *opened);
    opened->ranks = *ranks;
    opened->rounded = rounded;
    arena_init(&opened->arena);
    pthread_mutex_init(&opened->mutex, NULL);
    pthread_cond_init(&opened->changed, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &opened->scattering);
    MPI_Comm_dup(MPI_COMM_WORLD, &opened->gathering);
    if (pthread_create(&opened->thread, NULL, serve, opened)) {
        release(opened);
        return err_set(err, "cannot start a thread for the exchange of gradients");
    }
    *exchange = opened;
    return 0;
}

void exchange_close(struct exchange *exchange)
{
    if (!exchange)
        return;
    pthread_mutex_lock(&exchange->mutex);
    exchange->closing = true;
    pthread_cond_broadcast(&exchange->changed);
    pthread_mutex_unlock(&exchange->mutex);
    pthread_join(exchange->thread, NULL);
    release(exchange);
}

void exchange_begin(struct exchange *exchange, float *values, size_t count)
{
    if (!exchange)
        return;
    pthread_mutex_lock(&exchange->mutex);
    for (size_t at = 0; at < count; at += MOST_AT_ONCE) {
        if (exchange->begun == MOST_BUCKETS)
            BUG("more than %d buckets of gradients", MOST_BUCKETS);
        exchange->buckets[exchange->begun++] = (struct bucket){
            .values = values + at, .count = (int)(count - at < MOST_AT_ONCE ? count - at : MOST_AT_ONCE)};
    }
    pthread_cond_broadcast(&exchange->changed);
    pthread_mutex_unlock(&exchange->mutex);
}

void exchange_finish(struct exchange *exchange)
{
    if (!exchange)
        return;
    pthread_mutex_lock(&exchange->mutex);
    exchange->awaited = true;
    while (exchange->done < exchange->begun)
        pthread_cond_wait(&exchange->changed, &exchange->mutex);
    exchange->awaited = false;
    exchange->begun = exchange->done = exchange->scattered = exchange->gathered = 0;
    arena_reset(&exchange->arena);
    pthread_mutex_unlock(&exchange->mutex);
}

#else

int exchange_open(struct exchange **exchange, const struct ranks *ranks, bool rounded, struct err *err)
{
    (void)ranks, (void)rounded, (void)err;
    *exchange = NULL;
    return 0;
}

void exchange_close(struct exchange *exchange)
{
    (void)exchange;
}

void exchange_begin(struct exchange *exchange, float *values, size_t count)
{
    (void)exchange, (void)values, (void)count;
}

void exchange_finish(struct exchange *exchange)
{
    (void)exchange;
}

#endif

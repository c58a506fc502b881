/* Sums gradients over MPI ranks, in a thread of its own. Which gradients form a bucket, and when it is
 * sent, is decided by train/workers.c. */
#include "allreduce.h"

#ifdef NMT_MPI

#include "arena.h"
#include "mem.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* MPI counts with int. */
#define MOST_AT_ONCE ((size_t)1 << 28)
/* More than the tensors of any network. */
#define MOST_BUCKETS 1024
/* The time between two polls of the network while workers compute. At 10 Gbit/s, 62 KB arrive meanwhile,
 * which the system's buffers hold. */
#define REST_NANOSECONDS 50000

/* A run of gradients that is being summed. */
struct bucket {
    float *values;
    int count;
    int *lengths, *begins; /* [ranks]: the parts of the bucket; each rank sums one */
    void *sent;            /* [count]: the values, as float or bfloat16 */
    void *received;        /* [ranks][part of this rank] */
    MPI_Request request;   /* of the transfer under way */
};

struct allreduce {
    struct ranks ranks;
    bool rounded;
    pthread_t thread;
    pthread_mutex_t mutex;  /* guards begun, done, awaited and closing */
    pthread_cond_t changed; /* one of these has changed */
    size_t begun, done;     /* buckets since the last allreduce_finish */
    bool awaited;           /* the workers wait for the sums */
    bool closing;
    struct bucket buckets[MOST_BUCKETS];
    /* Used by the thread alone while buckets are under way: */
    size_t scattered, gathered; /* buckets whose parts, or whose sums, have been sent */
    MPI_Comm scattering, gathering;
    struct arena arena; /* reset when no bucket is under way */
};

/* Rounds to bfloat16, the upper half of a float: to nearest, ties to even; NaN stays NaN. */
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

/* Sends each rank its part, and receives this rank's part from all. */
static void scatter(struct allreduce *allreduce, struct bucket *bucket)
{
    const int ranks = allreduce->ranks.count;
    MPI_Datatype type = allreduce->rounded ? MPI_UINT16_T : MPI_FLOAT;
    const size_t bytes = allreduce->rounded ? sizeof(uint16_t) : sizeof(float);
    int *lengths = ARENA_NEW(&allreduce->arena, ranks, int),
        *begins = ARENA_NEW(&allreduce->arena, ranks, int);
    int *received = ARENA_NEW(&allreduce->arena, ranks, int),
        *places = ARENA_NEW(&allreduce->arena, ranks, int);
    for (int r = 0; r < ranks; r++) {
        int end;
        ranks_part(&(struct ranks){ranks, r}, bucket->count, &begins[r], &end);
        lengths[r] = end - begins[r];
    }
    const int own = lengths[allreduce->ranks.rank];
    for (int r = 0; r < ranks; r++) {
        received[r] = own;
        places[r] = r * own;
    }
    bucket->lengths = lengths;
    bucket->begins = begins;
    bucket->received = arena_alloc(&allreduce->arena, (size_t)ranks * (size_t)own, bytes);
    bucket->sent = bucket->values;
    if (allreduce->rounded) {
        uint16_t *sent = bucket->sent = ARENA_NEW(&allreduce->arena, bucket->count, uint16_t);
        for (int i = 0; i < bucket->count; i++)
            sent[i] = narrow(bucket->values[i]);
    }
    MPI_Ialltoallv(bucket->sent, lengths, begins, type, bucket->received, received, places, type,
                   allreduce->scattering, &bucket->request);
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

/* Sums the part of this rank, sends the sums to all ranks, and receives theirs. */
static void gather(struct allreduce *allreduce, struct bucket *bucket)
{
    const int ranks = allreduce->ranks.count, own = bucket->lengths[allreduce->ranks.rank];
    const int begin = bucket->begins[allreduce->ranks.rank];
    if (allreduce->rounded)
        add_rounded((uint16_t *)bucket->sent + begin, bucket->received, own, ranks);
    else
        add_floats((float *)bucket->sent + begin, bucket->received, own, ranks);
    MPI_Datatype type = allreduce->rounded ? MPI_UINT16_T : MPI_FLOAT;
    MPI_Iallgatherv(MPI_IN_PLACE, 0, type, bucket->sent, bucket->lengths, bucket->begins, type,
                    allreduce->gathering, &bucket->request);
}

static void finish_bucket(const struct allreduce *allreduce, struct bucket *bucket)
{
    const uint16_t *sums = bucket->sent;
    if (!allreduce->rounded)
        return;
    for (int i = 0; i < bucket->count; i++)
        bucket->values[i] = widen(sums[i]);
}

static bool is_complete(struct bucket *bucket)
{
    int completed;
    MPI_Test(&bucket->request, &completed, MPI_STATUS_IGNORE);
    return completed;
}

/* Starts every transfer that can start, and returns how many buckets are done. Collective calls must start
 * in the same order on all ranks; each communicator here keeps the order of the buckets. */
static size_t advance(struct allreduce *allreduce, size_t begun, size_t done)
{
    while (allreduce->scattered < begun)
        scatter(allreduce, &allreduce->buckets[allreduce->scattered++]);
    while (allreduce->gathered < allreduce->scattered &&
           is_complete(&allreduce->buckets[allreduce->gathered]))
        gather(allreduce, &allreduce->buckets[allreduce->gathered++]);
    while (done < allreduce->gathered && is_complete(&allreduce->buckets[done]))
        finish_bucket(allreduce, &allreduce->buckets[done++]);
    return done;
}

/* The main function of the thread. */
static void *thread_main(void *argument)
{
    struct allreduce *allreduce = argument;
    pthread_mutex_lock(&allreduce->mutex);
    while (!allreduce->closing) {
        const size_t begun = allreduce->begun, done = allreduce->done;
        const bool awaited = allreduce->awaited;
        if (done == begun) {
            pthread_cond_wait(&allreduce->changed, &allreduce->mutex);
            continue;
        }
        pthread_mutex_unlock(&allreduce->mutex);
        const size_t now_done = advance(allreduce, begun, done);
        if (awaited)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = REST_NANOSECONDS}, NULL);
        pthread_mutex_lock(&allreduce->mutex);
        allreduce->done = now_done;
        if (now_done == allreduce->begun)
            pthread_cond_broadcast(&allreduce->changed);
    }
    pthread_mutex_unlock(&allreduce->mutex);
    return NULL;
}

static void release(struct allreduce *allreduce)
{
    MPI_Comm_free(&allreduce->scattering);
    MPI_Comm_free(&allreduce->gathering);
    pthread_cond_destroy(&allreduce->changed);
    pthread_mutex_destroy(&allreduce->mutex);
    arena_release(&allreduce->arena);
    xfree(allreduce);
}

int allreduce_open(struct allreduce **allreduce, const struct ranks *ranks, bool rounded, struct err *err)
{
    *allreduce = NULL;
    if (ranks->count == 1)
        return 0;
    struct allreduce *opened = xcalloc(1, sizeof *opened);
    opened->ranks = *ranks;
    opened->rounded = rounded;
    arena_init(&opened->arena);
    pthread_mutex_init(&opened->mutex, NULL);
    pthread_cond_init(&opened->changed, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &opened->scattering);
    MPI_Comm_dup(MPI_COMM_WORLD, &opened->gathering);
    if (pthread_create(&opened->thread, NULL, thread_main, opened)) {
        release(opened);
        return err_set(err, "cannot start a thread for the exchange of gradients");
    }
    *allreduce = opened;
    return 0;
}

void allreduce_close(struct allreduce *allreduce)
{
    if (!allreduce)
        return;
    pthread_mutex_lock(&allreduce->mutex);
    allreduce->closing = true;
    pthread_cond_broadcast(&allreduce->changed);
    pthread_mutex_unlock(&allreduce->mutex);
    pthread_join(allreduce->thread, NULL);
    release(allreduce);
}

void allreduce_begin(struct allreduce *allreduce, float *values, size_t count)
{
    if (!allreduce)
        return;
    pthread_mutex_lock(&allreduce->mutex);
    for (size_t at = 0; at < count; at += MOST_AT_ONCE) {
        if (allreduce->begun == MOST_BUCKETS)
            BUG("more than %d buckets of gradients", MOST_BUCKETS);
        allreduce->buckets[allreduce->begun++] = (struct bucket){
            .values = values + at, .count = (int)(count - at < MOST_AT_ONCE ? count - at : MOST_AT_ONCE)};
    }
    pthread_cond_broadcast(&allreduce->changed);
    pthread_mutex_unlock(&allreduce->mutex);
}

void allreduce_finish(struct allreduce *allreduce)
{
    if (!allreduce)
        return;
    pthread_mutex_lock(&allreduce->mutex);
    allreduce->awaited = true;
    while (allreduce->done < allreduce->begun)
        pthread_cond_wait(&allreduce->changed, &allreduce->mutex);
    allreduce->awaited = false;
    allreduce->begun = allreduce->done = allreduce->scattered = allreduce->gathered = 0;
    arena_reset(&allreduce->arena);
    pthread_mutex_unlock(&allreduce->mutex);
}

#else

int allreduce_open(struct allreduce **allreduce, const struct ranks *ranks, bool rounded, struct err *err)
{
    (void)ranks, (void)rounded, (void)err;
    *allreduce = NULL;
    return 0;
}

void allreduce_close(struct allreduce *allreduce)
{
    (void)allreduce;
}

void allreduce_begin(struct allreduce *allreduce, float *values, size_t count)
{
    (void)allreduce, (void)values, (void)count;
}

void allreduce_finish(struct allreduce *allreduce)
{
    (void)allreduce;
}

#endif

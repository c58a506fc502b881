/* The collective MPI calls that the program needs, or their equivalents for a single process. Sums of
 * gradients are in allreduce.c. */
#include "ranks.h"

#include "mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Variables of mpirun and batch systems, and from which number on each tells of several processes. */
static const struct {
    const char *name;
    long several;
} signs[] = {
    {"OMPI_COMM_WORLD_SIZE", 2}, {"PMI_SIZE", 2}, {"MPI_LOCALNRANKS", 2}, {"PMIX_RANK", 1}, {"PMI_RANK", 1}};
#define SIGNS (sizeof signs / sizeof signs[0])

void ranks_broadcast_text(const struct ranks *ranks, struct strbuf *text)
{
    size_t bytes = text->length;
    ranks_broadcast(ranks, &bytes, sizeof bytes);
    while (text->length < bytes)
        strbuf_addch(text, ' ');
    strbuf_truncate(text, bytes);
    ranks_broadcast(ranks, text->text, bytes);
}

#ifdef NMT_MPI

#include <mpi.h>

/* MPI counts with int. */
#define MOST_AT_ONCE ((size_t)1 << 28)

void ranks_library_name(char *name, size_t bytes)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    snprintf(name, bytes, "%.*s", (int)strcspn(text, ",\n"), text);
}

/* Was the process started by mpirun or a batch system? MPI is initialised only then, because it takes
 * time. */
static bool under_mpirun(void)
{
    for (size_t i = 0; i < SIGNS; i++)
        if (getenv(signs[i].name))
            return true;
    return false;
}

int ranks_begin(struct ranks *ranks, struct err *err)
{
    int provided;
    *ranks = RANKS_ALONE;
    if (!under_mpirun())
        return 0;
    /* The thread of allreduce.c calls MPI, but never at the same time as the main thread. */
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return err_set(err, "MPI does not start, or not for programs of several threads");
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    return 0;
}

void ranks_end(const struct ranks *ranks)
{
    int started;
    (void)ranks;
    MPI_Initialized(&started);
    if (started)
        MPI_Finalize();
}

void ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes)
{
    char *at = data;
    for (size_t done = 0; ranks->count > 1 && done < bytes; done += MOST_AT_ONCE)
        MPI_Bcast(at + done, (int)(bytes - done < MOST_AT_ONCE ? bytes - done : MOST_AT_ONCE), MPI_BYTE, 0,
                  MPI_COMM_WORLD);
}

void ranks_sum(const struct ranks *ranks, double *values, int count)
{
    if (ranks->count > 1)
        MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void ranks_gather(const struct ranks *ranks, struct strbuf *text)
{
    int own = (int)text->length, total = 0;
    if (ranks->count == 1)
        return;
    int *lengths = xcalloc((size_t)ranks->count, sizeof *lengths),
        *places = xcalloc((size_t)ranks->count, sizeof *places);
    MPI_Allgather(&own, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks->count; r++) {
        places[r] = total;
        total += lengths[r];
    }
    char *all = xmalloc((size_t)total + 1, 1);
    MPI_Allgatherv(text->text, own, MPI_CHAR, all, lengths, places, MPI_CHAR, MPI_COMM_WORLD);
    strbuf_reset(text);
    strbuf_add(text, all, (size_t)total);
    xfree(all);
    xfree(places);
    xfree(lengths);
}

int ranks_agree(const struct ranks *ranks, int status, struct err *err)
{
    int failed = status ? ranks->rank : INT_MAX, first;
    if (ranks->count == 1)
        return status;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == INT_MAX)
        return 0;
    MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, first, MPI_COMM_WORLD);
    return -1;
}

bool ranks_same(const struct ranks *ranks, unsigned long long number)
{
    unsigned long long least = number, most = number;
    if (ranks->count > 1) {
        MPI_Allreduce(&number, &least, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&number, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    }
    return least == most;
}

#else

void ranks_library_name(char *name, size_t bytes)
{
    snprintf(name, bytes, "none");
}

/* Is the process one of several? A batch system sets such variables for a single one, too. */
static bool is_one_of_several(void)
{
    for (size_t i = 0; i < SIGNS; i++) {
        const char *number = getenv(signs[i].name);
        if (number && strtol(number, NULL, 10) >= signs[i].several)
            return true;
    }
    return false;
}

int ranks_begin(struct ranks *ranks, struct err *err)
{
    *ranks = RANKS_ALONE;
    return is_one_of_several()
               ? err_set(err, "this nmt was built without MPI: run it as one process, without mpirun or srun")
               : 0;
}

void ranks_end(const struct ranks *ranks)
{
    (void)ranks;
}

void ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes)
{
    (void)ranks, (void)data, (void)bytes;
}

void ranks_sum(const struct ranks *ranks, double *values, int count)
{
    (void)ranks, (void)values, (void)count;
}

void ranks_gather(const struct ranks *ranks, struct strbuf *text)
{
    (void)ranks, (void)text;
}

int ranks_agree(const struct ranks *ranks, int status, struct err *err)
{
    (void)ranks, (void)err;
    return status;
}

bool ranks_same(const struct ranks *ranks, unsigned long long number)
{
    (void)ranks, (void)number;
    return true;
}

#endif

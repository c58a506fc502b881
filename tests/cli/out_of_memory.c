/* A program that embeds nmt where there is no memory: out_of_memory MODEL_DIR LINE...
 *
 * Each allocation in nmt_open and nmt_translate fails once, alone and with all that follow. Then the function must fail
 * and say why, or do without; what it has made must be gone, and the same model must translate as before. */
#include "failing_alloc.h"

#include <nmt.h>

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
    const char *dir, *line, *expected;
    char error[256];
    long failed, survived; /* calls */
};

struct things {
    long living, files, threads;
};

static long entries(const char *path)
{
    long count = 0;
    DIR *dir = opendir(path);
    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

static struct things things_now(void)
{
    return (struct things){allocations_living(), entries("/proc/self/fd"), entries("/proc/self/task")};
}

static int complain(const char *what, long number, const char *why)
{
    printf("%s, allocation %ld: %s\n", what, number, why);
    return 1;
}

static int check_reason(struct host *host, const char *what, long number, const char *reason)
{
    host->failed++;
    if (strstr(reason, "out of memory") || strstr(reason, "Cannot allocate memory"))
        return 0;
    return complain(what, number, *reason ? reason : "no reason");
}

static int check_things(struct things before, const char *what, long number)
{
    const struct things now = things_now();
    if (now.living != before.living)
        printf("%ld blocks are left\n", now.living - before.living);
    if (now.files != before.files || now.threads != before.threads)
        printf("%ld files, %ld threads are left\n", now.files - before.files, now.threads - before.threads);
    return memcmp(&now, &before, sizeof now) ? complain(what, number, "not all is given back") : 0;
}

static int check_text(const struct host *host, char *text, const char *what, long number)
{
    const bool same = text && !strcmp(text, host->expected);
    if (!same)
        printf("%s\n", text ? text : "(none)");
    free(text);
    return same ? 0 : complain(what, number, "another translation");
}

static int try_open(struct host *host, long number, long last)
{
    const struct things before = things_now();
    fail_allocations(number, last);
    struct nmt *nmt = nmt_open(host->dir, host->error, sizeof host->error);
    fail_allocations(0, 0);
    int wrong;
    if (nmt) {
        host->survived++;
        wrong = check_text(host, nmt_translate(nmt, host->line), "open", number);
        nmt_close(nmt);
    } else {
        wrong = check_reason(host, "open", number, host->error);
    }
    return wrong + check_things(before, "open", number);
}

static int try_translate(struct host *host, long number, long last)
{
    const struct things before = things_now();
    struct nmt *nmt = nmt_open(host->dir, host->error, sizeof host->error);
    if (!nmt)
        return complain("translate", number, host->error);
    fail_allocations(number, last);
    char *text = nmt_translate(nmt, host->line);
    fail_allocations(0, 0);
    int wrong = 0;
    if (text) {
        host->survived++;
        wrong = check_text(host, text, "translate", number);
    } else {
        wrong = check_reason(host, "translate", number, nmt_error(nmt));
    }
    wrong += check_text(host, nmt_translate(nmt, host->line), "translate again", number);
    nmt_close(nmt);
    return wrong + check_things(before, "translate", number);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    struct host host = {.dir = argv[1], .line = argv[2]};
    fail_allocations(0, 0);
    struct nmt *nmt = nmt_open(host.dir, host.error, sizeof host.error);
    const long opening = allocations_counted();
    if (!nmt) {
        puts(host.error);
        return 1;
    }
    fail_allocations(0, 0);
    char *expected = nmt_translate(nmt, host.line);
    host.expected = expected;
    const long translating = allocations_counted();
    nmt_close(nmt);
    int wrong = 0;
    for (long number = 1; number <= opening; number++)
        wrong += try_open(&host, number, number) + try_open(&host, number, opening * 2);
    for (long number = 1; number <= translating; number++)
        wrong += try_translate(&host, number, number) + try_translate(&host, number, translating * 2);
    printf("%ld + %ld allocations; %ld calls failed, %ld did without, %d wrong\n", opening, translating,
           host.failed, host.survived, wrong);
    free(expected);
    return wrong != 0;
}

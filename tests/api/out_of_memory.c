/* A program that embeds nmt where there is no memory: out_of_memory MODEL_DIR LINE
 *
 * Each allocation in nmt_open, nmt_translator_new and nmt_translate fails once, alone and with all that follow. Then the function must fail
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

static int check_result(const struct host *host, struct nmt_result *result, const char *what, long number)
{
    const char *text = nmt_text(result, 0);
    const bool same = text && !strcmp(text, host->expected);
    if (!same)
        printf("%s\n", text ? text : "(none)");
    nmt_result_free(result);
    return same ? 0 : complain(what, number, "another translation");
}

/* A model and a translator. */
struct open {
    struct nmt_model *model;
    struct nmt_translator *translator;
};

/* Both are NULL on failure. */
static struct open open_model(struct host *host)
{
    struct open open = {nmt_open(host->dir, host->error, sizeof host->error), NULL};
    if (open.model)
        open.translator = nmt_translator_new(open.model, host->error, sizeof host->error);
    if (!open.translator) {
        nmt_close(open.model);
        open.model = NULL;
    } else if (nmt_set(open.translator, "alignment", "true")) {
        puts(nmt_error(open.translator));
    }
    return open;
}

static void close_model(struct open open)
{
    nmt_translator_free(open.translator);
    nmt_close(open.model);
}

static int try_open(struct host *host, long number, long last)
{
    const struct things before = things_now();
    fail_allocations(number, last);
    struct nmt_model *model = nmt_open(host->dir, host->error, sizeof host->error);
    struct nmt_translator *translator =
        model ? nmt_translator_new(model, host->error, sizeof host->error) : NULL;
    fail_allocations(0, 0);
    int wrong;
    if (translator) {
        host->survived++;
        wrong = check_result(host, nmt_translate(translator, &host->line, 1), "open", number);
    } else {
        wrong = check_reason(host, "open", number, host->error);
    }
    close_model((struct open){model, translator});
    return wrong + check_things(before, "open", number);
}

static int try_translate(struct host *host, long number, long last)
{
    const struct things before = things_now();
    const struct open open = open_model(host);
    if (!open.model)
        return complain("translate", number, host->error);
    fail_allocations(number, last);
    struct nmt_result *result = nmt_translate(open.translator, &host->line, 1);
    fail_allocations(0, 0);
    int wrong = 0;
    if (result) {
        host->survived++;
        wrong = check_result(host, result, "translate", number);
    } else {
        wrong = check_reason(host, "translate", number, nmt_error(open.translator));
        if (nmt_error_code(open.translator) != NMT_OUT_OF_MEMORY)
            wrong += complain("translate", number, "another code");
    }
    wrong += check_result(host, nmt_translate(open.translator, &host->line, 1), "translate again", number);
    close_model(open);
    return wrong + check_things(before, "translate", number);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    struct host host = {.dir = argv[1], .line = argv[2]};
    fail_allocations(0, 0);
    const struct open open = open_model(&host);
    const long opening = allocations_counted();
    if (!open.model) {
        puts(host.error);
        return 1;
    }
    fail_allocations(0, 0);
    struct nmt_result *expected = nmt_translate(open.translator, &host.line, 1);
    host.expected = nmt_text(expected, 0);
    const long translating = allocations_counted();
    int wrong = 0;
    for (long number = 1; number <= opening; number++)
        wrong += try_open(&host, number, number) + try_open(&host, number, opening * 2);
    for (long number = 1; number <= translating; number++)
        wrong += try_translate(&host, number, number) + try_translate(&host, number, translating * 2);
    printf("%ld + %ld allocations; %ld calls failed, %ld did without, %d wrong\n", opening, translating,
           host.failed, host.survived, wrong);
    nmt_result_free(expected);
    close_model(open);
    return wrong != 0;
}

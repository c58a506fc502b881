/* A program that embeds nmt where there is no memory: out_of_memory MODEL_DIR PACKED_FILE DICTIONARY LINE...
 *
 * Each allocation of each call fails, alone and with all that follow; then the system itself grants no more
 * than a little memory. The call must say that there is no memory, or do without; it must leave nothing
 * behind; and the same translator must then do what it does elsewhere. */
#include "failing_alloc.h"

#include <nmt.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_BYTES ((size_t)1 << 16)
#define MOST_LINES 16
#ifdef SANITIZED /* whose own memory knows no limit, and which is slow */
#define LIMITS 0
#define STRIDE 7
#else
#define LIMITS 60 /* tried for each call */
#define STRIDE 1
#endif

/* What the calls are about. */
static const char *dir, *packed, *dictionary;
static const char *lines[MOST_LINES];
static size_t line_count;

static long failed, survived, wrong;
static char error[NMT_ERROR_BYTES];

static void complain(const char *what, const char *where, long number, const char *why)
{
    printf("%s, %s %ld: %s\n", what, where, number, why);
    wrong++;
}

/* ---- what is left behind ---- */

struct things {
    long living, files, threads;
};

static long entries(const char *path)
{
    long count = 0;
    DIR *entry = opendir(path);
    while (entry && readdir(entry))
        count++;
    if (entry)
        closedir(entry);
    return count;
}

static struct things things_now(void)
{
    return (struct things){allocations_living(), entries("/proc/self/fd"), entries("/proc/self/task")};
}

/* What there is when there are so many threads: the system lists one for a moment after its end. */
static struct things things_with(long threads)
{
    struct things now = things_now();
    for (int i = 0; i < 1000 && now.threads != threads; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        now = things_now();
    }
    return now;
}

static void check_things(struct things before, const char *what, const char *where, long number)
{
    const struct things now = things_with(before.threads);
    if (!memcmp(&now, &before, sizeof now))
        return;
    printf("%ld blocks, %ld files, %ld threads are left\n", now.living - before.living,
           now.files - before.files, now.threads - before.threads);
    complain(what, where, number, "not all is given back");
}

static void check_reason(const char *what, const char *where, long number, const char *reason)
{
    failed++;
    if (!strstr(reason, "out of memory") && !strstr(reason, "Cannot allocate memory"))
        complain(what, where, number, *reason ? reason : "no reason");
}

/* ---- the calls: each writes an answer, or fails ---- */

typedef int call_function(struct nmt_translator *translator, char *answer);

static int describe(struct nmt_result *result, char *answer)
{
    size_t at = 0;
    answer[0] = '\0';
    for (size_t i = 0; i < nmt_result_lines(result); i++)
        for (size_t k = 0; k < nmt_result_count(result, i) && at < ANSWER_BYTES; k++) {
            const struct nmt_translation *t = nmt_result_translation(result, i, k);
            at +=
                (size_t)snprintf(answer + at, ANSWER_BYTES - at, "%s %g %zu %zu %zu %zu\n", t->text, t->score,
                                 t->token_count, t->word_count, t->source_word_count, t->link_count);
        }
    const int status = result ? 0 : -1;
    nmt_result_free(result);
    return status;
}

static int translate(struct nmt_translator *translator, char *answer)
{
    return describe(nmt_translate(translator, lines, line_count), answer);
}

static int translate_prefixed(struct nmt_translator *translator, char *answer)
{
    return describe(nmt_translate_prefixed(translator, lines, lines, line_count), answer);
}

static int score(struct nmt_translator *translator, char *answer)
{
    return describe(nmt_score(translator, lines, lines, line_count), answer);
}

static int take_text(char *text, char *answer)
{
    snprintf(answer, ANSWER_BYTES, "%s", text ? text : "");
    nmt_free(text);
    return text ? 0 : -1;
}

static int tokenize(struct nmt_translator *translator, char *answer)
{
    return take_text(nmt_tokenize(translator, NMT_SOURCE, lines[0]), answer);
}

static int detokenize(struct nmt_translator *translator, char *answer)
{
    return take_text(nmt_detokenize(translator, NMT_TARGET, lines[0]), answer);
}

static int set(struct nmt_translator *translator, char *answer)
{
    return nmt_set(translator, "dictionary", dictionary) || nmt_set(translator, "glossary", dictionary) ||
                   nmt_set(translator, "decoding.length_penalty", "0.25") ||
                   nmt_set(translator, "beam", "3") ||
                   nmt_get(translator, "decoding.length_penalty", answer, ANSWER_BYTES) < 0
               ? -1
               : 0;
}

static const struct call {
    const char *name;
    call_function *run;
    const char *options[16]; /* names and values */
} calls[] = {
    {"translate", translate, {NULL}},
    {"translate with alignment",
     translate,
     {"alignment", "true", "n-best", "3", "beam", "4", "unk-replace", "true", "decoding.coverage_penalty",
      "0.2"}},
    {"translate with two threads",
     translate,
     {"threads", "2", "batch", "2", "alignment", "true", "n-best", "2"}},
    {"sample", translate, {"decoding.sample", "true", "n-best", "2", "max-tokens", "4"}},
    {"translate prefixed", translate_prefixed, {"threads", "2"}},
    {"score", score, {"threads", "2", "batch", "1"}},
    {"tokenize", tokenize, {NULL}},
    {"detokenize", detokenize, {NULL}},
    {"set", set, {NULL}},
};

static struct nmt_translator *new_translator(struct nmt_model *model, const struct call *call)
{
    struct nmt_translator *translator = nmt_translator_new(model, error, sizeof error);
    for (int i = 0; translator && call->options[i]; i += 2)
        if (nmt_set(translator, call->options[i], call->options[i + 1]))
            complain(call->name, "option", i, nmt_error(translator));
    return translator;
}

static char answer[ANSWER_BYTES], expected[ANSWER_BYTES];

/* Without a lack of memory: leaves the answer in `expected`. */
static void expect(struct nmt_model *model, const struct call *call)
{
    struct nmt_translator *translator = new_translator(model, call);
    if (!translator || call->run(translator, expected))
        complain(call->name, "call", 0, translator ? nmt_error(translator) : error);
    nmt_translator_free(translator);
}

static void check_answer(const struct call *call, const char *where, long number)
{
    if (strcmp(answer, expected) != 0) {
        complain(call->name, where, number, "another answer");
        printf("%sinstead of\n%s", answer, expected);
    }
}

static void check_call(const struct call *call, struct nmt_translator *translator, int status,
                       const char *where, long number)
{
    if (!status) {
        survived++;
        check_answer(call, where, number);
    } else {
        check_reason(call->name, where, number, nmt_error(translator));
        if (nmt_error_code(translator) != NMT_OUT_OF_MEMORY)
            complain(call->name, where, number, "another code");
    }
    if (call->run(translator, answer))
        complain(call->name, where, number, nmt_error(translator));
    else
        check_answer(call, where, number);
}

/* ---- allocations that fail ---- */

static void fail_call(struct nmt_model *model, const struct call *call, long first, long last)
{
    const struct things before = things_now();
    struct nmt_translator *translator = new_translator(model, call);
    fail_allocations(first, last);
    const int status = call->run(translator, answer);
    leave_allocations();
    check_call(call, translator, status, "allocation", first);
    nmt_translator_free(translator);
    check_things(before, call->name, "allocation", first);
}

/* Threads allocate in any order: some more numbers than are counted are tried. */
static long fail_each_of_call(struct nmt_model *model, const struct call *call)
{
    const long threads = things_now().threads;
    expect(model, call);
    struct nmt_translator *translator = new_translator(model, call);
    fail_allocations(0, 0);
    call->run(translator, answer);
    const long count = leave_allocations();
    nmt_translator_free(translator);
    things_with(threads);
    for (long number = 1; number <= count + 3; number += STRIDE) {
        fail_call(model, call, number, number);
        fail_call(model, call, number, 1000000);
    }
    return count;
}

static struct nmt_translator *open_both(struct nmt_model **model, const char *const *paths, size_t count)
{
    *model = nmt_open_ensemble(paths, count, error, sizeof error);
    return *model ? nmt_translator_new(*model, error, sizeof error) : NULL;
}

static void fail_opening(const char *const *paths, size_t count, long first, long last)
{
    const struct things before = things_now();
    struct nmt_model *model;
    fail_allocations(first, last);
    struct nmt_translator *translator = open_both(&model, paths, count);
    leave_allocations();
    if (translator)
        survived++;
    else
        check_reason("open", "allocation", first, error);
    if (translator && calls[0].run(translator, answer))
        complain("open", "allocation", first, nmt_error(translator));
    else if (translator)
        check_answer(&calls[0], "allocation", first);
    nmt_translator_free(translator);
    nmt_close(model);
    check_things(before, "open", "allocation", first);
}

static long fail_each_of_opening(const char *const *paths, size_t count)
{
    struct nmt_model *model;
    fail_allocations(0, 0);
    struct nmt_translator *translator = open_both(&model, paths, count);
    const long allocations = leave_allocations();
    if (!translator)
        complain("open", "call", 0, error);
    else
        expect(model, &calls[0]);
    nmt_translator_free(translator);
    nmt_close(model);
    for (long number = 1; number <= allocations; number += STRIDE) {
        fail_opening(paths, count, number, number);
        fail_opening(paths, count, number, 1000000);
    }
    return allocations;
}

/* A model gives no reason. */
static long fail_each_of_key(const struct nmt_model *model, const char *key)
{
    fail_allocations(0, 0);
    const int length = nmt_model_get(model, key, expected, ANSWER_BYTES);
    const long count = leave_allocations();
    for (long number = 1; number <= count; number++) {
        const struct things before = things_now();
        fail_allocations(number, 1000000);
        const int got = nmt_model_get(model, key, answer, ANSWER_BYTES);
        leave_allocations();
        failed += got < 0;
        if (got < 0 && got != -2)
            complain(key, "allocation", number, "not said to be for memory");
        if (got >= 0 && (got != length || strcmp(answer, expected) != 0))
            complain(key, "allocation", number, "another value");
        check_things(before, key, "allocation", number);
    }
    return count;
}

/* ---- a limit of the system's ---- */

static void limit_memory(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limit);
}

static rlim_t bytes_in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        complain("statm", "file", 0, "cannot be read");
    if (file)
        fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* From nothing to some hundred MiB more than there is, in growing steps. */
static rlim_t limit_of(long step)
{
    return (rlim_t)(64 << 10) * (rlim_t)(step * step * step) / 16;
}

static void limit_call(struct nmt_model *model, const struct call *call, long step)
{
    struct nmt_translator *translator = new_translator(model, call);
    limit_memory(bytes_in_use() + limit_of(step));
    const int status = call->run(translator, answer);
    limit_memory(RLIM_INFINITY);
    check_call(call, translator, status, "limit", step);
    nmt_translator_free(translator);
}

static void limit_opening(const char *path, long step)
{
    struct nmt_model *model;
    limit_memory(bytes_in_use() + limit_of(step));
    struct nmt_translator *translator = open_both(&model, &path, 1);
    limit_memory(RLIM_INFINITY);
    if (translator)
        survived++;
    else
        check_reason("open", "limit", step, error);
    nmt_translator_free(translator);
    nmt_close(model);
}

int main(int argc, char **argv)
{
    for (int i = 4; i < argc && line_count < MOST_LINES; i++)
        lines[line_count++] = argv[i];
    if (!line_count)
        return 2;
    dir = argv[1];
    packed = argv[2];
    dictionary = argv[3];
    long allocations = fail_each_of_opening((const char *const[]){dir, packed}, 2);
    struct nmt_model *model = nmt_open(dir, error, sizeof error);
    for (size_t c = 0; model && c < sizeof calls / sizeof calls[0]; c++) {
        allocations += fail_each_of_call(model, &calls[c]);
        for (long step = 0; step < LIMITS; step++)
            limit_call(model, &calls[c], step);
    }
    if (model)
        allocations += fail_each_of_key(model, "model.embedding") + fail_each_of_key(model, "decoding.beam") +
                       fail_each_of_key(model, "model.attention.score");
    nmt_close(model);
    for (long step = 0; step < LIMITS; step++) {
        limit_opening(dir, step);
        limit_opening(packed, step);
    }
    printf("%ld allocations; %ld calls failed, %ld did without, %ld wrong\n", allocations, failed, survived,
           wrong);
    return wrong != 0;
}

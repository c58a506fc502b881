/* A program that embeds nmt and does what it should not: misuse MODEL_DIR LINE. It has the locale that the
 * environment says, and prints the translation, reasons, and whether its own numbers are still its own. */
#include <nmt.h>

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HUGE_BYTES ((size_t)65 << 20)

static int expect_none(struct nmt_translator *translator, const char *line)
{
    struct nmt_result *result = nmt_translate(translator, &line, 1);
    puts(result ? nmt_text(result, 0) : nmt_error(translator));
    nmt_result_free(result);
    return result != NULL;
}

/* Each function with NULL, or with a number that is out of range. */
static int expect_refusals(struct nmt_translator *t, const char *line)
{
    char error[NMT_ERROR_BYTES], value[8];
    const char *const none = NULL;
    int wrong = nmt_open(NULL, error, sizeof error) != NULL;
    puts(error);
    wrong += nmt_open("nowhere", NULL, 0) != NULL || nmt_open("", NULL, 0) != NULL;
    wrong += nmt_open_ensemble(NULL, 1, NULL, 0) != NULL || nmt_open_ensemble(&none, 1, NULL, 0) != NULL;
    wrong += nmt_open_ensemble(&line, 0, NULL, 0) != NULL || nmt_open_ensemble(&line, 17, NULL, 0) != NULL;
    wrong += nmt_translator_new(NULL, NULL, 0) != NULL || nmt_translator_new(NULL, error, 3) != NULL;
    puts(error);
    wrong += nmt_model_get(NULL, "seed", value, sizeof value) != -1;
    wrong += nmt_set(NULL, "beam", "1") == 0 || nmt_set(t, NULL, "1") == 0 || nmt_set(t, "beam", NULL) == 0;
    wrong += nmt_set(t, "beam", "0") == 0 || nmt_set(t, "beam", "1001") == 0;
    wrong += nmt_get(t, "beam", NULL, sizeof value) != 1; /* only the length */
    wrong += nmt_get(NULL, "beam", value, sizeof value) != -1 || nmt_get(t, NULL, value, sizeof value) != -1;
    wrong += nmt_translate(t, NULL, 1) != NULL || nmt_translate(t, &none, 1) != NULL;
    wrong += nmt_translate(t, &line, (size_t)-1) != NULL;
    wrong += nmt_translate_prefixed(t, &line, NULL, 1) != NULL || nmt_score(t, &line, NULL, 1) != NULL;
    wrong += nmt_score(t, &line, &none, 1) != NULL || nmt_error_code(t) != NMT_WRONG_USE;
    wrong += nmt_tokenize(t, (enum nmt_side)2, line) != NULL || nmt_tokenize(NULL, NMT_SOURCE, line) != NULL;
    wrong += nmt_tokenize(t, NMT_SOURCE, NULL) != NULL || nmt_detokenize(t, NMT_TARGET, NULL) != NULL;
    wrong += nmt_result_lines(NULL) != 0 || nmt_result_count(NULL, 0) != 0 || nmt_text(NULL, 0) != NULL;
    wrong += nmt_result_translation(NULL, 0, 0) != NULL || nmt_error_code(NULL) != NMT_WRONG_USE;
    nmt_on_progress(NULL, NULL, NULL);
    nmt_on_cancel(NULL, NULL, NULL);
    nmt_on_log(NULL, NULL, NULL);
    nmt_result_free(NULL);
    nmt_translator_free(NULL);
    nmt_close(NULL);
    nmt_free(NULL);
    return wrong;
}

static void ignore(int number)
{
    (void)number;
}

#define SIGNALS 32

static void note_handlers(void (*handlers[SIGNALS])(int))
{
    for (int number = 1; number < SIGNALS; number++) {
        struct sigaction now;
        handlers[number] = sigaction(number, NULL, &now) ? SIG_ERR : now.sa_handler;
    }
}

static int differing(void (*const before[SIGNALS])(int), void (*const after[SIGNALS])(int))
{
    int count = 0;
    for (int number = 1; number < SIGNALS; number++)
        count += before[number] != after[number];
    return count;
}

int main(int argc, char **argv)
{
    char error[256], before[16], after[16];
    if (argc != 3 || !setlocale(LC_ALL, "") || signal(SIGTERM, ignore) == SIG_ERR)
        return 2;
    void (*handlers[2][SIGNALS])(int);
    note_handlers(handlers[0]);
    snprintf(before, sizeof before, "%.1f", 1.5);
    struct nmt_model *model = nmt_open(argv[1], error, sizeof error);
    struct nmt_translator *t = model ? nmt_translator_new(model, error, sizeof error) : NULL;
    if (!t) {
        puts(error);
        return 1;
    }
    int wrong = 0;
    const char *line = argv[2];
    struct nmt_result *result = nmt_translate(t, &line, 1);
    puts(result ? nmt_text(result, 0) : nmt_error(t));
    nmt_result_free(result);
    char *huge = malloc(HUGE_BYTES);
    if (!huge)
        return 2;
    memset(huge, 'x', HUGE_BYTES);
    huge[HUGE_BYTES - 1] = '\0';
    wrong += expect_refusals(t, line);
    wrong += expect_none(NULL, "x") + expect_none(t, NULL) + expect_none(t, huge);
    line = "\xff\n\x01\r\xed\xa0\x80";
    result = nmt_translate(t, &line, 1);
    wrong += !nmt_text(result, 0) || *nmt_error(t) ? 4 : 0;
    nmt_result_free(result);
    free(huge);
    nmt_translator_free(t);
    nmt_close(model);
    snprintf(after, sizeof after, "%.1f", 1.5);
    puts(after);
    note_handlers(handlers[1]);
    return wrong + (strcmp(before, after) != 0) + differing(handlers[0], handlers[1]);
}

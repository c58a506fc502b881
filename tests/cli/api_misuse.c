/* A program that embeds nmt and does what it should not: api_misuse MODEL_DIR LINE. It has the locale that
 * the environment says, and prints the translation, reasons, and whether its own numbers are still its own.
 */
#include <nmt.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HUGE_BYTES ((size_t)65 << 20)

static int expect_none(struct nmt *nmt, const char *line)
{
    char *text = nmt_translate(nmt, line);
    puts(text ? text : nmt_error(nmt));
    free(text);
    return text != NULL;
}

int main(int argc, char **argv)
{
    char error[256], before[16], after[16];
    if (argc != 3 || !setlocale(LC_ALL, ""))
        return 2;
    snprintf(before, sizeof before, "%.1f", 1.5);
    struct nmt *nmt = nmt_open(argv[1], error, sizeof error);
    if (!nmt) {
        puts(error);
        return 1;
    }
    char *text = nmt_translate(nmt, argv[2]);
    puts(text ? text : nmt_error(nmt));
    free(text);
    char *huge = malloc(HUGE_BYTES);
    if (!huge)
        return 2;
    memset(huge, 'x', HUGE_BYTES);
    huge[HUGE_BYTES - 1] = '\0';
    int wrong = nmt_open(NULL, error, sizeof error) != NULL;
    puts(error);
    wrong += nmt_open("nowhere", NULL, 0) != NULL;
    wrong += nmt_set_beam(NULL, 1) == 0 || nmt_set_beam(nmt, 0) == 0 || nmt_set_beam(nmt, 1001) == 0;
    wrong += expect_none(NULL, "x") + expect_none(nmt, NULL) + expect_none(nmt, huge);
    text = nmt_translate(nmt, "\xff\n\x01\r\xed\xa0\x80");
    wrong += !text || *nmt_error(nmt) ? 4 : 0;
    free(text);
    free(huge);
    nmt_close(nmt);
    nmt_close(NULL);
    snprintf(after, sizeof after, "%.1f", 1.5);
    puts(after);
    return wrong + (strcmp(before, after) != 0);
}

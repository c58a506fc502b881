/* Translates standard input, 64 lines at a time, and shows which words became which, and how sure the model
 * is of each:  align MODEL < TEXT
 *
 *     The dress is red.
 *     La robe est rouge.     (log p = -0.31)
 *         robe    0.98  dress
 */
#include <nmt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 64
#define LINE_BYTES 4096

static void show(const char *line, const struct nmt_translation *t)
{
    printf("%s\n%s     (log p = %.2f)\n", line, t->text, t->log_probability);
    size_t link = 0;
    for (size_t word = 0; word < t->word_count; word++) {
        printf("    %-15s %.2f ", t->words[word], t->word_confidences[word]);
        for (; link < t->link_count && t->links[link].target == word; link++)
            printf(" %s", t->source_words[t->links[link].source]);
        printf("\n");
    }
}

/* Returns 0, or -1 if the lines could not be translated. */
static int align(struct nmt_translator *translator, const char *const *lines, size_t count)
{
    struct nmt_result *result = nmt_translate(translator, lines, count);
    if (!result)
        return -1;
    for (size_t i = 0; i < count; i++)
        show(lines[i], nmt_result_translation(result, i, 0));
    nmt_result_free(result);
    return 0;
}

static int align_input(struct nmt_translator *translator)
{
    static char text[BATCH][LINE_BYTES];
    const char *lines[BATCH];
    size_t count;
    do {
        for (count = 0; count < BATCH && fgets(text[count], LINE_BYTES, stdin); count++) {
            text[count][strcspn(text[count], "\r\n")] = '\0';
            lines[count] = text[count];
        }
        if (align(translator, lines, count))
            return -1;
    } while (count == BATCH);
    return 0;
}

int main(int argc, char **argv)
{
    char error[NMT_ERROR_BYTES];
    if (argc != 2) {
        fprintf(stderr, "usage: align MODEL < TEXT\n");
        return 2;
    }
    struct nmt_model *model = nmt_open(argv[1], error, sizeof error);
    struct nmt_translator *translator = model ? nmt_translator_new(model, error, sizeof error) : NULL;
    if (!translator) {
        fprintf(stderr, "%s\n", error);
        nmt_close(model);
        return 1;
    }
    const int failed = nmt_set(translator, "alignment", "true") || align_input(translator);
    if (failed)
        fprintf(stderr, "%s\n", nmt_error(translator));
    nmt_translator_free(translator);
    nmt_close(model);
    return failed ? 1 : 0;
}

/* Translates its arguments:  translate MODEL LINE...
 *
 *     cc translate.c $(pkg-config --cflags --libs nmt) -o translate */
#include <nmt.h>

#include <stdio.h>

static int translate(struct nmt_translator *translator, const char *const *lines, size_t count)
{
    struct nmt_result *result = nmt_translate(translator, lines, count);
    if (!result) {
        fprintf(stderr, "%s\n", nmt_error(translator));
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        puts(nmt_text(result, i));
    nmt_result_free(result);
    return 0;
}

int main(int argc, char **argv)
{
    char error[NMT_ERROR_BYTES];
    if (argc < 2) {
        fprintf(stderr, "usage: translate MODEL LINE...\n");
        return 2;
    }
    struct nmt_model *model = nmt_open(argv[1], error, sizeof error);
    struct nmt_translator *translator = model ? nmt_translator_new(model, error, sizeof error) : NULL;
    int status = 1;
    if (translator)
        status = translate(translator, (const char *const *)argv + 2, (size_t)argc - 2);
    else
        fprintf(stderr, "%s\n", error);
    nmt_translator_free(translator);
    nmt_close(model);
    return status;
}

/* A program that embeds nmt: api_example MODEL_DIR LINE… prints the translations. It sees include/nmt.h
 * alone. */
#include <nmt.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char error[256];
    struct nmt *nmt = argc > 1 ? nmt_open(argv[1], error, sizeof error) : NULL;
    if (!nmt) {
        fprintf(stderr, "%s\n", argc > 1 ? error : "usage: api_example MODEL_DIR LINE...");
        return 1;
    }
    int status = 0;
    for (int i = 2; i < argc; i++) {
        char *text = nmt_translate(nmt, argv[i]);
        if (!text)
            fprintf(stderr, "%s\n", nmt_error(nmt));
        puts(text ? text : "");
        status |= !text;
        free(text);
    }
    nmt_close(nmt);
    return status;
}

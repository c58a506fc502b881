/* print_sentences [TEXT] < lines: prints each sentence of a line on a line of its own, and an empty line
 * behind each line's last, for comparison with other programs (tests/peers/check-sentences). It learns from
 * TEXT, if given. */
#include "fileio.h"
#include "lines.h"
#include "splitter.h"

#include <stdio.h>

static int print_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct splitter *splitter = context;
    struct spans sentences = {.count = 0};
    (void)number;
    (void)err;
    sentences_find(&sentences, splitter, line->text, line->length);
    for (size_t i = 0; i < sentences.count; i++)
        printf("%.*s\n", (int)(sentences.items[i].end - sentences.items[i].begin),
               line->text + sentences.items[i].begin);
    putchar('\n');
    spans_release(&sentences);
    return 0;
}

int main(int argc, char **argv)
{
    struct err err;
    struct splitter splitter;
    struct lines text = {.count = 0};
    splitter_init(&splitter);
    if (argc > 2 || (argc == 2 && lines_load(&text, argv[1], &err))) {
        fprintf(stderr, "print_sentences: %s\n", argc > 2 ? "usage: print_sentences [TEXT]" : err.text);
        return argc > 2 ? 2 : 1;
    }
    if (text.count)
        splitter_learn(&splitter, (const char *const *)text.text, text.bytes, text.count);
    const int status = file_each_line("-", print_line, &splitter, &err);
    if (status)
        fprintf(stderr, "print_sentences: %s\n", err.text);
    lines_release(&text);
    splitter_release(&splitter);
    return status ? 1 : 0;
}

/* print_words TOKENIZER: prints the words that BLEU sees of each line of standard input, for comparison with
 * sacreBLEU (tests/peers/check-sacrebleu). */
#include "mteval.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int kind = argc == 2 ? names_index(&(BLEU_TOKENIZERS(NAMES_BAR))[1], argv[1]) : -1;
    if (kind < 0) {
        fprintf(stderr, "usage: print_words %s\n", &(BLEU_TOKENIZERS(NAMES_BAR))[1]);
        return 2;
    }
    struct strbuf words;
    char *line = NULL;
    size_t capacity = 0;
    strbuf_init(&words);
    for (ssize_t bytes; (bytes = getline(&line, &capacity, stdin)) > 0;) {
        strbuf_reset(&words);
        mteval_words(&words, line, (size_t)bytes - (line[bytes - 1] == '\n'), (enum mteval_kind)kind, false);
        puts(words.text);
    }
    free(line);
    strbuf_release(&words);
    return 0;
}

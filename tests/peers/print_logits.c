/* print_logits MODEL_DIR SOURCE_LINE TARGET_LINE: prints the ids of a pair on the first two lines, then
 * the logits of each target word, for comparison with other programs (tests/peers/check-pytorch). */
#include "arena.h"
#include "mat.h"
#include "translate.h"

#include <stdio.h>
#include <string.h>

static void print_ids(const struct ids *ids)
{
    for (size_t i = 0; i < ids->count; i++)
        printf("%s%d", i ? "," : "", ids->items[i]);
    putchar('\n');
}

static void take_ids(struct ids *ids, const struct tokenizer *tokenizer, const char *text)
{
    struct strbuf subwords;
    strbuf_init(&subwords);
    tokenizer_split(&subwords, tokenizer, text, strlen(text));
    tokenizer_ids(ids, tokenizer, subwords.text, subwords.length);
    ids_add(ids, VOCAB_END);
    strbuf_release(&subwords);
}

int main(int argc, char **argv)
{
    struct err err;
    struct loaded_model loaded;
    mat_begin(1);
    if (argc != 4 || loaded_model_open(&loaded, argv[1], &err)) {
        fprintf(stderr, "%s\n",
                argc != 4 ? "usage: print_logits MODEL_DIR SOURCE_LINE TARGET_LINE" : err.text);
        return 1;
    }
    struct ids source = {NULL, 0, 0}, target = {NULL, 0, 0};
    struct arena arena;
    struct packed_seq seq;
    arena_init(&arena);
    take_ids(&source, &loaded.pair.tokenizer[SOURCE], argv[2]);
    ids_add(&target, VOCAB_BEGIN);
    take_ids(&target, &loaded.pair.tokenizer[TARGET], argv[3]);
    print_ids(&source);
    print_ids(&target);
    const struct sentence from = {source.items, source.count}, to = {target.items, target.count};
    const struct batch batch = {.source = &from, .target = &to, .sents = 1};
    const real *logits = seq2seq_logits(&seq, &loaded.model, weights_floats(&loaded.weights), &batch, &arena);
    for (size_t t = 0; t < seq.rows; t++)
        for (size_t v = 0; v < loaded.model.target_vocabulary; v++)
            printf("%.6f%c", (double)logits[t * loaded.model.target_vocabulary + v],
                   v + 1 < loaded.model.target_vocabulary ? ' ' : '\n');
    ids_release(&source);
    ids_release(&target);
    arena_release(&arena);
    loaded_model_close(&loaded);
    return 0;
}

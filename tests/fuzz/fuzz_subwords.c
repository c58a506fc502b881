/* A file of merges or (if the first byte is odd) a vocabulary, which is then applied to the bytes
 * themselves; no piece is allowed if the first byte has its second bit. */
#include "fuzz.h"
#include "tokenizer.h"
#include "utf8.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct bpe bpe;
    struct vocab vocab;
    struct err err;
    struct strbuf text, out;
    struct ids ids = {0};
    if (!bytes)
        return 0;
    const char *path = fuzz_path(data + 1, bytes - 1);
    char *dir = path_dir(path);
    struct model_files files;
    MUST(!model_files_open(&files, dir, &err));
    free(dir);
    strbuf_init(&text);
    strbuf_init(&out);
    bpe_init(&bpe);
    vocab_init(&vocab);
    if (data[0] & 1) {
        vocab_release(&vocab);
        if (vocab_load(&vocab, &files, path_base(path), &err))
            vocab_init(&vocab);
    } else {
        bpe_load(&bpe, &files, path_base(path), &err);
    }
    model_files_close(&files);
    if (data[0] & 2) /* every piece that can be is split again */
        strmap_intern(&bpe.allowed, "", 0);
    utf8_repair(&text, (const char *)data, bytes);
    const struct tokenizer tokenizer = {.bpe = &bpe, .vocab = &vocab};
    tokenizer_split(&out, &tokenizer, text.text, text.length);
    tokenizer_ids(&ids, &tokenizer, out.text, out.length);
    for (size_t i = 0; i < ids.count; i++)
        MUST(ids.items[i] >= 0 && ids.items[i] < vocab_size(&vocab));
    ids_release(&ids);
    strbuf_release(&text);
    strbuf_release(&out);
    bpe_release(&bpe);
    vocab_release(&vocab);
    return 0;
}

/* A corpus, read in three ways: as a TSV, as a gzipped TSV, and as two files, each half of the bytes; and
 * the bytes as a line of an n-best list. */
#include "fuzz.h"
#include "nbest.h"
#include "pair_reader.h"
#include "utf8.h"

#include <string.h>

static void read_all(const struct pair_files *files, enum invalid_action action)
{
    struct pair_reader reader;
    struct err err;
    if (pair_reader_open(&reader, files, action, &err))
        return;
    while (pair_reader_next(&reader, &err) > 0) {
        MUST(reader.line[SOURCE].length && reader.line[TARGET].length);
        MUST(utf8_check(reader.line[SOURCE].text, reader.line[SOURCE].length) == reader.line[SOURCE].length);
        MUST(utf8_check(reader.line[TARGET].text, reader.line[TARGET].length) == reader.line[TARGET].length);
    }
    pair_reader_close(&reader);
}

static void read_in_each_way(const struct pair_files *files)
{
    for (enum invalid_action action = INVALID_STOP; action <= INVALID_REPLACE; action++)
        read_all(files, action);
}

static void add_features(const uint8_t *data, size_t bytes)
{
    struct strbuf text, out;
    struct nbest_line line;
    struct err err;
    const double score = -1;
    strbuf_init(&text);
    strbuf_init(&out);
    strbuf_add(&text, (const char *)data, bytes);
    if (!nbest_parse(&line, text.text, text.length, &err)) {
        nbest_add_features(&out, &line, &score, 1);
        MUST(!nbest_parse(&line, out.text, out.length, &err));
        MUST(line.features && line.features_bytes >= strlen("F0= -1.000000"));
    }
    strbuf_release(&text);
    strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const struct pair_files tsv = {.tsv = fuzz_path(data, bytes)};
    read_in_each_way(&tsv);
    const struct pair_files halves = {.source = fuzz_path(data, bytes / 2),
                                      .target = fuzz_path(data + bytes / 2, bytes - bytes / 2)};
    read_in_each_way(&halves);
    add_features(data, bytes);
    return 0;
}

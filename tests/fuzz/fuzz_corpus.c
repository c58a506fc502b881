/* A corpus, read in three ways: as a TSV, as a gzipped TSV, and as two files, each half of the bytes. */
#include "fuzz.h"
#include "pair_reader.h"
#include "utf8.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const struct pair_files tsv = {.tsv = fuzz_path(data, bytes)};
    read_in_each_way(&tsv);
    const struct pair_files halves = {.source = fuzz_path(data, bytes / 2),
                                      .target = fuzz_path(data + bytes / 2, bytes - bytes / 2)};
    read_in_each_way(&halves);
    return 0;
}

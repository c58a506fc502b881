/* A corpus: a TSV file, plain or gzip'd, read in each of the three ways, and a log. */
#include "corpus.h"
#include "fuzz.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const struct pair_files files = {.tsv = fuzz_path(data, bytes)};
    for (enum invalid_action action = PAIR_STOP; action <= PAIR_REPLACE; action++) {
        struct pair_reader reader;
        struct err err;
        if (pair_reader_open(&reader, &files, action, &err))
            continue;
        while (pair_reader_next(&reader, &err) > 0) {
            MUST(reader.source_line.length && reader.target_line.length);
            MUST(utf8_check(reader.source_line.text, reader.source_line.length) == reader.source_line.length);
            MUST(utf8_check(reader.target_line.text, reader.target_line.length) == reader.target_line.length);
        }
        pair_reader_close(&reader);
    }
    return 0;
}

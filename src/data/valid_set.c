/* Loads a validation corpus. Its translations are scored in validate.c and tuning.c. */
#include "valid_set.h"

#include "mem.h"

#include <string.h>

void valid_set_release(struct valid_set *set)
{
    corpus_release(&set->corpus);
    for (int side = 0; side < SIDES; side++)
        lines_release(&set->raw[side]);
    xfree(set->numbers);
    memset(set, 0, sizeof *set);
}

int valid_set_load(struct valid_set *set, const struct language_pair *pair, const struct config_pairs *files,
                   struct err *err)
{
    struct pair_reader reader;
    const struct pair_files names = pair_files_of(files);
    if (pair_reader_open(&reader, &names, INVALID_STOP, err))
        return -1;
    int status;
    while ((status = pair_reader_next(&reader, err)) > 0) {
        const char *const text[SIDES] = {reader.line[SOURCE].text, reader.line[TARGET].text};
        corpus_add_text(&set->corpus, pair->tokenizer, text, SCORED_MOST_TOKENS);
        GROW(set->numbers, set->raw[SOURCE].count + 1, set->numbers_capacity);
        set->numbers[set->raw[SOURCE].count] = reader.number;
        for (int side = 0; side < SIDES; side++)
            lines_add(&set->raw[side], reader.line[side].text, reader.line[side].length);
    }
    if (status == 0 && set->raw[SOURCE].count == 0)
        status = err_set(err, "cannot use '%s': no sentence pairs", pair_reader_path(&reader, SOURCE));
    corpus_warn_unscored(&set->corpus, pair_reader_path(&reader, SOURCE));
    pair_reader_close(&reader);
    return status;
}

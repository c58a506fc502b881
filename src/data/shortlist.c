/* Keeps, reads and writes the words that may translate each source word. Learning is in shortlist_learn.c,
 * the use of them in a search in selection.c. */
#include "shortlist.h"

#include "mem.h"

#include <string.h>

#define BEGIN_TENSOR "shortlist.begin"
#define WORDS_TENSOR "shortlist.words"

/* More bytes of a number than this would not fit an int. */
#define MOST_BYTES 5

/* ---- lists ---- */

/* The next number of a list that ends at *end, or -1 if it has none: cut off, too large, or zero. */
static int64_t next_gap(const struct shortlist *shortlist, int32_t *at, int32_t end)
{
    int64_t gap = 0;
    for (int i = 0; i < MOST_BYTES && *at < end; i++) {
        const uint8_t byte = shortlist->words[(*at)++];
        gap |= (int64_t)(byte & 0x7f) << 7 * i;
        if (!(byte & 0x80))
            return gap > 0 ? gap : -1;
    }
    return -1;
}

void word_bits_add(word_bits *set, size_t id)
{
    set[id / WORD_BITS] |= (word_bits)1 << id % WORD_BITS;
}

/* A list that has been checked. */
static void add_list(word_bits *set, const struct shortlist *shortlist, size_t list)
{
    int32_t at = shortlist->begin[list];
    for (int64_t id = -1; at < shortlist->begin[list + 1];) {
        id += next_gap(shortlist, &at, shortlist->begin[list + 1]);
        word_bits_add(set, (size_t)id);
    }
}

void shortlist_add(word_bits *set, const struct shortlist *shortlist, const int *ids, size_t count)
{
    add_list(set, shortlist, 0);
    for (size_t i = 0; i < count; i++)
        add_list(set, shortlist, (size_t)ids[i] + 1);
}

double shortlist_mean(const struct shortlist *shortlist)
{
    const int32_t end = shortlist->begin[shortlist->source_words + 1];
    int64_t words = 0;
    for (int32_t at = shortlist->begin[1]; at < end; at++)
        words += !(shortlist->words[at] & 0x80);
    return (double)words / (double)shortlist->source_words;
}

/* ---- files ---- */

void shortlist_release(struct shortlist *shortlist)
{
    xfree(shortlist->begin);
    xfree(shortlist->words);
    memset(shortlist, 0, sizeof *shortlist);
}

size_t shortlist_tensors(struct tensor tensors[SHORTLIST_TENSORS], const struct shortlist *shortlist)
{
    static char begin[] = BEGIN_TENSOR, words[] = WORDS_TENSOR;
    const size_t lists = shortlist->source_words + 2;
    if (!shortlist->begin)
        return 0;
    const size_t bytes = (size_t)shortlist->begin[lists - 1];
    tensors[0] = (struct tensor){begin, TENSOR_I32, 1, {(int64_t)lists}, shortlist->begin, lists * 4};
    tensors[1] = (struct tensor){words, TENSOR_I8, 1, {(int64_t)bytes}, shortlist->words, bytes};
    return SHORTLIST_TENSORS;
}

static bool list_valid(const struct shortlist *shortlist, size_t list)
{
    int32_t at = shortlist->begin[list];
    for (int64_t id = -1; at < shortlist->begin[list + 1];) {
        const int64_t gap = next_gap(shortlist, &at, shortlist->begin[list + 1]);
        if (gap < 0 || (id += gap) >= (int64_t)shortlist->target_words)
            return false;
    }
    return true;
}

/* Do the lists follow each other, and fill all bytes? */
static bool begin_valid(const struct shortlist *shortlist, size_t bytes)
{
    const size_t lists = shortlist->source_words + 1;
    for (size_t list = 0; list < lists; list++)
        if (shortlist->begin[list] > shortlist->begin[list + 1])
            return false;
    return shortlist->begin[0] == 0 && (size_t)shortlist->begin[lists] == bytes;
}

static int check(const struct shortlist *shortlist, size_t bytes, const char *path, struct err *err)
{
    if (!begin_valid(shortlist, bytes))
        return err_set(err, "cannot read '%s': tensor '" BEGIN_TENSOR "' does not divide '" WORDS_TENSOR "'",
                       path);
    for (size_t list = 0; list <= shortlist->source_words; list++)
        if (!list_valid(shortlist, list))
            return err_set(err,
                           "cannot read '%s': tensor '" WORDS_TENSOR
                           "' has a list that is no ascending list of words",
                           path);
    return 0;
}

int shortlist_load(struct shortlist *shortlist, const struct safetensors *file,
                   const struct language_pair *pair, struct err *err)
{
    memset(shortlist, 0, sizeof *shortlist);
    if (!safetensors_find(file, BEGIN_TENSOR) && !safetensors_find(file, WORDS_TENSOR))
        return 0;
    const size_t source_words = (size_t)vocab_size(pair->tokenizer[SOURCE].vocab);
    const struct tensor *begin = safetensors_expect(file, BEGIN_TENSOR, TENSOR_I32, 1,
                                                    (const int64_t[]){(int64_t)source_words + 2}, err);
    const struct tensor *words =
        begin ? safetensors_expect(file, WORDS_TENSOR, TENSOR_I8, 1, (const int64_t[]){-1}, err) : NULL;
    if (!words)
        return -1;
    *shortlist = (struct shortlist){.source_words = source_words,
                                    .target_words = (size_t)vocab_size(pair->tokenizer[TARGET].vocab),
                                    .begin = xmalloc(source_words + 2, sizeof *shortlist->begin),
                                    .words = xmalloc(words->bytes, 1)};
    memcpy(shortlist->begin, begin->data, begin->bytes);
    memcpy(shortlist->words, words->data, words->bytes);
    if (!check(shortlist, words->bytes, file->path, err))
        return 0;
    shortlist_release(shortlist);
    return -1;
}

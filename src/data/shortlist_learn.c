/* Learns a shortlist: counts target words, finds the best translations of each source word (lexicon.c), and
 * writes the lists. Their form is in shortlist.h. */
#include "corpus.h"
#include "lexicon.h"
#include "log.h"
#include "mem.h"
#include "shortlist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FREQUENT 100            /* words that may come in every translation */
#define BEST 100                /* most words of a list */
#define LEAST_PROBABILITY 1e-4f /* of a word of a list, given its source word */

/* ---- text ---- */

struct learning {
    struct lexicon lexicon;
    struct tokenizer tokenizer[SIDES];
    struct corpus pair;  /* the one that was read last */
    int64_t *counts;     /* [target words] */
    int64_t read, every; /* pairs; every how many-th of them is used, of a long text */
    struct progress progress;
};

/* The ids of the last pair, without marks. */
static struct word_numbers side_of(const struct corpus *corpus, int side)
{
    size_t length;
    const int *ids = side == SOURCE ? corpus_source(corpus, 0, &length) : corpus_target(corpus, 0, &length);
    const int marks = side == SOURCE ? 1 : 2;
    return (struct word_numbers){corpus->ids + (ids - corpus->ids) + (side == TARGET), (int)length - marks};
}

static void learn_from_pair(struct learning *learning, const struct strbuf *line)
{
    const char *const text[SIDES] = {line[SOURCE].text, line[TARGET].text};
    corpus_reset(&learning->pair, 0);
    if (learning->read++ % learning->every ||
        !corpus_add_text(&learning->pair, learning->tokenizer, text, LEXICON_MOST_WORDS))
        return;
    const struct word_numbers source = side_of(&learning->pair, SOURCE),
                              target = side_of(&learning->pair, TARGET);
    for (int i = 0; i < target.count; i++)
        learning->counts[target.items[i]]++;
    lexicon_add(&learning->lexicon, &source, &target);
    if (!lexicon_full(&learning->lexicon))
        return;
    lexicon_thin(&learning->lexicon);
    learning->every *= 2;
}

static int learn_files(struct learning *learning, const struct pair_files *files, const char *tag,
                       enum invalid_action action, struct err *err)
{
    struct pair_reader reader;
    int status;
    learning->tokenizer[SOURCE].tag = tag;
    if (pair_reader_open(&reader, files, action, err))
        return -1;
    while ((status = pair_reader_next(&reader, err)) > 0) {
        learn_from_pair(learning, reader.line);
        progress_count(&learning->progress, (double)learning->read, 0, "pair");
    }
    pair_reader_close(&reader);
    return status;
}

static int learn_text(struct learning *learning, const struct config *config, const struct pair_files *other,
                      struct err *err)
{
    int status = 0;
    if (other)
        return learn_files(learning, other, config->decoding.tag, INVALID_STOP, err);
    for (int i = 0; config_train(config, i) && !status; i++) {
        const struct config_pairs *pairs = config_train(config, i);
        const struct pair_files files = pair_files_of(pairs);
        status = learn_files(learning, &files, pairs->tag, config->data.on_invalid, err);
    }
    return status;
}

/* ---- lists ---- */

/* Words that a search allows in any case: marks and placeholders. */
static int first_word(const struct vocab *vocab)
{
    return VOCAB_SPECIALS + (vocab_has_placeholders(vocab) ? PLACEHOLDERS : 0);
}

static int by_id(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* Appends a list; ids [count] are sorted. */
static void write_list(struct strbuf *to, int *ids, int count)
{
    int before = -1;
    qsort(ids, (size_t)count, sizeof *ids, by_id);
    for (int i = 0; i < count; i++) {
        unsigned gap = (unsigned)(ids[i] - before);
        for (; gap > 0x7f; gap >>= 7)
            strbuf_addch(to, (char)(0x80 | (gap & 0x7f)));
        strbuf_addch(to, (char)gap);
        before = ids[i];
    }
}

/* Does a count come before another? Ties by id. */
static bool more_frequent(const int64_t *counts, int a, int b)
{
    return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
}

/* ids [FREQUENT] = the most frequent words; returns their number. Their counts become -1. */
static int take_frequent(int *ids, int64_t *counts, int first, int words)
{
    int count = 0;
    for (int id = first; id < words; id++) {
        if (count == FREQUENT && !more_frequent(counts, id, ids[FREQUENT - 1]))
            continue;
        int at = count < FREQUENT ? count++ : FREQUENT - 1;
        for (; at > 0 && more_frequent(counts, id, ids[at - 1]); at--)
            ids[at] = ids[at - 1];
        ids[at] = id;
    }
    for (int i = 0; i < count; i++)
        counts[ids[i]] = -1;
    return count;
}

/* By source word, then by falling probability. */
static int by_probability(const void *a, const void *b)
{
    const struct lexicon_entry *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->probability > y->probability || x->probability < y->probability)
        return x->probability > y->probability ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

/* Moves the entries that can be of lists to the front, sorted; returns their number. */
static size_t sort_entries(struct lexicon *lexicon, const int64_t *counts, int first)
{
    size_t count = 0;
    for (size_t i = 0; i <= lexicon->mask; i++) {
        const struct lexicon_entry *entry = &lexicon->entries[i];
        if (entry->source >= 0 && entry->target >= first && counts[entry->target] >= 0 &&
            entry->probability >= LEAST_PROBABILITY)
            lexicon->entries[count++] = *entry;
    }
    qsort(lexicon->entries, count, sizeof *lexicon->entries, by_probability);
    return count;
}

/* ids [BEST + 1] = the words of the entries of a source word, and the target word of the same form. */
static int take_best(int *ids, const struct lexicon_entry *entries, size_t entry_count, int same)
{
    int count = 0;
    for (size_t i = 0; i < entry_count && count < BEST; i++) {
        ids[count++] = entries[i].target;
        if (entries[i].target == same)
            same = -1;
    }
    if (same >= 0)
        ids[count++] = same;
    return count;
}

/* The target word that is written as a source word, or -1: names and numbers often stay. */
static int same_word(const struct language_pair *pair, int source, const int64_t *counts)
{
    const struct vocab *vocab = pair->tokenizer[TARGET].vocab;
    const char *text = vocab_word(pair->tokenizer[SOURCE].vocab, source);
    const int id = source < first_word(vocab) ? -1 : vocab_id(vocab, text, strlen(text));
    return id >= first_word(vocab) && counts[id] >= 0 ? id : -1;
}

static void write_lists(struct shortlist *shortlist, struct strbuf *words, struct learning *learning,
                        const struct language_pair *pair)
{
    int ids[FREQUENT > BEST ? FREQUENT : BEST + 1];
    const int first = first_word(pair->tokenizer[TARGET].vocab);
    int32_t *begin = shortlist->begin;
    *begin++ = 0;
    write_list(words, ids, take_frequent(ids, learning->counts, first, (int)shortlist->target_words));
    *begin++ = (int32_t)words->length;
    const struct lexicon_entry *entries = learning->lexicon.entries;
    const size_t count = sort_entries(&learning->lexicon, learning->counts, first);
    for (size_t source = 0, at = 0, end = 0; source < shortlist->source_words; source++, at = end) {
        while (end < count && entries[end].source == (int)source)
            end++;
        const int same = same_word(pair, (int)source, learning->counts);
        write_list(words, ids, take_best(ids, entries + at, end - at, same));
        *begin++ = (int32_t)words->length;
    }
}

int shortlist_learn(struct shortlist *shortlist, const struct language_pair *pair,
                    const struct config *config, const struct pair_files *other, struct err *err)
{
    struct learning learning = {.every = 1};
    struct strbuf words;
    *shortlist = (struct shortlist){.source_words = (size_t)vocab_size(pair->tokenizer[SOURCE].vocab),
                                    .target_words = (size_t)vocab_size(pair->tokenizer[TARGET].vocab)};
    memcpy(learning.tokenizer, pair->tokenizer, sizeof learning.tokenizer);
    learning.counts = xcalloc(shortlist->target_words, sizeof *learning.counts);
    lexicon_init(&learning.lexicon, 0);
    corpus_init(&learning.pair);
    progress_begin(&learning.progress, "learning the shortlist", 0);
    int status = learn_text(&learning, config, other, err);
    progress_end(&learning.progress);
    if (!status && !learning.lexicon.sample.count)
        status = err_set(err, "cannot learn a shortlist: the text has no pairs of up to %d tokens",
                         LEXICON_MOST_WORDS);
    strbuf_init(&words);
    if (!status) {
        lexicon_fit(&learning.lexicon, shortlist->source_words);
        shortlist->begin = xmalloc(shortlist->source_words + 2, sizeof *shortlist->begin);
        write_lists(shortlist, &words, &learning, pair);
        shortlist->words = xmalloc(words.length, 1);
        memcpy(shortlist->words, words.text, words.length);
    }
    strbuf_release(&words);
    corpus_release(&learning.pair);
    lexicon_release(&learning.lexicon);
    xfree(learning.counts);
    return status;
}

/* Learns translation probabilities of words by expectation maximisation, in bounded memory, and links the
 * words of a pair by them. */
#include "lexicon.h"

#include "mem.h"
#include "tokenize.h"

#include <math.h>
#include <string.h>

#define MOST_PAIRS 20000        /* that it is learned from */
#define MOST_ENTRIES (1u << 22) /* different pairs of words, at 16 bytes and as many free ones */
#define MOST_WORDS 100          /* on a side; longer sentences are left out */
#define ITERATIONS 4
#define DIAGONAL 4.0 /* a word's weight falls by e to the minus this, over the whole sentence */

struct lexicon_entry {
    int source, target; /* words; source is -1 where the entry is free */
    float probability;  /* of the target word, given the source word */
    float expected;     /* how often the one translates the other */
};

/* ---- the table ---- */

static struct lexicon_entry *entry_of(const struct lexicon *lexicon, int source, int target)
{
    uint64_t h = ((uint64_t)(uint32_t)source << 32 | (uint32_t)target) * 0x9e3779b97f4a7c15u;
    for (size_t slot = (size_t)(h ^ h >> 29) & lexicon->mask;; slot = (slot + 1) & lexicon->mask) {
        struct lexicon_entry *entry = &lexicon->entries[slot];
        if (entry->source < 0 || (entry->source == source && entry->target == target))
            return entry;
    }
}

static void grow(struct lexicon *lexicon)
{
    const struct lexicon old = *lexicon;
    const size_t slots = old.entries ? 2 * (old.mask + 1) : 1024;
    lexicon->mask = slots - 1;
    lexicon->entries = xmalloc(slots, sizeof *lexicon->entries);
    for (size_t i = 0; i < slots; i++)
        lexicon->entries[i].source = -1;
    for (size_t i = 0; old.entries && i <= old.mask; i++)
        if (old.entries[i].source >= 0)
            *entry_of(lexicon, old.entries[i].source, old.entries[i].target) = old.entries[i];
    xfree(old.entries);
}

static void add_entry(struct lexicon *lexicon, int source, int target)
{
    if (!lexicon->entries || 2 * (lexicon->count + 1) > lexicon->mask + 1)
        grow(lexicon);
    struct lexicon_entry *entry = entry_of(lexicon, source, target);
    lexicon->count += entry->source < 0;
    *entry = (struct lexicon_entry){source, target, 1, 0};
}

/* ---- learning ---- */

/* The pairs that are learned from, as numbers of words: of each pair two lengths, then both sides' words. */
struct sample {
    int *numbers;
    size_t count, capacity;
};

static void append_number(struct sample *sample, int number)
{
    GROW(sample->numbers, sample->count + 1, sample->capacity);
    sample->numbers[sample->count++] = number;
}

/* Appends the words of a line; returns their number. A word that was forgotten as rare is -1. */
static int append_words(struct sample *sample, const struct word_table *table, const struct strbuf *line)
{
    size_t at = 0, length;
    int count = 0;
    for (const char *word; (word = next_word(line->text, line->length, &at, &length)); count++)
        append_number(sample, strmap_find(&table->words, word, length));
    return count;
}

static void add_pair(struct lexicon *lexicon, struct sample *sample, const struct pair_words *pair)
{
    const size_t begin = sample->count;
    int count[SIDES];
    append_number(sample, 0);
    append_number(sample, 0);
    for (int side = 0; side < SIDES; side++)
        count[side] = append_words(sample, lexicon->tables->side[side], &pair->side[side]);
    if (count[SOURCE] > MOST_WORDS || count[TARGET] > MOST_WORDS) {
        sample->count = begin;
        return;
    }
    int *numbers = sample->numbers + begin;
    numbers[SOURCE] = count[SOURCE];
    numbers[TARGET] = count[TARGET];
    for (int i = 0; i < count[SOURCE]; i++)
        for (int j = 0; j < count[TARGET]; j++)
            if (numbers[2 + i] >= 0 && numbers[2 + count[SOURCE] + j] >= 0)
                add_entry(lexicon, numbers[2 + i], numbers[2 + count[SOURCE] + j]);
}

static int read_sample(struct lexicon *lexicon, struct sample *sample, struct word_spool *spool,
                       int64_t pairs, struct err *err)
{
    const int64_t every = pairs / MOST_PAIRS + 1;
    struct pair_words pair;
    int status = word_spool_rewind(spool, err);
    pair_words_init(&pair);
    for (int64_t i = 0; !status && lexicon->count < MOST_ENTRIES; i++) {
        const int more = word_spool_next(spool, &pair, err);
        if (more <= 0) {
            status = more;
            break;
        }
        if (i % every == 0)
            add_pair(lexicon, sample, &pair);
    }
    pair_words_release(&pair);
    return status ? status : word_spool_rewind(spool, err);
}

/* The weight of a link, before it is divided by the sum over the source words. */
static float weight_of(const struct lexicon_entry *entry, int i, int j, const struct word_numbers *source,
                       const struct word_numbers *target)
{
    if (entry->source < 0)
        return 0;
    const double off = fabs((i + 0.5) / source->count - (j + 0.5) / target->count);
    return entry->probability * (float)exp(-DIAGONAL * off);
}

static void expect_pair(const struct lexicon *lexicon, const struct word_numbers *source,
                        const struct word_numbers *target)
{
    struct lexicon_entry *entries[MOST_WORDS] = {NULL};
    float weights[MOST_WORDS];
    for (int j = 0; j < target->count; j++) {
        float sum = 0;
        for (int i = 0; i < source->count; i++) {
            const bool known = source->items[i] >= 0 && target->items[j] >= 0;
            entries[i] = known ? entry_of(lexicon, source->items[i], target->items[j]) : NULL;
            weights[i] = known ? weight_of(entries[i], i, j, source, target) : 0;
            sum += weights[i];
        }
        for (int i = 0; i < source->count && sum > 0; i++)
            if (entries[i])
                entries[i]->expected += weights[i] / sum;
    }
}

static void expect_all(const struct lexicon *lexicon, struct sample *sample)
{
    for (size_t at = 0; at < sample->count;) {
        int *numbers = sample->numbers + at;
        const struct word_numbers source = {numbers + 2, numbers[SOURCE]},
                                  target = {numbers + 2 + numbers[SOURCE], numbers[TARGET]};
        expect_pair(lexicon, &source, &target);
        at += 2 + (size_t)source.count + (size_t)target.count;
    }
}

/* Makes probabilities of the expected counts. */
static void maximise(struct lexicon *lexicon)
{
    const size_t words = lexicon->tables->side[SOURCE]->words.count;
    double *sums = xcalloc(words, sizeof *sums);
    for (size_t i = 0; i <= lexicon->mask; i++)
        if (lexicon->entries[i].source >= 0)
            sums[lexicon->entries[i].source] += (double)lexicon->entries[i].expected;
    for (size_t i = 0; i <= lexicon->mask; i++) {
        struct lexicon_entry *entry = &lexicon->entries[i];
        const double sum = entry->source >= 0 ? sums[entry->source] : 0;
        entry->probability = sum > 0 ? (float)((double)entry->expected / sum) : 0;
        entry->expected = 0;
    }
    xfree(sums);
}

int lexicon_learn(struct lexicon *lexicon, struct word_spool *spool, const struct word_tables *tables,
                  int64_t pairs, struct err *err)
{
    struct sample sample = {.count = 0};
    memset(lexicon, 0, sizeof *lexicon);
    lexicon->tables = tables;
    grow(lexicon);
    const int status = read_sample(lexicon, &sample, spool, pairs, err);
    for (int i = 0; i < ITERATIONS && !status; i++) {
        expect_all(lexicon, &sample);
        maximise(lexicon);
    }
    xfree(sample.numbers);
    if (status)
        lexicon_release(lexicon);
    return status;
}

void lexicon_release(struct lexicon *lexicon)
{
    xfree(lexicon->entries);
    memset(lexicon, 0, sizeof *lexicon);
}

/* ---- linking ---- */

/* weights [source] of a target word, which sum to 1; all 0 if no source word translates it. */
static void find_weights(float *weights, const struct lexicon *lexicon, const struct word_numbers *source,
                         const struct word_numbers *target, int j)
{
    float sum = 0;
    for (int i = 0; i < source->count; i++) {
        const bool known = source->items[i] >= 0 && target->items[j] >= 0;
        weights[i] =
            known ? weight_of(entry_of(lexicon, source->items[i], target->items[j]), i, j, source, target)
                  : 0;
        sum += weights[i];
    }
    for (int i = 0; i < source->count && sum > 0; i++)
        weights[i] /= sum;
}

void lexicon_links(int *target_of, const struct lexicon *lexicon, const struct word_numbers *source,
                   const struct word_numbers *target)
{
    const size_t count = (size_t)source->count;
    float *weights = xmalloc(count, sizeof *weights), *best = xcalloc(count, sizeof *best);
    int *source_of = xmalloc((size_t)target->count, sizeof *source_of);
    for (int i = 0; i < source->count; i++)
        target_of[i] = -1;
    for (int j = 0; j < target->count; j++) {
        find_weights(weights, lexicon, source, target, j);
        int most = 0;
        for (int i = 0; i < source->count; i++) {
            most = weights[i] > weights[most] ? i : most;
            if (weights[i] > best[i]) {
                best[i] = weights[i];
                target_of[i] = j;
            }
        }
        source_of[j] = most;
    }
    for (int i = 0; i < source->count; i++)
        if (target_of[i] >= 0 && source_of[target_of[i]] != i)
            target_of[i] = -1;
    xfree(source_of);
    xfree(best);
    xfree(weights);
}

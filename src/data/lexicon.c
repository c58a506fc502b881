/* Learns translation probabilities of words by expectation maximisation, and links the words of a pair by
 * them. */
#include "lexicon.h"

#include "mem.h"
#include "tokenize.h"

#include <math.h>
#include <string.h>

/* Of spooled text: */
#define MOST_PAIRS 20000        /* that it is learned from */
#define MOST_ENTRIES (1u << 22) /* different pairs of words, at 16 bytes and as many free ones */
#define DIAGONAL 4.0

#define ITERATIONS 4
/* A sample is full with as many entries that a further pair may not fit this table, or with so many
 * numbers. */
#define MOST_SLOTS (1u << 25)
#define MOST_NUMBERS (1u << 25)

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

/* ---- the sample ---- */

void lexicon_init(struct lexicon *lexicon, double diagonal)
{
    memset(lexicon, 0, sizeof *lexicon);
    lexicon->diagonal = diagonal;
    grow(lexicon);
}

void lexicon_release(struct lexicon *lexicon)
{
    xfree(lexicon->entries);
    xfree(lexicon->sample.numbers);
    memset(lexicon, 0, sizeof *lexicon);
}

/* Adds an entry for each pair of words of two sentences. */
static void add_entries(struct lexicon *lexicon, const struct word_numbers *source,
                        const struct word_numbers *target)
{
    for (int i = 0; i < source->count; i++)
        for (int j = 0; j < target->count; j++)
            if (source->items[i] >= 0 && target->items[j] >= 0)
                add_entry(lexicon, source->items[i], target->items[j]);
}

static void append(struct lexicon_sample *sample, const int *numbers, int count)
{
    if (!count)
        return;
    GROW(sample->numbers, sample->count + (size_t)count, sample->capacity);
    memcpy(sample->numbers + sample->count, numbers, (size_t)count * sizeof *numbers);
    sample->count += (size_t)count;
}

void lexicon_add(struct lexicon *lexicon, const struct word_numbers *source,
                 const struct word_numbers *target)
{
    if (source->count > LEXICON_MOST_WORDS || target->count > LEXICON_MOST_WORDS)
        return;
    append(&lexicon->sample, (const int[SIDES]){source->count, target->count}, SIDES);
    append(&lexicon->sample, source->items, source->count);
    append(&lexicon->sample, target->items, target->count);
    add_entries(lexicon, source, target);
}

/* The pair of the sample that begins at *at, which moves to the next one. */
static void next_pair(struct word_numbers *source, struct word_numbers *target,
                      const struct lexicon_sample *sample, size_t *at)
{
    int *numbers = sample->numbers + *at;
    *source = (struct word_numbers){numbers + SIDES, numbers[SOURCE]};
    *target = (struct word_numbers){source->items + source->count, numbers[TARGET]};
    *at += SIDES + (size_t)source->count + (size_t)target->count;
}

bool lexicon_full(const struct lexicon *lexicon)
{
    return 2 * (lexicon->count + LEXICON_MOST_WORDS * LEXICON_MOST_WORDS) > MOST_SLOTS ||
           lexicon->sample.count > MOST_NUMBERS;
}

void lexicon_thin(struct lexicon *lexicon)
{
    struct lexicon_sample all = lexicon->sample;
    struct word_numbers source, target;
    xfree(lexicon->entries);
    lexicon_init(lexicon, lexicon->diagonal);
    for (size_t at = 0, i = 0; at < all.count; i++) {
        next_pair(&source, &target, &all, &at);
        if (i % 2 == 0)
            lexicon_add(lexicon, &source, &target);
    }
    xfree(all.numbers);
}

/* ---- spooled text ---- */

/* words = the words of a line. One that was forgotten as rare is -1. */
static void add_words(struct ids *words, const struct word_table *table, const struct strbuf *line)
{
    size_t at = 0, length;
    words->count = 0;
    for (const char *word; (word = next_word(line->text, line->length, &at, &length));)
        ids_add(words, strmap_find(&table->words, word, length));
}

static void add_pair(struct lexicon *lexicon, struct ids *words, const struct pair_words *pair)
{
    struct word_numbers numbers[SIDES];
    for (int side = 0; side < SIDES; side++) {
        add_words(&words[side], lexicon->tables->side[side], &pair->side[side]);
        numbers[side] = (struct word_numbers){words[side].items, (int)words[side].count};
    }
    lexicon_add(lexicon, &numbers[SOURCE], &numbers[TARGET]);
}

static int read_sample(struct lexicon *lexicon, struct word_spool *spool, int64_t pairs, struct err *err)
{
    const int64_t every = pairs / MOST_PAIRS + 1;
    struct ids words[SIDES] = {{.count = 0}};
    struct pair_words pair;
    int status = word_spool_rewind(spool, err);
    pair_words_init(&pair);
    for (int64_t i = 0; !status && lexicon->count < MOST_ENTRIES; i++) {
        const int more = word_spool_next(spool, &pair, err);
        if (more <= 0) {
            status = more;
            break;
        }
        if (i % every)
            continue;
        if (lexicon->reversed)
            pair_words_reverse_target(&pair);
        add_pair(lexicon, words, &pair);
    }
    pair_words_release(&pair);
    for (int side = 0; side < SIDES; side++)
        ids_release(&words[side]);
    return status ? status : word_spool_rewind(spool, err);
}

/* ---- learning ---- */

/* The weight of a link, before it is divided by the sum over the source words. */
static float weight_of(const struct lexicon *lexicon, const struct lexicon_entry *entry, int i, int j,
                       const struct word_numbers *source, const struct word_numbers *target)
{
    if (entry->source < 0)
        return 0;
    if (lexicon->diagonal <= 0)
        return entry->probability;
    const double off = fabs((i + 0.5) / source->count - (j + 0.5) / target->count);
    return entry->probability * (float)exp(-lexicon->diagonal * off);
}

/* weights [source] of a target word, which sum to 1; all 0 if no source word translates it. entries [source]:
 * those of the links, NULL for unknown words; `entries` may be NULL. */
static void find_weights(float *weights, struct lexicon_entry **entries, const struct lexicon *lexicon,
                         const struct word_numbers *source, const struct word_numbers *target, int j)
{
    const int count = source->count;
    float sum = 0;
    for (int i = 0; i < count; i++) {
        const bool known = source->items[i] >= 0 && target->items[j] >= 0;
        struct lexicon_entry *entry = known ? entry_of(lexicon, source->items[i], target->items[j]) : NULL;
        weights[i] = entry ? weight_of(lexicon, entry, i, j, source, target) : 0;
        sum += weights[i];
        if (entries)
            entries[i] = entry;
    }
    for (int i = 0; i < count && sum > 0; i++)
        weights[i] /= sum;
}

static void expect_pair(const struct lexicon *lexicon, const struct word_numbers *source,
                        const struct word_numbers *target)
{
    struct lexicon_entry *entries[LEXICON_MOST_WORDS] = {NULL};
    float weights[LEXICON_MOST_WORDS];
    for (int j = 0; j < target->count; j++) {
        find_weights(weights, entries, lexicon, source, target, j);
        for (int i = 0; i < source->count; i++)
            if (entries[i])
                entries[i]->expected += weights[i];
    }
}

static void expect_all(const struct lexicon *lexicon)
{
    struct word_numbers source, target;
    for (size_t at = 0; at < lexicon->sample.count;) {
        next_pair(&source, &target, &lexicon->sample, &at);
        expect_pair(lexicon, &source, &target);
    }
}

/* Makes probabilities of the expected counts. */
static void maximise(struct lexicon *lexicon, size_t sources)
{
    double *sums = xcalloc(sources, sizeof *sums);
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

void lexicon_fit(struct lexicon *lexicon, size_t sources)
{
    for (int i = 0; i < ITERATIONS; i++) {
        expect_all(lexicon);
        maximise(lexicon, sources);
    }
    xfree(lexicon->sample.numbers);
    lexicon->sample = (struct lexicon_sample){.count = 0};
}

int lexicon_learn(struct lexicon *lexicon, struct word_spool *spool, const struct word_tables *tables,
                  int64_t pairs, bool reversed, struct err *err)
{
    lexicon_init(lexicon, DIAGONAL);
    lexicon->tables = tables;
    lexicon->reversed = reversed;
    const int status = read_sample(lexicon, spool, pairs, err);
    if (status)
        lexicon_release(lexicon);
    else
        lexicon_fit(lexicon, tables->side[SOURCE]->words.count);
    return status;
}

/* ---- linking ---- */

void lexicon_links(int *target_of, const struct lexicon *lexicon, const struct word_numbers *source,
                   const struct word_numbers *target)
{
    const size_t count = (size_t)source->count;
    float *weights = xmalloc(count, sizeof *weights), *best = xcalloc(count, sizeof *best);
    int *source_of = xmalloc((size_t)target->count, sizeof *source_of);
    for (int i = 0; i < source->count; i++)
        target_of[i] = -1;
    for (int j = 0; j < target->count; j++) {
        find_weights(weights, NULL, lexicon, source, target, j);
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

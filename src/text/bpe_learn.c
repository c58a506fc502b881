/* Learns merges. Their order depends on how pairs are counted, and subword-nmt departs from the paper in
 * two ways: where a merge overlaps itself ("aaa"), and where rare pairs are pruned and later restored with
 * outdated counts. Both are reproduced here, so that the output is equal. */
#include "bpe.h"

#include "err.h"
#include "mem.h"
#include "utf8.h"

#include <string.h>

#define PRUNE_EVERY 100
#define MIN_COUNT 2

struct pair {
    int32_t left, right;
    int64_t count; /* valid while `present` */
    int64_t kept;  /* the count when the pair was pruned */
    bool present;
    int32_t *words; /* words in which it occurs or has occurred */
    size_t words_count, words_capacity;
};

/* How often a pair occurs in a word; `listed`: the word is in pair->words. */
struct occurrence {
    uint64_t key; /* pair << 32 | word, plus 1; 0 is free */
    int32_t count;
    bool listed;
};

struct learner {
    struct strmap symbols;
    int32_t **words; /* [word]: its current symbols */
    int32_t *lengths;
    const int64_t *counts;
    size_t word_count;
    struct pair *pairs;
    size_t pair_count, pair_capacity;
    int32_t *pair_slots;
    size_t pair_mask;
    struct occurrence *occurrences;
    size_t occurrence_count, occurrence_mask;
    int32_t *present; /* pairs that are not pruned */
    size_t present_count, present_capacity;
};

static size_t mix(uint64_t key)
{
    key *= 0x9e3779b97f4a7c15u;
    return (size_t)(key ^ key >> 31);
}

/* ---- pairs ---- */

static size_t pair_slot(const struct learner *l, int32_t left, int32_t right)
{
    for (size_t slot = mix((uint64_t)(uint32_t)left << 32 | (uint32_t)right) & l->pair_mask;;
         slot = (slot + 1) & l->pair_mask) {
        const int32_t at = l->pair_slots[slot];
        if (at < 0 || (l->pairs[at].left == left && l->pairs[at].right == right))
            return slot;
    }
}

static void grow_pairs(struct learner *l)
{
    const size_t count = l->pair_slots ? 2 * (l->pair_mask + 1) : 1 << 14;
    l->pair_slots = xrealloc(l->pair_slots, count, sizeof *l->pair_slots);
    l->pair_mask = count - 1;
    memset(l->pair_slots, 0xff, count * sizeof *l->pair_slots);
    for (size_t i = 0; i < l->pair_count; i++)
        l->pair_slots[pair_slot(l, l->pairs[i].left, l->pairs[i].right)] = (int32_t)i;
}

static int32_t pair_of(struct learner *l, int32_t left, int32_t right)
{
    if (2 * (l->pair_count + 1) > l->pair_mask + 1 || !l->pair_slots)
        grow_pairs(l);
    const size_t slot = pair_slot(l, left, right);
    if (l->pair_slots[slot] < 0) {
        GROW(l->pairs, l->pair_count + 1, l->pair_capacity);
        memset(&l->pairs[l->pair_count], 0, sizeof *l->pairs);
        l->pairs[l->pair_count].left = left;
        l->pairs[l->pair_count].right = right;
        l->pair_slots[slot] = (int32_t)l->pair_count++;
    }
    return l->pair_slots[slot];
}

static void make_present(struct learner *l, int32_t at)
{
    if (l->pairs[at].present)
        return;
    l->pairs[at].present = true;
    GROW(l->present, l->present_count + 1, l->present_capacity);
    l->present[l->present_count++] = at;
}

/* ---- occurrences ---- */

static struct occurrence *occurrence_slot(const struct learner *l, uint64_t key)
{
    for (size_t slot = mix(key) & l->occurrence_mask;; slot = (slot + 1) & l->occurrence_mask)
        if (!l->occurrences[slot].key || l->occurrences[slot].key == key)
            return &l->occurrences[slot];
}

static void grow_occurrences(struct learner *l)
{
    struct occurrence *old = l->occurrences;
    const size_t old_count = old ? l->occurrence_mask + 1 : 0, count = old ? 2 * old_count : 1 << 16;
    l->occurrences = xcalloc(count, sizeof *l->occurrences);
    l->occurrence_mask = count - 1;
    for (size_t i = 0; i < old_count; i++)
        if (old[i].key)
            *occurrence_slot(l, old[i].key) = old[i];
    xfree(old);
}

static struct occurrence *occurrence_of(struct learner *l, int32_t pair, int32_t word)
{
    if (!l->occurrences || 2 * (l->occurrence_count + 1) > l->occurrence_mask + 1)
        grow_occurrences(l);
    const uint64_t key = ((uint64_t)(uint32_t)pair << 32 | (uint32_t)word) + 1;
    struct occurrence *found = occurrence_slot(l, key);
    l->occurrence_count += !found->key;
    found->key = key;
    return found;
}

/* Counts one occurrence more (sign 1) or less (-1) of a pair in a word. */
static void count_pair(struct learner *l, int32_t left, int32_t right, int32_t word, int sign)
{
    const int32_t at = pair_of(l, left, right);
    struct pair *pair = &l->pairs[at];
    if (!pair->present)
        pair->count = 0;
    make_present(l, at);
    pair->count += sign * l->counts[word];
    struct occurrence *here = occurrence_of(l, at, word);
    here->count += sign;
    if (!here->listed) {
        here->listed = true;
        GROW(pair->words, pair->words_count + 1, pair->words_capacity);
        pair->words[pair->words_count++] = word;
    }
}

/* ---- pruning ---- */

/* Prunes pairs below the threshold. A negative count is a change to the kept count; any other replaces it. */
static void prune(struct learner *l, double threshold)
{
    size_t stay = 0;
    for (size_t i = 0; i < l->present_count; i++) {
        struct pair *pair = &l->pairs[l->present[i]];
        if ((double)pair->count >= threshold) {
            l->present[stay++] = l->present[i];
            continue;
        }
        pair->kept = pair->count < 0 ? pair->kept + pair->count : pair->count;
        pair->present = false;
    }
    l->present_count = stay;
}

static void restore(struct learner *l)
{
    for (size_t i = 0; i < l->pair_count; i++) {
        l->pairs[i].count = l->pairs[i].kept;
        make_present(l, (int32_t)i);
    }
}

static int compare_symbols(const struct learner *l, int32_t a, int32_t b)
{
    return strcmp(strmap_text(&l->symbols, a), strmap_text(&l->symbols, b));
}

/* The most frequent pair, among equals the one whose symbols sort last; -1 if there is none. */
static int32_t best_pair(const struct learner *l)
{
    int32_t best = -1;
    for (size_t i = 0; i < l->present_count; i++) {
        const struct pair *pair = &l->pairs[l->present[i]];
        const struct pair *other = best < 0 ? NULL : &l->pairs[best];
        bool better = !other || pair->count > other->count;
        if (other && pair->count == other->count) {
            const int left = compare_symbols(l, pair->left, other->left);
            better = left > 0 || (left == 0 && compare_symbols(l, pair->right, other->right) > 0);
        }
        if (better)
            best = l->present[i];
    }
    return best;
}

/* ---- merging ---- */

/* Subtracts the pairs that the merge removes, given a word's old symbols. */
static void count_old(struct learner *l, const int32_t *s, int n, int32_t word, int32_t first, int32_t second)
{
    for (int i = 0; i + 1 < n; i++) {
        if (s[i] != first || s[i + 1] != second)
            continue;
        if (i > 0)
            count_pair(l, s[i - 1], s[i], word, -1);
        /* "A B C B": C B is removed, too; in "A B C B C" the next iteration does it. */
        if (i + 2 < n && (s[i + 2] != first || i + 3 >= n || s[i + 3] != second))
            count_pair(l, s[i + 1], s[i + 2], word, -1);
        i++;
    }
}

/* Adds the pairs that the merge creates, given the new symbols. */
static void count_new(struct learner *l, const int32_t *s, int n, int32_t word, int32_t merged)
{
    for (int i = 0; i < n; i++) {
        if (s[i] != merged)
            continue;
        if (i > 0)
            count_pair(l, s[i - 1], s[i], word, 1);
        if (i + 1 < n && s[i + 1] != merged)
            count_pair(l, s[i], s[i + 1], word, 1);
    }
}

static int replace(int32_t *to, const int32_t *from, int n, int32_t first, int32_t second, int32_t merged)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        const bool here = i + 1 < n && from[i] == first && from[i + 1] == second;
        to[count++] = here ? merged : from[i];
        i += here;
    }
    return count;
}

static int32_t intern_merged(struct learner *l, int32_t left, int32_t right)
{
    struct strbuf both;
    strbuf_init(&both);
    strbuf_add(&both, strmap_text(&l->symbols, left), strmap_length(&l->symbols, left));
    strbuf_add(&both, strmap_text(&l->symbols, right), strmap_length(&l->symbols, right));
    const int32_t merged = strmap_intern(&l->symbols, both.text, both.length);
    strbuf_release(&both);
    return merged;
}

static void merge_everywhere(struct learner *l, int32_t best)
{
    const int32_t first = l->pairs[best].left, second = l->pairs[best].right;
    const int32_t merged = intern_merged(l, first, second);
    /* Detach the list first: counting may start a new one. */
    int32_t *words = l->pairs[best].words;
    size_t count = l->pairs[best].words_count, stay = 0;
    l->pairs[best].words = NULL;
    l->pairs[best].words_count = l->pairs[best].words_capacity = 0;
    l->pairs[best].count = 0;
    for (size_t i = 0; i < count; i++) {
        struct occurrence *here = occurrence_of(l, best, words[i]);
        if (here->count > 0)
            words[stay++] = words[i];
        here->count = 0;
        here->listed = false;
    }
    for (size_t i = 0; i < stay; i++) {
        const int32_t word = words[i];
        int32_t *symbols = l->words[word];
        const int n = l->lengths[word];
        count_old(l, symbols, n, word, first, second);
        l->lengths[word] = replace(symbols, symbols, n, first, second, merged);
        count_new(l, symbols, l->lengths[word], word, merged);
    }
    xfree(words);
    l->pairs[best].count = 0;
}

/* ---- the learner ---- */

static void take_words(struct learner *l, const struct strmap *words)
{
    l->word_count = words->count;
    l->words = xcalloc(words->count, sizeof *l->words);
    l->lengths = xcalloc(words->count, sizeof *l->lengths);
    struct strbuf symbol;
    strbuf_init(&symbol);
    for (size_t w = 0; w < words->count; w++) {
        const char *text = strmap_text(words, (int)w);
        const size_t bytes = strmap_length(words, (int)w);
        l->words[w] = xmalloc(bytes, sizeof **l->words);
        for (size_t at = 0; at < bytes;) {
            int32_t code;
            const size_t used = utf8_decode(text + at, bytes - at, &code);
            ASSERT(used);
            strbuf_reset(&symbol);
            strbuf_add(&symbol, text + at, used);
            at += used;
            if (at == bytes)
                strbuf_adds(&symbol, BPE_END_OF_WORD);
            l->words[w][l->lengths[w]++] = strmap_intern(&l->symbols, symbol.text, symbol.length);
        }
        for (int i = 0; i + 1 < l->lengths[w]; i++)
            count_pair(l, l->words[w][i], l->words[w][i + 1], (int32_t)w, 1);
    }
    strbuf_release(&symbol);
    for (size_t i = 0; i < l->pair_count; i++)
        l->pairs[i].kept = l->pairs[i].count;
}

static void learner_release(struct learner *l)
{
    for (size_t w = 0; w < l->word_count; w++)
        xfree(l->words[w]);
    for (size_t i = 0; i < l->pair_count; i++)
        xfree(l->pairs[i].words);
    xfree(l->words);
    xfree(l->lengths);
    xfree(l->pairs);
    xfree(l->pair_slots);
    xfree(l->occurrences);
    xfree(l->present);
    strmap_release(&l->symbols);
}

void bpe_learn(struct bpe *bpe, const struct strmap *words, const int64_t *counts, int merges)
{
    struct learner l = {.counts = counts};
    strmap_init(&l.symbols);
    take_words(&l, words);
    int32_t best = best_pair(&l);
    double threshold = best < 0 ? 0 : (double)l.pairs[best].count / 10;
    for (int i = 0; i < merges && l.pair_count; i++) {
        best = best_pair(&l);
        if (best < 0 || (i && (double)l.pairs[best].count < threshold)) {
            /* The best pair may be a pruned one: consider all pairs again. */
            prune(&l, threshold);
            restore(&l);
            best = best_pair(&l);
            threshold = (double)(l.pairs[best].count * i) / (i + 10000.0);
            prune(&l, threshold);
        }
        if (l.pairs[best].count < MIN_COUNT)
            break;
        const int32_t left = l.pairs[best].left, right = l.pairs[best].right;
        bpe_add_merge(bpe, strmap_text(&l.symbols, left), strmap_length(&l.symbols, left),
                      strmap_text(&l.symbols, right), strmap_length(&l.symbols, right));
        merge_everywhere(&l, best);
        if (i % PRUNE_EVERY == 0)
            prune(&l, threshold);
    }
    learner_release(&l);
}

/* Applies learned merges to words, joins pieces again, and reads and writes merges. Learning is in
 * bpe_learn.c. */
#include "bpe.h"

#include "mem.h"
#include "utf8.h"

#include <string.h>

#define END_BYTES (sizeof BPE_END_OF_WORD - 1)
#define NO_RANK INT32_MAX
/* Longer words are cut: the search is quadratic, and no real word has this length. */
#define MAX_PIECES 256

void bpe_init(struct bpe *bpe)
{
    memset(bpe, 0, sizeof *bpe);
    strmap_init(&bpe->symbols);
    strmap_init(&bpe->allowed);
}

void bpe_release(struct bpe *bpe)
{
    strmap_release(&bpe->symbols);
    strmap_release(&bpe->allowed);
    xfree(bpe->merges);
    xfree(bpe->slots);
    xfree(bpe->origin);
    bpe_init(bpe);
}

/* ---- the table of merges ---- */

static size_t slot_of(const struct bpe *bpe, int32_t left, int32_t right)
{
    uint64_t h = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9e3779b97f4a7c15u;
    for (size_t slot = (size_t)(h ^ h >> 29) & bpe->slots_mask;; slot = (slot + 1) & bpe->slots_mask) {
        const int32_t rank = bpe->slots[slot];
        if (rank < 0 || (bpe->merges[rank].left == left && bpe->merges[rank].right == right))
            return slot;
    }
}

static void grow_slots(struct bpe *bpe)
{
    const size_t count = bpe->slots ? 2 * (bpe->slots_mask + 1) : 1024;
    bpe->slots = xrealloc(bpe->slots, count, sizeof *bpe->slots);
    bpe->slots_mask = count - 1;
    memset(bpe->slots, 0xff, count * sizeof *bpe->slots);
    for (size_t rank = 0; rank < bpe->count; rank++)
        bpe->slots[slot_of(bpe, bpe->merges[rank].left, bpe->merges[rank].right)] = (int32_t)rank;
}

static int32_t rank_of(const struct bpe *bpe, int32_t left, int32_t right)
{
    if (left < 0 || right < 0 || !bpe->slots)
        return NO_RANK;
    const int32_t rank = bpe->slots[slot_of(bpe, left, right)];
    return rank < 0 ? NO_RANK : rank;
}

void bpe_add_merge(struct bpe *bpe, const char *left, size_t left_bytes, const char *right,
                   size_t right_bytes)
{
    if (!bpe->slots || 2 * (bpe->count + 1) > bpe->slots_mask + 1)
        grow_slots(bpe);
    struct bpe_merge merge;
    merge.left = strmap_intern(&bpe->symbols, left, left_bytes);
    merge.right = strmap_intern(&bpe->symbols, right, right_bytes);
    const size_t slot = slot_of(bpe, merge.left, merge.right);
    if (bpe->slots[slot] >= 0)
        return;
    char *both = xmalloc(left_bytes + right_bytes, 1);
    memcpy(both, left, left_bytes);
    memcpy(both + left_bytes, right, right_bytes);
    merge.merged = strmap_intern(&bpe->symbols, both, left_bytes + right_bytes);
    xfree(both);

    const size_t symbols = bpe->symbols.count, known = bpe->origin_capacity;
    GROW(bpe->origin, symbols, bpe->origin_capacity);
    for (size_t i = known; i < bpe->origin_capacity; i++)
        bpe->origin[i] = -1;
    if (bpe->origin[merge.merged] < 0)
        bpe->origin[merge.merged] = (int32_t)bpe->count;
    GROW(bpe->merges, bpe->count + 1, bpe->capacity);
    bpe->slots[slot] = (int32_t)bpe->count;
    bpe->merges[bpe->count++] = merge;
}

/* ---- the file ---- */

/* Context of take_merge. */
struct loading {
    struct bpe *bpe;
    const char *path;
};

static int take_merge(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct loading *loading = context;
    const char *blank = memchr(line->text, ' ', line->length);
    const size_t left = blank ? (size_t)(blank - line->text) : 0;
    if (number == 1 && !strncmp(line->text, "#version:", 9))
        return 0;
    if (!left || left + 1 == line->length || memchr(blank + 1, ' ', line->length - left - 1) ||
        utf8_check(line->text, line->length) < line->length || strlen(line->text) != line->length)
        return err_set(err, "cannot read '%s': line %lld is not a merge of two symbols", loading->path,
                       (long long)number);
    bpe_add_merge(loading->bpe, line->text, left, blank + 1, line->length - left - 1);
    return 0;
}

int bpe_load(struct bpe *bpe, const struct model_files *files, const char *name, struct err *err)
{
    char *path = model_files_name(files, name);
    const int status = model_files_each_line(files, name, take_merge, &(struct loading){bpe, path}, err);
    xfree(path);
    if (status)
        bpe_release(bpe);
    return status;
}

void bpe_print(struct strbuf *text, const struct bpe *bpe)
{
    strbuf_adds(text, "#version: 0.2\n");
    for (size_t i = 0; i < bpe->count; i++)
        strbuf_addf(text, "%s %s\n", strmap_text(&bpe->symbols, bpe->merges[i].left),
                    strmap_text(&bpe->symbols, bpe->merges[i].right));
}

/* ---- applying ---- */

/* A word in pieces: piece i spans bytes begin[i] to begin[i + 1]. */
struct pieces {
    const char *text;
    int count;
    bool final; /* the last piece ends the word */
    int begin[MAX_PIECES + 1];
    int32_t symbol[MAX_PIECES]; /* -1: in no merge */
    int32_t rank[MAX_PIECES];   /* of the merge with the next piece */
};

/* Splits into characters, at most MAX_PIECES; returns the bytes used. */
static size_t take_characters(struct pieces *p, const struct bpe *bpe, const char *text, size_t bytes)
{
    size_t at = 0;
    p->text = text;
    p->count = 0;
    while (at < bytes && p->count < MAX_PIECES) {
        int32_t code;
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        p->begin[p->count] = (int)at;
        p->symbol[p->count] = strmap_find(&bpe->symbols, text + at, used);
        p->count++;
        at += used;
    }
    p->begin[p->count] = (int)at;
    p->final = at == bytes;
    if (p->final && p->count) {
        char last[4 + END_BYTES];
        const int i = p->count - 1;
        const size_t used = at - (size_t)p->begin[i];
        memcpy(last, text + p->begin[i], used);
        memcpy(last + used, BPE_END_OF_WORD, END_BYTES);
        p->symbol[i] = strmap_find(&bpe->symbols, last, used + END_BYTES);
    }
    return at;
}

static void find_ranks(struct pieces *p, const struct bpe *bpe, struct bpe_dropout *dropout)
{
    for (int i = 0; i + 1 < p->count; i++)
        p->rank[i] = dropout && rng_uniform(&dropout->rng) < dropout->rate
                         ? NO_RANK
                         : rank_of(bpe, p->symbol[i], p->symbol[i + 1]);
}

static void merge_pieces(struct pieces *p, const struct bpe *bpe, struct bpe_dropout *dropout)
{
    for (;;) {
        find_ranks(p, bpe, dropout);
        int32_t best = NO_RANK;
        for (int i = 0; i + 1 < p->count; i++)
            best = p->rank[i] < best ? p->rank[i] : best;
        if (best == NO_RANK)
            return;
        /* Merges all occurrences of the best pair, from left to right. */
        int to = 0;
        for (int i = 0; i < p->count; i++, to++) {
            const bool merge = i + 1 < p->count && p->rank[i] == best;
            p->begin[to] = p->begin[i];
            p->symbol[to] = merge ? bpe->merges[best].merged : p->symbol[i];
            p->rank[to] = p->rank[i];
            i += merge;
        }
        p->begin[to] = p->begin[p->count];
        p->count = to;
    }
}

static void add_piece(struct strbuf *out, const char *text, size_t bytes, bool final)
{
    strbuf_add(out, text, bytes);
    strbuf_adds(out, final ? "" : BPE_SEPARATOR " ");
}

static bool is_allowed(const struct bpe *bpe, const char *text, size_t bytes, bool final)
{
    if (final)
        return strmap_find(&bpe->allowed, text, bytes) >= 0;
    struct strbuf marked;
    strbuf_init(&marked);
    strbuf_add(&marked, text, bytes);
    strbuf_adds(&marked, BPE_SEPARATOR);
    const bool found = strmap_find(&bpe->allowed, marked.text, marked.length) >= 0;
    strbuf_release(&marked);
    return found;
}

/* Appends a piece. If it is not allowed, its merge is undone, recursively. */
static void add_allowed(struct strbuf *out, const struct bpe *bpe, const char *text, size_t bytes,
                        int32_t symbol, bool final)
{
    const int32_t origin = symbol < 0 || (size_t)symbol >= bpe->origin_capacity ? -1 : bpe->origin[symbol];
    const struct bpe_merge *merge = origin < 0 ? NULL : &bpe->merges[origin];
    const size_t left = merge ? strmap_length(&bpe->symbols, merge->left) : bytes;
    /* `left` may be the whole piece. If the corpus contains "</w>" literally, merges make "a</w>" from it,
     * and the last letter of "gala" is the same symbol. */
    if (!bpe->allowed.count || left >= bytes || is_allowed(bpe, text, bytes, final)) {
        add_piece(out, text, bytes, final);
        return;
    }
    add_allowed(out, bpe, text, left, merge->left, false);
    add_allowed(out, bpe, text + left, bytes - left, merge->right, final);
}

void bpe_apply(struct strbuf *out, const struct bpe *bpe, const char *word, size_t bytes,
               struct bpe_dropout *dropout)
{
    struct pieces p;
    for (size_t at = 0; at < bytes;) {
        at += take_characters(&p, bpe, word + at, bytes - at);
        merge_pieces(&p, bpe, dropout);
        for (int i = 0; i < p.count; i++)
            add_allowed(out, bpe, p.text + p.begin[i], (size_t)(p.begin[i + 1] - p.begin[i]), p.symbol[i],
                        p.final && i + 1 == p.count);
    }
}

bool bpe_is_continued(const char *piece, size_t bytes)
{
    const size_t mark = strlen(BPE_SEPARATOR);
    return bytes > mark && !memcmp(piece + bytes - mark, BPE_SEPARATOR, mark);
}

void bpe_join(struct strbuf *out, const char *pieces, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const bool separator = bytes - at >= 2 && !memcmp(pieces + at, BPE_SEPARATOR, 2) &&
                               (bytes - at == 2 || pieces[at + 2] == ' ');
        if (separator) {
            at += bytes - at == 2 ? 2 : 3;
        } else {
            strbuf_addch(out, pieces[at++]);
        }
    }
}

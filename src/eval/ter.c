/* Edit distance with block moves, searched greedily as in Tercom. mteval.c lower-cases and splits lines
 * into words. */
#include "ter.h"

#include "err.h"
#include "mem.h"
#include "mteval.h"
#include "strmap.h"
#include "tokenize.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MOVED 10        /* words in a block */
#define FARTHEST_MOVE 50     /* between its positions in hypothesis and reference */
#define BAND 25              /* columns on each side of the diagonal */
#define MOST_CANDIDATES 1000 /* moves tried per sentence */
#define FAR (INT_MAX / 2)    /* costs outside the band */

void ter_init(struct ter *ter, int references)
{
    *ter = (struct ter){.references = references};
}

/* ---- words ---- */

struct words {
    int *ids;
    int count;
};

static struct words words_of(const char *text, struct strmap *known)
{
    struct strbuf buffer;
    struct words words = {NULL, 0};
    size_t capacity = 0;
    char *normal = mteval_normal(text);
    strbuf_init(&buffer);
    mteval_words(&buffer, normal, strlen(normal), MTEVAL_NONE, true);
    xfree(normal);
    size_t at = 0, length;
    for (const char *word; (word = next_word(buffer.text, buffer.length, &at, &length));) {
        GROW(words.ids, (size_t)words.count + 1, capacity);
        words.ids[words.count++] = strmap_intern(known, word, length);
    }
    strbuf_release(&buffer);
    return words;
}

/* ---- edit distance in a band around the diagonal ---- */

enum edit { EDIT_NONE, EDIT_REPLACE, EDIT_DELETE, EDIT_INSERT };

struct row {
    int begin, end; /* its columns */
    int *costs;     /* [end - begin] */
    char *edits;    /* [end - begin] */
};

/* From a hypothesis to the reference: row i for i words of the hypothesis, column j for j words of the
 * reference. */
struct distances {
    const int *reference;
    int hypothesis_words, reference_words;
    struct row *rows; /* [hypothesis_words + 1] */
    struct row spare[2];
};

static struct row new_row(int begin, int end)
{
    const size_t columns = (size_t)(end - begin);
    return (struct row){begin, end, xcalloc(columns, sizeof(int)), xcalloc(columns, 1)};
}

static void distances_init(struct distances *d, const struct words *reference, int hypothesis_words)
{
    const int columns = reference->count + 1, rows = hypothesis_words + 1;
    const double ratio = hypothesis_words ? (double)reference->count / hypothesis_words : 1;
    const int band = BAND < ratio / 2 ? (int)ceil(ratio / 2 + BAND) : BAND;
    d->reference = reference->ids;
    d->hypothesis_words = hypothesis_words;
    d->reference_words = reference->count;
    d->rows = xcalloc((size_t)rows, sizeof *d->rows);
    for (int i = 0; i < rows; i++) {
        const int diagonal = (int)floor(i * ratio);
        const int begin = diagonal - band > 0 ? diagonal - band : 0;
        const int end = diagonal + band < columns ? diagonal + band : columns;
        d->rows[i] = i == 0 ? new_row(0, columns) : new_row(begin, i == hypothesis_words ? columns : end);
    }
    for (int j = 0; j < columns; j++) {
        d->rows[0].costs[j] = j;
        d->rows[0].edits[j] = EDIT_INSERT;
    }
    for (int s = 0; s < 2; s++)
        d->spare[s] = new_row(0, columns);
}

static void distances_release(struct distances *d)
{
    for (int i = 0; i <= d->hypothesis_words; i++) {
        xfree(d->rows[i].costs);
        xfree(d->rows[i].edits);
    }
    for (int s = 0; s < 2; s++) {
        xfree(d->spare[s].costs);
        xfree(d->spare[s].edits);
    }
    xfree(d->rows);
}

static int cost_at(const struct row *row, int column)
{
    return column >= row->begin && column < row->end ? row->costs[column - row->begin] : FAR;
}

static void fill_row(struct row *row, const struct row *above, int word, const int *reference)
{
    for (int j = row->begin; j < row->end; j++) {
        int best = FAR;
        enum edit edit = EDIT_NONE;
        if (j > 0) {
            const bool same = word == reference[j - 1];
            best = cost_at(above, j - 1) + !same;
            edit = same ? EDIT_NONE : EDIT_REPLACE;
        }
        if (cost_at(above, j) + 1 < best) {
            best = cost_at(above, j) + 1;
            edit = EDIT_DELETE;
        }
        if (j > row->begin && row->costs[j - 1 - row->begin] + 1 < best) {
            best = row->costs[j - 1 - row->begin] + 1;
            edit = EDIT_INSERT;
        }
        row->costs[j - row->begin] = best;
        row->edits[j - row->begin] = (char)edit;
    }
}

static int distance(struct distances *d, const int *hypothesis)
{
    for (int i = 1; i <= d->hypothesis_words; i++)
        fill_row(&d->rows[i], &d->rows[i - 1], hypothesis[i - 1], d->reference);
    return cost_at(&d->rows[d->hypothesis_words], d->reference_words);
}

/* The distance of a reordering of the words; the first `same` words are as in the last call of `distance`. */
static int distance_after(struct distances *d, const int *hypothesis, int same)
{
    const struct row *above = &d->rows[same];
    for (int i = same + 1; i <= d->hypothesis_words; i++) {
        struct row *row = &d->spare[i % 2];
        row->begin = d->rows[i].begin;
        row->end = d->rows[i].end;
        fill_row(row, above, hypothesis[i - 1], d->reference);
        above = row;
    }
    return cost_at(above, d->reference_words);
}

/* ---- wrong words and alignment ---- */

struct alignment {
    int *aligned; /* [reference words]: the last hypothesis word aligned up to here, or -1 */
    bool *wrong_reference, *wrong_hypothesis; /* [words] */
};

static void alignment_read(struct alignment *alignment, const struct distances *d)
{
    int i = d->hypothesis_words, j = d->reference_words;
    while (i > 0 || j > 0) {
        const struct row *row = &d->rows[i];
        ASSERT(j >= row->begin && j < row->end);
        const enum edit edit = (enum edit)row->edits[j - row->begin];
        if (edit == EDIT_DELETE) {
            alignment->wrong_hypothesis[--i] = true;
        } else if (edit == EDIT_INSERT) {
            alignment->aligned[--j] = i - 1;
            alignment->wrong_reference[j] = true;
        } else {
            alignment->aligned[--j] = --i;
            alignment->wrong_reference[j] = alignment->wrong_hypothesis[i] = edit == EDIT_REPLACE;
        }
    }
}

static bool any(const bool *flags, int count)
{
    for (int i = 0; i < count; i++)
        if (flags[i])
            return true;
    return false;
}

/* ---- moves ---- */

struct move {
    int gain; /* decrease in edits, without the cost of the move */
    int begin, length, to;
};

/* moved [count] = words with the block moved before word `to`. */
static void make_move(int *moved, const int *words, int count, const struct move *move)
{
    const int begin = move->begin, length = move->length, to = move->to;
    int at = 0, next = 0;
    /* The position of the block in `moved`: if `to` lies within the block, Tercom counts it without the
     * block. */
    const int position = to > begin + length ? to - length : to, last = count - length;
    const int place = position < last ? position : last;
    while (at < count) {
        if (at == place) {
            memcpy(moved + at, words + begin, (size_t)length * sizeof *moved);
            at += length;
            continue;
        }
        if (next == begin)
            next += length;
        moved[at++] = words[next++];
    }
}

/* Compares by gain, then length, then the earliest block, then the earliest target. */
static bool better(const struct move *a, const struct move *b)
{
    if (a->gain != b->gain)
        return a->gain > b->gain;
    if (a->length != b->length)
        return a->length > b->length;
    return a->begin != b->begin ? a->begin < b->begin : a->to < b->to;
}

/* A sentence whose words are being moved. */
struct sentence {
    struct words hypothesis;
    const struct words *reference;
    struct distances distances;
    struct alignment alignment;
    int edits; /* of the current hypothesis */
    int *moved;
    int candidates; /* tried so far */
};

/* Tries to move a block, which occurs in the reference at `at`, next to each hypothesis word aligned with
 * the reference there. */
static void try_places(struct move *best, struct sentence *s, struct move move, int at)
{
    const int *aligned = s->alignment.aligned;
    int previous = -1;
    for (int offset = -1; offset < move.length; offset++) {
        move.to = at + offset < 0 ? 0 : aligned[at + offset] + 1;
        if (move.to == previous)
            continue;
        previous = move.to;
        make_move(s->moved, s->hypothesis.ids, s->hypothesis.count, &move);
        const int same = move.to < move.begin ? move.to : move.begin;
        move.gain = s->edits - distance_after(&s->distances, s->moved, same);
        s->candidates++;
        if (!best->length || better(&move, best))
            *best = move;
    }
}

/* The best move of a block that occurs elsewhere in the reference; length 0 if there is none. */
static struct move find_move(struct sentence *s)
{
    const struct words *h = &s->hypothesis, *r = s->reference;
    const struct alignment *a = &s->alignment;
    struct move best = {0, 0, 0, 0};
    for (int i = 0; i < h->count; i++)
        for (int j = 0; j < r->count; j++)
            for (int length = 1;
                 abs(i - j) <= FARTHEST_MOVE && length <= MOST_MOVED && i + length <= h->count &&
                 j + length <= r->count && h->ids[i + length - 1] == r->ids[j + length - 1];
                 length++) {
                const bool in_place = i <= a->aligned[j] && a->aligned[j] < i + length;
                if (in_place || !any(a->wrong_hypothesis + i, length) || !any(a->wrong_reference + j, length))
                    continue;
                try_places(&best, s, (struct move){.begin = i, .length = length}, j);
                if (s->candidates >= MOST_CANDIDATES)
                    return best;
            }
    return best;
}

static int64_t edits_between(struct words hypothesis, const struct words *reference)
{
    const size_t h = (size_t)hypothesis.count, r = (size_t)reference->count;
    if (!r)
        return (int64_t)h;
    struct sentence s = {.hypothesis = hypothesis, .reference = reference};
    int64_t moves = 0;
    distances_init(&s.distances, reference, hypothesis.count);
    s.alignment.aligned = xcalloc(r, sizeof *s.alignment.aligned);
    s.alignment.wrong_reference = xcalloc(r, sizeof *s.alignment.wrong_reference);
    s.alignment.wrong_hypothesis = xcalloc(h + 1, sizeof *s.alignment.wrong_hypothesis);
    s.moved = xcalloc(h + 1, sizeof *s.moved);
    for (;;) {
        s.edits = distance(&s.distances, s.hypothesis.ids);
        alignment_read(&s.alignment, &s.distances);
        const struct move move = find_move(&s);
        if (s.candidates >= MOST_CANDIDATES || move.gain <= 0)
            break;
        make_move(s.moved, s.hypothesis.ids, s.hypothesis.count, &move);
        memcpy(s.hypothesis.ids, s.moved, h * sizeof *s.moved);
        moves++;
    }
    distances_release(&s.distances);
    xfree(s.alignment.aligned);
    xfree(s.alignment.wrong_reference);
    xfree(s.alignment.wrong_hypothesis);
    xfree(s.moved);
    return moves + s.edits;
}

/* ---- the metric ---- */

void ter_add(struct ter *ter, const char *hypothesis, const char *const *references)
{
    int64_t fewest = INT64_MAX;
    double words = 0;
    for (int r = 0; r < ter->references; r++) {
        struct strmap known;
        strmap_init(&known);
        struct words hyp = words_of(hypothesis, &known), ref = words_of(references[r], &known);
        const int64_t edits = edits_between(hyp, &ref);
        fewest = edits < fewest ? edits : fewest;
        words += ref.count;
        xfree(hyp.ids);
        xfree(ref.ids);
        strmap_release(&known);
    }
    ter->edits += fewest;
    ter->reference_words += words / ter->references;
}

void ter_sum(struct ter *ter, const struct ter *more)
{
    ter->edits += more->edits;
    ter->reference_words += more->reference_words;
}

double ter_score(const struct ter *ter)
{
    if (ter->reference_words > 0)
        return 100 * (double)ter->edits / ter->reference_words;
    return ter->edits ? 100 : 0;
}

void ter_signature(struct strbuf *out)
{
    strbuf_adds(out, "case:lc|tok:tercom|norm:no|punct:yes|asian:no");
}

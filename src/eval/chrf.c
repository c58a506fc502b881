/* Counts matching character n-grams sentence by sentence, and scores the sums. mteval.c lower-cases and
 * removes white space. */
#include "chrf.h"

#include "mem.h"
#include "mteval.h"
#include "strmap.h"
#include "utf8.h"

#include <string.h>

#define BETA_SQUARED 4.0

void chrf_init(struct chrf *chrf, bool lowercase, int references)
{
    memset(chrf, 0, sizeof *chrf);
    chrf->lowercase = lowercase;
    chrf->references = references;
}

/* A sentence without white space, and the offsets of its characters. */
struct characters {
    struct strbuf text;
    size_t *begin;
    size_t count;
};

static void characters_init(struct characters *c, const char *text, bool lowercase)
{
    strbuf_init(&c->text);
    mteval_characters(&c->text, text, strlen(text), lowercase);
    c->begin = xmalloc(c->text.length + 1, sizeof *c->begin);
    c->count = 0;
    for (size_t at = 0; at < c->text.length;) {
        int32_t code;
        c->begin[c->count++] = at;
        at += utf8_decode(c->text.text + at, c->text.length - at, &code);
    }
    c->begin[c->count] = c->text.length;
}

static void characters_release(struct characters *c)
{
    strbuf_release(&c->text);
    xfree(c->begin);
}

static int64_t matches(const struct characters *hyp, const struct characters *ref, size_t n)
{
    if (hyp->count < n || ref->count < n)
        return 0;
    struct strmap map;
    strmap_init(&map);
    int *left = xcalloc(ref->count, sizeof *left); /* of each reference n-gram: occurrences not yet matched */
    for (size_t i = 0; i + n <= ref->count; i++)
        left[strmap_intern(&map, ref->text.text + ref->begin[i], ref->begin[i + n] - ref->begin[i])]++;
    int64_t found = 0;
    for (size_t i = 0; i + n <= hyp->count; i++) {
        const int key = strmap_find(&map, hyp->text.text + hyp->begin[i], hyp->begin[i + n] - hyp->begin[i]);
        if (key >= 0 && left[key] > 0) {
            left[key]--;
            found++;
        }
    }
    xfree(left);
    strmap_release(&map);
    return found;
}

static void count(struct chrf_counts *counts, const struct characters *hyp, const struct characters *ref)
{
    for (size_t n = 1; n <= CHRF_ORDER; n++) {
        const int64_t in_ref = ref->count >= n ? (int64_t)(ref->count - n + 1) : 0;
        const int64_t in_hyp = hyp->count >= n ? (int64_t)(hyp->count - n + 1) : 0;
        counts->reference[n - 1] = in_ref;
        counts->hypothesis[n - 1] =
            in_ref ? in_hyp : 0; /* as sacreBLEU: without reference n-grams, those of the hypothesis don't
                                  * count */
        counts->match[n - 1] = matches(hyp, ref, n);
    }
}

static double f_score(const struct chrf_counts *counts)
{
    double precision = 0, recall = 0;
    int orders = 0;
    for (int n = 0; n < CHRF_ORDER; n++) {
        if (!counts->hypothesis[n] || !counts->reference[n])
            continue;
        precision += (double)counts->match[n] / (double)counts->hypothesis[n];
        recall += (double)counts->match[n] / (double)counts->reference[n];
        orders++;
    }
    if (!orders || precision + recall == 0)
        return 0;
    precision /= orders;
    recall /= orders;
    return 100 * (1 + BETA_SQUARED) * precision * recall / (BETA_SQUARED * precision + recall);
}

static void counts_add(struct chrf_counts *counts, const struct chrf_counts *more)
{
    for (int n = 0; n < CHRF_ORDER; n++) {
        counts->hypothesis[n] += more->hypothesis[n];
        counts->reference[n] += more->reference[n];
        counts->match[n] += more->match[n];
    }
}

void chrf_add(struct chrf *chrf, const char *hypothesis, const char *const *references)
{
    struct characters hyp;
    characters_init(&hyp, hypothesis, chrf->lowercase);
    struct chrf_counts best = {{0}, {0}, {0}};
    double best_score = -1;
    for (int r = 0; r < chrf->references; r++) {
        struct characters ref;
        struct chrf_counts counts;
        characters_init(&ref, references[r], chrf->lowercase);
        count(&counts, &hyp, &ref);
        const double score = f_score(&counts);
        if (score > best_score) {
            best_score = score;
            best = counts;
        }
        characters_release(&ref);
    }
    counts_add(&chrf->counts, &best);
    characters_release(&hyp);
}

void chrf_sum(struct chrf *chrf, const struct chrf *more)
{
    counts_add(&chrf->counts, &more->counts);
}

double chrf_score(const struct chrf *chrf)
{
    return f_score(&chrf->counts);
}

void chrf_signature(const struct chrf *chrf, const char *version, struct strbuf *out)
{
    strbuf_addf(out, "nrefs:%d|case:%s|eff:yes|nc:%d|nw:0|space:no|version:%s", chrf->references,
                chrf->lowercase ? "lc" : "mixed", CHRF_ORDER, version);
}

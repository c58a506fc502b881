/* Counts matching n-grams sentence by sentence, and scores the sums. mteval.c splits lines into words. */
#include "bleu.h"

#include "mem.h"
#include "strmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bleu_init(struct bleu *bleu, enum mteval_kind kind, bool lowercase, int references)
{
    memset(bleu, 0, sizeof *bleu);
    bleu->kind = kind;
    bleu->lowercase = lowercase;
    bleu->references = references;
}

/* The n-grams of a sentence; keys are words separated by blanks. */
struct ngrams {
    struct strmap keys;
    int *counts;
    int *orders; /* n - 1 */
    int words;
};

static void ngrams_init(struct ngrams *ngrams, const struct bleu *bleu, const char *text)
{
    struct strbuf words;
    char *normal = mteval_normal(text);
    strbuf_init(&words);
    mteval_words(&words, normal, strlen(normal), bleu->kind, bleu->lowercase);
    xfree(normal);
    size_t count = words.length > 0;
    for (size_t i = 0; i < words.length; i++)
        count += words.text[i] == ' ';
    size_t *begin = xcalloc(count + 1, sizeof *begin);
    ngrams->words = (int)count;
    ngrams->counts = xcalloc(count * BLEU_ORDER + 1, sizeof *ngrams->counts);
    ngrams->orders = xcalloc(count * BLEU_ORDER + 1, sizeof *ngrams->orders);
    strmap_init(&ngrams->keys);
    for (size_t i = 0, word = 1; i < words.length; i++)
        if (words.text[i] == ' ')
            begin[word++] = i + 1;
    begin[count] = words.length + 1;
    for (size_t n = 1; n <= BLEU_ORDER; n++)
        for (size_t i = 0; i + n <= count; i++) {
            const int key = strmap_intern(&ngrams->keys, words.text + begin[i], begin[i + n] - 1 - begin[i]);
            ngrams->counts[key]++;
            ngrams->orders[key] = (int)n - 1;
        }
    xfree(begin);
    strbuf_release(&words);
}

static void ngrams_release(struct ngrams *ngrams)
{
    strmap_release(&ngrams->keys);
    xfree(ngrams->counts);
    xfree(ngrams->orders);
}

static int count_in(const struct ngrams *ngrams, const struct ngrams *other, int key)
{
    const int found =
        strmap_find(&other->keys, strmap_text(&ngrams->keys, key), strmap_length(&ngrams->keys, key));
    return found < 0 ? 0 : other->counts[found];
}

void bleu_add(struct bleu *bleu, const char *hypothesis, const char *const *references)
{
    struct ngrams hyp, *refs = xcalloc((size_t)bleu->references, sizeof *refs);
    ngrams_init(&hyp, bleu, hypothesis);
    int closest = -1;
    for (int r = 0; r < bleu->references; r++) {
        ngrams_init(&refs[r], bleu, references[r]);
        const int off = abs(hyp.words - refs[r].words), best = abs(hyp.words - closest);
        if (closest < 0 || off < best || (off == best && refs[r].words < closest))
            closest = refs[r].words;
    }
    bleu->hypothesis_words += hyp.words;
    bleu->reference_words += closest;
    for (size_t key = 0; key < hyp.keys.count; key++) {
        int most = 0;
        for (int r = 0; r < bleu->references; r++) {
            const int here = count_in(&hyp, &refs[r], (int)key);
            most = here > most ? here : most;
        }
        const int count = hyp.counts[key];
        bleu->total[hyp.orders[key]] += count;
        bleu->correct[hyp.orders[key]] += count < most ? count : most;
    }
    for (int r = 0; r < bleu->references; r++)
        ngrams_release(&refs[r]);
    ngrams_release(&hyp);
    xfree(refs);
}

void bleu_sum(struct bleu *bleu, const struct bleu *more)
{
    bleu->hypothesis_words += more->hypothesis_words;
    bleu->reference_words += more->reference_words;
    for (int n = 0; n < BLEU_ORDER; n++) {
        bleu->correct[n] += more->correct[n];
        bleu->total[n] += more->total[n];
    }
}

struct bleu_score bleu_score(const struct bleu *bleu)
{
    struct bleu_score s = {.brevity_penalty = 1};
    const double hyp = (double)bleu->hypothesis_words, ref = (double)bleu->reference_words;
    s.ratio = ref > 0 ? hyp / ref : 0;
    if (hyp < ref)
        s.brevity_penalty = hyp > 0 ? exp(1 - ref / hyp) : 0;
    int64_t any = 0;
    for (int n = 0; n < BLEU_ORDER; n++)
        any += bleu->correct[n];
    if (!any)
        return s;
    double smooth = 1, log_sum = 0;
    int orders = 0;
    for (int n = 0; n < BLEU_ORDER && bleu->total[n]; n++, orders++) {
        if (bleu->correct[n]) {
            s.precisions[n] = 100.0 * (double)bleu->correct[n] / (double)bleu->total[n];
        } else {
            smooth *= 2;
            s.precisions[n] = 100.0 / (smooth * (double)bleu->total[n]);
        }
        log_sum += log(s.precisions[n]);
    }
    /* Where no hypothesis has as many words as the longest n-grams, the score is 0. */
    if (orders == BLEU_ORDER || bleu->effective_order)
        s.score = s.brevity_penalty * exp(log_sum / orders);
    return s;
}

void bleu_signature(const struct bleu *bleu, struct strbuf *out)
{
    strbuf_addf(out, "case:%s|eff:%s|tok:%s|smooth:exp", bleu->lowercase ? "lc" : "mixed",
                bleu->effective_order ? "yes" : "no", mteval_name(bleu->kind));
}

/* Searches with phrases that each translation must hold. */
#include "networks.h"

#include "constraints.h"
#include "rng.h"
#include "vocab.h"

#include <math.h>

#define MOST 4 /* phrases of a sentence, tokens of a phrase */

/* Random phrases for each sentence, and how tokens touch the next ones. */
struct demands {
    int ids[SENTS][MOST][2][MOST];
    struct sentence forms[SENTS][MOST][2];
    struct phrase phrases[SENTS][MOST];
    size_t count[SENTS];
    enum token_touch touch[VOCABULARY];
    struct constraints constraints[SENTS];
    struct arena arena;
};

/* Few different tokens, so that phrases overlap and repeat; the last one ends a word. Odd ones begin
 * words. */
static void make_form(struct sentence *form, int *ids, struct rng *rng, const enum token_touch *touch,
                      bool word)
{
    form->ids = ids;
    form->length = 1 + (size_t)rng_below(rng, MOST);
    for (size_t i = 0; i < form->length; i++)
        do
            ids[i] = VOCAB_SPECIALS + (int)rng_below(rng, 6);
        while ((i + 1 == form->length && touch[ids[i]] == TOUCH_SAME) || (i == 0 && ids[i] % 2 != word));
}

/* Every third sentence is free. */
static void demands_init(struct demands *d, int seed)
{
    struct rng rng;
    rng_init(&rng, (uint64_t)seed, RNG_SAMPLE, 0, 0);
    memset(d, 0, sizeof *d);
    arena_init(&d->arena);
    for (int id = VOCAB_SPECIALS; id < VOCABULARY; id++)
        d->touch[id] = seed % 3 ? (enum token_touch)(rng_below(&rng, 5) % 3) : TOUCH_NONE;
    d->touch[VOCAB_SPECIALS] = d->touch[VOCAB_SPECIALS + 1] = TOUCH_NONE;
    for (int b = 0; b < SENTS; b++) {
        d->count[b] = b % 3 ? 1 + (size_t)rng_below(&rng, MOST) : 0;
        for (size_t p = 0; p < d->count[b]; p++) {
            d->phrases[b][p] = (struct phrase){d->forms[b][p],
                                               1 + (size_t)rng_below(&rng, 2),
                                               rng_below(&rng, 2),
                                               {(size_t)rng_below(&rng, 2), 1}};
            for (size_t k = 0; k < d->phrases[b][p].count; k++)
                make_form(&d->forms[b][p][k], d->ids[b][p][k], &rng, d->touch, d->phrases[b][p].word);
        }
        constraints_init(&d->constraints[b], d->phrases[b], d->count[b], seed % 3 ? d->touch : NULL,
                         &d->arena);
    }
}

/* How often a form stands in a translation as whole words. */
static int occurrences(const struct hypothesis *h, const struct sentence *form, const enum token_touch *touch,
                       bool word)
{
    int count = 0;
    for (int i = 0; i + (int)form->length <= h->length; i++)
        count += !memcmp(h->ids + i, form->ids, form->length * sizeof *h->ids) &&
                 (i == 0 || touch[h->ids[i - 1]] < (word ? TOUCH_WORD : TOUCH_SAME));
    return count;
}

static bool same_phrase(const struct phrase *a, const struct phrase *b)
{
    return a->count == 1 && b->count == 1 && a->forms->length == b->forms->length &&
           !memcmp(a->forms->ids, b->forms->ids, a->forms->length * sizeof *a->forms->ids);
}

/* Each phrase is there, and one that is asked for twice, twice. */
static void expect_phrases(const struct hypothesis *h, const struct demands *d, int b)
{
    for (size_t p = 0; p < d->count[b]; p++) {
        const struct phrase *phrase = &d->phrases[b][p];
        int found = 0, asked = 0;
        for (size_t k = 0; k < phrase->count; k++)
            found += occurrences(h, &phrase->forms[k], d->touch, phrase->word);
        for (size_t q = 0; q <= p; q++)
            asked += same_phrase(&d->phrases[b][q], phrase);
        assert_true(found >= (asked ? asked : 1));
    }
}

static void every_translation_holds_its_phrases(void **state)
{
    struct network *f = *state;
    static struct hypothesis best[SENTS * 5];
    static struct demands d;
    int found[SENTS];
    for (int seed = 0; seed < 12; seed++) {
        demands_init(&d, seed);
        f->options.constraints = d.constraints;
        f->options.beam = f->options.n_best = (int[]){1, 2, 5}[seed % 3];
        f->options.block_ngrams = seed % 2;
        f->options.min_length = seed % 4 == 3 ? 1000 : 0;
        f->options.extra_length = seed % 5;
        f->options.max_length_ratio = seed % 2;
        beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++)
            for (int k = 0; k < found[b]; k++)
                expect_phrases(&best[b * f->options.n_best + k], &d, b);
        arena_release(&d.arena);
    }
}

/* Even where the network never wants to go on, or never wants to end, and in an ensemble with itself. */
static void the_weights_do_not_matter(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    static struct demands d;
    struct step_weights members[2] = {f->weights, f->weights};
    int found[SENTS];
    real *end_bias = &f->params[f->model.readout.output.bias + VOCAB_END];
    for (int seed = 0; seed < 6; seed++) {
        const real shift = seed % 2 ? 200 : -200;
        demands_init(&d, seed);
        f->options.constraints = d.constraints;
        f->options.beam = 1 + seed % 3;
        *end_bias += shift;
        beam_search(best, found, &(struct ensemble){.members = members, .count = 1 + seed / 3}, f->sentences,
                    SENTS, &f->options, &f->arena);
        *end_bias -= shift;
        for (int b = 0; b < SENTS; b++)
            expect_phrases(&best[b], &d, b);
        arena_release(&d.arena);
    }
}

static void free_sentences_are_as_without(void **state)
{
    struct network *f = *state;
    struct hypothesis with[SENTS], without[SENTS];
    static struct demands d;
    int found[SENTS], changed = 0;
    demands_init(&d, 1);
    f->options.beam = 3;
    beam_search(without, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    f->options.constraints = d.constraints;
    beam_search(with, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        if (d.count[b])
            changed += with[b].score != without[b].score;
        else
            expect_same(&with[b], &without[b]);
    assert_true(changed > 0);
    arena_release(&d.arena);
}

static void a_batch_changes_nothing(void **state)
{
    struct network *f = *state;
    struct hypothesis together[SENTS * 3], alone[3];
    static struct demands d;
    int found[SENTS], one;
    demands_init(&d, 2);
    f->options.beam = f->options.n_best = 3;
    f->options.constraints = d.constraints;
    beam_search(together, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        f->options.constraints = &d.constraints[b];
        beam_search(alone, &one, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
        assert_int_equal(one, found[b]);
        for (int k = 0; k < one; k++)
            expect_same(&together[b * 3 + k], &alone[k]);
    }
    arena_release(&d.arena);
}

static void prefixes_may_hold_phrases(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    struct sentence prefixes[SENTS];
    static struct demands d;
    int found[SENTS];
    demands_init(&d, 4);
    for (int b = 0; b < SENTS; b++)
        prefixes[b] = d.count[b] ? d.forms[b][0][0] : (struct sentence){NULL, 0};
    f->options.beam = 2;
    f->options.prefixes = prefixes;
    f->options.constraints = d.constraints;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_memory_equal(best[b].ids, prefixes[b].ids, prefixes[b].length * sizeof *best->ids);
        expect_phrases(&best[b], &d, b);
    }
    arena_release(&d.arena);
}

/* The best translation of `words` words and one more, or the end mark, that has the phrase: by forcing each
 * place of the phrase, and each word in the other place, but for the phrase's first one: where words are
 * scarce, a begun phrase goes on. */
static double exhaustive(struct network *f, int b, const struct sentence *phrase, size_t words)
{
    double best = -INFINITY;
    for (size_t place = 0; place + phrase->length <= words; place++)
        for (int id = VOCAB_SPECIALS; id < VOCABULARY; id++) {
            int ids[MOST + 1], found;
            struct hypothesis h;
            if (id == phrase->ids[0] && phrase->length > 1)
                continue;
            for (size_t i = 0; i < words; i++)
                ids[i] = i >= place && i < place + phrase->length ? phrase->ids[i - place] : id;
            const struct sentence prefix = {ids, words};
            f->options.prefixes = &prefix;
            beam_search(&h, &found, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
            best = fmax(best, h.score);
        }
    f->options.prefixes = NULL;
    return best;
}

static void a_wide_beam_finds_the_best(void **state)
{
    struct network *f = *state;
    f->options.max_length_ratio = 0;
    for (int b = 0; b < 2; b++)
        for (size_t length = 1; length < 3; length++) {
            const int ids[] = {VOCAB_SPECIALS + 5 + b, VOCAB_SPECIALS + 2};
            const struct sentence form = {ids, length};
            const size_t words = length + 1;
            struct constraints constraints;
            struct hypothesis h;
            struct arena arena;
            int found;
            arena_init(&arena);
            constraints_init(&constraints, &(struct phrase){&form, 1, false, {0, 0}}, 1, NULL, &arena);
            f->options.min_length = (int)words;
            f->options.beam = 1;
            f->options.extra_length = 1;
            const double best = exhaustive(f, b, &form, words);
            f->options.beam = 100;
            f->options.extra_length = 2;
            f->options.constraints = &constraints;
            beam_search(&h, &found, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
            f->options.constraints = NULL;
            assert_true(fabs(h.score - best) < 1e-5);
            arena_release(&arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(every_translation_holds_its_phrases), NETWORK_TEST(the_weights_do_not_matter),
        NETWORK_TEST(free_sentences_are_as_without),       NETWORK_TEST(a_batch_changes_nothing),
        NETWORK_TEST(prefixes_may_hold_phrases),           NETWORK_TEST(a_wide_beam_finds_the_best),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}

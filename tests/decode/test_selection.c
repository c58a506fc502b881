/* Searches with shortlists against searches of all words. */
#include "networks.h"

#include "beam_run.h"
#include "constraints.h"
#include "mem.h"
#include "shortlist.h"
#include "vocab.h"

#include <math.h>

#define MOST (SENTS * 4)

/* Lists of at most all words for the words of both sides, made by hand: all distances are one byte. */
struct lists {
    int32_t begin[VOCABULARY + 2];
    uint8_t words[(VOCABULARY + 1) * VOCABULARY];
    struct shortlist shortlist;
    const struct shortlist *members[2];
};

typedef bool lister(int list, int word); /* is the word in a source word's list, or in that of all (-1)? */

static void lists_make(struct lists *lists, lister *has)
{
    int32_t at = 0;
    for (int list = -1; list < VOCABULARY; list++) {
        lists->begin[list + 1] = at;
        for (int word = 0, before = -1; word < VOCABULARY; word++)
            if (has(list, word)) {
                lists->words[at++] = (uint8_t)(word - before);
                before = word;
            }
    }
    lists->begin[VOCABULARY + 1] = at;
    lists->shortlist = (struct shortlist){VOCABULARY, VOCABULARY, lists->begin, lists->words};
    lists->members[0] = lists->members[1] = &lists->shortlist;
}

static bool has_all(int list, int word)
{
    return list < 0 && word >= 0;
}

/* Seven words, and some for each source word. */
static bool has_some(int list, int word)
{
    return list < 0 ? word % 4 == 3 : (word + list) % 11 == 0;
}

static bool has_none(int list, int word)
{
    return list < -1 && word;
}

/* Searches, without a shortlist and with one. */
static void search_both(struct hypothesis full[MOST], struct hypothesis listed[MOST], struct network *f,
                        const struct ensemble *ensemble, struct lists *lists)
{
    int found[SENTS], found_listed[SENTS];
    struct ensemble with = *ensemble;
    with.shortlists = lists->members;
    beam_search(full, found, ensemble, f->sentences, SENTS, &f->options, &f->arena);
    beam_search(listed, found_listed, &with, f->sentences, SENTS, &f->options, &f->arena);
    assert_memory_equal(found, found_listed, sizeof found);
}

static void expect_both_same(struct network *f, const struct ensemble *ensemble, struct lists *lists)
{
    struct hypothesis full[MOST], listed[MOST];
    search_both(full, listed, f, ensemble, lists);
    for (int i = 0; i < SENTS; i++)
        expect_same(&full[i * f->options.n_best], &listed[i * f->options.n_best]);
}

static void a_list_of_all_words_changes_nothing(void **state)
{
    struct network *f = *state;
    struct lists lists;
    struct step_weights members[2] = {f->weights, f->weights};
    const struct ensemble two = {.members = members, .count = 2};
    lists_make(&lists, has_all);
    for (int beam = 1; beam <= 4; beam += 3) {
        f->options.beam = f->options.n_best = beam;
        expect_both_same(f, &f->one, &lists);
        expect_both_same(f, &two, &lists);
        f->options.max_repetitions = 1;
        f->options.block_ngrams = 2;
        expect_both_same(f, &f->one, &lists);
        f->options.branched = true;
        expect_both_same(f, &f->one, &lists);
        f->options.branched = false;
    }
    f->options.sampled = true;
    f->options.sample = (struct sample_options){1, 0, 1};
    expect_both_same(f, &f->one, &lists);
    expect_both_same(f, &two, &lists);
}

/* May the word come in a translation of the sentence? */
static bool may_come(const struct sentence *sentence, int word)
{
    bool may = word < VOCAB_SPECIALS || has_some(-1, word);
    for (size_t i = 0; i < sentence->length; i++)
        may |= has_some(sentence->ids[i], word);
    return may;
}

/* The vocabulary is so small that all others are in the sample: probabilities are exact. */
static void a_beam_of_one_is_greedy_search_among_the_words(void **state)
{
    struct network *f = *state;
    struct lists lists;
    struct ensemble with = f->one;
    lists_make(&lists, has_some);
    with.shortlists = lists.members;
    for (int b = 0; b < SENTS; b++) {
        struct hypothesis h;
        int found, target[4 * STEPS];
        double log_probability;
        beam_search(&h, &found, &with, &f->sentences[b], 1, &f->options, &f->arena);
        const int length = network_greedy(f, b, may_come, target, &log_probability);
        assert_int_equal(h.length, length);
        assert_memory_equal(h.ids, target + 1, (size_t)length * sizeof *target);
        assert_true(fabs(h.terms.log_probability - log_probability) < 1e-4);
    }
}

/* A network for which all words are equally probable, and only the end mark may come. */
static void a_sample_stands_for_all_others(void **state)
{
    enum { LARGE = 500 };
    struct network *f = *state;
    struct lists lists;
    struct seq2seq model;
    struct step_weights members[2];
    struct hypothesis h;
    int found;
    lists_make(&lists, has_none);
    lists.shortlist.target_words = LARGE;
    seq2seq_init(&model, &f->config, VOCABULARY, LARGE);
    real *params = xcalloc(model.layout.total, sizeof *params);
    step_weights_init(&members[0], &model, params, NULL, &f->shared);
    members[1] = members[0];
    for (int count = 1; count <= 2; count++) {
        const struct ensemble with = {.members = members, .count = count, .shortlists = lists.members};
        beam_search(&h, &found, &with, f->sentences, 1, &f->options, &f->arena);
        assert_int_equal(h.length, 0);
        assert_true(fabs(h.terms.log_probability + log(LARGE - 2)) < 1e-4);
    }
    free(params);
}

/* The hypothesis has the words of lists, and the probability that the network gives it. */
static void expect_possible(struct network *f, int b, const struct hypothesis *h)
{
    int ids[4 * STEPS], found;
    struct hypothesis given;
    const struct sentence prefix = {ids, (size_t)h->length + 1};
    struct beam_options options = f->options;
    for (int i = 0; i < h->length; i++)
        assert_true(may_come(&f->sentences[b], h->ids[i]));
    if (h->end != END_MARK)
        return;
    memcpy(ids, h->ids, (size_t)h->length * sizeof *ids);
    ids[h->length] = VOCAB_END;
    options.scored = true;
    options.sampled = options.branched = false;
    options.beam = options.n_best = 1;
    options.prefixes = &prefix;
    beam_search(&given, &found, &f->one, &f->sentences[b], 1, &options, &f->arena);
    assert_true(fabs(h->terms.log_probability - given.terms.log_probability) < 1e-3);
}

/* Searches with members of the same weights. */
static void expect_all_possible(struct network *f, int members, struct lists *lists)
{
    struct step_weights all[2] = {f->weights, f->weights};
    const struct ensemble with = {.members = all, .count = members, .shortlists = lists->members};
    const int n_best = f->options.n_best;
    for (int b = 0; b < SENTS; b++) {
        struct hypothesis best[4];
        int found;
        beam_search(best, &found, &with, &f->sentences[b], 1, &f->options, &f->arena);
        for (int k = 0; k < found && k < n_best; k++) {
            expect_possible(f, b, &best[k]);
            for (int i = 2; i < best[k].length && f->options.block_ngrams == 1; i++)
                for (int j = 0; j < i; j++)
                    assert_true(best[k].ids[i] != best[k].ids[j]);
            const bool varied = longest_run(f->ids[b], f->sentences[b].length) == 1; /* the source */
            for (int i = 1; i < best[k].length && f->options.max_repetitions == 1 && varied; i++)
                assert_true(best[k].ids[i] != best[k].ids[i - 1]);
        }
    }
}

static void all_searches_choose_among_the_words(void **state)
{
    struct network *f = *state;
    struct lists lists;
    real *bias = f->params + f->model.readout.output.bias;
    lists_make(&lists, has_some);
    bias[VOCAB_BEGIN] = bias[VOCAB_UNKNOWN] = -1e4f; /* a search has no place for them */
    f->options.beam = f->options.n_best = 4;
    for (int members = 1; members <= 2; members++) {
        expect_all_possible(f, members, &lists);
        f->options.max_repetitions = 1;
        expect_all_possible(f, members, &lists);
        f->options.max_repetitions = 0;
        f->options.block_ngrams = 1;
        expect_all_possible(f, members, &lists);
        f->options.block_ngrams = 0;
        f->options.branched = true;
        expect_all_possible(f, members, &lists);
        f->options.branched = false;
        f->options.sampled = true;
        f->options.sample = (struct sample_options){1, 0, 1};
        expect_all_possible(f, members, &lists);
        f->options.sampled = false;
    }
}

static void a_translation_does_not_depend_on_its_neighbours(void **state)
{
    struct network *f = *state;
    struct lists lists;
    struct hypothesis together[SENTS], alone;
    struct ensemble with = f->one;
    int found[SENTS], one;
    lists_make(&lists, has_some);
    with.shortlists = lists.members;
    f->options.beam = 3;
    beam_search(together, found, &with, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        beam_search(&alone, &one, &with, &f->sentences[b], 1, &f->options, &f->arena);
        expect_same(&together[b], &alone);
        for (int i = 0; i < alone.length; i++)
            assert_true(may_come(&f->sentences[b], alone.ids[i]));
    }
}

/* Each model of an ensemble adds its words. */
static void an_ensemble_has_the_words_of_all_lists(void **state)
{
    struct network *f = *state;
    struct lists some, none;
    struct hypothesis full[MOST], listed[MOST];
    struct step_weights members[2] = {f->weights, f->weights};
    const struct ensemble two = {.members = members, .count = 2};
    lists_make(&some, has_some);
    lists_make(&none, has_none);
    f->options.beam = 3;
    struct ensemble with = f->one;
    int found[SENTS];
    with.shortlists = some.members;
    none.members[1] = &some.shortlist;
    search_both(full, listed, f, &two, &none);
    beam_search(full, found, &with, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        expect_same(&full[b], &listed[b]);
}

/* Without any list, translations hold what they must: a prefix, or phrases. */
static void what_must_come_comes(void **state)
{
    struct network *f = *state;
    static const int ids[] = {VOCAB_SPECIALS + 9, VOCABULARY - 1};
    const struct sentence form = {ids, 2};
    const struct phrase phrase = {&form, 1, false, {0, 0}};
    struct lists lists;
    struct hypothesis full[MOST], listed[MOST];
    struct sentence prefixes[SENTS];
    struct constraints constraints[SENTS];
    lists_make(&lists, has_none);
    f->options.extra_length = 5;
    f->options.beam = 3;
    for (int b = 0; b < SENTS; b++) {
        prefixes[b] = form;
        constraints_init(&constraints[b], &phrase, 1, NULL, &f->shared);
    }
    f->options.prefixes = prefixes;
    search_both(full, listed, f, &f->one, &lists);
    for (int b = 0; b < SENTS; b++)
        assert_true(listed[b].length >= 2 && !memcmp(listed[b].ids, ids, sizeof ids));
    f->options.prefixes = NULL;
    f->options.constraints = constraints;
    search_both(full, listed, f, &f->one, &lists);
    for (int b = 0; b < SENTS; b++) {
        bool comes = false;
        for (int i = 0; i < listed[b].length; i++) {
            assert_true(listed[b].ids[i] == ids[0] || listed[b].ids[i] == ids[1]);
            comes |= i && listed[b].ids[i - 1] == ids[0] && listed[b].ids[i] == ids[1];
        }
        assert_true(comes);
    }
}

/* Placeholders need no list. */
static void placeholders_come(void **state)
{
    struct network *f = *state;
    struct lists lists;
    struct hypothesis full[MOST], listed[MOST];
    const int place = VOCAB_PLACEHOLDER(2), before = f->ids[1][0];
    lists_make(&lists, has_none);
    f->options.placeholders = true;
    f->options.beam = 3;
    for (int b = 0; b < SENTS; b++)
        for (int t = 0; t + 1 < (int)f->sentences[b].length; t++)
            f->ids[b][t] = t ? VOCABULARY - 1 : place;
    search_both(full, listed, f, &f->one, &lists);
    for (int b = 0; b < SENTS; b++) {
        assert_int_equal(listed[b].length, f->sentences[b].length > 1);
        assert_true(listed[b].length == 0 || listed[b].ids[0] == place);
    }
    f->ids[1][0] = before;
}

/* Given translations have the probabilities of the whole vocabulary. */
static void given_translations_are_scored_in_full(void **state)
{
    struct network *f = *state;
    static const int ids[] = {VOCAB_SPECIALS + 1, VOCAB_SPECIALS + 2, VOCAB_END};
    struct lists lists;
    struct sentence prefixes[SENTS];
    lists_make(&lists, has_none);
    for (int b = 0; b < SENTS; b++)
        prefixes[b] = (struct sentence){ids, 3};
    f->options.prefixes = prefixes;
    f->options.scored = true;
    expect_both_same(f, &f->one, &lists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(a_list_of_all_words_changes_nothing),
        NETWORK_TEST(a_beam_of_one_is_greedy_search_among_the_words),
        NETWORK_TEST(a_translation_does_not_depend_on_its_neighbours),
        NETWORK_TEST(an_ensemble_has_the_words_of_all_lists),
        NETWORK_TEST(what_must_come_comes),
        NETWORK_TEST(given_translations_are_scored_in_full),
        NETWORK_TEST(a_sample_stands_for_all_others),
        NETWORK_TEST(all_searches_choose_among_the_words),
        NETWORK_TEST(placeholders_come),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}

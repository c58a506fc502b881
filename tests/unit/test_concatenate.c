/* Concatenation: which pairs become one, and what is in it. */
#include "check.h"

#include "concatenate.h"
#include "mem.h"
#include "word_counts.h"

struct fixture {
    struct config config;
    struct language_pair pair;
    struct corpus corpus;
};

static void add_words(struct vocab *vocab, const char *words)
{
    struct word_counts counts;
    word_counts_init(&counts);
    word_counts_add(&counts, words, strlen(words), 2);
    vocab_build(vocab, &counts.words, counts.counts, 0, 1);
    word_counts_release(&counts);
}

/* A corpus with a tag, and `settings`. */
static void begin(struct fixture *f, const char *setting)
{
    struct err err;
    config_init(&f->config);
    f->config.data.train.tag = xstrdup("<x>");
    if (config_set(&f->config, "text.subword=word", &err) ||
        (setting && config_set(&f->config, setting, &err)))
        fail_msg("%s", err.text);
    language_pair_init(&f->pair, &f->config);
    for (int side = 0; side < SIDES; side++)
        add_words(&f->pair.vocab[side], "a b c d e f g h <x>");
    corpus_init(&f->corpus);
}

static void end(struct fixture *f)
{
    corpus_release(&f->corpus);
    language_pair_release(&f->pair);
    config_release(&f->config);
}

/* Adds a pair of words "a" to "h"; digits are placeholders, "x" is the tag. */
static void add(struct fixture *f, const char *source, const char *target)
{
    int ids[SIDES][16], counts[SIDES];
    const char *const text[SIDES] = {source, target};
    for (int side = 0; side < SIDES; side++) {
        counts[side] = (int)strlen(text[side]);
        for (int i = 0; i < counts[side]; i++) {
            const char c = text[side][i];
            const char word[4] = {c, '\0'};
            ids[side][i] = c >= '0' && c <= '9' ? VOCAB_PLACEHOLDER(c - '0')
                                                : vocab_id(&f->pair.vocab[side], c == 'x' ? "<x>" : word,
                                                           c == 'x' ? strlen("<x>") : 1);
            assert_int_not_equal(ids[side][i], VOCAB_UNKNOWN);
        }
    }
    assert_true(corpus_add_ids(&f->corpus, ids[SOURCE], counts[SOURCE], ids[TARGET], counts[TARGET], 16));
}

/* Writes pair i as "source target", with A for the tenth placeholder. */
static void show(char text[64], const struct fixture *f, size_t i)
{
    size_t length, at = 0;
    for (int side = 0; side < SIDES; side++) {
        const int *ids =
            side == SOURCE ? corpus_source(&f->corpus, i, &length) : corpus_target(&f->corpus, i, &length);
        assert_int_equal(ids[length - 1], VOCAB_END);
        if (side == TARGET)
            assert_int_equal(ids[0], VOCAB_BEGIN);
        for (size_t j = side == TARGET; j + 1 < length; j++) {
            const int number = ids[j] - VOCAB_PLACEHOLDER(0);
            const char *word = vocab_word(&f->pair.vocab[side], ids[j]);
            text[at++] = number > 0 && number <= PLACEHOLDERS ? "0123456789A"[number]
                         : word[0] == '<'                     ? 'x'
                                                              : word[0];
        }
        text[at++] = side == SOURCE ? ' ' : '\0';
    }
}

static void join(struct fixture *f, double share, int max_tokens, uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed, RNG_CONCATENATE, 0, 0);
    concatenate(&f->corpus, &f->pair, share, max_tokens, &rng);
}

/* The corpus of two pairs becomes one of these two, or is as before where both are NULL. */
static void expect_two(struct fixture *f, int max_tokens, const char *one, const char *other)
{
    char text[64];
    join(f, 1, max_tokens, 1);
    assert_int_equal(f->corpus.pairs, one ? 1 : 2);
    show(text, f, 0);
    if (one && strcmp(text, one) != 0 && strcmp(text, other) != 0)
        fail_msg("'%s' is neither '%s' nor '%s'", text, one, other);
}

static void two_become_one(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, NULL);
    add(&f, "abc", "de");
    add(&f, "f", "gh");
    expect_two(&f, 4, "abcf degh", "fabc ghde");
    end(&f);
    begin(&f, "text.reverse_target=true");
    add(&f, "abc", "ed");
    add(&f, "f", "hg");
    expect_two(&f, 4, "abcf hged", "fabc edhg");
    end(&f);
}

static void what_became_too_long_stays(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, NULL);
    add(&f, "abc", "de");
    add(&f, "f", "gh");
    expect_two(&f, 3, NULL, NULL);
    end(&f);
}

static void placeholders_are_counted_on(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, NULL);
    add(&f, "1a2", "2b1");
    add(&f, "c1", "1d");
    expect_two(&f, 16, "1a2c3 2b13d", "c12a3 1d3b2");
    end(&f);
    begin(&f, NULL);
    add(&f, "123456", "654321");
    add(&f, "12345", "12345");
    expect_two(&f, 16, NULL, NULL);
    end(&f);
}

static void a_tag_stands_once_in_front(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, NULL);
    add(&f, "xa", "b");
    add(&f, "xc", "d");
    expect_two(&f, 3, "xac bd", "xca db");
    end(&f);
    begin(&f, NULL);
    add(&f, "xa", "b");
    add(&f, "c", "d");
    expect_two(&f, 16, NULL, NULL);
    end(&f);
}

static void links_go_along(void **state)
{
    (void)state;
    struct fixture f;
    for (int reversed = 0; reversed < 2; reversed++) {
        size_t count;
        char text[64];
        begin(&f, reversed ? "text.reverse_target=true" : NULL);
        add(&f, "xab", "cde");
        corpus_add_link(&f.corpus, 1, 2);
        add(&f, "xf", "gh");
        corpus_add_link(&f.corpus, 1, 0);
        join(&f, 1, 16, 1);
        assert_int_equal(f.corpus.pairs, 1);
        show(text, &f, 0);
        const struct link *links = corpus_links(&f.corpus, 0, &count);
        assert_int_equal(count, 2);
        const char *target = strchr(text, ' ') + 1;
        for (size_t i = 0; i < count; i++) {
            const bool first = text[links[i].source] == 'a';
            assert_int_equal(text[links[i].source], first ? 'a' : 'f');
            assert_int_equal(target[links[i].target], first ? 'e' : 'g');
        }
        end(&f);
    }
}

static void so_many_as_the_share_says(void **state)
{
    (void)state;
    struct fixture f;
    char first[64], again[64];
    int differ = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int letters[8] = {0};
        begin(&f, NULL);
        for (int i = 0; i < 8; i++)
            add(&f, (const char[]){"abcdefgh"[i], '\0'}, (const char[]){"abcdefgh"[i], '\0'});
        join(&f, 0.6, 16, seed);
        assert_int_equal(f.corpus.pairs, 6); /* two of them joined */
        for (size_t i = 0; i < f.corpus.pairs; i++) {
            show(again, &f, i);
            for (int c = 0; again[c] != ' '; c++)
                letters[again[c] - 'a']++;
            if (i == 0 && seed > 1)
                differ += strcmp(first, again) != 0;
            if (i == 0)
                strcpy(first, again);
        }
        for (int i = 0; i < 8; i++)
            assert_int_equal(letters[i], 1);
        end(&f);
    }
    assert_true(differ > 10);
}

static void no_pairs_are_none(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, NULL);
    join(&f, 1, 16, 1);
    assert_int_equal(f.corpus.pairs, 0);
    add(&f, "a", "b");
    join(&f, 1, 16, 1);
    assert_int_equal(f.corpus.pairs, 1);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_become_one),
        cmocka_unit_test(what_became_too_long_stays),
        cmocka_unit_test(placeholders_are_counted_on),
        cmocka_unit_test(a_tag_stands_once_in_front),
        cmocka_unit_test(links_go_along),
        cmocka_unit_test(so_many_as_the_share_says),
        cmocka_unit_test(no_pairs_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

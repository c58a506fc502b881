/* Training sets: how an epoch is divided into parts that fit in memory, without reading blocks; and
 * BPE-dropout and concatenation on real text. */
#include "check.h"

#include "batch.h"
#include "bpe.h"
#include "fileio.h"
#include "mem.h"
#include "prepare.h"
#include "temporary.h"
#include "training_set.h"

#include <unistd.h>

#define BLOCKS 20
#define TOKENS 100 /* per block */
#define PAIRS 5

struct fixture {
    struct config config;
    struct corpus_block in_file[BLOCKS];
    int blocks[BLOCKS];
    struct training_set set;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    config_init(&f->config);
    for (int i = 0; i < BLOCKS; i++)
        f->in_file[i] = (struct corpus_block){.tokens = TOKENS, .pairs = PAIRS};
    f->set = (struct training_set){.config = &f->config, .blocks = f->blocks};
    f->set.file.end.blocks = BLOCKS;
    f->set.file.end.totals = (struct corpus_totals){.pairs = BLOCKS * PAIRS, .tokens = BLOCKS * TOKENS};
    f->set.file.blocks = f->in_file;
    *state = f;
    return make_temporary_dir(state);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    free(f->set.part);
    config_release(&f->config);
    return remove_temporary_dir(state);
}

/* Checks that every block occurs once. */
static void expect_all_blocks(const struct training_set *set)
{
    int seen[BLOCKS] = {0};
    for (int i = 0; i < BLOCKS; i++)
        seen[set->blocks[i]]++;
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(seen[i], 1);
    assert_int_equal(set->part[0], 0);
    assert_int_equal(set->part[set->parts], BLOCKS);
}

/* What a corpus holds for so many tokens in pairs: ids, where both sides of a pair and its links begin; and
 * the order of the batches. */
static double bytes_of(double tokens)
{
    const double pairs = tokens * PAIRS / TOKENS;
    return tokens * sizeof(int) + pairs * (SIDES + 1) * sizeof(size_t) + batch_order_bytes(pairs);
}

static void what_fits_is_one_part_in_order(void **state)
{
    struct fixture *f = *state;
    f->config.data.tokens_in_memory = BLOCKS * TOKENS;
    training_set_begin(&f->set, 3);
    expect_all_blocks(&f->set);
    assert_true(training_set_is_one(&f->set));
    assert_true(training_set_bytes(&f->set) == bytes_of(BLOCKS * TOKENS));
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(f->set.blocks[i], i);
}

static void what_does_not_comes_in_parts_shuffled_anew(void **state)
{
    struct fixture *f = *state;
    int first[BLOCKS], same = 0;
    f->config.data.tokens_in_memory = 3 * TOKENS + TOKENS / 2;
    for (long epoch = 0; epoch < 2; epoch++) {
        training_set_begin(&f->set, epoch);
        expect_all_blocks(&f->set);
        assert_false(training_set_is_one(&f->set));
        assert_int_equal(f->set.parts, 7); /* of three blocks each, and one of two */
        for (size_t p = 0; p < f->set.parts; p++)
            assert_int_equal(f->set.part[p + 1] - f->set.part[p], p < 6 ? 3 : 2);
        for (int i = 0; i < BLOCKS; i++)
            same += epoch && first[i] == f->set.blocks[i];
        memcpy(first, f->set.blocks, sizeof first);
    }
    assert_true(same <= BLOCKS / 2);
    assert_true(training_set_bytes(&f->set) == bytes_of(350));
}

/* A part has at least one block, however low the limit on memory. */
static void a_part_has_a_block(void **state)
{
    struct fixture *f = *state;
    f->config.data.tokens_in_memory = 1;
    training_set_begin(&f->set, 0);
    assert_int_equal(f->set.parts, BLOCKS);
    assert_true(training_set_bytes(&f->set) == bytes_of(TOKENS));
}

/* Counted as one for each token, on both sides. */
static void links_take_memory(void **state)
{
    struct fixture *f = *state;
    f->config.data.tokens_in_memory = BLOCKS * TOKENS;
    f->config.training.guided_alignment = 1;
    assert_true(training_set_bytes(&f->set) ==
                bytes_of(BLOCKS * TOKENS) + BLOCKS * TOKENS * sizeof(struct link));
    f->config.training.guided_alignment = 0;
}

static void weights_count(void **state)
{
    struct fixture *f = *state;
    f->config.data.tokens_in_memory = 2 * BLOCKS * TOKENS;
    f->config.data.train.weight = 2;
    training_set_begin(&f->set, 0);
    assert_true(training_set_is_one(&f->set));
    f->config.data.train.weight = 1.5; /* pairs are sampled: different ones in every epoch */
    training_set_begin(&f->set, 0);
    assert_int_equal(f->set.parts, 1);
    assert_false(training_set_is_one(&f->set));
    f->config.data.tokens_in_memory = BLOCKS * TOKENS / 2;
    f->config.data.train.weight = 0.02; /* of old text beside new one: an epoch has little of it */
    training_set_begin(&f->set, 0);
    assert_int_equal(f->set.parts, 1);
    f->config.data.tokens_in_memory = 2 * BLOCKS * TOKENS;
    f->config.data.train.weight = 3;
    training_set_begin(&f->set, 0);
    assert_int_equal(f->set.parts, 2);
    f->config.data.train.weight = 1;
}

/* ---- BPE-dropout ---- */

static const char *const sentences[] = {"the cat sat on the mat", "the hat of the cat", "a", "that mat"};
enum { SENTENCES = sizeof sentences / sizeof sentences[0], LINES = 50 * SENTENCES }; /* repeated */

/* A config with these sentences, then `junk`, as source and target, in the temporary folder. */
static void make_text(struct config *config, const char *junk)
{
    struct err err;
    char *path = path_join(temporary_dir, "text");
    FILE *file = fopen(path, "w");
    for (int i = 0; i < LINES; i++)
        fprintf(file, "%s\n", sentences[i % SENTENCES]);
    fputs(junk, file);
    fclose(file);
    const char *const settings[][2] = {
        {"model_dir", temporary_dir}, {"data.train.source", path},        {"data.train.target", path},
        {"data.concatenate", "0"},    {"text.tokenizer", "whitespace"},   {"text.merges", "30"},
        {"text.protect", "false"},    {"text.bpe_dropout.source", "0.5"}, {"text.bpe_dropout.target", "0.5"}};
    config_init(config);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        char *setting = xasprintf("%s=%s", settings[i][0], settings[i][1]);
        assert_int_equal(config_set(config, setting, &err), 0);
        free(setting);
    }
    free(path);
}

static void remove_text(void)
{
    char *path = path_join(temporary_dir, "text");
    prepare_remove(temporary_dir);
    unlink(path);
    free(path);
}

/* Checks that a side of a pair has the sentence's text; returns its number of pieces. */
static size_t expect_sentence(const struct tokenizer *tokenizer, const int *ids, size_t count,
                              const char *sentence)
{
    struct strbuf pieces, words;
    strbuf_init(&pieces);
    strbuf_init(&words);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&pieces, "%s%s", i ? " " : "", vocab_word(tokenizer->vocab, ids[i]));
    bpe_join(&words, pieces.text, pieces.length);
    assert_string_equal(words.text, sentence);
    strbuf_release(&pieces);
    strbuf_release(&words);
    return count;
}

/* The text, and what is learned from it. */
struct learned {
    struct config config;
    struct training_set set;
};

/* Learns `pair` from the sentences and a line of junk; sides may have that many tokens, 0: the usual ones. */
static void learn(struct learned *learned, struct language_pair *pair, const char *junk, int max_length)
{
    struct err err;
    memset(learned, 0, sizeof *learned);
    make_text(&learned->config, junk);
    if (max_length)
        learned->config.data.max_length = max_length;
    language_pair_init(pair, &learned->config);
    if (training_set_open(&learned->set, pair, &learned->config, PAIR_LEARNED, &err))
        fail_msg("%s", err.text);
}

/* The pair stays, to be released. */
static void forget_text(struct learned *learned)
{
    training_set_close(&learned->set);
    config_release(&learned->config);
    remove_text();
}

static void load_epoch(struct corpus *corpus, struct training_set *set, int epoch)
{
    struct err err;
    training_set_begin(set, epoch);
    assert_int_equal(training_set_load(set, corpus, epoch, 0, &err), 0);
}

static void words_split_anew_are_the_same_words(void **state)
{
    (void)state;
    size_t pieces[3] = {0};
    struct learned learned;
    struct language_pair pair;
    struct corpus corpus;
    learn(&learned, &pair, "", 0);
    corpus_init(&corpus);
    for (int epoch = 0; epoch < 3; epoch++) {
        load_epoch(&corpus, &learned.set, epoch);
        assert_int_equal(corpus.pairs, LINES);
        for (size_t i = 0; i < LINES; i++) {
            size_t length;
            const int *ids = corpus_source(&corpus, i, &length); /* with an end mark */
            pieces[epoch] +=
                expect_sentence(&pair.tokenizer[SOURCE], ids, length - 1, sentences[i % SENTENCES]);
            ids = corpus_target(&corpus, i, &length); /* with both marks */
            pieces[epoch] +=
                expect_sentence(&pair.tokenizer[TARGET], ids + 1, length - 2, sentences[i % SENTENCES]);
        }
    }
    assert_true(pieces[0] != pieces[1] || pieces[1] != pieces[2]); /* segmentations differ between epochs */
    corpus_release(&corpus);
    forget_text(&learned);
    language_pair_release(&pair);
}

static void pairs_that_fit_stay_however_they_are_split(void **state)
{
    (void)state;
    struct learned learned;
    struct language_pair pair;
    struct corpus corpus;
    learn(&learned, &pair, "", 8);
    corpus_init(&corpus);
    assert_true(learned.set.file.end.totals.pairs > LINES / 2);
    for (int epoch = 0; epoch < 3; epoch++) {
        load_epoch(&corpus, &learned.set, epoch);
        assert_int_equal(corpus.pairs, learned.set.file.end.totals.pairs);
    }
    corpus_release(&corpus);
    forget_text(&learned);
    language_pair_release(&pair);
}

/* ---- concatenation ---- */

static void pairs_are_joined_anew_in_each_epoch(void **state)
{
    (void)state;
    struct learned learned;
    struct language_pair pair;
    struct corpus corpus;
    size_t length, first[3] = {0}, longest = 0;
    learn(&learned, &pair, "", 0);
    const double bytes = training_set_bytes(&learned.set) - batch_order_bytes(LINES);
    learned.config.text.bpe_dropout.source = learned.config.text.bpe_dropout.target = 0;
    const int alone = training_set_longest(&learned.set, SOURCE);
    assert_true(training_set_is_one(&learned.set) || !learned.set.parts);
    learned.config.data.concatenate = 0.5;
    corpus_init(&corpus);
    for (int epoch = 0; epoch < 3; epoch++) {
        load_epoch(&corpus, &learned.set, epoch);
        assert_false(training_set_is_one(&learned.set));
        assert_int_equal(corpus.pairs, LINES * 3 / 4);
        for (size_t i = 0; i < corpus.pairs; i++) {
            corpus_source(&corpus, i, &length);
            longest = length > longest ? length : longest;
            first[epoch] = first[epoch] * 31 + length;
        }
    }
    assert_true(first[0] != first[1] && first[1] != first[2]);
    assert_true(longest > (size_t)alone && longest <= (size_t)training_set_longest(&learned.set, SOURCE));
    assert_true(training_set_bytes(&learned.set) == 2 * bytes + batch_order_bytes(LINES));
    learned.config.data.max_length = alone;
    assert_int_equal(training_set_longest(&learned.set, SOURCE), alone + 1);
    assert_int_equal(training_set_longest(&learned.set, TARGET), alone + 2);
    corpus_release(&corpus);
    forget_text(&learned);
    language_pair_release(&pair);
}

/* ---- junk ---- */

/* The pair that is learned from the sentences and a line of junk. */
static void learn_with(struct language_pair *pair, const char *junk)
{
    struct learned learned;
    learn(&learned, pair, junk, 0);
    assert_int_equal(learned.set.file.end.totals.too_long, *junk != '\0');
    assert_int_equal(learned.set.file.end.totals.pairs, LINES);
    forget_text(&learned);
}

static void dropped_lines_teach_no_words(void **state)
{
    (void)state;
    struct language_pair plain, other;
    char *words = strdup(""), letters[4096] = "";
    for (int i = 0; i < 3000; i++)
        letters[i] = (char)('a' + i * i % 23);
    letters[3000] = '\n';
    for (int i = 0; i < 101; i++) { /* data.max_length is 100 */
        char *longer = xasprintf("%szyx%d ", words, i % 5);
        free(words);
        words = longer;
    }
    learn_with(&plain, "");
    const char *const junk[] = {words, letters};
    for (int i = 0; i < 2; i++) {
        learn_with(&other, junk[i]);
        assert_true(language_pair_same(&plain, &other));
        language_pair_release(&other);
    }
    language_pair_release(&plain);
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_one_part_in_order),
        cmocka_unit_test(what_does_not_comes_in_parts_shuffled_anew),
        cmocka_unit_test(a_part_has_a_block),
        cmocka_unit_test(links_take_memory),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(words_split_anew_are_the_same_words),
        cmocka_unit_test(pairs_that_fit_stay_however_they_are_split),
        cmocka_unit_test(pairs_are_joined_anew_in_each_epoch),
        cmocka_unit_test(dropped_lines_teach_no_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

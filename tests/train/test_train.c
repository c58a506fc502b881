/* Training as a whole, on twenty pairs: the model memorises them, the bytes depend on the seed alone, and
 * stopping and resuming leaves no trace. */
#include "train/twenty_pairs.h"

#include "fileio.h"
#include "inherit.h"
#include "kernel.h"
#include "mem.h"
#include "safetensors.h"
#include "translate.h"

#include <math.h>
#include <signal.h>

static void read_checkpoint(struct strbuf *bytes, const char *name, long update)
{
    struct err err;
    char *path = xasprintf("%s/%s/checkpoints/update-%08ld.safetensors", temporary_dir, name, update);
    strbuf_init(bytes);
    if (file_slurp(bytes, path, &err))
        fail_msg("%s", err.text);
    free(path);
}

/* Compares the tensors only: the headers contain seconds, which differ. */
static void expect_same_tensors(const char *one, const char *other, long update, bool same)
{
    struct strbuf a, b;
    read_checkpoint(&a, one, update);
    read_checkpoint(&b, other, update);
    size_t header_a = 0, header_b = 0;
    for (int i = 7; i >= 0; i--) {
        header_a = header_a << 8 | (unsigned char)a.text[i];
        header_b = header_b << 8 | (unsigned char)b.text[i];
    }
    assert_int_equal(a.length - header_a, b.length - header_b);
    const bool equal = !memcmp(a.text + 8 + header_a, b.text + 8 + header_b, a.length - 8 - header_a);
    assert_true(equal == same);
    strbuf_release(&a);
    strbuf_release(&b);
}

static void twenty_pairs_are_learned_by_heart(void **state)
{
    (void)state;
    run_new("overfit",
            SETTINGS("training.max_epochs", "60", "model.dropout.embedding", "0", "model.dropout.annotation",
                     "0", "model.dropout.readout", "0", "training.label_smoothing", "0"));
    struct loaded_model loaded;
    struct translate_options options;
    struct ensemble ensemble;
    struct translator translator;
    struct err err;
    struct reader source, target;
    struct strbuf line, right;
    char *dir = path_join(temporary_dir, "overfit"), *en = path_join(temporary_dir, "train.en"),
         *fr = path_join(temporary_dir, "train.fr");
    strbuf_init(&line);
    strbuf_init(&right);
    assert_int_equal(loaded_model_open(&loaded, dir, &err), 0);
    translate_options_init(&options, &loaded.config);
    ensemble_init(&ensemble, &loaded.pair, &loaded.model, weights_floats(&loaded.weights));
    translator_init(&translator, &ensemble, &options);
    assert_int_equal(reader_open(&source, en, &err), 0);
    assert_int_equal(reader_open(&target, fr, &err), 0);
    int correct = 0;
    while (reader_line(&source, &line, &err) > 0 && reader_line(&target, &right, &err) > 0) {
        struct translations out = {NULL, 0};
        const struct lines one = {.text = &line.text, .bytes = &line.length, .count = 1};
        translator_run(&translator, &out, &one, NULL, NULL, NULL);
        correct += !strcmp(out.best[0].text, right.text);
        translations_release(&out);
    }
    assert_true(correct >= PAIRS - 1);
    reader_close(&source);
    reader_close(&target);
    translator_release(&translator);
    ensemble_release(&ensemble);
    loaded_model_close(&loaded);
    strbuf_release(&line);
    strbuf_release(&right);
    free(dir);
    free(en);
    free(fr);
}

struct batch_sizes {
    int finished, count, lines[8];
};

static void note_batch(void *context, int finished)
{
    struct batch_sizes *sizes = context;
    sizes->lines[sizes->count++] = finished - sizes->finished;
    sizes->finished = finished;
}

/* Batches are limited by lines and by tokens (twelve per line), and shared among threads. */
static void lines_are_translated_in_batches(void **state)
{
    (void)state;
    static const struct {
        int batch, threads, words, lines, batches, in_each;
    } cases[] = {{2, 1, 3, 6, 3, 2}, {4, 1, 20, 6, 3, 2}, {100, 2, 3, 4, 2, 2}};
    struct loaded_model loaded;
    struct translate_options options;
    struct ensemble ensemble;
    struct translator translator;
    struct err err;
    char *dir = path_join(temporary_dir, "overfit"), text[] = "a a a a a a a a a a a a a a a a a a a a";
    assert_int_equal(loaded_model_open(&loaded, dir, &err), 0);
    ensemble_init(&ensemble, &loaded.pair, &loaded.model, weights_floats(&loaded.weights));
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char *lines[8];
        size_t lengths[8];
        struct translations out[8] = {{NULL, 0}};
        struct batch_sizes sizes = {0};
        const struct lines given = {.text = lines, .bytes = lengths, .count = (size_t)cases[c].lines};
        for (int i = 0; i < cases[c].lines; i++) {
            lines[i] = text;
            lengths[i] = 2 * (size_t)cases[c].words - 1;
        }
        translate_options_init(&options, &loaded.config);
        options.batch = cases[c].batch;
        options.threads = cases[c].threads;
        translator_init(&translator, &ensemble, &options);
        translator_run(&translator, out, &given, NULL,
                       &(struct translation_watch){.done = note_batch, .context = &sizes}, NULL);
        assert_int_equal(sizes.count, cases[c].batches);
        for (int i = 0; i < sizes.count; i++)
            assert_int_equal(sizes.lines[i], cases[c].in_each);
        for (int i = 0; i < cases[c].lines; i++)
            translations_release(&out[i]);
        translator_release(&translator);
    }
    ensemble_release(&ensemble);
    loaded_model_close(&loaded);
    free(dir);
}

/* From a model of the same sizes and words, everything is inherited. */
static void everything_is_inherited(void **state)
{
    (void)state;
    struct loaded_model loaded;
    struct err err;
    char *dir = path_join(temporary_dir, "overfit");
    assert_int_equal(loaded_model_open(&loaded, dir, &err), 0);
    const size_t total = loaded.model.layout.total;
    real *values = xcalloc(total, sizeof *values);
    assert_int_equal(inherit_weights(values, &loaded.config, &loaded.model, &loaded.pair, dir, &err), 0);
    assert_memory_equal(values, weights_floats(&loaded.weights), total * sizeof *values);
    free(values);
    loaded_model_close(&loaded);
    free(dir);
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    run_new("seed1a", SETTINGS("training.max_updates", "10", "model.dropout.state", "0.2"));
    run_new("seed1b", SETTINGS("training.max_updates", "10", "model.dropout.state", "0.2"));
    run_new("seed2", SETTINGS("training.max_updates", "10", "model.dropout.state", "0.2", "seed", "2"));
    expect_same_tensors("seed1a", "seed1b", 10, true);
    expect_same_tensors("seed1a", "seed2", 10, false);
}

/* An error before anything is written. */
static void bfloat16_needs_its_instruction(void **state)
{
    (void)state;
    const enum instruction_set best = instruction_set;
    static const volatile sig_atomic_t no_signal = 0;
    struct config config;
    struct err err;
    make_config(&config, "bfloat16", SETTINGS("training.precision", "bfloat16", "training.max_updates", "1"));
    instruction_set = INSTRUCTIONS_BASE;
    assert_int_equal(trainer_run(&config, TRAIN_NEW, "test", &nobody, &no_signal, &alone, &err), -1);
    instruction_set = best;
    assert_string_equal(err.text, "cannot train with 'training.precision' bfloat16: this processor has no "
                                  "AVX512-BF16 (float32 runs on all)");
    assert_false(file_exists(config.model_dir));
    config_release(&config);
}

/* Compares a run of 17 updates with one that is stopped twice. */
static void expect_same_after_stops(const char *const *settings)
{
    run_new("whole", settings);
    struct config config;
    static const char *const stops[] = {"5", "12", "17"}; /* within an epoch, and at the end of the third */
    for (int i = 0; i < 3; i++) {
        make_config(&config, "parts", settings);
        setf(&config, "training.max_updates", stops[i]);
        train(&config, i ? TRAIN_RESUME : TRAIN_RESTART);
        config_release(&config);
    }
    expect_same_tensors("whole", "parts", 17, true);
}

static void resume_equals_uninterrupted(void **state)
{
    (void)state;
    expect_same_after_stops(SETTINGS("training.max_updates", "17", "training.schedule", "plateau",
                                     "training.halve_patience", "4", "training.validate_every", "1",
                                     "training.warmup", "3"));
}

/* The average is a block of the checkpoint; segmentations, and which pairs are joined, are sampled again in
 * every epoch. */
static void resume_with_average_and_other_pairs_in_each_epoch(void **state)
{
    (void)state;
    expect_same_after_stops(SETTINGS("training.max_updates", "17", "training.average", "0.9",
                                     "training.weight_decay", "0.01", "text.bpe_dropout.source", "0.3",
                                     "text.bpe_dropout.target", "0.2", "data.concatenate", "0.5"));
}

static void resume_with_larger_batches(void **state)
{
    (void)state;
    struct config config;
    run_new("larger", SETTINGS("training.max_updates", "5")); /* within an epoch, which now ends earlier */
    make_config(&config, "larger", SETTINGS("training.max_updates", "7", "training.batch_sentences", "1000"));
    train(&config, TRAIN_RESUME);
    config_release(&config);
}

static void the_log_has_each_update_once(void **state)
{
    (void)state;
    static double updates[MOST_NUMBERS];
    const int count = numbers_in_log(updates, "parts", "update", "update");
    assert_int_equal(count, 17);
    for (int i = 0; i < count; i++)
        assert_true(updates[i] == i + 1);
}

/* The loss is the same for any number of workers. */
static void the_loss_is_that_of_all_shards(void **state)
{
    (void)state;
    static double losses[2][MOST_NUMBERS];
    for (int several = 0; several < 2; several++) {
        const char *name = several ? "shards4" : "shards1";
        run_new(name, SETTINGS("training.shards", several ? "4" : "1", "training.max_updates", "1",
                               "model.dropout.embedding", "0", "model.dropout.annotation", "0",
                               "model.dropout.readout", "0", "model.dropout.state", "0"));
        assert_int_equal(numbers_in_log(losses[several], name, "update", "loss"), 1);
    }
    assert_true(fabs(losses[0][0] / losses[1][0] - 1) < 1e-5);
}

/* Hard attention's baseline starts from the loss of a uniform guess and follows the loss. */
static void the_baseline_follows_the_loss(void **state)
{
    (void)state;
    static double losses[MOST_NUMBERS];
    struct loaded_model loaded;
    struct safetensors checkpoint;
    struct err err;
    char *dir = path_join(temporary_dir, "hard"),
         *path = path_join(dir, "checkpoints/update-00000002.safetensors");
    run_new("hard", SETTINGS("model.attention.kind", "hard", "training.max_updates", "2"));
    assert_int_equal(loaded_model_open(&loaded, dir, &err), 0);
    assert_int_equal(safetensors_open(&checkpoint, path, &err), 0);
    assert_int_equal(numbers_in_log(losses, "hard", "update", "loss"), 2);
    double baseline = log((double)loaded.model.target_vocabulary);
    for (int i = 0; i < 2; i++)
        baseline += 0.1 * (losses[i] - baseline);
    assert_true(fabs(atof(safetensors_metadata(&checkpoint, "baseline")) - baseline) < 1e-9);
    safetensors_close(&checkpoint);
    loaded_model_close(&loaded);
    free(path);
    free(dir);
}

/* With BPE-dropout, the vocabulary has the pieces of randomly segmented words, too. */
static void broken_words_are_known(void **state)
{
    (void)state;
    int size[2];
    for (int broken = 0; broken < 2; broken++) {
        struct loaded_model loaded;
        struct err err;
        char *dir = path_join(temporary_dir, broken ? "broken" : "unbroken");
        run_new(broken ? "broken" : "unbroken", SETTINGS("text.bpe_dropout.target", broken ? "0.3" : "0",
                                                         "model.tie", "all", "training.max_updates", "1"));
        assert_int_equal(loaded_model_open(&loaded, dir, &err), 0);
        size[broken] = (int)loaded.model.target_vocabulary;
        loaded_model_close(&loaded);
        free(dir);
    }
    assert_true(size[1] > size[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_pairs_are_learned_by_heart),
        cmocka_unit_test(lines_are_translated_in_batches),
        cmocka_unit_test(everything_is_inherited),
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(bfloat16_needs_its_instruction),
        cmocka_unit_test(resume_with_average_and_other_pairs_in_each_epoch),
        cmocka_unit_test(resume_equals_uninterrupted),
        cmocka_unit_test(resume_with_larger_batches),
        cmocka_unit_test(the_log_has_each_update_once),
        cmocka_unit_test(the_baseline_follows_the_loss),
        cmocka_unit_test(broken_words_are_known),
        cmocka_unit_test(the_loss_is_that_of_all_shards),
    };
    return cmocka_run_group_tests(tests, set_up, clear_temporary_dir);
}

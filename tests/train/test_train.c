/* Training as a whole, on twenty pairs: the model memorises them, the bytes depend on the seed alone, and
 * stopping and resuming leaves no trace. */
#include "unit/check.h"

#include "fileio.h"
#include "inherit.h"
#include "json.h"
#include "kernel.h"
#include "log.h"
#include "mem.h"
#include "safetensors.h"
#include "trainer.h"
#include "translate.h"

#include <math.h>
#include <signal.h>

#define PAIRS 20

static const struct ranks alone = {1, 0};
static const struct trainer_watch nobody = {NULL, NULL};
static char folder[] = "/tmp/nmt-test-train-XXXXXX";

/* Copies the first pairs of the shipped corpus. */
static void copy_head(const char *name)
{
    struct err err;
    struct reader reader;
    struct strbuf line, text;
    char *from = xasprintf("%s/../data/en-fr/train.%s", getenv("NMT_TEST_DIR"), name);
    char *to = xasprintf("%s/train.%s", folder, name);
    strbuf_init(&line);
    strbuf_init(&text);
    if (reader_open(&reader, from, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < PAIRS && reader_line(&reader, &line, &err) > 0; i++)
        strbuf_addf(&text, "%s\n", line.text);
    assert_int_equal(file_replace(to, text.text, text.length, &err), 0);
    reader_close(&reader);
    strbuf_release(&line);
    strbuf_release(&text);
    free(from);
    free(to);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    log_set_level(LOG_QUIET);
    copy_head("en");
    copy_head("fr");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char *command = xasprintf("rm -rf '%s'", folder);
    const int status = system(command);
    free(command);
    return status;
}

static void setf(struct config *config, const char *key, const char *value)
{
    struct err err;
    char *assignment = xasprintf("%s=%s", key, value);
    if (config_set(config, assignment, &err))
        fail_msg("%s", err.text);
    free(assignment);
}

/* The config of a small model of the twenty pairs, in folder/name. `settings`: key, value, …, NULL. */
static void make_config(struct config *config, const char *name, const char *const *settings)
{
    static const char *const common[] = {"text.protect",
                                         "false",
                                         "text.merges",
                                         "100",
                                         "model.embedding",
                                         "24",
                                         "model.encoder.units",
                                         "24",
                                         "model.decoder.units",
                                         "32",
                                         "model.attention.units",
                                         "20",
                                         "training.batch_sentences",
                                         "5",
                                         "training.learning_rate",
                                         "0.01",
                                         "training.schedule",
                                         "constant",
                                         "training.warmup",
                                         "0",
                                         "training.cooldown",
                                         "0",
                                         "training.average",
                                         "0",
                                         "training.max_epochs",
                                         "0",
                                         "training.patience",
                                         "0",
                                         "training.threads",
                                         "2",
                                         "training.checkpoint_every",
                                         "7",
                                         NULL};
    static const char *const files[] = {"data.train.source", "train.en",          "data.train.target",
                                        "train.fr",          "data.valid.source", "train.en",
                                        "data.valid.target", "train.fr",          NULL};
    config_init(config);
    char *dir = path_join(folder, name);
    setf(config, "model_dir", dir);
    free(dir);
    for (const char *const *f = files; *f; f += 2) {
        char *path = path_join(folder, f[1]);
        setf(config, f[0], path);
        free(path);
    }
    for (const char *const *s = common; *s; s += 2)
        setf(config, s[0], s[1]);
    for (const char *const *s = settings; *s; s += 2)
        setf(config, s[0], s[1]);
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void train(const struct config *config, enum train_start start)
{
    struct err err;
    static const volatile sig_atomic_t no_signal = 0;
    if (trainer_run(config, start, "test", &nobody, &no_signal, &alone, &err))
        fail_msg("%s", err.text);
}

static void read_checkpoint(struct strbuf *bytes, const char *name, long update)
{
    struct err err;
    char *path = xasprintf("%s/%s/checkpoints/update-%08ld.safetensors", folder, name, update);
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

static void run_new(const char *name, const char *const *settings)
{
    struct config config;
    make_config(&config, name, settings);
    train(&config, TRAIN_NEW);
    config_release(&config);
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
    char *dir = path_join(folder, "overfit"), *en = path_join(folder, "train.en"),
         *fr = path_join(folder, "train.fr");
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
    char *dir = path_join(folder, "overfit"), text[] = "a a a a a a a a a a a a a a a a a a a a";
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
    char *dir = path_join(folder, "overfit");
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

/* The average is a block of the checkpoint; segmentations are sampled again in every epoch. */
static void resume_with_average_and_bpe_dropout(void **state)
{
    (void)state;
    expect_same_after_stops(SETTINGS("training.max_updates", "17", "training.average", "0.9",
                                     "training.weight_decay", "0.01", "text.bpe_dropout.source", "0.3",
                                     "text.bpe_dropout.target", "0.2"));
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

#define MOST_NUMBERS 10000

/* Collects the numbers under a key of all events of that kind in a log; returns how many there are. */
static int numbers_in_log(double numbers[MOST_NUMBERS], const char *name, const char *kind, const char *key)
{
    struct err err;
    struct reader reader;
    struct strbuf line;
    int count = 0;
    char *path = xasprintf("%s/%s/log.jsonl", folder, name);
    strbuf_init(&line);
    assert_int_equal(reader_open(&reader, path, &err), 0);
    while (reader_line(&reader, &line, &err) > 0) {
        struct json *event = json_parse(line.text, line.length, "log.jsonl", &err);
        assert_non_null(event);
        if (!strcmp(json_string(json_member(event, "event")), kind)) {
            assert_true(count < MOST_NUMBERS);
            numbers[count++] = json_number(json_member(event, key));
        }
        json_free(event);
    }
    reader_close(&reader);
    strbuf_release(&line);
    free(path);
    return count;
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

/* The cooldown is three quarters of two epochs of four updates. */
static void the_rate_cools_down_by_the_epoch(void **state)
{
    (void)state;
    static double rates[MOST_NUMBERS];
    run_new("epochs", SETTINGS("training.max_epochs", "2", "training.cooldown", "0.75"));
    assert_int_equal(numbers_in_log(rates, "epochs", "update", "learning_rate"), 8);
    for (int i = 0; i < 8; i++)
        assert_true(fabs(rates[i] - 0.01 * (i <= 2 ? 1 : (1 - i / 8.0) / 0.75)) < 1e-9);
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

/* The cooldown is the whole of two seconds: each rate depends on the clock, at a time between the previous
 * update and its own entry in the log. Even on a busy machine there is more than one update. */
static void the_rate_cools_down_by_the_clock(void **state)
{
    (void)state;
    const double limit = 2;
    static double rates[MOST_NUMBERS], seconds[MOST_NUMBERS];
    run_new("clock", SETTINGS("training.max_minutes", "0.0333333333", "training.cooldown", "1",
                              "training.validate_every", "1000000"));
    const int count = numbers_in_log(rates, "clock", "update", "learning_rate");
    assert_int_equal(numbers_in_log(seconds, "clock", "update", "seconds"), count);
    assert_true(count > 1);
    for (int i = 1; i < count; i++) {
        const double slack = 1e-3; /* the log rounds seconds */
        const double highest = 0.01 * (1 - (seconds[i - 1] - slack) / limit);
        const double lowest = 0.01 * (1 - (seconds[i] + slack) / limit);
        assert_true(rates[i] < highest && rates[i] > lowest);
    }
    assert_true(seconds[count - 1] >= limit - 0.001);
}

/* Nothing is learned: a validation every four updates, and each two in a row halve the rate. */
static void the_plateau_halves_the_rate(void **state)
{
    (void)state;
    static double rates[MOST_NUMBERS];
    run_new("plateau", SETTINGS("training.learning_rate", "1e-9", "training.schedule", "plateau",
                                "training.halve_patience", "2", "training.max_updates", "28"));
    const int count = numbers_in_log(rates, "plateau", "update", "learning_rate");
    assert_int_equal(count, 28);
    for (int i = 0; i < count; i++)
        assert_true(rates[i] == (i < 12 ? 1e-9 : i < 20 ? 5e-10 : 2.5e-10));
}

/* Nothing is learned: the first validation stays the best. */
static void out_of_patience_the_rate_cools_down(void **state)
{
    (void)state;
    struct config config;
    static double rates[MOST_NUMBERS], validated[MOST_NUMBERS];
    make_config(&config, "patience",
                SETTINGS("training.learning_rate", "1e-9", "training.patience", "2", "training.cooldown",
                         "0.3", "training.max_epochs", "0"));
    train(&config, TRAIN_NEW);
    train(&config, TRAIN_RESUME); /* notices that training is over */
    /* 0.3 of 18 updates are the six after the third validation. */
    const int count = numbers_in_log(rates, "patience", "update", "learning_rate");
    assert_int_equal(count, 18);
    for (int i = 0; i < count; i++)
        assert_true(fabs(rates[i] - 1e-9 * (i <= 12 ? 1 : (1 - i / 18.0) / 0.3)) < 1e-15);
    assert_int_equal(numbers_in_log(validated, "patience", "validation", "update"), 5);
    assert_true(validated[4] == 18);
    config.training.patience = 6;
    train(&config, TRAIN_RESUME); /* goes on: the sixth bad one is that of update 24 of 35 */
    assert_int_equal(numbers_in_log(rates, "patience", "update", "learning_rate"), 35);
    config_release(&config);
}

/* BLEU stays 0, but the network learns. */
static void patience_lasts_while_perplexity_falls(void **state)
{
    (void)state;
    static double scores[MOST_NUMBERS], updates[MOST_NUMBERS];
    run_new("perplexity", SETTINGS("training.learning_rate", "0.0003", "training.patience", "2",
                                   "training.max_updates", "32"));
    assert_int_equal(numbers_in_log(updates, "perplexity", "update", "update"), 32);
    const int count = numbers_in_log(scores, "perplexity", "validation", "bleu");
    assert_int_equal(count, 8);
    for (int i = 0; i < count; i++)
        assert_true(scores[i] < 1);
}

static void expect_three_rollbacks(const char *checkpoint_every)
{
    static const volatile sig_atomic_t no_signal = 0;
    struct config config;
    struct err err;
    static double from[MOST_NUMBERS], to[MOST_NUMBERS];
    make_config(&config, "diverge",
                SETTINGS("training.max_updates", "40", "training.learning_rate", "10", "training.clip_norm",
                         "0", "model.tie", "none", "training.checkpoint_every", checkpoint_every));
    assert_int_equal(trainer_run(&config, TRAIN_RESTART, "test", &nobody, &no_signal, &alone, &err), -1);
    assert_non_null(strstr(err.text, "training diverged at update"));
    assert_int_equal(numbers_in_log(from, "diverge", "rollback", "from"), 3);
    assert_int_equal(numbers_in_log(to, "diverge", "rollback", "update"), 3);
    for (int i = 0; i < 3; i++)
        assert_true(to[i] < from[i] - 1);
    config_release(&config);
}

/* Hard attention's baseline starts from the loss of a uniform guess and follows the loss. */
static void the_baseline_follows_the_loss(void **state)
{
    (void)state;
    static double losses[MOST_NUMBERS];
    struct loaded_model loaded;
    struct safetensors checkpoint;
    struct err err;
    char *dir = path_join(folder, "hard"), *path = path_join(dir, "checkpoints/update-00000002.safetensors");
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
        char *dir = path_join(folder, broken ? "broken" : "unbroken");
        run_new(broken ? "broken" : "unbroken", SETTINGS("text.bpe_dropout.target", broken ? "0.3" : "0",
                                                         "model.tie", "all", "training.max_updates", "1"));
        assert_int_equal(loaded_model_open(&loaded, dir, &err), 0);
        size[broken] = (int)loaded.model.target_vocabulary;
        loaded_model_close(&loaded);
        free(dir);
    }
    assert_true(size[1] > size[0]);
}

/* What a rollback takes back was validated: the model is still its best one. */
static void a_rollback_keeps_the_best_score(void **state)
{
    (void)state;
    static const volatile sig_atomic_t no_signal = 0;
    static double scores[MOST_NUMBERS], saved[MOST_NUMBERS];
    struct config config;
    struct safetensors checkpoint;
    struct err err;
    double highest = 0, best;
    make_config(&config, "best",
                SETTINGS("training.max_updates", "40", "training.learning_rate", "10", "training.clip_norm",
                         "0", "model.tie", "none", "training.checkpoint_every", "1",
                         "training.validate_every", "1", "training.metric", "chrf"));
    assert_int_equal(trainer_run(&config, TRAIN_RESTART, "test", &nobody, &no_signal, &alone, &err), -1);
    const int count = numbers_in_log(scores, "best", "validation", "chrf");
    for (int i = 0; i < count; i++)
        highest = fmax(highest, scores[i]);
    assert_int_equal(numbers_in_log(saved, "best", "rollback", "update"), 3);
    const int newest = numbers_in_log(saved, "best", "checkpoint", "update") - 1;
    char *path = xasprintf("%s/best/checkpoints/update-%08d.safetensors", folder, (int)saved[newest]);
    assert_int_equal(safetensors_open(&checkpoint, path, &err), 0);
    assert_int_equal(sscanf(safetensors_metadata(&checkpoint, "best"), "%*d:%lf", &best), 1);
    assert_true(fabs(best / highest - 1) < 1e-9);
    safetensors_close(&checkpoint);
    free(path);
    config_release(&config);
}

/* Diverges at once and always: with a checkpoint after each update, the checkpoint diverges, too. */
static void divergence_rolls_back_three_times_and_stops(void **state)
{
    (void)state;
    expect_three_rollbacks("7");
    expect_three_rollbacks("1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_pairs_are_learned_by_heart),
        cmocka_unit_test(lines_are_translated_in_batches),
        cmocka_unit_test(everything_is_inherited),
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(bfloat16_needs_its_instruction),
        cmocka_unit_test(resume_with_average_and_bpe_dropout),
        cmocka_unit_test(resume_equals_uninterrupted),
        cmocka_unit_test(resume_with_larger_batches),
        cmocka_unit_test(the_log_has_each_update_once),
        cmocka_unit_test(the_baseline_follows_the_loss),
        cmocka_unit_test(broken_words_are_known),
        cmocka_unit_test(the_rate_cools_down_by_the_epoch),
        cmocka_unit_test(the_loss_is_that_of_all_shards),
        cmocka_unit_test(the_rate_cools_down_by_the_clock),
        cmocka_unit_test(the_plateau_halves_the_rate),
        cmocka_unit_test(out_of_patience_the_rate_cools_down),
        cmocka_unit_test(patience_lasts_while_perplexity_falls),
        cmocka_unit_test(a_rollback_keeps_the_best_score),
        cmocka_unit_test(divergence_rolls_back_three_times_and_stops),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

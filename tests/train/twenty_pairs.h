/* twenty_pairs: trainings of small models on twenty pairs, for tests, in a folder of their own. */
#ifndef NMT_TEST_TWENTY_PAIRS_H
#define NMT_TEST_TWENTY_PAIRS_H

#include "unit/check.h"
#include "unit/temporary.h"

#include "fileio.h"
#include "json.h"
#include "log.h"
#include "mem.h"
#include "trainer.h"

#include <signal.h>

#define PAIRS 20

static const struct ranks alone = {1, 0};
static const struct trainer_watch nobody = {NULL, NULL};

/* Copies the first pairs of the shipped corpus. */
static inline void copy_head(const char *name)
{
    struct err err;
    struct reader reader;
    struct strbuf line, text;
    char *from = xasprintf("%s/../data/en-fr/train.%s", getenv("NMT_TEST_DIR"), name);
    char *to = xasprintf("%s/train.%s", temporary_dir, name);
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

static inline int set_up(void **state)
{
    if (make_temporary_dir(state))
        return -1;
    log_set_level(LOG_QUIET);
    copy_head("en");
    copy_head("fr");
    return 0;
}

static inline void setf(struct config *config, const char *key, const char *value)
{
    struct err err;
    char *assignment = xasprintf("%s=%s", key, value);
    if (config_set(config, assignment, &err))
        fail_msg("%s", err.text);
    free(assignment);
}

/* The config of a small model of the twenty pairs, in temporary_dir/name. `settings`: key, value, …, NULL. */
static inline void make_config(struct config *config, const char *name, const char *const *settings)
{
    static const char *const common[] = {"data.concatenate",
                                         "0",
                                         "text.protect",
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
    char *dir = path_join(temporary_dir, name);
    setf(config, "model_dir", dir);
    free(dir);
    for (const char *const *f = files; *f; f += 2) {
        char *path = path_join(temporary_dir, f[1]);
        setf(config, f[0], path);
        free(path);
    }
    for (const char *const *s = common; *s; s += 2)
        setf(config, s[0], s[1]);
    for (const char *const *s = settings; *s; s += 2)
        setf(config, s[0], s[1]);
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline void train(const struct config *config, enum train_start start)
{
    struct err err;
    static const volatile sig_atomic_t no_signal = 0;
    if (trainer_run(config, start, "test", &nobody, &no_signal, &alone, &err))
        fail_msg("%s", err.text);
}

static inline void run_new(const char *name, const char *const *settings)
{
    struct config config;
    make_config(&config, name, settings);
    train(&config, TRAIN_NEW);
    config_release(&config);
}

#define MOST_NUMBERS 10000

/* Collects the numbers under a key of all events of that kind in a log; returns how many there are. */
static inline int numbers_in_log(double numbers[MOST_NUMBERS], const char *name, const char *kind,
                                 const char *key)
{
    struct err err;
    struct reader reader;
    struct strbuf line;
    int count = 0;
    char *path = xasprintf("%s/%s/log.jsonl", temporary_dir, name);
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

#endif

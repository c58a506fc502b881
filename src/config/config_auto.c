/* The table of values for keys that are auto, and the rules for those that are not numbers in it. What the
 * limits of a training add to them is up to train (time_budget.c). */
#include "config_auto.h"

#include "config_keys.h"
#include "mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

static const char *const columns[] = {
    "text.merges",           "model.embedding",         "model.encoder.units",      "model.decoder.units",
    "model.attention.units", "model.dropout.embedding", "model.dropout.annotation", "model.dropout.readout",
    "model.dropout.state",   "training.batch_tokens",   "training.learning_rate",   "training.warmup",
    "training.weight_decay", "training.average",        "data.concatenate",
};

#define COLUMNS (sizeof columns / sizeof columns[0])

/* Values for texts of up to so many pairs, in the order of the columns. */
static const struct row {
    double pairs, values[COLUMNS];
} rows[] = {
    /* clang-format off */
    {10000,    { 4000, 128, 128, 256, 128, 0.3,  0.3,  0.3,  0.2,  1000, 0.007, 200, 0.1,  0.998, 0.5}},
    {20000,    { 4000, 256, 256, 512, 256, 0.25, 0.25, 0.25, 0.15, 2000, 0.01,  200, 0.1,  0.998, 0}},
    {30000,    { 8000, 256, 256, 512, 256, 0.25, 0.25, 0.25, 0.15, 2000, 0.01,  200, 0.1,  0.998, 0}},
    {80000,    { 8000, 256, 256, 512, 256, 0.2,  0.2,  0.2,  0.1,  2500, 0.01,  200, 0.1,  0.998, 0}},
    {INFINITY, {16000, 256, 256, 512, 256, 0.2,  0.2,  0.2,  0.1,  4000, 0.01,  200, 0.05, 0.998, 0}},
    /* clang-format on */
};

#define ROWS (sizeof rows / sizeof rows[0])

/* Epochs: as many as read so many pairs, so that with more text no fewer are read, but for rounding. */
#define PAIRS_READ 1.6e6
#define FEWEST_EPOCHS 12
#define MOST_EPOCHS 80

/* Languages that share at least this part of their letters share words, too, and so their embeddings. */
#define LETTERS_SHARED 0.5

static const struct row *row_of(double pairs)
{
    const struct row *row = rows;
    while (pairs > row->pairs)
        row++;
    return row;
}

static double value_of(const struct row *row, const char *path)
{
    for (size_t c = 0; c < COLUMNS; c++)
        if (!strcmp(columns[c], path))
            return row->values[c];
    BUG("no column '%s'", path);
}

/* ---- which keys are auto ---- */

bool config_is_auto(const struct config *config, const char *path)
{
    return config_key_is_auto(config, config_key_find(path));
}

/* ---- values ---- */

static void set(struct config *config, const char *path, double value)
{
    const struct key *key = config_key_find(path);
    void *field = config_field(config, key);
    if (!config_key_is_auto(config, key))
        return;
    switch (key->type) {
    case KEY_INT:
        *(int *)field = (int)value;
        break;
    case KEY_REAL:
        *(double *)field = value;
        break;
    case KEY_BOOL:
        *(bool *)field = value != 0;
        break;
    case KEY_CHOICE:
        *(unsigned *)field = (unsigned)value;
        break;
    default:
        BUG("config key '%s' cannot be auto", path);
    }
}

/* Where one of the two limits of a batch is given, the other is 0. */
static void settle_batch(struct config *config)
{
    static const char sentences[] = "training.batch_sentences", tokens[] = "training.batch_tokens";
    if (!config_is_auto(config, sentences) && config->training.batch_sentences)
        set(config, tokens, 0);
    if (!config_is_auto(config, tokens) && config->training.batch_tokens)
        set(config, sentences, 0);
}

/* Weight decay that learning survives (config_check), whatever learning rate is given. */
static void limit_decay(struct config *config)
{
    const struct config_training *t = &config->training;
    set(config, "training.weight_decay", fmin(t->weight_decay, MOST_DECAY / t->learning_rate));
}

/* Dropout keeps a network from learning its text by heart. One of half the units that suit the text, or of
 * half the epochs, comes less far with that and wants so much less dropout. */
#define LESS_FOR_HALF_UNITS 0.1
#define LESS_FOR_HALF_EPOCHS 0.05
#define EPOCHS_FOR_DROPOUT 40 /* have the table's dropout, where the text has more epochs, too */
/* Of the updates of a short training, at most this part is the warm-up. */
#define WARMUP_SHARE (1.0 / 6)
/* Rates are multiples of a twentieth. */
#define DROPOUT_STEPS 20

static double halvings(double most, double value)
{
    return fmax(log2(most / value), 0);
}

int config_auto_epochs(double pairs)
{
    return (int)round(fmin(fmax(PAIRS_READ / pairs, FEWEST_EPOCHS), MOST_EPOCHS));
}

void config_auto_set_dropout(struct config *config, double pairs, double epochs)
{
    const struct row *row = row_of(pairs);
    const struct config_training *t = &config->training;
    double less =
        LESS_FOR_HALF_UNITS * halvings(value_of(row, "model.decoder.units"), config->model.decoder.units);
    if (t->max_epochs)
        epochs = fmin(epochs, t->max_epochs);
    if (!t->init_from)
        less += LESS_FOR_HALF_EPOCHS * halvings(fmin(config_auto_epochs(pairs), EPOCHS_FOR_DROPOUT), epochs);
    for (size_t c = 0; c < COLUMNS; c++)
        if (config_key_in_section(config_key_find(columns[c]), "model.dropout"))
            set(config, columns[c], round(DROPOUT_STEPS * fmax(row->values[c] - less, 0)) / DROPOUT_STEPS);
}

void config_auto_set_warmup(struct config *config, double pairs, double updates)
{
    set(config, "training.warmup",
        fmin(value_of(row_of(pairs), "training.warmup"), ceil(updates * WARMUP_SHARE)));
}

void config_auto_choose(struct config *config, const struct text_facts *facts)
{
    const struct row *row = row_of(facts->pairs);
    const struct config_training *t = &config->training;
    const bool tied = config->text.joint && facts->shared_letters >= LETTERS_SHARED;
    for (size_t c = 0; c < COLUMNS; c++)
        set(config, columns[c], row->values[c]);
    set(config, "model.encoder.lexical",
        tied && config_is_auto(config, "model.tie") && config->model.attention.score != SCORE_DOT);
    set(config, "model.tie", tied ? TIE_ALL : TIE_TARGET);
    set(config, "training.batch_sentences", 0);
    set(config, "training.precision", TRAIN_FLOAT32);
    settle_batch(config);
    limit_decay(config);
    set(config, "training.max_epochs",
        t->max_minutes > 0 || t->max_updates ? 0 : config_auto_epochs(facts->pairs));
    config_auto_set_dropout(config, facts->pairs, INFINITY);
}

void config_auto_set_width(struct config *config, int decoder_units)
{
    static const char *const halves[] = {"model.embedding", "model.encoder.units", "model.attention.units"};
    const int half = decoder_units / 2;
    set(config, "model.decoder.units", decoder_units);
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++)
        set(config, halves[i], half);
}

void config_auto_set_precision(struct config *config, enum training_precision precision)
{
    set(config, "training.precision", precision);
}

/* ---- the end of auto ---- */

static void copy_field(struct config *config, const struct config *from, const struct key *key)
{
    static const size_t sizes[] = {[KEY_INT] = sizeof(int),
                                   [KEY_REAL] = sizeof(double),
                                   [KEY_BOOL] = sizeof(bool),
                                   [KEY_CHOICE] = sizeof(unsigned)};
    memcpy(config_field(config, key), config_const_field(from, key), sizes[key->type]);
}

void config_auto_take(struct config *config, const struct config *from, enum config_auto_keys keys)
{
    const char *const section = keys == AUTO_TEXT ? "text" : "model";
    unsigned taken = 0;
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        const bool wanted = keys == AUTO_ALL || (key->kept_on_resume && config_key_in_section(key, section));
        if (!config_key_is_auto(config, key) || !wanted)
            continue;
        copy_field(config, from, key);
        taken |= config_key_auto_bit(key);
    }
    if (keys == AUTO_ALL)
        settle_batch(config);
    config->automatic &= ~taken;
}

/* Is the value worth telling? Not that there is no limit, nor that nothing is rounded or joined. */
static bool is_telling(const char *path, const char *value)
{
    const bool is_none =
        !strncmp(path, "training.batch_", strlen("training.batch_")) || !strcmp(path, "data.concatenate");
    return strcmp(value, is_none ? "0" : "float32") != 0;
}

void config_auto_settle(struct config *config, struct strbuf *chosen)
{
    for (size_t i = 0; i < config_key_count && chosen; i++) {
        const struct key *key = &config_keys[i];
        if (!config_key_is_auto(config, key))
            continue;
        struct err ignored;
        const unsigned all = config->automatic;
        config->automatic = 0; /* the value, not "auto" */
        char *value = config_get(config, key->path, &ignored);
        config->automatic = all;
        if (is_telling(key->path, value))
            strbuf_addf(chosen, "%s %s\n", key->path, value);
        xfree(value);
    }
    config->automatic = 0;
}

/* ---- the table, printed ---- */

static void print_head(struct strbuf *out, bool markdown)
{
    strbuf_adds(out, markdown ? "| key, by pairs |" : "    auto, by pairs            ");
    for (size_t r = 0; r < ROWS; r++) {
        char cell[32] = "more";
        if (isfinite(rows[r].pairs))
            snprintf(cell, sizeof cell, "to %.0f", rows[r].pairs);
        strbuf_addf(out, markdown ? " %s |" : "%10s", cell);
    }
    strbuf_adds(out, markdown ? "\n|---|" : "\n");
    for (size_t r = 0; r < ROWS && markdown; r++)
        strbuf_adds(out, "---|");
    strbuf_adds(out, markdown ? "\n" : "");
}

/* From the fewest pairs of each column to the most. */
static void print_epochs(struct strbuf *out, bool markdown)
{
    strbuf_addf(out, markdown ? "| `%s` |" : "    %-26s", "training.max_epochs");
    for (size_t r = 0; r < ROWS; r++) {
        char cell[32];
        const int first = config_auto_epochs(r ? rows[r - 1].pairs : 1),
                  last = config_auto_epochs(rows[r].pairs);
        if (first == last)
            snprintf(cell, sizeof cell, "%d", first);
        else
            snprintf(cell, sizeof cell, "%d to %d", first, last);
        strbuf_addf(out, markdown ? " %s |" : "%10s", cell);
    }
    strbuf_adds(out, "\n");
}

void config_auto_print(struct strbuf *out, bool markdown)
{
    print_head(out, markdown);
    for (size_t c = 0; c < COLUMNS; c++) {
        strbuf_addf(out, markdown ? "| `%s` |" : "    %-26s", columns[c]);
        for (size_t r = 0; r < ROWS; r++)
            strbuf_addf(out, markdown ? " %g |" : "%10g", rows[r].values[c]);
        strbuf_adds(out, "\n");
    }
    print_epochs(out, markdown);
}

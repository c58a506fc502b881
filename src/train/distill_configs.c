/* Derives the configs of teachers and student, and compares what a distillation was begun with and what it is
 * resumed with. */
#include "distill_configs.h"

#include "auto_settings.h"
#include "checksum.h"
#include "config_auto.h"
#include "distill_pairs.h"
#include "fileio.h"
#include "guides.h"
#include "mem.h"
#include "model_dir.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#define SEEDS 1000000000000000 /* seeds are below this */

static void replace_text(char **text, char *with)
{
    xfree(*text);
    *text = with;
}

static void release_pairs_of(struct config_pairs *pairs)
{
    replace_text(&pairs->source, NULL);
    replace_text(&pairs->target, NULL);
    replace_text(&pairs->tsv, NULL);
}

static void release_monolingual(struct config_data *data)
{
    replace_text(&data->monolingual, NULL);
    replace_text(&data->monolingual_source, NULL);
}

/* ---- swapped copies of TSVs ---- */

static int copy_swapped(struct pair_reader *reader, struct writer *out, struct err *err)
{
    int status;
    while ((status = pair_reader_raw(reader, err)) > 0) {
        const struct strbuf *source = &reader->line[SOURCE], *target = &reader->line[TARGET];
        if (writer_write(out, target->text, target->length, err) || writer_write(out, "\t", 1, err) ||
            writer_write(out, source->text, source->length, err) || writer_write(out, "\n", 1, err))
            return -1;
    }
    return status;
}

static int write_swapped(const char *path, const char *tsv, struct err *err)
{
    struct pair_reader reader;
    struct writer out;
    const struct pair_files files = {.tsv = tsv};
    if (pair_reader_open(&reader, &files, INVALID_STOP, err))
        return -1;
    int status = writer_open(&out, path, err);
    if (!status)
        status = writer_end(&out, copy_swapped(&reader, &out, err), err);
    pair_reader_close(&reader);
    return status;
}

/* Lets a corpus of a config with swapped sides name the swapped copy of its tsv. */
static int swap_tsv(struct config_pairs *pairs, const char *dir, const char *name, struct err *err)
{
    if (!pairs->tsv)
        return 0;
    char *path = path_join(dir, name);
    const int status = file_exists(path) ? 0 : write_swapped(path, pairs->tsv, err);
    replace_text(&pairs->tsv, path);
    return status;
}

static int swap_tsvs(struct config *config, const char *dir, struct err *err)
{
    struct config_data *data = &config->data;
    int status = swap_tsv(&data->valid, dir, "swapped-valid.tsv", err);
    for (int c = 0; c <= data->more_count && !status; c++) {
        char *name = xasprintf("swapped-%d.tsv", c + 1);
        status = swap_tsv(c ? &data->more[c - 1] : &data->train, dir, name, err);
        xfree(name);
    }
    return status;
}

/* ---- configs ---- */

int distill_teacher_config(struct config *config, const struct config *user, enum teacher_kind kind,
                           int number, const char *dir, const char *teacher, struct err *err)
{
    config_copy(config, user);
    replace_text(&config->model_dir, xstrdup(teacher));
    config->seed = (user->seed + number) % SEEDS;
    release_pairs_of(&config->data.test);
    release_monolingual(&config->data);
    config->training.keep_best = 1;
    config->training.keep_last = 1;
    config->training.keep_prepared = false;
    config->training.tune = false;
    if (kind == TEACHER_RIGHT_TO_LEFT)
        config_reverse_target(config);
    if (kind != TEACHER_BACKWARD)
        return 0;
    config_swap_sides(config);
    return swap_tsvs(config, dir, err);
}

bool distill_monolingual(struct config_pairs *corpus, const struct config *config, enum side side)
{
    static char back_tag[] = BACK_TAG;
    char *path = side == TARGET ? config->data.monolingual : config->data.monolingual_source;
    *corpus = (struct config_pairs){
        .source = path, .target = path, .weight = 1, .tag = side == TARGET ? back_tag : config->decoding.tag};
    return path != NULL;
}

static bool has_bytes(const char *path)
{
    struct stat info;
    return !stat(path, &info) && info.st_size > 0;
}

/* Adds the synthetic corpus that is made from `from`, unless it is empty. */
static void add_synthetic(struct config *config, const struct config_pairs *from, char *name, const char *dir)
{
    struct config_pairs synthetic = {.source = distill_pairs_path(dir, name, SOURCE),
                                     .target = distill_pairs_path(dir, name, TARGET),
                                     .weight = from->weight,
                                     .tag = from->tag,
                                     .synthetic = true};
    if (has_bytes(synthetic.source))
        config_add_train(config, &synthetic);
    xfree(synthetic.source);
    xfree(synthetic.target);
    xfree(name);
}

/* Sets a key to a value that it may have. */
static void set_key(struct config *config, const char *setting)
{
    struct err err;
    if (config_set(config, setting, &err))
        BUG("%s", err.text);
}

/* Settles text.merges by the text without synthetic pairs. If the student begins with a model whose words
 * suit it, it keeps them, unless back-translations bring a tag. */
static int settle_merges(struct config *config, double weighted, struct err *err)
{
    struct config chosen = *config, begun = *config; /* share their texts */
    enum pair_origin origin = PAIR_LEARNED;
    if (!config_is_auto(config, "text.merges"))
        return 0;
    if (!config->data.monolingual && auto_settings_inherit(&begun, &origin, err))
        return -1;
    if (origin == PAIR_INHERITED)
        return 0;
    config_auto_choose(&chosen, &(struct text_facts){.pairs = weighted});
    char *setting = xasprintf("text.merges=%d", chosen.text.merges);
    set_key(config, setting);
    xfree(setting);
    return 0;
}

int distill_student_config(struct config *config, const struct config *user, double weighted, int number,
                           const char *dir, const char *student, struct err *err)
{
    config_copy(config, user);
    replace_text(&config->model_dir, xstrdup(student));
    config->seed = (user->seed + number - 1) % SEEDS;
    if (settle_merges(config, weighted, err))
        return -1;
    for (int c = 0; config_train(user, c); c++)
        add_synthetic(config, config_train(user, c), distill_pairs_name(c), dir);
    for (int side = 0; side < SIDES; side++) {
        struct config_pairs corpus;
        if (distill_monolingual(&corpus, user, (enum side)side))
            add_synthetic(config, &corpus, distill_monolingual_name((enum side)side), dir);
    }
    return 0;
}

/* ---- the text ---- */

/* Adds to the checksum what a file is for, and its content. */
static int add_file(struct distill_text *text, const char *use, const char *path, struct err *err)
{
    uint64_t sum;
    if (!path)
        return 0;
    text->checksum = checksum_add(text->checksum, use, strlen(use) + 1);
    if (!strcmp(path, "-"))
        return err_set(err, "cannot distill from standard input: text that is read several times must be in "
                            "files");
    if (file_check_regular(path, err) || checksum_file(&sum, path, err))
        return -1;
    text->checksum = checksum_add(text->checksum, &sum, sizeof sum);
    return 0;
}

/* Adds what the reader's pairs have to their number and the bytes. `guides` (may be NULL) has links for each;
 * whether the words of these are there is seen where they are known. */
static int count_read(int64_t *count, struct distill_text *text, struct pair_reader *reader,
                      struct guide_reader *guides, struct err *err)
{
    struct links links = {0};
    int status;
    while ((status = pair_reader_next(reader, err)) > 0) {
        text->bytes += (double)(reader->line[SOURCE].length + reader->line[TARGET].length + 2);
        ++*count;
        if (guides && guide_reader_next(guides, &links, reader->number, INT_MAX, INT_MAX, 0, err)) {
            status = -1;
            break;
        }
    }
    links_release(&links);
    return status || !guides ? status : guide_reader_end(guides, reader->number, err);
}

/* Adds what a corpus has to a number of pairs, and to the bytes. */
static int count_pairs(int64_t *count, struct distill_text *text, const struct config_pairs *pairs,
                       enum invalid_action on_invalid, struct err *err)
{
    struct pair_reader reader;
    struct guide_reader guides;
    const struct pair_files files = pair_files_of(pairs);
    if (pair_reader_open(&reader, &files, on_invalid, err))
        return -1;
    int status = pairs->alignment ? guide_reader_open(&guides, pairs->alignment, err) : 0;
    if (!status) {
        status = count_read(count, text, &reader, pairs->alignment ? &guides : NULL, err);
        if (pairs->alignment)
            guide_reader_close(&guides);
    }
    pair_reader_close(&reader);
    return status;
}

static int read_monolingual(struct distill_text *text, const struct config *config, struct err *err)
{
    for (int side = 0; side < SIDES; side++) {
        struct config_pairs corpus;
        if (!distill_monolingual(&corpus, config, (enum side)side))
            continue;
        const double before = text->bytes;
        if (add_file(text, side == TARGET ? "monolingual" : "monolingual_source", corpus.source, err) ||
            count_pairs(&text->lines[side], text, &corpus, config->data.on_invalid, err))
            return -1;
        text->monolingual += text->bytes - before;
        if (!text->lines[side])
            return err_set(err, "no sentences in '%s'", corpus.source);
    }
    return 0;
}

/* Adds the validation text, of which all must be usable. */
static int read_valid(struct distill_text *text, const struct config *config, struct err *err)
{
    const struct config_pairs *valid = &config->data.valid;
    const struct pair_files files = pair_files_of(valid);
    struct distill_text ignored = {.bytes = 0};
    int64_t pairs = 0;
    if (!config_pairs_given(valid))
        return 0;
    if (add_file(text, "valid", valid->source, err) || add_file(text, "valid", valid->target, err) ||
        add_file(text, "valid", valid->tsv, err) || count_pairs(&pairs, &ignored, valid, INVALID_STOP, err))
        return -1;
    return pairs
               ? 0
               : err_set(err, "no sentence pairs to validate with in '%s'", pair_files_path(&files, SOURCE));
}

/* Adds the weights that the trainings begin with. -1 also if they are not those of a whole model. */
static int read_init_from(struct distill_text *text, const struct config *config, struct err *err)
{
    struct loaded_model model;
    const char *from = config->training.init_from;
    if (!from)
        return 0;
    if (loaded_model_open(&model, from, err))
        return -1;
    char *weights = model.files.packed ? xstrdup(from) : path_join(from, MODEL_WEIGHTS);
    loaded_model_close(&model);
    const int status = add_file(text, "init_from", weights, err);
    xfree(weights);
    return status;
}

int distill_text_read(struct distill_text *text, const struct config *config, struct err *err)
{
    const char *path;
    *text = (struct distill_text){.pairs = 0};
    for (int i = 0; (path = config_train_file(config, i)); i++)
        if (add_file(text, "train", path, err))
            return -1;
    if (read_valid(text, config, err) || read_init_from(text, config, err))
        return -1;
    for (int c = 0; config_train(config, c); c++) {
        const struct config_pairs *corpus = config_train(config, c);
        const int64_t before = text->pairs;
        if (count_pairs(&text->pairs, text, corpus, config->data.on_invalid, err))
            return -1;
        text->weighted += corpus->weight * (double)(text->pairs - before);
    }
    if (read_monolingual(text, config, err))
        return -1;
    return text->pairs ? 0
                       : err_set(err, "no sentence pairs to train on in '%s'", config_train_file(config, 0));
}

/* ---- resuming ---- */

/* Of a file, only whether there is one. */
static void reduce_path(char **path)
{
    if (*path)
        replace_text(path, xstrdup("given"));
}

/* Leaves what of a config decides about the steps. Files are compared by their checksum. */
static void reduce_config(struct config *config)
{
    struct config_data *data = &config->data;
    for (int c = 0; c <= data->more_count; c++) {
        struct config_pairs *pairs = c ? &data->more[c - 1] : &data->train;
        release_pairs_of(pairs);
        replace_text(&pairs->alignment, NULL);
    }
    release_pairs_of(&data->valid);
    release_pairs_of(&data->test);
    reduce_path(&data->monolingual);
    reduce_path(&data->monolingual_source);
    reduce_path(&config->training.init_from);
    replace_text(&config->model_dir, NULL);
    config->training.threads = 0;
    config->training.checkpoint_every = 0;
    config->training.keep_last = config->training.keep_best = 0;
    config->training.keep_prepared = config->training.tune = false;
    set_key(config, "data.tokens_in_memory=1000"); /* where a student needs more memory than there is */
    set_key(config, "training.batch_tokens=0");
    set_key(config, "training.batch_sentences=0");
    set_key(config, "training.accumulate=1");
    if (config_is_auto(config, "training.precision"))
        set_key(config, "training.precision=float32"); /* which is what an older config says */
}

int distill_check_config(const struct config *config, const char *begun, const char *what, struct err *err)
{
    struct config now, before;
    struct strbuf changes;
    config_copy(&now, config);
    config_init(&before);
    strbuf_init(&changes);
    int status = config_load(&before, begun, err);
    if (!status) {
        reduce_config(&now);
        reduce_config(&before);
        config_print_changes(&now, &before, &changes);
        const size_t space = strspn(changes.text, "\n ");
        if (changes.length)
            status = err_set(
                err, "%s is not that of the distillation that was begun: %.*s (--restart begins again)", what,
                (int)strcspn(changes.text + space, "\n"), changes.text + space);
    }
    strbuf_release(&changes);
    config_release(&before);
    config_release(&now);
    return status;
}

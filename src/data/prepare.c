/* The prepared training text of a model directory: decides whether the ids of an earlier run still fit,
 * and remakes them if not, by spooled_text.c, learn_pair.c and spooled_ids.c. */
#include "prepare.h"

#include "fileio.h"
#include "folder.h"
#include "learn_pair.h"
#include "mem.h"
#include "plural.h"
#include "shared_letters.h"
#include "spooled_text.h"
#include "unknown_words.h"

#include <string.h>
#include <unistd.h>

#define IDS "corpus.ids"

/* Paths of the prepared text in the model directory. */
struct place {
    char *dir, *ids;
};

/* ---- what the ids were made from ---- */

/* Checksum of all settings that the ids depend on. */
static uint64_t settings_checksum(const struct config *config)
{
    struct config relevant;
    struct strbuf text;
    config_init(&relevant);
    relevant.seed = config->seed;
    relevant.data.train = config->data.train;
    relevant.data.more = config->data.more;
    relevant.data.more_count = config->data.more_count;
    relevant.data.max_length = config->data.max_length;
    relevant.data.on_invalid = config->data.on_invalid;
    relevant.text = config->text;
    if (casing_of_language(config->data.source_language) != CASING_COMMON)
        relevant.data.source_language = config->data.source_language;
    relevant.model.tie = config->model.tie;
    relevant.training.init_from = config->training.init_from;
    config_auto_settle(&relevant, NULL);
    strbuf_init(&text);
    config_print(&relevant, &text);
    const uint64_t sum = checksum_add(0, text.text, text.length);
    strbuf_release(&text);
    return sum;
}

/* Files that the ids depend on, and stamps of their content. */
struct origins {
    char **paths;
    struct file_stamp *stamps;
    size_t count, paths_capacity, stamps_capacity;
};

static void origins_add(struct origins *origins, char *path)
{
    GROW(origins->paths, origins->count + 1, origins->paths_capacity);
    origins->paths[origins->count++] = path;
}

static void origins_add_corpora(struct origins *origins, const struct config *config)
{
    const char *path;
    for (int i = 0; (path = config_train_file(config, i)); i++)
        origins_add(origins, xstrdup(path));
}

/* Adds the files of subwords and vocabularies. */
static void origins_add_words(struct origins *origins, const char *dir)
{
    const char *names[LANGUAGE_PAIR_MOST_FILES + 1];
    language_pair_files(names, dir);
    for (int i = 0; names[i]; i++)
        origins_add(origins, path_join(dir, names[i]));
}

/* Adds the files of the model that training begins with, or its one file. */
static void origins_add_inherited(struct origins *origins, const char *model)
{
    const size_t count = origins->count;
    origins_add_words(origins, model);
    if (origins->count == count)
        origins_add(origins, xstrdup(model));
}

/* Adds what is read: the corpora, and words that are inherited. */
static void origins_add_read(struct origins *origins, const struct config *config)
{
    origins_add_corpora(origins, config);
    if (config->training.init_from)
        origins_add_inherited(origins, config->training.init_from);
}

/* Takes the stamps of the files from index `first` on. */
static void origins_stamp(struct origins *origins, size_t first)
{
    GROW(origins->stamps, origins->count, origins->stamps_capacity);
    for (size_t i = first; i < origins->count; i++) {
        struct err ignored;
        memset(&origins->stamps[i], 0, sizeof origins->stamps[i]);
        if (file_stamp_take(&origins->stamps[i], origins->paths[i], &ignored))
            origins->stamps[i].bytes = -1; /* a pipe: never counts as unchanged */
    }
}

static void origins_release(struct origins *origins)
{
    for (size_t i = 0; i < origins->count; i++)
        xfree(origins->paths[i]);
    xfree(origins->paths);
    xfree(origins->stamps);
}

/* Are the files unchanged since the ids were made? */
static bool origins_unchanged(const struct origins *origins, const struct corpus_file *file)
{
    bool hold = true;
    for (size_t i = 0; i < origins->count && hold; i++)
        hold = file_stamp_holds(&file->stamps[i], origins->paths[i]);
    return hold;
}

/* Does the prepared text still fit config and files? */
static bool is_up_to_date(const struct corpus_file *file, const struct config *config, const char *dir)
{
    struct origins origins = {.count = 0};
    origins_add_read(&origins, config);
    origins_add_words(&origins, dir);
    const bool holds = file->end.settings == settings_checksum(config) &&
                       file->end.stamps == (uint64_t)origins.count && origins_unchanged(&origins, file);
    origins_release(&origins);
    return holds;
}

/* Loads subwords and vocabularies into the pair, which on failure has none. */
static int load_words(struct language_pair *pair, const struct config *config,
                      const struct model_files *files, struct err *err)
{
    language_pair_release(pair);
    const int status = language_pair_load(pair, config, files, err);
    if (status)
        language_pair_init(pair, config);
    return status;
}

/* Was the text prepared with the same subwords and vocabularies? If the pair has none yet, they are loaded
 * into it instead. */
static bool same_words(struct language_pair *pair, const struct config *config,
                       const struct model_files *files, enum pair_origin origin)
{
    struct err ignored;
    struct language_pair stored;
    if (origin != PAIR_LOADED)
        return !load_words(pair, config, files, &ignored);
    if (language_pair_load(&stored, config, files, &ignored))
        return false;
    const bool same = language_pair_same(&stored, pair);
    language_pair_release(&stored);
    return same;
}

/* The longest line of a text is known when its ids are. */
static void note_longest(struct language_pair *pair, const struct corpus_totals *totals)
{
    const int64_t longest = totals->longest[SOURCE] ? totals->longest[SOURCE] - 1 : 0;
    if (pair->splitter.longest < longest)
        pair->splitter.longest = longest;
}

/* Opens the text prepared by an earlier run, if it still fits. */
static bool open_earlier(struct corpus_file *file, struct language_pair *pair, struct config *config,
                         const struct place *place, enum pair_origin origin)
{
    struct err ignored;
    struct model_files files;
    struct config chosen = *config; /* as for that text; it shares its texts */
    if (corpus_file_open(file, place->ids, &ignored))
        return false;
    config_auto_choose(&chosen, &file->end.facts);
    bool fits = is_up_to_date(file, &chosen, place->dir) && !model_files_open(&files, place->dir, &ignored);
    if (fits) {
        fits = same_words(pair, &chosen, &files, origin);
        model_files_close(&files);
    }
    if (!fits) {
        corpus_file_close(file);
        return false;
    }
    *config = chosen;
    note_longest(pair, &file->end.totals);
    return true;
}

/* Learns what the words of the source look like in its text: where sentences end, and their case. */
static void learn_source(struct language_pair *pair, const struct spooled_text *text)
{
    const struct lines *lines = &text->sample[SOURCE].lines;
    splitter_release(&pair->splitter);
    splitter_learn(&pair->splitter, (const char *const *)lines->text, lines->bytes, lines->count);
    truecaser_release(&pair->truecaser);
    if (!pair->tokenizer[SOURCE].lowercase)
        truecaser_learn(&pair->truecaser, pair->casing[SOURCE], (const char *const *)lines->text,
                        lines->bytes, lines->count);
}

/* Learns how the target writes what is not in NFC; other text is written as the network sees it. */
static void learn_forms(struct language_pair *pair, const struct spooled_text *text)
{
    const struct lines *lines = &text->sample[TARGET].lines;
    usual_forms_release(&pair->forms);
    if (pair->tokenizer[TARGET].form == UTF8_NFC)
        usual_forms_learn(&pair->forms, (const char *const *)lines->text, lines->bytes, lines->count);
}

/* Learns by what each language can be recognised. */
static void learn_profiles(struct language_pair *pair, const struct spooled_text *text)
{
    for (int side = 0; side < SIDES; side++) {
        const struct lines *lines = &text->sample[side].lines;
        language_profile_release(&pair->profile[side]);
        language_profile_learn(&pair->profile[side], (const char *const *)lines->text, lines->bytes,
                               lines->count);
    }
}

static struct text_facts facts_of(const struct spooled_text *text)
{
    return (struct text_facts){.pairs = text->weighted,
                               .shared_letters =
                                   shared_letters(&text->sample[SOURCE].lines, &text->sample[TARGET].lines)};
}

/* Saves the pair, and adds the stamps of its files. */
static int save_pair(struct language_pair *pair, const struct corpus_totals *totals,
                     const struct place *place, struct origins *origins, struct err *err)
{
    const size_t stamped = origins->count;
    note_longest(pair, totals);
    if (language_pair_save(pair, place->dir, err))
        return -1;
    origins_add_words(origins, place->dir);
    origins_stamp(origins, stamped);
    return 0;
}

/* Writes the ids, and then the pair, on whose files they depend. */
static int write_ids(struct spooled_text *text, struct language_pair *pair, const struct config *config,
                     const struct place *place, struct origins *origins, const struct text_facts *facts,
                     struct err *err)
{
    struct corpus_writer writer;
    if (corpus_writer_open(&writer, place->ids, err))
        return -1;
    writer.end.settings = settings_checksum(config);
    writer.end.totals.read = text->read;
    writer.end.facts = *facts;
    if (!spooled_text_write(text, &writer, pair, config, err) &&
        !save_pair(pair, &writer.end.totals, place, origins, err))
        return corpus_writer_commit(&writer, origins->stamps, origins->count, err);
    corpus_writer_abort(&writer);
    return -1;
}

/* Loads the subwords and vocabularies of the model that training begins with. */
static int inherit_words(struct language_pair *pair, const struct config *config, struct err *err)
{
    struct model_files files;
    if (model_files_open(&files, config->training.init_from, err))
        return -1;
    int status = load_words(pair, config, &files, err);
    model_files_close(&files);
    return status ? status : language_pair_check_inherited_tags(config, pair->tokenizer[SOURCE].vocab, err);
}

/* Learns all that the pair knows of the text. */
static int learn(struct language_pair *pair, const struct spooled_text *text, const struct config *config,
                 struct err *err)
{
    pair->joint_vocab = config->model.tie == TIE_ALL;
    if (learn_pair(pair, &text->tables, config, err))
        return -1;
    learn_source(pair, text);
    learn_forms(pair, text);
    learn_profiles(pair, text);
    return 0;
}

static void warn_of_unknown(void *context, int corpus, const char *message)
{
    (void)context;
    (void)corpus;
    log_warn("%s", message);
}

static int make_prepared(struct spooled_text *text, struct language_pair *pair, struct config *config,
                         const struct place *place, enum pair_origin origin, struct err *err)
{
    struct origins origins = {.count = 0};
    origins_add_read(&origins, config);
    origins_stamp(&origins, 0); /* before reading: so that later changes are noticed */
    int status = origin == PAIR_INHERITED ? inherit_words(pair, config, err) : 0;
    if (!status)
        status = spooled_text_read(text, pair, config, origin != PAIR_LOADED, err);
    const struct text_facts facts = facts_of(text);
    config_auto_choose(config, &facts);
    if (!status && origin == PAIR_LEARNED)
        status = learn(pair, text, config, err);
    if (!status)
        status = write_ids(text, pair, config, place, &origins, &facts, err);
    if (!status && origin == PAIR_INHERITED)
        unknown_words_tell(text, pair, config, warn_of_unknown, NULL);
    origins_release(&origins);
    return status;
}

static void remove_prepared(const struct place *place)
{
    unlink(place->ids);
    language_pair_remove(place->dir);
}

/* Removes text that was prepared for other data or settings, but not if some of the text is not there, as on
 * a drive that is not mounted. */
static void remove_outdated(const struct place *place, const struct config *config)
{
    const char *path;
    bool there = true;
    for (int i = 0; (path = config_train_file(config, i)); i++)
        there &= access(path, R_OK) == 0;
    if (there)
        remove_prepared(place);
}

static int prepare_anew(struct corpus_file *file, struct language_pair *pair, struct config *config,
                        const struct place *place, enum pair_origin origin, struct err *err)
{
    struct spooled_text *text = xmalloc(1, sizeof *text);
    remove_outdated(place, config);
    int status = spooled_text_open(text, place->dir, pair->joint_bpe, err);
    if (!status) {
        status = make_prepared(text, pair, config, place, origin, err);
        spooled_text_close(text);
    }
    xfree(text);
    return status ? status : corpus_file_open(file, place->ids, err);
}

static void place_init(struct place *place, const char *model_dir)
{
    place->dir = path_join(model_dir, PREPARE_FOLDER);
    place->ids = path_join(place->dir, IDS);
}

static void place_release(struct place *place)
{
    xfree(place->ids);
    xfree(place->dir);
}

int prepare_training(struct corpus_file *file, struct language_pair *pair, struct config *config,
                     enum pair_origin origin, struct err *err)
{
    struct place place;
    place_init(&place, config->model_dir);
    int status = dir_make(place.dir, err);
    const bool reused = !status && open_earlier(file, pair, config, &place, origin);
    if (reused)
        log_info("training text: as prepared before");
    else if (!status)
        status = prepare_anew(file, pair, config, &place, origin, err);
    place_release(&place);
    return status;
}

/* Reads the text, and converts it to ids that are not kept. */
static int find_unknown(struct spooled_text *text, struct language_pair *pair, const struct config *config,
                        unknown_taker *take, void *context, struct err *err)
{
    if (inherit_words(pair, config, err) || spooled_text_read(text, pair, config, true, err) ||
        spooled_text_write(text, NULL, pair, config, err))
        return -1;
    unknown_words_tell(text, pair, config, take, context);
    return 0;
}

int prepare_find_unknown(const struct config *config, const char *dir, unknown_taker *take, void *context,
                         struct err *err)
{
    struct spooled_text *text = xmalloc(1, sizeof *text);
    struct language_pair pair;
    language_pair_init(&pair, config);
    int status = spooled_text_open(text, dir, pair.joint_bpe, err);
    if (!status) {
        status = find_unknown(text, &pair, config, take, context, err);
        spooled_text_close(text);
    }
    language_pair_release(&pair);
    xfree(text);
    return status;
}

bool prepare_can_repeat(const struct corpus_file *file, const struct config *config)
{
    struct origins origins = {.count = 0};
    origins_add_corpora(&origins, config);
    const bool can = origins_unchanged(&origins, file);
    origins_release(&origins);
    return can;
}

void prepare_remove(const char *model_dir)
{
    struct place place;
    place_init(&place, model_dir);
    remove_prepared(&place);
    folder_remove_empty(place.dir);
    place_release(&place);
}

void prepare_report(const struct corpus_totals *totals, const struct config *config)
{
    const struct pair_counts *read = &totals->read;
    log_info("training pairs: %lld of %lld line%s", (long long)totals->pairs, (long long)read->pairs,
             plural((double)read->pairs));
    if (read->empty)
        log_warn("%lld pair%s with an empty side skipped", (long long)read->empty,
                 plural((double)read->empty));
    if (read->invalid)
        log_warn("%lld pair%s with invalid text %s", (long long)read->invalid, plural((double)read->invalid),
                 config->data.on_invalid == INVALID_SKIP ? "skipped" : "repaired");
    if (totals->too_long)
        log_warn("%lld pair%s longer than %d tokens dropped", (long long)totals->too_long,
                 plural((double)totals->too_long), config->data.max_length);
    if (read->crlf || read->boms)
        log_info("%lld line end%s CRLF and %lld byte-order mark%s removed", (long long)read->crlf,
                 plural((double)read->crlf), (long long)read->boms, plural((double)read->boms));
}

/* Compares the files that a command reads and writes, and refuses to overwrite its own inputs. Opening the
 * files is up to the command. */
#include "file_uses.h"

#include "checkpoint.h"
#include "commands.h"
#include "fileio.h"
#include "folder.h"
#include "mem.h"
#include "model_dir.h"
#include "report.h"
#include "runlog.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard(const struct file_use *use)
{
    return !strcmp(use->path, "-");
}

static void add(struct file_uses *uses, const char *path, const char *as, bool output)
{
    if (!path)
        return;
    GROW(uses->items, uses->count + 1, uses->capacity);
    struct file_use *use = &uses->items[uses->count++];
    *use = (struct file_use){.path = xstrdup(path), .as = as ? xstrdup(as) : NULL, .output = output};
    use->exists = (is_standard(use) ? fstat(output ? STDOUT_FILENO : STDIN_FILENO, &use->info)
                                    : stat(path, &use->info)) == 0;
}

void file_uses_input(struct file_uses *uses, const char *path, const char *as)
{
    add(uses, path, as, false);
}

void file_uses_output(struct file_uses *uses, const char *path, const char *as)
{
    add(uses, path, as, true);
}

void file_uses_standard_output(struct file_uses *uses)
{
    add(uses, "-", NULL, true);
}

void file_uses_pair(struct file_uses *uses, const struct pair_files *files)
{
    file_uses_input(uses, files->source, "--source");
    file_uses_input(uses, files->target, "--target");
    file_uses_input(uses, files->tsv, "--pairs");
}

void file_uses_corpus(struct file_uses *uses, const struct config_pairs *pairs, const char *key)
{
    static const char *const names[] = {"source", "target", "tsv", "alignment"};
    const char *const paths[] = {pairs->source, pairs->target, pairs->tsv, pairs->alignment};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char *as = xasprintf("%s.%s", key, names[i]);
        file_uses_input(uses, paths[i], as);
        xfree(as);
    }
}

void file_uses_corpora(struct file_uses *uses, const struct config *config)
{
    for (int i = 0; config_train(config, i); i++)
        file_uses_corpus(uses, config_train(config, i), "data.train");
    file_uses_corpus(uses, &config->data.valid, "data.valid");
    file_uses_corpus(uses, &config->data.test, "data.test");
}

/* ---- models ---- */

/* A directory whose files are added. */
struct directory {
    struct file_uses *uses;
    const char *path, *as;
    bool output;
};

static void add_named(void *context, const char *name)
{
    const struct directory *dir = context;
    char *path = path_join(dir->path, name);
    add(dir->uses, path, dir->as, dir->output);
    xfree(path);
}

static void add_directory(struct file_uses *uses, const char *path, const char *as, bool output)
{
    static const char *const others[] = {MODEL_CONFIG, MODEL_WEIGHTS, RUNLOG_FILE, LOCK_FILE};
    struct directory dir = {uses, path, as, output};
    const char *names[LANGUAGE_PAIR_MOST_FILES + 1];
    language_pair_files(names, path);
    for (size_t i = 0; names[i]; i++)
        add_named(&dir, names[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        add_named(&dir, others[i]);
    struct err ignored;
    char *checkpoints = path_join(path, CHECKPOINT_FOLDER);
    dir.path = checkpoints;
    (void)folder_each(checkpoints, add_named, &dir, &ignored);
    xfree(checkpoints);
}

static void add_model(struct file_uses *uses, const struct model_files *files, const char *as)
{
    if (files->packed)
        file_uses_input(uses, files->path, as);
    else
        add_directory(uses, files->path, as, false);
}

void file_uses_trained_model(struct file_uses *uses, const char *model_dir)
{
    char *report = path_join(model_dir, REPORT_FILE);
    add_directory(uses, model_dir, "model_dir", true);
    file_uses_output(uses, report, "model_dir");
    xfree(report);
}

void file_uses_model(struct file_uses *uses, const struct model_files *files)
{
    add_model(uses, files, "--model");
}

void file_uses_models(struct file_uses *uses, const struct models *models)
{
    for (int i = 0; i < models->count; i++)
        file_uses_model(uses, &models->loaded[i].files);
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (models->judges.of[kind])
            add_model(uses, &models->judges.of[kind]->loaded.files, judge_kinds[kind].option);
}

/* ---- comparing ---- */

/* Do two paths lead to the same file, which does not exist yet? */
static bool lead_to_same(const char *a, const char *b)
{
    const char *const paths[] = {a, b};
    char *ends[2];
    for (int i = 0; i < 2; i++) {
        char *end = path_follow(paths[i]);
        ends[i] = end ? path_absolute(end) : NULL;
        xfree(end);
    }
    const bool same = ends[0] && ends[1] && !strcmp(ends[0], ends[1]);
    xfree(ends[0]);
    xfree(ends[1]);
    return same;
}

/* Are both the same file, of that type (S_IFMT)? */
static bool are_one(const struct file_use *a, const struct file_use *b, mode_t type)
{
    const struct stat *x = &a->info, *y = &b->info;
    return a->exists && b->exists && (x->st_mode & S_IFMT) == type && x->st_dev == y->st_dev &&
           x->st_ino == y->st_ino;
}

/* Are two inputs one stream, of which each would get only a part? */
static bool are_one_stream(const struct file_use *a, const struct file_use *b)
{
    return (is_standard(a) && is_standard(b)) || are_one(a, b, S_IFIFO);
}

static bool are_same(const struct file_use *a, const struct file_use *b)
{
    if (a->output && b->output && is_standard(a) && is_standard(b))
        return true;
    return are_one(a, b, S_IFREG) || (!a->exists && !b->exists && lead_to_same(a->path, b->path));
}

/* Prints why two uses cannot be together; of an output and an input, `use` is the output. */
static int refuse(const struct file_use *use, const struct file_use *other)
{
    const bool standard = is_standard(use);
    const char *quote = standard ? "" : "'", *verb = use->output ? "write" : "read",
               *name = !standard     ? use->path
                       : use->output ? "standard output"
                                     : "standard input";
    struct err err;
    if (use->output == other->output)
        err_set(&err, "cannot %s %s%s%s twice (%s and %s)", verb, quote, name, quote, use->as, other->as);
    else
        err_set(&err, "cannot write %s%s%s: it is read as well (%s)", quote, name, quote,
                is_standard(other) ? "standard input" : other->as);
    return fail_wrong_use(&err);
}

/* Standard output may be given as an output file and also get what is printed; files of one model, which are
 * replaced, may be links to each other. */
static bool may_share_output(const struct file_use *a, const struct file_use *b)
{
    return a->output && b->output && (!a->as || !b->as || !strcmp(a->as, b->as));
}

static int check_two(const struct file_use *a, const struct file_use *b)
{
    const bool wrong =
        a->output || b->output ? !may_share_output(a, b) && are_same(a, b) : are_one_stream(a, b);
    return !wrong ? EXIT_DONE : b->output && !a->output ? refuse(b, a) : refuse(a, b);
}

int file_uses_check(struct file_uses *uses)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < uses->count && status == EXIT_DONE; i++)
        for (size_t k = i + 1; k < uses->count && status == EXIT_DONE; k++)
            status = check_two(&uses->items[i], &uses->items[k]);
    for (size_t i = 0; i < uses->count; i++) {
        xfree(uses->items[i].path);
        xfree(uses->items[i].as);
    }
    xfree(uses->items);
    *uses = (struct file_uses){NULL, 0, 0};
    return status;
}

/* Compares the files that a command reads and writes, and refuses to overwrite its own inputs. Opening the
 * files is up to the command. */
#include "file_uses.h"

#include "commands.h"
#include "fileio.h"
#include "mem.h"
#include "model_dir.h"
#include "runlog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add(struct file_uses *uses, const char *path, const char *as, bool output)
{
    if (!path)
        return;
    GROW(uses->items, uses->count + 1, uses->capacity);
    uses->items[uses->count++] = (struct file_use){xstrdup(path), as, output};
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

void file_uses_model(struct file_uses *uses, const struct model_files *files)
{
    const char *names[LANGUAGE_PAIR_MOST_FILES + 4];
    if (files->packed) {
        file_uses_input(uses, files->path, "--model");
        return;
    }
    language_pair_files(names, files->path);
    size_t count = 0;
    while (names[count])
        count++;
    names[count++] = MODEL_CONFIG;
    names[count++] = MODEL_WEIGHTS;
    names[count++] = RUNLOG_FILE;
    for (size_t i = 0; i < count; i++) {
        char *path = path_join(files->path, names[i]);
        file_uses_input(uses, path, "--model");
        xfree(path);
    }
}

/* ---- comparing ---- */

static bool is_standard(const struct file_use *use)
{
    return !strcmp(use->path, "-");
}

static bool look(const struct file_use *use, struct stat *info)
{
    return (is_standard(use) ? fstat(use->output ? STDOUT_FILENO : STDIN_FILENO, info)
                             : stat(use->path, info)) == 0;
}

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

static bool are_same(const struct file_use *a, const struct file_use *b)
{
    struct stat x, y;
    if (a->output == b->output && is_standard(a) && is_standard(b))
        return true;
    const bool has_a = look(a, &x), has_b = look(b, &y);
    if (has_a && has_b)
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return !has_a && !has_b && lead_to_same(a->path, b->path);
}

static int refuse(const struct file_use *output, const struct file_use *other)
{
    const bool standard = is_standard(output);
    const char *quote = standard ? "" : "'", *name = standard ? "standard output" : output->path;
    if (other->output)
        fprintf(stderr, "nmt: cannot write %s%s%s twice (%s and %s)\n", quote, name, quote, output->as,
                other->as);
    else
        fprintf(stderr, "nmt: cannot write %s%s%s: it is read as well (%s)\n", quote, name, quote,
                is_standard(other) ? "standard input" : other->as);
    return EXIT_WRONG_USE;
}

/* Standard output may be given as an output file and also get what is printed. */
static bool may_share_output(const struct file_use *a, const struct file_use *b)
{
    return b->output && (!a->as || !b->as);
}

int file_uses_check(struct file_uses *uses)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < uses->count && status == EXIT_DONE; i++)
        for (size_t k = 0; k < uses->count && status == EXIT_DONE; k++) {
            const struct file_use *output = &uses->items[i], *other = &uses->items[k];
            const bool skipped = !output->output || (other->output && k <= i); /* no output, or a pair
                                                                              * already compared */
            if (!skipped && !may_share_output(output, other) && are_same(output, other))
                status = refuse(output, other);
        }
    for (size_t i = 0; i < uses->count; i++)
        xfree(uses->items[i].path);
    xfree(uses->items);
    *uses = (struct file_uses){NULL, 0, 0};
    return status;
}

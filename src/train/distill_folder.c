/* How far the distillation in a folder is, and removing it. */
#include "distill_folder.h"

#include "distill_state.h"
#include "fileio.h"
#include "folder.h"
#include "mem.h"
#include "writer.h"

#include <string.h>

char *distill_folder_of(const char *model_dir)
{
    return path_join(model_dir, DISTILL_FOLDER);
}

int distill_progress(const char *model_dir, struct err *err)
{
    struct distill_state state;
    char *dir = distill_folder_of(model_dir), *path = path_join(dir, DISTILL_STATE);
    int progress = DISTILL_NONE;
    if (file_exists(path)) {
        progress = distill_state_load(&state, dir, err);
        if (progress == 0) {
            progress = state.finished ? DISTILL_FINISHED : DISTILL_BEGUN;
            distill_state_release(&state);
        }
    }
    xfree(path);
    xfree(dir);
    return progress;
}

char *distill_begun_config(const char *model_dir)
{
    char *dir = distill_folder_of(model_dir), *path = path_join(dir, DISTILL_CONFIG);
    xfree(dir);
    if (file_exists(path))
        return path;
    xfree(path);
    return NULL;
}

static void count_other(void *context, const char *name)
{
    *(int *)context += strcmp(name, LOCK_FILE) && strcmp(name, DISTILL_CONFIG) &&
                       strcmp(name, DISTILL_TEACHER) && !temporary_is_left_over(name);
}

int distill_folder_check(const char *dir, struct err *err)
{
    int others = 0;
    if (folder_each(dir, count_other, &others, err))
        return -1;
    return others
               ? err_set(err, "'%s' is not empty: it is where teachers and translations would be kept", dir)
               : 0;
}

/* ---- removal ---- */

struct removal {
    const char *dir;
    double bytes;
    int failed;
    struct err *err;
};

static void remove_from(struct removal *removal, const char *name)
{
    char *path = path_join(removal->dir, name);
    removal->failed |= folder_remove(path, &removal->bytes, removal->err);
    xfree(path);
}

/* The state goes last: until then, a resumed run knows that only this is left to do. */
static const char *const last[] = {DISTILL_CONFIG, DISTILL_TEACHER, DISTILL_STATE};
#define LAST (sizeof last / sizeof last[0])

static void remove_but_last(void *context, const char *name)
{
    bool kept = !strcmp(name, LOCK_FILE);
    for (size_t i = 0; i < LAST; i++)
        kept |= !strcmp(name, last[i]);
    if (!kept)
        remove_from(context, name);
}

static int remove_locked(const char *dir, double *bytes, struct err *err)
{
    struct removal removal = {.dir = dir, .err = err};
    if (folder_each(dir, remove_but_last, &removal, err))
        return -1;
    for (size_t i = 0; i < LAST && !removal.failed; i++)
        remove_from(&removal, last[i]);
    if (bytes)
        *bytes = removal.bytes;
    return removal.failed ? -1 : 0;
}

int distill_remove(const char *model_dir, double *bytes, struct err *err)
{
    struct lock lock;
    char *dir = distill_folder_of(model_dir);
    int status = 0;
    if (bytes)
        *bytes = 0;
    if (distill_progress(model_dir, NULL) != DISTILL_NONE) {
        status = lock_take(&lock, dir, err);
        if (!status) {
            status = remove_locked(dir, bytes, err);
            lock_release(&lock);
        }
        if (!status)
            folder_remove_empty(dir);
    }
    xfree(dir);
    return status;
}

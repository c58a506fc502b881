/* Finds the files of a model in a directory or in a packed file. What they hold is known to their readers;
 * packed files are written by pack.c. */
#include "model_files.h"

#include "mem.h"

#include <string.h>
#include <sys/stat.h>

static int check_packed(const struct safetensors *file, struct err *err)
{
    const char *format = safetensors_metadata(file, PACKED_KEY);
    if (!format)
        return err_set(err, "cannot use '%s': it is not packed: give its directory", file->path);
    if (strcmp(format, PACKED_FORMAT))
        return err_set(err, "cannot read '%s': packed format version %s, this program reads version %s",
                       file->path, format, PACKED_FORMAT);
    return safetensors_is_sealed(file)
               ? 0
               : err_set(err, "cannot read '%s': its header has no checksum", file->path);
}

static int open_packed(struct safetensors *file, const char *path, struct err *err)
{
    if (!safetensors_open(file, path, err))
        return check_packed(file, err);
    if (err && !err->number && !safetensors_looks_like(path))
        err_set(err,
                "cannot use '%s': neither a model directory nor a packed file: not a safetensors file, or "
                "truncated in its header",
                path);
    return -1;
}

int model_files_open(struct model_files *files, const char *path, struct err *err)
{
    struct stat info;
    memset(files, 0, sizeof *files);
    const bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return err_set(err, "cannot use '%s': neither a model directory nor a packed file", path);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') /* a shell's completion adds it */
        length--;
    files->path = xstrndup(path, length);
    files->packed = exists && S_ISREG(info.st_mode);
    const int status = files->packed ? open_packed(&files->weights, path, err) : 0;
    if (status)
        model_files_close(files);
    return status;
}

void model_files_close(struct model_files *files)
{
    safetensors_close(&files->weights);
    xfree(files->path);
    memset(files, 0, sizeof *files);
}

char *model_files_name(const struct model_files *files, const char *name)
{
    return files->packed ? xasprintf("%s:%s", files->path, name) : path_join(files->path, name);
}

bool model_files_has(const struct model_files *files, const char *name)
{
    if (files->packed)
        return safetensors_metadata(&files->weights, name) != NULL;
    char *path = path_join(files->path, name);
    const bool has = file_exists(path);
    xfree(path);
    return has;
}

/* The text of that name in a packed file, or NULL. */
static const char *packed_text(const struct model_files *files, const char *name, struct err *err)
{
    const char *text = safetensors_metadata(&files->weights, name);
    if (!text)
        err_set(err, "cannot read '%s': it holds no '%s'", files->path, name);
    return text;
}

int model_files_slurp(struct strbuf *text, const struct model_files *files, const char *name, struct err *err)
{
    strbuf_reset(text);
    if (files->packed) {
        const char *packed = packed_text(files, name, err);
        if (packed)
            strbuf_adds(text, packed);
        return packed ? 0 : -1;
    }
    char *path = path_join(files->path, name);
    const int status = file_check_regular(path, err) ? -1 : file_slurp(text, path, err);
    xfree(path);
    return status;
}

/* Passes every line of a text to `take`, as file_each_own_line does. */
static int each_line_of(const char *text, line_taker *take, void *context, struct err *err)
{
    struct strbuf line;
    strbuf_init(&line);
    int status = 0;
    for (int64_t number = 1; *text && !status; number++) {
        const size_t bytes = strcspn(text, "\n");
        strbuf_reset(&line);
        strbuf_add(&line, text, bytes);
        text += bytes + (text[bytes] == '\n');
        status = take(context, &line, number, err);
    }
    strbuf_release(&line);
    return status;
}

int model_files_each_line(const struct model_files *files, const char *name, line_taker *take, void *context,
                          struct err *err)
{
    if (files->packed) {
        const char *text = packed_text(files, name, err);
        return text ? each_line_of(text, take, context, err) : -1;
    }
    char *path = path_join(files->path, name);
    const int status = file_each_own_line(path, take, context, err);
    xfree(path);
    return status;
}

int model_files_write(void *context, const char *name, const struct strbuf *text, struct err *err)
{
    const char *const *dir = context;
    char *path = path_join(*dir, name);
    const int status = file_replace(path, text->text, text->length, err);
    xfree(path);
    return status;
}

const struct safetensors *model_files_weights(struct model_files *files, struct err *err)
{
    if (files->weights.path)
        return &files->weights;
    char *path = path_join(files->path, MODEL_WEIGHTS);
    const int status = safetensors_open(&files->weights, path, err);
    xfree(path);
    return status ? NULL : &files->weights;
}

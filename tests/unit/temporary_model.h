/* temporary_model: a model of one file in the temporary folder, for tests that load it. */
#ifndef NMT_TEST_TEMPORARY_MODEL_H
#define NMT_TEST_TEMPORARY_MODEL_H

#include "check.h"

#include "mem.h"
#include "model_files.h"
#include "temporary.h"

static inline void open_temporary_model(struct model_files *files, const char *name, const char *text)
{
    struct err err;
    char *path = path_join(temporary_dir, name);
    if (file_replace(path, text, strlen(text), &err) || model_files_open(files, temporary_dir, &err))
        fail_msg("%s", err.text);
    xfree(path);
}

/* Removes the file, too. */
static inline void close_temporary_model(struct model_files *files, const char *name)
{
    char *path = path_join(temporary_dir, name);
    model_files_close(files);
    unlink(path);
    xfree(path);
}

#endif
